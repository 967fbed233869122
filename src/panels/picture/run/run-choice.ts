// Which part of which sides' runs becomes a file of another tool.

import type { RunFormat } from "../../../engine/gen/run-formats.ts";
import type { TraceChunk } from "../../../engine/protocol.ts";
import { formatNs } from "../../../lib/format.ts";
import { SIDES, type Side } from "../../../scenario/sides.ts";
import { runToDraw, shownViewport } from "../../../state/select/selectors.ts";
import type { Run } from "../../../state/shape/run.ts";
import type { State } from "../../../state/shape/state.ts";

/** Rows handed over at once: the page draws in between. */
const ROWS_AT_ONCE = 1 << 18;

/** `both`: A and B in one file. */
export type Sides = Side | "both";

/** What a person chooses for every format. */
export interface RunChoice {
  /** Undefined: the first that the format offers. */
  readonly sides: Sides | undefined;
  /** The whole run instead of what is in view. */
  readonly whole: boolean;
}

/** A choice as a format takes it. */
export interface FittedChoice extends RunChoice {
  readonly sides: Sides;
}

/** A run and the span of it, ns, without its end. */
export interface RunSpan {
  readonly side: Side;
  readonly run: Run;
  readonly fromNs: number;
  readonly toNs: number;
}

/** The sides that have a run. */
export function ranSides(state: State): readonly Side[] {
  return SIDES.filter((side) => runToDraw(state.sides[side]) !== undefined);
}

/** What a format can be made of: both first, because one file of both is what compares them. */
export function sidesFor({ joins }: RunFormat, ran: readonly Side[]): readonly Sides[] {
  return joins && ran.length > 1 ? ["both", ...ran] : ran;
}

/** The choice as this format takes it; undefined while no side has a run. */
export function fittedTo(
  format: RunFormat,
  ran: readonly Side[],
  { sides, whole }: RunChoice,
): FittedChoice | undefined {
  const offered = sidesFor(format, ran);
  const taken = offered.find((each) => each === sides) ?? offered[0];
  return taken && { sides: taken, whole: whole || !format.takesWindow };
}

/**
 * The spans of a choice as the state is now, in the order of the file. Throws a sentence where a
 * side has no run, or where the run is not there yet up to the span's end.
 */
export function spansOf(state: State, { sides, whole }: FittedChoice): readonly RunSpan[] {
  const view = shownViewport(state);
  const span = whole
    ? { fromNs: 0, toNs: Infinity }
    : { fromNs: Math.max(0, Math.ceil(view.fromNs)), toNs: Math.ceil(view.toNs) };
  return (sides === "both" ? SIDES : [sides]).map((side) => {
    const run = runToDraw(state.sides[side]);
    if (run === undefined) throw new Error(`side ${side.toUpperCase()} has no run yet.`);
    refuseUnfinished(state, side, run, span.toNs);
    return { side, run, ...span };
  });
}

/** A file that ends early would say that nothing more happened. */
function refuseUnfinished(state: State, side: Side, run: Run, toNs: number): void {
  const { kind } = state.sides[side].status;
  const isComing = kind === "computing" || kind === "waiting";
  if (!isComing || run.report !== undefined || run.simulatedNs >= Math.min(toNs, durationOf(run)))
    return;
  throw new Error(
    `side ${side.toUpperCase()} is computed up to ${formatNs(run.simulatedNs)} of ` +
      `${formatNs(durationOf(run))}. Save again when the run is done.`,
  );
}

function durationOf({ meta }: Run): number {
  return meta.duration_ns;
}

/** All rows of a run, from its first one on. */
export function* chunksOf({ trace: { events } }: Run): Generator<TraceChunk> {
  for (let from = 0; from < events.count; from += ROWS_AT_ONCE)
    yield events.chunk(from, Math.min(events.count, from + ROWS_AT_ONCE));
}
