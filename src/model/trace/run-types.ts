// The shapes the model hands out. Times are ns of machine time from the run's start; intervals are
// half open, [fromNs, toNs).

import type { CPU_STATE } from "../../engine/gen/catalogue.ts";

export type CpuState = (typeof CPU_STATE)[keyof typeof CPU_STATE];

/** A stretch of machine time, `fromNs < toNs`. */
export interface Viewport {
  readonly fromNs: number;
  readonly toNs: number;
}

/** A stretch of machine time on some CPUs; on every CPU if none are named. */
export interface Area extends Viewport {
  /** Ascending, without doubles. */
  readonly cpus?: readonly number[] | undefined;
}

/** Two instants to measure between, ns; the second may be the earlier. */
export interface Markers {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/**
 * What the viewer points at, by name: the same words name the same thing on both sides and in a
 * link.
 */
export type Selection = WakeSelection | SampleSelection;

export interface WakeSelection {
  readonly kind: "wake";
  /** Task name: `cyclictest.12`. */
  readonly task: string;
  /** Which wake-up of that task, from 0. */
  readonly nth: number;
}

/** A time that a tool measured itself. */
export interface SampleSelection {
  readonly kind: "sample";
  readonly task: string;
  /** Which sample of that task, of whatever it measures, from 0. */
  readonly nth: number;
}

/** One stretch of one CPU doing one thing. */
export interface Slice {
  readonly cpu: number;
  readonly state: CpuState;
  readonly irqOff: boolean;
  /** preempt_count is not 0: nothing may preempt what runs. */
  readonly noPreempt: boolean;
  /** Task id, if the CPU works for one. */
  readonly task: number | undefined;
  readonly fromNs: number;
  /** End so far: the run's end for the last slice. */
  readonly toNs: number;
}

/** One part of a wake-up's latency. */
export interface WakeSegment {
  /** Index into CAUSES. */
  readonly cause: number;
  readonly fromNs: number;
  readonly ns: number;
  /** Hundredths of a per cent of the latency; a wake-up's add to exactly 10 000. */
  readonly basisPoints: number;
  /**
   * All that a long wait has of this cause between its first and its last stretches; `fromNs` says
   * its place among such sums.
   */
  readonly summed?: true;
}

/** One finished wake-up. */
export interface WakeRecord {
  readonly row: number;
  readonly task: string;
  readonly taskId: number;
  readonly nth: number;
  readonly cpu: number;
  readonly dueNs: number;
  readonly latencyNs: number;
  /** In time order, end to end from `dueNs`; their `ns` add to `latencyNs`. */
  readonly segments: readonly WakeSegment[];
}

/**
 * Nearest-rank figures over exact values, ns. A percentile without enough samples behind it is
 * undefined.
 */
export interface LatencyStrip {
  readonly count: number;
  readonly min: number;
  readonly p50: number | undefined;
  readonly p90: number | undefined;
  readonly p99: number | undefined;
  readonly p999: number | undefined;
  readonly max: number;
}

/**
 * One bar: wake-ups with a latency in [fromNs, toNs). The first bin also holds what is shorter, the
 * last what is longer.
 */
export interface LatencyBin {
  readonly fromNs: number;
  readonly toNs: number;
  readonly count: number;
  /** By index into CAUSES: ns of this bin's wake-ups charged to that cause. */
  readonly causeNs: readonly number[];
}

/** The holder of a lock and its waiters, in the order they came. */
export interface LockMoment {
  readonly holder: number | undefined;
  readonly queue: readonly number[];
}

/** The longest queue of a lock. */
export interface LockPeak {
  /** Waiting CPUs, the holder not counted. */
  readonly depth: number;
  /** When that depth was first reached. */
  readonly atNs: number;
}
