// Goldens: what every scenario and variant gave when a person last looked and agreed.
// `scenarios/<slug>/expected/reports.json` holds digest and figures, of tasks only those that the
// scenario names; a change of behaviour shows there as a readable difference. Re-recorded only by
// `npm run bless`.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT } from "./run.mjs";

/** The part of a report that is kept; `figures`: paths of those that the scenario names. */
export function goldenOf(report, figures) {
  const { digest, records, simulated_ns, complete, metrics, findings } = report;
  const { tasks, ...groups } = metrics;
  const named = namedTasks(tasks, figures);
  const kept = Object.keys(named).length === 0 ? groups : { ...groups, tasks: named };
  return { digest, records, simulated_ns, complete, metrics: kept, findings };
}

/**
 * The figures of each task that a path names: `tasks.request.*.ready_ns` names `ready_ns` of
 * `request.0` and its siblings.
 */
function namedTasks(tasks, paths) {
  const wanted = paths
    .map((path) => /^tasks\.(.+)\.(\d+|\*)\.(\w+)$/.exec(path))
    .filter((parts) => parts !== null);
  const ofTask = (name) =>
    wanted.filter(
      ([, kind, instance]) =>
        name.startsWith(`${kind}.`) && [name.slice(kind.length + 1), "*"].includes(instance),
    );
  const rows = Object.entries(tasks).map(([name, task]) => [
    name,
    ofTask(name).map(([, , , leaf]) => [leaf, task[leaf]]),
  ]);
  return Object.fromEntries(
    rows
      .filter(([, kept]) => kept.length > 0)
      .map(([name, kept]) => [name, Object.fromEntries(kept)]),
  );
}

/** The goldens of one scenario by variant, as text; undefined before the first blessing. */
export function goldenText(slug) {
  const file = goldenFile(slug);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

/** The recorded digests of one scenario by variant. */
export function recordedDigests(slug) {
  const goldens = JSON.parse(goldenText(slug) ?? "{}");
  return Object.fromEntries(Object.entries(goldens).map(([name, { digest }]) => [name, digest]));
}

/** The text that `goldens`, an object by variant name, is stored as. */
export function textOf(goldens) {
  return `${JSON.stringify(goldens, undefined, 2)}\n`;
}

export function writeGoldens(slug, text) {
  mkdirSync(dirname(goldenFile(slug)), { recursive: true });
  writeFileSync(goldenFile(slug), text);
}

function goldenFile(slug) {
  return join(ROOT, "scenarios", slug, "expected", "reports.json");
}
