// Figures over many wake-ups: percentiles and the histogram. True of whole distributions; must not know bars or pixels.

import { CAUSES } from "../engine/gen/catalogue.ts";
import type { TaskInfo } from "../engine/gen/types.ts";
import type { LatencyBin, LatencyStrip } from "./types.ts";
import type { WakeTable } from "./wakes.ts";

const FROM_NS = 1e3;
const DECADES = 6;
/** Bins a decade: each is 15 % wider than the one before. */
const BINS_PER_DECADE = 16;
export const LATENCY_BINS = DECADES * BINS_PER_DECADE;

/** Lower edge of a bin: 1 us … 1 s, equal steps on a log axis. */
export function latencyEdgeNs(bin: number): number {
  return FROM_NS * 10 ** (bin / BINS_PER_DECADE);
}

/** The bin a latency falls in; shorter than 1 us counts in the first, 1 s and longer in the last. */
export function latencyBinOf(ns: number): number {
  let bin = Math.floor(Math.log10(Math.max(ns, FROM_NS) / FROM_NS) * BINS_PER_DECADE);
  // The logarithm may land one bin off at an edge; the edges decide.
  if (latencyEdgeNs(bin + 1) <= ns) bin += 1;
  else if (latencyEdgeNs(bin) > ns) bin -= 1;
  return Math.min(LATENCY_BINS - 1, Math.max(0, bin));
}

/**
 * Nearest rank: the smallest value with at least `perMille` of 1000 values at or below it. `sorted` ascends and is not empty.
 * In thousandths, because 0.9 * 10 is not 9 in floating point.
 */
export function nearestRank(sorted: ArrayLike<number>, perMille: number): number {
  const rank = Math.max(1, Math.ceil((perMille * sorted.length) / 1000));
  return sorted[rank - 1] ?? NaN;
}

/** A percentile needs ten samples beyond it to mean anything: n >= 10 / (1 - p). */
export function samplesNeeded(perMille: number): number {
  return Math.ceil(10_000 / (1000 - perMille));
}

/** All latencies of one run, by task kind ("cyclictest"), or of all kinds when none is given. */
export class LatencyIndex {
  private cache = new Map<string, { readonly count: number; readonly sorted: Float64Array }>();

  constructor(private readonly wakes: WakeTable, private readonly tasks: readonly TaskInfo[]) {}

  /** Kinds that have at least one wake-up, in task order. */
  kinds(): readonly string[] {
    const seen = new Set<number>();
    for (let row = 0; row < this.wakes.count; row += 1) seen.add(this.wakes.taskIdOf(row));
    return [...new Set(this.tasks.filter((_, id) => seen.has(id)).map((task) => task.kind))];
  }

  /** Undefined while there is no wake-up. */
  percentiles(kind?: string): LatencyStrip | undefined {
    const sorted = this.sorted(kind);
    const [min] = sorted;
    if (min === undefined) return undefined;
    const rank = (perMille: number): number | undefined => (sorted.length >= samplesNeeded(perMille) ? nearestRank(sorted, perMille) : undefined);
    return {
      count: sorted.length, min, p50: rank(500), p90: rank(900), p99: rank(990), p999: rank(999), max: nearestRank(sorted, 1000),
    };
  }

  /** LATENCY_BINS bars from 1 us to 1 s. */
  histogram(kind?: string): readonly LatencyBin[] {
    const counts = new Array<number>(LATENCY_BINS).fill(0);
    const causes = counts.map(() => new Array<number>(CAUSES.length).fill(0));
    for (const row of this.rows(kind)) {
      const bin = latencyBinOf(this.wakes.latencyNs(row));
      counts[bin] = (counts[bin] ?? 0) + 1;
      this.wakes.addCauses(row, causes[bin] ?? []);
    }
    return counts.map((count, bin) => ({ fromNs: latencyEdgeNs(bin), toNs: latencyEdgeNs(bin + 1), count, causeNs: causes[bin] ?? [] }));
  }

  /** Rows of one bar, worst first, at most `limit`. */
  rowsInBin(bin: number, limit: number, kind?: string): readonly number[] {
    const found = this.rows(kind).filter((row) => latencyBinOf(this.wakes.latencyNs(row)) === bin);
    return found.sort((one, other) => this.wakes.rank(one) - this.wakes.rank(other)).slice(0, limit);
  }

  private rows(kind: string | undefined): number[] {
    const rows: number[] = [];
    for (let row = 0; row < this.wakes.count; row += 1) {
      if (kind === undefined || this.tasks[this.wakes.taskIdOf(row)]?.kind === kind) rows.push(row);
    }
    return rows;
  }

  private sorted(kind: string | undefined): Float64Array {
    const key = kind ?? "";
    const known = this.cache.get(key);
    if (known?.count === this.wakes.count) return known.sorted;
    const sorted = Float64Array.from(this.rows(kind), (row) => this.wakes.latencyNs(row)).sort();
    this.cache.set(key, { count: this.wakes.count, sorted });
    return sorted;
  }
}
