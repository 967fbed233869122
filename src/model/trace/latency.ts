// Figures over many wake-ups: percentiles and the histogram. True of whole distributions; must not
// know bars or pixels.

import { CAUSES } from "../../engine/gen/catalogue.ts";
import type { TaskInfo } from "../../engine/gen/types.ts";
import type { LatencyBin, LatencyStrip } from "./run-types.ts";
import type { WakeTable } from "./wakes.ts";

const FROM_NS = 1e3;
const DECADES = 6;
/** Bins a decade: each is 15 % wider than the one before. */
const BINS_PER_DECADE = 16;
export const LATENCY_BINS = DECADES * BINS_PER_DECADE;

/**
 * Lower edge of a bin: 1 us … 1 s, equal steps on a log axis, whole ns. Latencies are whole too:
 * rounded up, an edge parts the same ones.
 */
export function latencyEdgeNs(bin: number): number {
  return EDGES[bin] ?? edgeNs(bin);
}

function edgeNs(bin: number): number {
  return Math.ceil(FROM_NS * 10 ** (bin / BINS_PER_DECADE));
}

/** Each of a quarter of a million wake-ups is held against two of them. */
const EDGES: readonly number[] = Array.from({ length: LATENCY_BINS + 1 }, (_, bin) => edgeNs(bin));

/**
 * The bin a latency falls in; shorter than 1 us counts in the first, 1 s and longer in the last.
 */
export function latencyBinOf(ns: number): number {
  let bin = Math.floor(Math.log10(Math.max(ns, FROM_NS) / FROM_NS) * BINS_PER_DECADE);
  // The logarithm may land one bin off at an edge; the edges decide.
  if (latencyEdgeNs(bin + 1) <= ns) bin += 1;
  else if (latencyEdgeNs(bin) > ns) bin -= 1;
  return Math.min(LATENCY_BINS - 1, Math.max(0, bin));
}

/**
 * Nearest rank: the smallest value with at least `perMille` of 1000 values at or below it. `sorted`
 * ascends and is not empty. In thousandths, because 0.9 * 10 is not 9 in floating point.
 */
export function nearestRank(sorted: ArrayLike<number>, perMille: number): number {
  const rank = Math.max(1, Math.ceil((perMille * sorted.length) / 1000));
  return sorted[rank - 1] ?? NaN;
}

/** A percentile needs ten samples beyond it to mean anything: n >= 10 / (1 - p). */
export function samplesNeeded(perMille: number): number {
  return Math.ceil(10_000 / (1000 - perMille));
}

/** A percentile in a report, and what its samples' other figures begin with. */
const PERCENTILE = /^(.*\.)p(\d+)_ns$/;
/** Percentiles, the least and the greatest. A report has them as 0 where there is no sample. */
const RANK = /^(.*\.)(?:p(\d+)|min|max)_ns$/;

/**
 * The path of the number of samples behind the percentile at `path`; undefined for another figure.
 */
export function samplesPath(path: string): readonly string[] {
  const [, samples] = PERCENTILE.exec(path) ?? [];
  return samples === undefined ? [] : [`${samples}count`];
}

/**
 * Samples behind the figure at `path` where they are too few for it: a percentile needs many, a
 * maximum one.
 */
export function fewSamples(
  metricAt: (path: string) => number | undefined,
  path: string,
): number | undefined {
  const [, samples, digits] = RANK.exec(path) ?? [];
  if (samples === undefined) return undefined;
  const count = metricAt(`${samples}count`);
  const needed = digits === undefined ? 1 : samplesNeeded(Number(digits.padEnd(3, "0")));
  return count !== undefined && count < needed ? count : undefined;
}

interface Bars {
  /** Wake-ups looked at so far, of any kind. */
  done: number;
  readonly counts: number[];
  readonly causes: number[][];
}

/**
 * All latencies of one run, by task kind ("cyclictest"), or of all kinds when none is given. Bars
 * and kinds grow with the run: each wake-up is looked at once, however often the page asks.
 * Percentiles sort what is new and merge it.
 */
export class LatencyIndex {
  private readonly sortedOf = new Map<
    string,
    { readonly count: number; readonly sorted: Float64Array }
  >();
  private readonly barsOf = new Map<string, Bars>();
  private readonly kindsSeen = new Set<string>();
  private kindsDone = 0;

