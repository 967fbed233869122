// What knobs and the kernel of a run are called wherever the page names them: never a raw path,
// never `false`.

import { KNOBS } from "../engine/gen/knobs.ts";
import type { KnobValue, RunMeta } from "../engine/gen/types.ts";
import { sentenceList } from "../lib/sentence-list.ts";
import { findKnob, knobName, valueText, saidValue, VERSION } from "./knob-values.ts";
import { taskWriteName } from "./task-writes.ts";

/** What people call the knob, or the write to a task, at a path. */
export function pathName(path: string): string {
  const knob = findKnob(KNOBS, path);
  return knob === undefined ? (taskWriteName(path) ?? path) : knobName(knob);
}

/** "RT_PUSH_IPI off". */
export function settingWords(path: string, value: KnobValue): string {
  return `${pathName(path)} ${saidValue(path, value)}`;
}

/** "6.12 with CFS bandwidth 4.19": the version of a run's kernel, and what is not of it. */
export function kernelText({
  kernel,
  knobs,
  own_switches: own,
}: Pick<RunMeta, "kernel" | "knobs" | "own_switches">): string {
  if (own.length === 0) return kernel;
  const version = valueText(knobs.find(({ path }) => path === VERSION)?.value ?? "");
  const words = own.map(({ path, value }) =>
    typeof value === "object" ? `own ${pathName(path)}` : settingWords(path, value),
  );
  return `${version} with ${sentenceList(words)}`;
}
