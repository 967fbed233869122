// The edge of a range of a number knob at which a metric goes over a bound, on every seed: the smallest value that keeps it where the metric
// falls, the greatest where it rises. Both ends are tried first, the range is halved then; what was not tried is not claimed.

/** Runs at each value of a search that the page fills in. Where all of them keep the bound, at most 14 % of all runs do not, with 95 % confidence. */
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
  /** Of a quota: its period, as a scenario time. */
  readonly period: string;
}

/** What one value came to on all seeds: the greatest figure. Undefined figures (no sample, refused, cut) do not stay under a bound. */
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
  /** Whether a value on the side that should keep the bound does not. */
  readonly contradicted: boolean;
}

export type BisectAnswer =
  | { readonly kind: "probe"; readonly value: number }
  /** The least of the range does not keep the bound, the greatest does. */
  | ({ readonly kind: "smallest" } & Edge)
  /** The least of the range keeps the bound, the greatest does not. */
  | ({ readonly kind: "greatest" } & Edge)
  /** Both ends keep the bound. */
  | { readonly kind: "both"; readonly value: number; readonly contradicted: boolean }
  /** Neither end keeps it, which says nothing of what lies between. */
  | { readonly kind: "neither"; readonly from: Probe; readonly to: Probe };

/** What to try next, or the answer. */
export function nextStep(question: BisectQuestion, probes: readonly Probe[]): BisectAnswer {
  const at = (value: number): Probe | undefined => probes.find((probe) => probe.value === value);
  const [from, to] = [at(question.from), at(question.to)];
  if (to === undefined) return { kind: "probe", value: question.to };
  if (from === undefined) return { kind: "probe", value: question.from };
  const holds = ({ worst }: Probe): boolean => worst !== undefined && worst <= question.bound;
  if (!holds(from) && !holds(to)) return { kind: "neither", from, to };
  if (holds(from) && holds(to)) return { kind: "both", value: from.value, contradicted: !probes.every(holds) };
  return edge(
    question,
    [...probes].sort((one, other) => one.value - other.value),
    holds,
  );
}

/** Of probes in order, one of whose ends holds: the edge that lies next to the end that does not. */
function edge(question: BisectQuestion, probes: readonly Probe[], holds: (probe: Probe) => boolean): BisectAnswer {
  const kind = probes[0] !== undefined && holds(probes[0]) ? "greatest" : "smallest";
  const good = kind === "smallest" ? probes.find(holds) : probes.findLast(holds);
  const past = good === undefined ? -1 : probes.indexOf(good);
  const next = probes[kind === "smallest" ? past - 1 : past + 1];
  if (good === undefined || next === undefined) throw new Error("one end of the range must hold and the other not");
  const [low, high] = kind === "smallest" ? [next.value, good.value] : [good.value, next.value];
  const middle = onStep(question, between(low, high), low);
  if (middle > low && middle < high) return { kind: "probe", value: middle };
  const beyond = kind === "smallest" ? probes.slice(past) : probes.slice(0, past);
  return { kind, value: good.value, next, contradicted: !beyond.every(holds) };
}

/** The value the knob can have at or below `value`, or the one above it where that is no more than `low`. */
function onStep({ from, step }: BisectQuestion, value: number, low: number): number {
  const at = from + Math.floor((value - from) / step) * step;
  return at > low ? at : at + step;
}

/** The geometric middle of a range of more than a factor of 4: times and counts are searched by their size. */
function between(low: number, high: number): number {
  return low > 0 && high / low > 4 ? Math.sqrt(low * high) : (low + high) / 2;
}

/**
 * With 95 % confidence at most this share of all seeds lies above the bound, in hundredths of a per cent, after `seeds` runs that all stayed
 * under it: were the share p, so many runs would all stay under with probability (1 - p)^seeds, which is 5 % at p = 1 - 0.05^(1/seeds).
 */
export function exceedanceLimit(seeds: number): number {
  return seeds <= 0 ? 10_000 : Math.ceil((1 - Math.pow(0.05, 1 / seeds)) * 10_000);
}
