// The first divergence of the two runs on screen. What was walked is remembered by the two traces.

import type { Step, TraceStore } from "../../model/index.ts";
import { DivergenceFinder } from "../../model/compare/divergence-finder.ts";
import { SAYING } from "../../model/words/say-row.ts";
import { formatNs } from "../../lib/format.ts";
import type { Viewport } from "../../model/trace/run-types.ts";
import { sideWithoutRun } from "../select/no-run.ts";
import { domainNs } from "../select/selectors.ts";
import type { State } from "../shape/state.ts";

export type FirstDivergence =
  /** A side has no run. */
  | { readonly kind: "unknown" }
  /** Alike before `untilNs`; `final` once both runs are done. */
  | { readonly kind: "none"; readonly untilNs: number; readonly final: boolean }
  | {
      readonly kind: "found";
      readonly atNs: number;
      /** What side A and side B do there. */
      readonly steps: readonly [Step, Step];
      /** "A: CPU 3 sends a reschedule IPI to CPU 0; B: CPU 3 takes the rq 0 lock". */
      readonly words: string;
    };

const finders = new WeakMap<TraceStore, WeakMap<TraceStore, DivergenceFinder>>();

function finderOf(a: TraceStore, b: TraceStore): DivergenceFinder {
  const ofA = finders.get(a) ?? new WeakMap<TraceStore, DivergenceFinder>();
  finders.set(a, ofA);
  const finder = ofA.get(b) ?? new DivergenceFinder(a, b, SAYING);
  ofA.set(b, finder);
  return finder;
}

/**
 * Exact while both runs still grow: what lies before the shorter one's end is known of both. Makes
 * a new value each time: no selector for `useSelect`.
 */
export function firstDivergence({ sides }: Pick<State, "sides">): FirstDivergence {
  const { a, b } = { a: sides.a.shown, b: sides.b.shown };
  if (a === undefined || b === undefined) return { kind: "unknown" };
  const final = a.report !== undefined && b.report !== undefined;
  const untilNs = Math.min(a.trace.endNs, b.trace.endNs);
  // Only where both runs are done at one instant are the rows of that instant all here.
  const limitNs = final && a.trace.endNs === b.trace.endNs ? untilNs + 1 : untilNs;
  const found = finderOf(a.trace, b.trace).before(limitNs);
  if (found === undefined) return { kind: "none", untilNs, final };
  const { atNs, steps } = found;
  return {
    kind: "found",
    atNs,
    steps,
    words: `A: ${stepWords(steps[0], atNs)}; B: ${stepWords(steps[1], atNs)}`,
  };
}

function stepWords({ ns, words }: Step, atNs: number): string {
  return ns === undefined || ns === atNs ? words : `nothing then; at ${formatNs(ns, 3)} ${words}`;
}

/** What there is to say of it, in sentences; both runs are done, or are computed that far. */
export function divergenceWords(found: FirstDivergence, sides: State["sides"]): string {
  if (found.kind === "found")
    return `A and B first differ at ${formatNs(found.atNs, 6)}. ${found.words}.`;
  if (found.kind === "unknown") return `${sideWithoutRun(sides)}. There is nothing to compare.`;
  return found.final
    ? "A and B do not differ."
    : `A and B do not differ up to ${formatNs(found.untilNs, 6)}; the runs are not done yet.`;
}

/** Half of what is shown around the first divergence, ns. */
const AROUND_NS = 50_000;

/** Where to look at it, within the axis. */
export function divergenceView(state: State, atNs: number): Viewport {
  const endNs = domainNs(state);
  const fromNs = Math.max(0, Math.min(atNs - AROUND_NS, endNs - 2 * AROUND_NS));
  return { fromNs, toNs: Math.min(endNs, fromNs + 2 * AROUND_NS) };
}
