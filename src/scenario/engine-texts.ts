// Texts that come from Rust, as the page spells them.

import type { RunMeta, RunReport, ScenarioEntry } from "../engine/gen/types.ts";
import { timeSigns } from "../lib/format.ts";
import { plainText } from "../engine/plain.ts";

export function entryInWords(entry: ScenarioEntry): ScenarioEntry {
  const references = entry.references.map((each) => ({
    ...each,
    label: timeSigns(each.label),
    source: timeSigns(each.source),
  }));
  const source = entry.source.map((each) => ({ ...each, title: timeSigns(each.title) }));
  return { ...entry, title: timeSigns(entry.title), source, references };
}

/** Names of tasks are hostile: they come from files and links. */
export function metaInWords(meta: RunMeta): RunMeta {
  return {
    ...meta,
    tasks: meta.tasks.map((task) => ({ ...task, name: plainText(task.name) })),
    notes: meta.notes.map(timeSigns),
    costs: meta.costs.map((cost) => ({ ...cost, doc: timeSigns(cost.doc) })),
  };
}

export function reportInWords(report: RunReport): RunReport {
  return {
    ...report,
    findings: report.findings.map((finding) => ({ ...finding, what: timeSigns(finding.what) })),
  };
}
