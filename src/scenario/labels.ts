// What people call a kind of task and what its tasks measure: the `labels` of a scenario's file.
// Links, files and reports keep the names.

import { plainText } from "../engine/plain.ts";

/** By `kind` and by `kind.name`. A link may bring any text. */
export type Labels = Readonly<Record<string, string>>;

/**
 * The label of a kind or a series; undefined where the scenario has none. Only what the table
 * itself holds counts: a kind may be called `constructor`.
 */
export function labelOf(labels: Labels, name: string): string | undefined {
  const label = Object.hasOwn(labels, name) ? labels[name] : undefined;
  return label === undefined ? undefined : plainText(label);
}

/** Whether a label names the tasks or samples behind the figure at `path`. */
export function isLabelled(labels: Labels, path: string): boolean {
  return Object.keys(labels).some((name) =>
    ["latency", "tasks", "tool_samples"].some((group) => path.startsWith(`${group}.${name}.`)),
  );
}

/** What people call the kind; its name where it has no label. */
export function kindWords(labels: Labels, kind: string): string {
  return labelOf(labels, kind) ?? plainText(kind);
}

/** What people call a series of samples; "web_front: request" where it has no label. */
export function seriesWords(labels: Labels, series: string): string {
  return labelOf(labels, series) ?? plainText(series.replace(/\.([^.]*)$/, ": $1"));
}

/**
 * What people call a task and all of its kind: "worker 3", "worker". `name` ends in a number or in
 * `*`.
 */
export function taskWords(labels: Labels, name: string): string {
  const [, kind = name, which = "*"] = /^(.*)\.(\d+|\*)$/.exec(name) ?? [];
  const label = labelOf(labels, kind);
  if (label === undefined) return plainText(name.replace(/\.\*$/, ""));
  return which === "*" ? label : `${label} ${which}`;
}
