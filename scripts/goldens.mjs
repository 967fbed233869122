// Goldens: what every scenario and variant gave when somebody last looked and agreed. `scenarios/<slug>/expected/reports.json`
// holds digest and figures, tasks left out; a change of behaviour shows there as a readable difference. Re-recorded only by `npm run bless`.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT } from "./run.mjs";

/** The part of a report that is kept. */
export function goldenOf(report) {
  const { digest, records, simulated_ns, complete, metrics, findings } = report;
  const groups = Object.fromEntries(Object.entries(metrics).filter(([group]) => group !== "tasks"));
  return { digest, records, simulated_ns, complete, metrics: groups, findings };
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
