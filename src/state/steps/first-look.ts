// Where a scenario opens: on what its headline speaks of.

import type { WakeRecord } from "../../model/trace/run-types.ts";
import type { PerSide, Side } from "../../scenario/sides.ts";
import { SIDES } from "../../scenario/sides.ts";
import type { State } from "../shape/state.ts";
import type { Run, SideState } from "../shape/run.ts";

/** Half of what is shown at first around a short event, ns. */
const AROUND_NS = 50_000;
/** How many of the longest waits are looked through for one that the headline means. */
const LOOKED_AT = 512;

type Look = Partial<Pick<State, "firstViewport" | "playheadNs">>;

/**
 * Once both runs are done: the deepest queue if the headline is about run-queue locks, else the
 * longest wait of a task it names.
 */
export function firstLook(sides: PerSide<SideState>, headline: readonly string[]): Look {
  const runs = SIDES.flatMap((side: Side) =>
    sides[side].shown?.report === undefined ? [] : [sides[side].shown],
  );
  if (runs.length < SIDES.length) return {};
  const endNs = Math.max(...runs.map(({ meta }) => meta.duration_ns));
  const peaks = aboutLocks(headline)
    ? runs.flatMap(({ trace }) => trace.locks.lock(trace.locks.deepest() ?? -1)?.peak ?? [])
    : [];
  const deepest = peaks.sort((one, other) => other.depth - one.depth)[0];
  if (deepest !== undefined) return lookAt(deepest.atNs, AROUND_NS, endNs);
  const waits = runs.flatMap((run) => longestWait(run, headline) ?? []);
  const longest = waits.sort((one, other) => other.latencyNs - one.latencyNs)[0];
  return longest === undefined
    ? {}
    : lookAt(longest.dueNs, Math.max(AROUND_NS, 2 * longest.latencyNs), endNs);
}

/** Whether a scenario is about waiting for run-queue locks. */
export function aboutLocks(headline: readonly string[]): boolean {
  return headline.some((path) => path.startsWith("rq_lock."));
}

/**
 * What of the headline's figures shows as which marks, by the beginning or the end of a figure's
 * path.
 */
const ABOUT: readonly (readonly [figure: RegExp, ...marks: string[]])[] = [
  [/^rq_lock\./, "tether", "ipi", "move"],
  [/^ipi\.nohz_kick\./, "kick", "tick-stop"],
  [/^ipi\./, "ipi", "move"],
  [/^groups\./, "throttle", "drop", "refill"],
  [/^sched\.ticks/, "tick", "tick-stop"],
  [/^sched\.(migrations|pushes|pulls)/, "move"],
  [/spin_ns$/, "user-lock", "flag", "point"],
  [/(switches|ready_ns)$/, "flag", "point", "move"],
  [/^(latency|tool_samples)\./, "flag", "interrupt", "move", "throttle"],
];

/**
 * Ids of the marks that a scenario's figures are about. Those that explain most come first: a lock
 * or a quota explains more than a latency.
 */
export function aboutMarks(headline: readonly string[]): readonly string[] {
  return [
    ...new Set(
      ABOUT.flatMap(([figure, ...marks]) =>
        headline.some((path) => figure.test(path)) ? marks : [],
      ),
    ),
  ];
}

/** The longest wait of a task that the headline names, else of any. */
export function longestWait(
  { trace, meta }: Run,
  headline: readonly string[],
): WakeRecord | undefined {
  const { wakes } = trace;
  const rows = wakes.worst(LOOKED_AT);
  const named = rows.find((row) => {
    const info = meta.tasks[wakes.taskIdOf(row)];
    return info !== undefined && headline.some((path) => path.includes(`.${info.kind}.`));
  });
  // The record of one only: that of a wait as long as the run has thousands of segments.
  const row = named ?? rows[0];
  return row === undefined ? undefined : wakes.record(row);
}

/** Never beyond the end of the axis: there is nothing to see. */
function lookAt(ns: number, aroundNs: number, endNs: number): Look {
  const fromNs = Math.max(0, Math.min(ns - aroundNs, endNs - 2 * aroundNs));
  return {
    firstViewport: { fromNs, toNs: Math.min(endNs, fromNs + 2 * aroundNs) },
    playheadNs: ns,
  };
}
