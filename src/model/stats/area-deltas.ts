// One area of two runs, row by row: states, tasks, locks, causes. Exact integers. True of any
// two runs, whose machines and tasks may differ; a side without a run is undefined, not zero.

import { CAUSES, CPU_STATES } from "../../engine/gen/catalogue.ts";
import type { Pair } from "../compare/deltas.ts";
import { IRQ_OFF_CHANNEL, NO_PREEMPT_CHANNEL } from "../trace/pyramid.ts";
import { causesWithSlack } from "../causes/slack.ts";
import type { TraceStore } from "../trace/trace-store.ts";
import type { Area } from "../trace/run-types.ts";
import { areaStats, type AreaStats } from "./area-stats.ts";

/** One line of a table, ns. */
export interface AreaRow extends Pair {
  readonly name: string;
}

/** `sum` of a table is what its rows add up to on each side. */
export interface AreaTable {
  readonly rows: readonly AreaRow[];
  readonly sum: Pair;
}

export interface AreaDeltas {
  /** Simulated time of the area's CPUs together, ns. States add up to it, and so do tasks. */
  readonly ns: Pair;
  /** Wake-ups that ended in the area. Causes add up to their latencies. */
  readonly wakeups: Pair;
  readonly states: AreaTable;
  /** Time of these CPUs with interrupts off and with preemption off, in whatever state. */
  readonly off: readonly AreaRow[];
  readonly tasks: AreaTable;
  /** Spent waiting for each lock, summed over the CPUs. */
  readonly waits: AreaTable;
  /** Spent holding each lock. */
  readonly holds: AreaTable;
  readonly causes: AreaTable;
}

/** The row of CPUs without a task: idle, and interrupts while idle. */
export const NO_TASK = "no task";

type Named = ReadonlyMap<string, number>;

export function areaDeltas(
  a: TraceStore | undefined,
  b: TraceStore | undefined,
  area: Area,
): AreaDeltas {
  const one = a === undefined ? undefined : figuresOf(a, area);
  const other = b === undefined ? undefined : figuresOf(b, area);
  const pair = (of: (side: AreaStats) => number): Pair => ({
    a: one && of(one.stats),
    b: other && of(other.stats),
  });
  const table = (of: (side: Figures) => Named): AreaTable =>
    tableOf(one && of(one), other && of(other));
  return {
    ns: pair(({ ns }) => ns),
    wakeups: pair(({ wakeups }) => wakeups),
    states: table(({ states }) => states),
    off: [
      { name: "interrupts off", ...pair(({ channelNs }) => channelNs[IRQ_OFF_CHANNEL] ?? 0) },
      { name: "preemption off", ...pair(({ channelNs }) => channelNs[NO_PREEMPT_CHANNEL] ?? 0) },
    ],
    tasks: table(({ tasks }) => tasks),
    waits: table(({ waits }) => waits),
    holds: table(({ holds }) => holds),
    causes: table(({ causes }) => causes),
  };
}

interface Figures {
  readonly stats: AreaStats;
  readonly states: Named;
  readonly tasks: Named;
  readonly waits: Named;
  readonly holds: Named;
  readonly causes: Named;
}

function figuresOf(store: TraceStore, area: Area): Figures {
  const stats = areaStats(store, area);
  const locks = (of: "waitNs" | "holdNs"): Named =>
    new Map(stats.locks.map((share) => [store.lockName(share.lock), share[of]]));
  return {
    stats,
    states: new Map(CPU_STATES.map(({ name }, state) => [name, stats.channelNs[state] ?? 0])),
    tasks: new Map(
      stats.tasks.map(({ task, ns }) => [task === undefined ? NO_TASK : store.taskName(task), ns]),
    ),
    waits: locks("waitNs"),
    holds: locks("holdNs"),
    causes: new Map(
      causesWithSlack(stats.causeNs, stats.slackNs).map((ns, cause) => [
        CAUSES[cause]?.name ?? "timer_slack",
        ns,
      ]),
    ),
  };
}

/**
 * Rows that are nothing on both sides are left out; a row that only one run has is 0 in the other,
 * since that run was looked at.
 */
function tableOf(a: Named | undefined, b: Named | undefined): AreaTable {
  const names = [...new Set([...(a?.keys() ?? []), ...(b?.keys() ?? [])])];
  const of = (side: Named | undefined, name: string): number | undefined =>
    side === undefined ? undefined : (side.get(name) ?? 0);
  const rows = names
    .map((name) => ({ name, a: of(a, name), b: of(b, name) }))
    .filter((row) => (row.a ?? 0) + (row.b ?? 0) > 0)
    .sort(
      (one, other) =>
        Math.max(other.a ?? 0, other.b ?? 0) - Math.max(one.a ?? 0, one.b ?? 0) ||
        one.name.localeCompare(other.name, "en"),
    );
  const sum = (side: Named | undefined): number | undefined =>
    side && [...side.values()].reduce((total, ns) => total + ns, 0);
  return { rows, sum: { a: sum(a), b: sum(b) } };
}
