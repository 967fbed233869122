// Tables of single answers for other programs: exact numbers, one fact a cell, units in the names
// of the columns.

import { CAUSES } from "../../engine/gen/catalogue.ts";
import type { CostInfo } from "../../engine/gen/types.ts";
import type { Cell, Table } from "../../lib/csv.ts";
import type { SpentSum } from "../../model/tasks/spent.ts";
import type { ThrottleBin } from "../../model/tasks/throttles.ts";
import type { LatencyStrip, WakeRecord } from "../../model/trace/run-types.ts";
import type { Books } from "../../state/figures/quota-books.ts";
import { SIDES, type PerSide } from "../../scenario/sides.ts";
import type { Mismatch } from "../../state/select/selectors.ts";

/**
 * A row for each stretch of a wake-up's latency. A stretch that is a sum of many has no instant of
 * its own.
 */
export function waterfallTable({ task, nth, dueNs, segments }: WakeRecord): Table {
  return {
    columns: [
      "task",
      "nth",
      "due_ns",
      "cause",
      "rtla",
      "from_ns",
      "length_ns",
      "share_basis_points",
    ],
    rows: segments.map(({ cause, fromNs, ns, basisPoints, summed }) => {
      const { name, rtla } = CAUSES[cause] ?? { name: String(cause), rtla: "" };
      return [
        task,
        nth,
        dueNs,
        name,
        rtla === "" ? undefined : rtla,
        summed === true ? undefined : fromNs,
        ns,
        basisPoints,
      ];
    }),
  };
}

/** A row for each part of the time that a sample took. */
export function spentTable(sums: readonly SpentSum[]): Table {
  const parts = sums
    .flatMap((sum) => sum.parts)
    .toSorted((one, other) => one.fromNs - other.fromNs);
  return {
    columns: ["what", "at", "from_ns", "length_ns"],
    rows: parts.map(({ what, at, fromNs, ns }) => [what, at, fromNs, ns]),
  };
}

/** The percentiles over the histograms; of too few wake-ups there is none. */
export function percentilesTable(strips: PerSide<LatencyStrip | undefined>): Table {
  const columns = ["min", "p50", "p90", "p99", "p999", "max"] as const;
  return {
    columns: ["side", "wake_ups", ...columns.map((column) => `${column}_ns`)],
    rows: SIDES.map((side) => [
      side.toUpperCase(),
      strips[side]?.count,
      ...columns.map((column) => strips[side]?.[column]),
    ]),
  };
}

/** A row for each bar of the lengths of throttles. The last bar has no end. */
export function throttlesTable(bins: readonly ThrottleBin[]): Table {
  return {
    columns: ["from_ns", "to_ns", "throttles", "longest_ns", "longest_cpu", "longest_from_ns"],
    rows: bins.map(({ fromNs, toNs, count, longest }) => [
      fromNs,
      Number.isFinite(toNs) ? toNs : undefined,
      count,
      longest.toNs - longest.fromNs,
      longest.cpu,
      longest.fromNs,
    ]),
  };
}

/** A group's path in the name of a file. */
export function fileName(path: string): string {
  return path.replaceAll(/[^\p{L}\p{N}._-]+/gu, "-");
}

/** The books of a group, then its cpu.stat in the units of `version`. */
export function quotaTable(
  { came, went }: Books,
  stat: readonly (readonly [name: string, value: number])[],
  version: 1 | 2,
): Table {
  const account = (name: string, entries: Books["came"]): readonly (readonly Cell[])[] =>
    entries.map(({ kind, ns, basisPoints }) => [name, kind, ns, basisPoints]);
  return {
    columns: ["table", "name", "value", "share_basis_points"],
    rows: [
      ...account("came in, ns", came),
      ...account("went to, ns", went),
      ...stat.map(
        ([name, value]) => [`cpu.stat of cgroup v${version}`, name, value, undefined] as const,
      ),
    ],
  };
}

/** A row for each cost, with both sides' values. */
export function costsTable(a: readonly CostInfo[], b: readonly CostInfo[] | undefined): Table {
  const ofB = new Map(b?.map((cost) => [cost.name, cost]));
  return {
    columns: ["name", "value_a", "known_a", "value_b", "known_b", "what"],
    rows: a.map(({ name, value, provenance, doc }) => [
      name,
      value,
      provenance,
      ofB.get(name)?.value,
      ofB.get(name)?.provenance,
      doc,
    ]),
  };
}

/** What the link's sender had, beside what is here. */
export function mismatchTable(figures: Mismatch["figures"]): Table {
  return {
    columns: ["metric", "side", "link", "here"],
    rows: figures.map(({ path, side, then, now }) => [path, side.toUpperCase(), then, now]),
  };
}
