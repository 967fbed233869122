// The books of a control group as a viewer checks them: what came in on one side, where it went on
// the other, both adding up to the same. Knows arithmetic only.

import type { GroupMetrics } from "../../engine/gen/types.ts";
import { largestRemainder } from "../../lib/percent.ts";

export type BookKind =
  | "granted"
  | "double"
  | "made"
  | "owed"
  | "copied"
  | "used"
  | "pool"
  | "silo"
  | "walk"
  | "expired"
  | "dropped"
  | "forgiven";

/** One line of the books. */
export interface BookEntry {
  readonly kind: BookKind;
  readonly words: string;
  /** Not negative. */
  readonly ns: number;
  /** Hundredths of a per cent of its side; a side's add to 10 000. */
  readonly basisPoints: number;
}

export interface Books {
  readonly came: readonly BookEntry[];
  readonly went: readonly BookEntry[];
  readonly cameNs: number;
  readonly wentNs: number;
}

type Line = readonly [kind: BookKind, words: string, ns: number];

/**
 * `granted + double_spent + adjusted = pool + silo + in_walk + used + expired + dropped`
 * (docs/model/bandwidth.md#conservation). Terms that may be negative change sides when they are, so
 * that every part can be drawn as a length. Lines of 0 are left out, except those that every reader
 * looks for.
 */
export function booksOf(group: GroupMetrics): Books {
  const came = entries(
    [
      ["granted", "granted: the first full pool and the refills", group.granted_ns],
      ["double", "spent twice", group.double_spent_ns],
      ["made", "added by writes to cpu.max", Math.max(0, group.adjusted_ns)],
      ["owed", "owed by CPUs", Math.max(0, -group.silo_ns)],
      ["copied", "handed out, not yet subtracted from the pool", Math.max(0, -group.in_walk_ns)],
    ],
    ["granted"],
  );
  const went = entries(
    [
      ["used", "used", group.usage_ns],
      ["pool", "in the pool", group.pool_ns],
      ["silo", "on CPUs, in their silos", Math.max(0, group.silo_ns)],
      ["walk", "being handed out", Math.max(0, group.in_walk_ns)],
      ["expired", "expired", group.expired_ns],
      ["dropped", "dropped: too old to return", group.dropped_ns],
      ["forgiven", "removed by writes to cpu.max", Math.max(0, -group.adjusted_ns)],
    ],
    ["used", "pool", "silo", "expired"],
  );
  return { came, went, cameNs: total(came), wentNs: total(went) };
}

function entries(lines: readonly Line[], always: readonly BookKind[]): readonly BookEntry[] {
  const shown = lines.filter(([kind, , ns]) => ns > 0 || always.includes(kind));
  const shares = largestRemainder(shown.map(([, , ns]) => ns));
  return shown.map(([kind, words, ns], index) => ({
    kind,
    words,
    ns,
    basisPoints: shares[index] ?? 0,
  }));
}

function total(side: readonly BookEntry[]): number {
  return side.reduce((sum, { ns }) => sum + ns, 0);
}

/**
 * Used of what it was entitled to, in hundredths of a per cent; undefined without an entitlement.
 */
export function usedShare(usedNs: number, entitledNs: number): number | undefined {
  return entitledNs === 0 ? undefined : Math.round((usedNs / entitledNs) * 10_000);
}

/**
 * The lines of cpu.stat, and the line of cpu.stat.local. v1 counts times in ns, v2 in us, rounded
 * down; only v2's file has usage_usec.
 */
export function cpuStat(
  group: GroupMetrics,
  version: 1 | 2,
): readonly (readonly [name: string, value: number])[] {
  const {
    nr_periods,
    nr_throttled,
    throttled_ns,
    throttled_local_ns,
    nr_bursts,
    burst_ns,
    usage_ns,
  } = group;
  const us = (ns: number): number => Math.floor(ns / 1000);
  const counts = [
    ["nr_periods", nr_periods],
    ["nr_throttled", nr_throttled],
  ] as const;
  if (version === 1)
    return [
      ...counts,
      ["throttled_time", throttled_ns],
      ["nr_bursts", nr_bursts],
      ["burst_time", burst_ns],
      ["local throttled_time", throttled_local_ns],
    ];
  return [
    ["usage_usec", us(usage_ns)],
    ...counts,
    ["throttled_usec", us(throttled_ns)],
    ["nr_bursts", nr_bursts],
    ["burst_usec", us(burst_ns)],
    ["local throttled_usec", us(throttled_local_ns)],
  ];
}
