// The smallest value of a number knob for which a metric stays at or under a bound on every seed. The search halves the range and takes for
// granted that what holds for a value holds for all greater ones; where a probe contradicts that, the answer says so.

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

export type BisectAnswer =
  | { readonly kind: "probe"; readonly value: number }
  /** `below`: the greatest value that is known to fail; undefined where the least of the range holds. */
  | { readonly kind: "found"; readonly value: number; readonly below: number | undefined; readonly contradicted: boolean }
  | { readonly kind: "none"; readonly worst: number | undefined; readonly why?: string | undefined };

const holds = (question: BisectQuestion, probe: Probe): boolean => probe.worst !== undefined && probe.worst <= question.bound;

/** What to try next, or the answer. */
export function nextStep(question: BisectQuestion, probes: readonly Probe[]): BisectAnswer {
  const known = new Map(probes.map((probe) => [probe.value, holds(question, probe)]));
  if (!known.has(question.to)) return { kind: "probe", value: question.to };
  if (known.get(question.to) === false) {
    const last = probes.find(({ value }) => value === question.to);
    return { kind: "none", worst: last?.worst, why: last?.why };
  }
  if (!known.has(question.from)) return { kind: "probe", value: question.from };
  const passing = [...known].filter(([, holding]) => holding).map(([value]) => value);
  const failing = [...known].filter(([, holding]) => !holding).map(([value]) => value);
  const high = Math.min(...passing);
  const below = failing.filter((value) => value < high);
  const contradicted = failing.some((value) => value > high);
  if (below.length === 0) return { kind: "found", value: high, below: undefined, contradicted };
  const low = Math.max(...below);
  const middle = onStep(question, between(low, high), low);
  if (middle <= low || middle >= high) return { kind: "found", value: high, below: low, contradicted };
  return { kind: "probe", value: middle };
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
