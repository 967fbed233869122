// The chosen area: its one form, and its words. An area names CPUs by number, for both sides; a
// machine without them shows nothing there.

import { formatNs } from "../../lib/format.ts";
import { rangeWords } from "../../lib/ranges.ts";
import type { Area, WakeRecord } from "../../model/trace/run-types.ts";

/** Whole ns, at least one; CPUs ascending, each once. */
export function wholeArea({ fromNs, toNs, cpus }: Area): Area {
  const from = Math.max(0, Math.floor(fromNs));
  const stretch = { fromNs: from, toNs: Math.max(from + 1, Math.ceil(toNs)) };
  return cpus === undefined
    ? stretch
    : { ...stretch, cpus: [...new Set(cpus)].sort((one, other) => one - other) };
}

/**
 * What a wake-up waited through, from its due time to its running, on the CPU it then ran on: its
 * length is the latency.
 */
export function areaOfWake({ dueNs, latencyNs, cpu }: WakeRecord): Area {
  return wholeArea({ fromNs: dueNs, toNs: dueNs + latencyNs, cpus: [cpu] });
}

/** "all CPUs", "CPU 3", "CPUs 3–9, 12". */
export function cpusWords({ cpus }: Area): string {
  return cpus === undefined
    ? "all CPUs"
    : `${cpus.length === 1 ? "CPU" : "CPUs"} ${rangeWords(cpus)}`;
}

/** "412.3 µs from 10.25 ms, CPUs 3–9". */
export function areaWords(area: Area): string {
  return `${formatNs(area.toNs - area.fromNs, 3)} from ${formatNs(area.fromNs, 6)}, ${cpusWords(area)}`;
}
