// Which part of which side's run becomes a trace for other tools.

import type { TraceChunk } from "../../engine/protocol.ts";
import { SIDES, type Side } from "../../scenario/sides.ts";
import { runToDraw, shownViewport } from "../../state/select/selectors.ts";
import type { Run } from "../../state/shape/run.ts";
import type { State } from "../../state/shape/state.ts";

/** Rows handed over at once: the page draws in between. */
const ROWS_AT_ONCE = 1 << 18;

/** A run and the span of it, ns, without its end. */
export interface TraceSpan {
  readonly side: Side;
  readonly run: Run;
  readonly fromNs: number;
  readonly toNs: number;
}

/** A choice of the list: a side, whole or what is in view. */
export interface SpanChoice {
  readonly side: Side;
  readonly whole: boolean;
}

/** Each side that has a run, what is in view first. */
export function spanChoices(state: State): readonly SpanChoice[] {
  const ran = SIDES.filter((side) => runToDraw(state.sides[side]) !== undefined);
  return ran.flatMap((side) => [
    { side, whole: false },
    { side, whole: true },
  ]);
}

/** The span of a choice as the state is now; undefined while the side has no run. */
export function spanOf(state: State, { side, whole }: SpanChoice): TraceSpan | undefined {
  const run = runToDraw(state.sides[side]);
  if (run === undefined) return undefined;
  if (whole) return { side, run, fromNs: 0, toNs: Infinity };
  const { fromNs, toNs } = shownViewport(state);
  return { side, run, fromNs: Math.max(0, Math.ceil(fromNs)), toNs: Math.ceil(toNs) };
}

/** All rows of a run, from its first one on. */
export function* chunksOf({ trace: { events } }: Run): Generator<TraceChunk> {
  for (let from = 0; from < events.count; from += ROWS_AT_ONCE)
    yield events.chunk(from, Math.min(events.count, from + ROWS_AT_ONCE));
}
