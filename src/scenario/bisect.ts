// The edge of a range of a number knob at which a metric goes over a bound, on every seed: the
// smallest value that keeps it where the metric falls, the greatest where it rises. Both ends are
// tried first, the range is halved then; what was not tried is not claimed.

/**
 * Runs at each value of a search that the page fills in. Where all of them keep the bound, at most
 * 14 % of all runs do not, with 95 % confidence.
 */
export const SEARCH_RUNS = 20;

export interface BisectQuestion {
  /** Both ends of the range, whole: a number or ns. */
  readonly from: number;
  readonly to: number;
  readonly bound: number;
  /** Runs at each value. */
  readonly seeds: number;
  /** Values lie so far apart, from `from` on; 1 for all whole ones. */
  readonly step: number;
  /** The period of a quota that is searched, as a scenario time. */
  readonly period: string;
}

/**
 * What one value came to on all seeds: the greatest figure. Undefined figures (no sample, refused,
 * cut) do not stay under a bound.
 */
export interface Probe {
  readonly value: number;
  readonly worst: number | undefined;
  /** Why a run has no figure: what refused or ended it. */
  readonly why?: string | undefined;
}

/** A value that keeps the bound, beside one that does not. */
interface Edge {
  readonly value: number;
  /** The value next to it that was tried and does not keep the bound. */
  readonly next: Probe;
  /**
   * The value farthest past `next` that keeps the bound all the same: the metric goes up and down,
   * and `value` is the smallest, or the greatest, only of those from which on all that were tried
   * keep it.
   */
  readonly past: number | undefined;
}

export type BisectAnswer =
  | { readonly kind: "probe"; readonly value: number }
  /** The least of the range does not keep the bound, the greatest does. */
  | ({ readonly kind: "smallest" } & Edge)
  /** The least of the range keeps the bound, the greatest does not. */
  | ({ readonly kind: "greatest" } & Edge)
  /** Both ends keep the bound, and all that was tried between them. */
  | { readonly kind: "both"; readonly value: number }
  /** Neither end keeps it, which says nothing of what lies between. */
  | { readonly kind: "neither"; readonly from: Probe; readonly to: Probe };

const tried = (probes: readonly Probe[], value: number): Probe | undefined =>
  probes.find((probe) => probe.value === value);

function keeps({ bound }: BisectQuestion, { worst }: Probe): boolean {
  return worst !== undefined && worst <= bound;
}

/** What to try next, or the answer. */
export function nextStep(question: BisectQuestion, probes: readonly Probe[]): BisectAnswer {
  const [from, to] = [tried(probes, question.from), tried(probes, question.to)];
  if (to === undefined) return { kind: "probe", value: question.to };
  if (from === undefined) return { kind: "probe", value: question.from };
  const holds = (probe: Probe): boolean => keeps(question, probe);
  if (!holds(from) && !holds(to)) return { kind: "neither", from, to };
  if (probes.every(holds)) return { kind: "both", value: from.value };
  const { kind, good, next, low, high, past } = gapIn(question, probes);
  const middle = middleOf(question, low, high);
  if (middle !== undefined) return { kind: "probe", value: middle };
  return { kind, value: good.value, next, past: past?.value };
}

interface Gap {
  readonly kind: "smallest" | "greatest";
  readonly good: Probe;
  readonly next: Probe;
  readonly low: number;
  readonly high: number;
  /** Holds, and lies farthest past `next`. */
  readonly past: Probe | undefined;
}

/**
 * Finds the gap that is halved next, among probes of which an end holds and some other does not: the
 * last one on the way from an end that holds, so that all that was tried from there on holds.
 */
function gapIn(question: BisectQuestion, unordered: readonly Probe[]): Gap {
  const probes = [...unordered].sort((one, other) => one.value - other.value);
  const holds = (probe: Probe): boolean => keeps(question, probe);
  const last = probes.at(-1);
  const kind = last !== undefined && holds(last) ? "smallest" : "greatest";
  const fails = (probe: Probe): boolean => !holds(probe);
  const at = kind === "smallest" ? probes.findLastIndex(fails) : probes.findIndex(fails);
  const [good, next] = [probes[kind === "smallest" ? at + 1 : at - 1], probes[at]];
  if (good === undefined || next === undefined)
    throw new Error("an end of the range must hold and some value not");
  const [low, high] = kind === "smallest" ? [next.value, good.value] : [good.value, next.value];
  const past =
    kind === "smallest" ? probes.slice(0, at).find(holds) : probes.slice(at).findLast(holds);
  return { kind, good, next, low, high, past };
}

/**
 * How many values are still to be tried at most: while an end is untried, both ends and all
 * halvings of the whole range.
 */
export function probesLeft(question: BisectQuestion, probes: readonly Probe[]): number {
  if (nextStep(question, probes).kind !== "probe") return 0;
  const ends = [question.from, question.to].filter(
    (end) => tried(probes, end) === undefined,
  ).length;
  if (ends > 0) return ends + halvings(question, question.from, question.to);
  const { low, high } = gapIn(question, probes);
  return halvings(question, low, high);
}

/**
 * Each halving leaves the upper half at worst: it has no fewer values, and as great a ratio of its
 * ends.
 */
function halvings(question: BisectQuestion, from: number, high: number): number {
  let count = 0;
  let low = from;
  for (
    let middle = middleOf(question, low, high);
    middle !== undefined;
    middle = middleOf(question, low, high)
  ) {
    low = middle;
    count += 1;
  }
  return count;
}

/** Where a gap is halved; undefined where no value lies in it. */
function middleOf(question: BisectQuestion, low: number, high: number): number | undefined {
  const middle = onStep(question, between(low, high), low);
  return middle > low && middle < high ? middle : undefined;
}

/**
 * The value the knob can have at or below `value`, or the one above it where that is no more than
 * `low`.
 */
function onStep({ from, step }: BisectQuestion, value: number, low: number): number {
  const at = from + Math.floor((value - from) / step) * step;
  return at > low ? at : at + step;
}

/**
 * The geometric middle of a range of more than a factor of 4: times and counts are searched by
 * their size.
 */
function between(low: number, high: number): number {
  return low > 0 && high / low > 4 ? Math.sqrt(low * high) : (low + high) / 2;
}

/**
 * With 95 % confidence at most this share of all seeds lies above the bound, in hundredths of a per
 * cent, after `seeds` runs that all stayed under it: were the share p, `seeds` runs would all stay
 * under with probability (1 - p)^seeds, which is 5 % at p = 1 - 0.05^(1/seeds).
 */
export function exceedanceLimit(seeds: number): number {
  return seeds <= 0 ? 10_000 : Math.ceil((1 - Math.pow(0.05, 1 / seeds)) * 10_000);
}
