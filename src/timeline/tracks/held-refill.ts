// A refill that is dragged along the time axis: which one, and what period that comes to.
//
//        writeNs   the refill held          dropped here
//   ───────┤▲────────────▲──────────────────────┊
//           └── period ──┘
//           └─────────── the new period ────────┘

import type { GroupTrack, TraceStore } from "../../model/index.ts";

export interface HeldRefill {
  /** The start of the period that ends with the refill. */
  readonly fromNs: number;
  /**
   * When the new period is written: before `fromNs`, where the kernel's timer counts it from, by
   * more than the write takes.
   */
  readonly writeNs: number;
}

const WRITE_AHEAD_NS = 10_000;
const STEP_NS = 1_000_000;
/** `cpu.max` takes periods of 1 ms to 1 s (`min_cfs_quota_period`, `max_cfs_quota_period`). */
const LEAST_NS = 1_000_000;
const MOST_NS = 1_000_000_000;

/** The refill nearest to `ns`, at most `reachNs` away, whose period begins within the run. */
export function refillAt(
  { events }: TraceStore,
  track: GroupTrack,
  ns: number,
  reachNs: number,
): HeldRefill | undefined {
  const near = track.refills
    .listIn(Math.floor(ns - reachNs), Math.ceil(ns + reachNs))
    .map((row) => events.time.at(row));
  const [first, ...others] = near;
  if (first === undefined) return undefined;
  const refillNs = others.reduce(
    (best, each) => (Math.abs(each - ns) < Math.abs(best - ns) ? each : best),
    first,
  );
  const fromNs = refillNs - track.limitAt(refillNs).periodNs;
  const writeNs = Math.floor((fromNs - WRITE_AHEAD_NS) / 1_000) * 1_000;
  return writeNs > 0 ? { fromNs, writeNs } : undefined;
}

/** The period, ns, that ends at `ns`: whole milliseconds that the kernel takes. */
export function periodTo({ fromNs }: HeldRefill, ns: number): number {
  const whole = Math.round((ns - fromNs) / STEP_NS) * STEP_NS;
  return Math.min(MOST_NS, Math.max(LEAST_NS, whole));
}
