// A machine's size over small multiples: which sizes are tried, what each run is asked, and from
// which size on the two sides differ. Knows no workers and no pixels.

import type { RunReport, ScenarioEntry } from "../../engine/gen/types.ts";
import type { RunRequest } from "../../engine/protocol.ts";
import { counted } from "../../lib/count.ts";
import { setKnob, type KnobSets } from "../../scenario/knob-sets.ts";
import { SIDES, type Side } from "../../scenario/sides.ts";
import { figureText } from "../figures/figure.ts";
import { headlineValue, type MetricWords } from "../figures/headline.ts";
import { timesWords } from "../figures/ratio.ts";
import { knobValue, requestFor } from "../select/selectors.ts";
import type { State } from "../shape/state.ts";

export const CPUS = "machine.cpus";
const SIZES = [4, 8, 16, 40, 80, 160];
/** The factor between two figures that is marked. */
export const FACTOR = 2;

/** The sizes that are tried: the fixed ones and those that the sides have now, in order. */
export function sizesOf(state: State): readonly number[] {
  const now = SIDES.flatMap((side) => {
    const cpus = knobValue(state, side, CPUS);
    return typeof cpus === "number" ? [cpus] : [];
  });
  return [...new Set([...SIZES, ...now])].toSorted((one, other) => one - other);
}

/** The knobs once both sides have this size. */
export function withSize(knobs: KnobSets, cpus: number): KnobSets {
  return setKnob(knobs, "both", CPUS, cpus);
}

/** The runs of a size, A then B, of which only the reports are wanted. */
export function sizeRequests(
  { entry, knobs, moreRecords }: Pick<State, "entry" | "knobs" | "moreRecords">,
  cpus: number,
): readonly RunRequest[] {
  const sized = { entry, knobs: withSize(knobs, cpus), moreRecords };
  return SIDES.map((side) => ({ ...requestFor(sized, side), trace: "none" }));
}

/** What one run of a size came to. */
export type SizeOutcome =
  | { readonly kind: "report"; readonly report: RunReport }
  /** The size cannot be, or a limit ended the run: why. */
  | { readonly kind: "none"; readonly why: string };

export interface SizeRun {
  readonly cpus: number;
  readonly outcomes: Readonly<Record<Side, SizeOutcome>>;
}

/** A side's figure of a size; undefined where there is none. */
export function figureOfSize(
  run: SizeRun | undefined,
  side: Side,
  words: MetricWords,
): number | undefined {
  const outcome = run?.outcomes[side];
  return outcome?.kind === "report" ? headlineValue(outcome.report, words) : undefined;
}

/** Why a size has no figures; undefined where it has one. */
export function whyNone({ outcomes }: SizeRun): string | undefined {
  const reasons = SIDES.flatMap((side) => {
    const outcome = outcomes[side];
    return outcome.kind === "none" ? [outcome.why] : [];
  });
  return reasons[0];
}

/** Whether one figure is at least FACTOR times the other; a figure beside none of it is. */
export function isApart(a: number | undefined, b: number | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  const [less, more] = [Math.min(a, b), Math.max(a, b)];
  return more > 0 && more >= FACTOR * less;
}

export interface Threshold {
  /** The first size that is marked; undefined while none is. */
  readonly cpus: number | undefined;
  /** Whether every larger size that is known passes, too. */
  readonly lasts: boolean;
  /** What is marked, or that nothing is, one sentence. */
  readonly words: string;
}

/**
 * The first size at which A and B differ by the factor. Where both sides are alike at every size,
 * the first size whose figure is the factor away from the smallest size's. `sizes`: all that are
 * tried; `runs`: those that are done, by size. Nothing is marked while a smaller size is not known.
 */
export function thresholdOf(
  sizes: readonly number[],
  runs: ReadonlyMap<number, SizeRun>,
  words: MetricWords,
): Threshold {
  const known = sizes.flatMap((cpus) => {
    const run = runs.get(cpus);
    const [a, b] = SIDES.map((side) => figureOfSize(run, side, words));
    return a === undefined || b === undefined ? [] : [{ cpus, a, b }];
  });
  const alike = known.length > 1 && known.every(({ a, b }) => a === b);
  const first = known[0]?.a;
  const passes = known.find(({ a, b }) => (alike ? isApart(first, a) : isApart(a, b)));
  const before = sizes.filter((cpus) => cpus < (passes?.cpus ?? Infinity));
  const open = before.some((cpus) => !runs.has(cpus));
  const what = alike
    ? `A and B are alike; ${words.label} is at least ${FACTOR} times what it is on ${counted(known[0]?.cpus ?? 0, "CPU")}`
    : `${words.label} of A and B differs by a factor of at least ${FACTOR}`;
  if (passes === undefined || open)
    return {
      cpus: undefined,
      lasts: false,
      words: open
        ? "The mark comes once all smaller sizes are known; a size is computed when it is in view."
        : `No size here: nowhere ${lowered(what)}.`,
    };
  const back = known
    .filter(({ cpus, a, b }) => cpus > passes.cpus && !(alike ? isApart(first, a) : isApart(a, b)))
    .map(({ cpus }) => String(cpus));
  const exception = back.length === 0 ? "" : ` Not with ${back.join(", ")}.`;
  return {
    cpus: passes.cpus,
    lasts: back.length === 0,
    words: `${counted(passes.cpus, "CPU")}: the first size where ${lowered(what)}.${exception}`,
  };
}

/** A label begins a sentence elsewhere; names in capitals stay. */
function lowered(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}

/** How B compares with A at a size: "41 times less". */
export function sizeRatio(run: SizeRun | undefined, words: MetricWords): string {
  const [a, b] = SIDES.map((side) => figureOfSize(run, side, words));
  return timesWords(a, b, (side) => side.toUpperCase());
}

/** A figure as it is printed; "none" where the run has none. */
export function sizeFigure(value: number | undefined, words: MetricWords): string {
  return value === undefined ? "none" : figureText(value, words.unit);
}

/**
 * Whether a scenario's own list of knobs has the size of the machine: others place their tasks on
 * CPUs by number.
 */
export function canSize({ knobs }: Pick<ScenarioEntry, "knobs">): boolean {
  return knobs.includes(CPUS);
}
