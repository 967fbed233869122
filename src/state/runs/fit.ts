// Whether the runs come to their ends before a limit, and the duration that does. It must not know how it is shown.

import { reportOf } from "../selectors.ts";
import { SIDES, type Side } from "../sides.ts";
import type { State } from "../state.ts";

/** Share of the way to a limit after which the rate of a run tells where it would end, hundredths of a per cent: a run's start is busier. */
const TOLD_AFTER = 2_000;
/** Of the stretch a run is foreseen to cover, the share that is offered: rates change on the way. */
const MARGIN = 0.9;

/** A run under way that meets a limit before its end. */
export interface Foreseen {
  readonly side: Side;
  /** Where the limit would end it, at the rate so far, ns. */
  readonly endNs: number;
  readonly durationNs: number;
}

/** The first side whose run is foreseen to meet a limit before its end. */
export function foreseenLimit(state: State): Foreseen | undefined {
  for (const side of SIDES) {
    const { status, shown } = state.sides[side];
    if (status.kind !== "computing" || shown === undefined || shown.request.untilNs !== undefined || status.shareDone < TOLD_AFTER)
      continue;
    const endNs = (shown.simulatedNs * 10_000) / status.shareDone;
    const durationNs = shown.meta.duration_ns;
    if (endNs < MARGIN * durationNs) return { side, endNs, durationNs };
  }
  return undefined;
}

/** The longest duration in two digits that both sides are known, or foreseen, to come through, ns; undefined if neither met a limit. */
export function fittingNs(state: State): number | undefined {
  const foreseen = foreseenLimit(state);
  if (foreseen !== undefined) return twoDigits(foreseen.endNs * MARGIN);
  const ends = SIDES.flatMap((side) => (state.sides[side].status.kind === "limit" ? [reportOf(state, side)?.simulated_ns ?? 0] : []));
  const least = Math.min(...ends);
  return least > 0 && Number.isFinite(least) ? twoDigits(least) : undefined;
}

/** Rounded down. */
function twoDigits(ns: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(ns)) - 1);
  return Math.floor(ns / unit) * unit;
}