  constructor(
    private readonly wakes: WakeTable,
    private readonly tasks: readonly TaskInfo[],
  ) {}

  /** Kinds that have at least one wake-up, in task order. */
  kinds(): readonly string[] {
    for (; this.kindsDone < this.wakes.count; this.kindsDone += 1)
      this.kindsSeen.add(this.kindOf(this.kindsDone));
    return [...new Set(this.tasks.map((task) => task.kind))].filter((kind) =>
      this.kindsSeen.has(kind),
    );
  }

  /** Undefined while there is no wake-up. */
  percentiles(kind?: string): LatencyStrip | undefined {
    const sorted = this.sorted(kind);
    const [min] = sorted;
    if (min === undefined) return undefined;
    const rank = (perMille: number): number | undefined =>
      sorted.length >= samplesNeeded(perMille) ? nearestRank(sorted, perMille) : undefined;
    return {
      count: sorted.length,
      min,
      p50: rank(500),
      p90: rank(900),
      p99: rank(990),
      p999: rank(999),
      max: nearestRank(sorted, 1000),
    };
  }

  /** LATENCY_BINS bars from 1 us to 1 s. */
  histogram(kind?: string): readonly LatencyBin[] {
    const bars = this.bars(kind);
    return bars.counts.map((count, bin) => ({
      fromNs: latencyEdgeNs(bin),
      toNs: latencyEdgeNs(bin + 1),
      count,
      causeNs: [...(bars.causes[bin] ?? [])],
    }));
  }

  /** Rows of one bar, worst first, at most `limit`. */
  rowsInBin(bin: number, limit: number, kind?: string): readonly number[] {
    const found: number[] = [];
    for (let row = 0; row < this.wakes.count; row += 1) {
      if (this.isOf(row, kind) && latencyBinOf(this.wakes.latencyNs(row)) === bin) found.push(row);
    }
    return found.sort((one, other) => this.wakes.compareWorst(one, other)).slice(0, limit);
  }

  private bars(kind: string | undefined): Bars {
    const key = kind ?? "";
    const bars = this.barsOf.get(key) ?? {
      done: 0,
      counts: new Array<number>(LATENCY_BINS).fill(0),
      causes: Array.from({ length: LATENCY_BINS }, () => new Array<number>(CAUSES.length).fill(0)),
    };
    this.barsOf.set(key, bars);
    for (; bars.done < this.wakes.count; bars.done += 1) {
      if (!this.isOf(bars.done, kind)) continue;
      const bin = latencyBinOf(this.wakes.latencyNs(bars.done));
      bars.counts[bin] = (bars.counts[bin] ?? 0) + 1;
      this.wakes.addCauses(bars.done, bars.causes[bin] ?? []);
    }
    return bars;
  }

  private kindOf(row: number): string {
    return this.tasks[this.wakes.taskIdOf(row)]?.kind ?? "";
  }

  private isOf(row: number, kind: string | undefined): boolean {
    return kind === undefined || this.kindOf(row) === kind;
  }

  private sorted(kind: string | undefined): Float64Array {
    const key = kind ?? "";
    const known = this.sortedOf.get(key);
    if (known?.count === this.wakes.count) return known.sorted;
    const fresh = new Float64Array(this.wakes.count - (known?.count ?? 0));
    let length = 0;
    for (let row = known?.count ?? 0; row < this.wakes.count; row += 1) {
      if (!this.isOf(row, kind)) continue;
      fresh[length] = this.wakes.latencyNs(row);
      length += 1;
    }
    // Only what is new is sorted: a quarter of a million values at once would hold the page up.
    const sorted = merged(known?.sorted ?? new Float64Array(0), fresh.subarray(0, length).sort());
    this.sortedOf.set(key, { count: this.wakes.count, sorted });
    return sorted;
  }
}

/** Two ascending lists as one. */
function merged(one: Float64Array, other: Float64Array): Float64Array {
  if (one.length === 0) return other;
  const all = new Float64Array(one.length + other.length);
  let left = 0;
  let right = 0;
  for (let at = 0; at < all.length; at += 1) {
    const takeLeft =
      right >= other.length || (left < one.length && (one[left] ?? 0) <= (other[right] ?? 0));
    all[at] = (takeLeft ? one[left] : other[right]) ?? 0;
    if (takeLeft) left += 1;
    else right += 1;
  }
  return all;
}
