// How long a group was throttled each time, and which of its tools' samples met that. True of one
// run; must not know pixels or words.

import { KIND } from "../../engine/gen/catalogue.ts";
import { samplesOf } from "./samples.ts";
import type { Throttled } from "../trace/group-quota.ts";
import type { TraceStore } from "../trace/trace-store.ts";

/** Throttles of one group on single CPUs with a length in [fromNs, toNs). */
export interface ThrottleBin {
  readonly fromNs: number;
  readonly toNs: number;
  readonly count: number;
  readonly longest: Throttled;
}

/** One series of a tool's samples, and how many of them met a throttle of their group. */
export interface SamplesMet {
  readonly series: string;
  readonly samples: number;
  readonly met: number;
}

/**
 * 1, 2 and 5 of each decade from 0.1 ms on; what is shorter or longer is in the first or the
 * last bin.
 */
const EDGES_NS: readonly number[] = [
  0,
  ...[1e5, 1e6, 1e7, 1e8].flatMap((decade) => [decade, 2 * decade, 5 * decade]),
  1e9,
  Infinity,
];

/**
 * The lengths of the group's throttles, by bin, from the shortest that there is to the longest;
 * those that last count up to the run's end.
 */
export function throttleBins(store: TraceStore, group: number): readonly ThrottleBin[] {
  const bins = new Map<number, ThrottleBin>();
  for (const stretch of throttlesOf(store, (each) => each === group)) {
    const ns = stretch.toNs - stretch.fromNs;
    const at = EDGES_NS.findLastIndex((edge) => edge <= ns);
    const known = bins.get(at);
    const longer = known === undefined || ns > known.longest.toNs - known.longest.fromNs;
    bins.set(at, {
      fromNs: EDGES_NS[at] ?? 0,
      toNs: EDGES_NS[at + 1] ?? Infinity,
      count: (known?.count ?? 0) + 1,
      longest: longer ? stretch : known.longest,
    });
  }
  return [...bins].sort(([one], [other]) => one - other).map(([, bin]) => bin);
}

/**
 * The samples of tasks in the group or below it during which the task's own group, or one above
 * that group, was throttled on any CPU.
 */
export function samplesThatMet(store: TraceStore, group: number): readonly SamplesMet[] {
  const groupOf = (taskId: number): number => store.shape.tasks[taskId]?.group ?? 0;
  const inside = samplesOf(store).filter(({ taskId }) =>
    store.quota.isBelow(groupOf(taskId), group),
  );
  const stopped = new Map<number, readonly Stretch[]>();
  const counts = new Map<string, { samples: number; met: number }>();
  for (const { series, taskId, fromNs, ns } of inside) {
    const own = groupOf(taskId);
    const stretches =
      stopped.get(own) ?? joined(throttlesOf(store, (each) => store.quota.isBelow(own, each)));
    stopped.set(own, stretches);
    const count = counts.get(series) ?? { samples: 0, met: 0 };
    counts.set(series, {
      samples: count.samples + 1,
      met: count.met + (meets(stretches, fromNs, fromNs + ns) ? 1 : 0),
    });
  }
  return [...counts].map(([series, count]) => ({ series, ...count }));
}

/** Run time of the group that expired, or was dropped, on CPUs that had taken it, ns. */
export function lostOnCpus({ events }: TraceStore, group: number): number {
  const rows = events.rowsOf([KIND.BwExpireSilo, KIND.BwDrop]);
  let lost = 0;
  for (let index = 0; index < rows.count; index += 1) {
    const row = rows.at(index);
    if (events.a.at(row) === group) lost += events.b.at(row);
  }
  return lost;
}

function throttlesOf(store: TraceStore, wanted: (group: number) => boolean): readonly Throttled[] {
  const found: Throttled[] = [];
  store.quota.visitThrottled(0, store.endNs, store.endNs, (fromNs, toNs, cpu, group) => {
    if (wanted(group)) found.push({ cpu, group, fromNs, toNs });
  });
  return found;
}

type Stretch = Pick<Throttled, "fromNs" | "toNs">;

/** Stretches that touch become one; in time order. */
function joined(stretches: readonly Stretch[]): readonly Stretch[] {
  const all: { fromNs: number; toNs: number }[] = [];
  for (const { fromNs, toNs } of [...stretches].sort((one, other) => one.fromNs - other.fromNs)) {
    const last = all.at(-1);
    if (last !== undefined && fromNs <= last.toNs) last.toNs = Math.max(last.toNs, toNs);
    else all.push({ fromNs, toNs });
  }
  return all;
}

function meets(stretches: readonly Stretch[], fromNs: number, toNs: number): boolean {
  let [low, high] = [0, stretches.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((stretches[middle]?.toNs ?? 0) <= fromNs) low = middle + 1;
    else high = middle;
  }
  return (stretches[low]?.fromNs ?? Infinity) < toNs;
}
