// Whether the runs come to their ends before a limit, and the duration that does. It must not know how it is shown.

import { reportOf } from "../selectors.ts";
import { SIDES, type Side } from "../sides.ts";
import type { State } from "../state.ts";
import type { Reached } from "../../engine/protocol.ts";

/** Of the way to a limit, all of it, hundredths of a per cent. */
const WHOLE = 10_000;
/** After this share of the way the rate of a run tells where it would end: a run's start may be busier than the rest. */
const TOLD_AFTER = 2_000;
/** After this share already, where the last stretch tells the same end as all of the way: the run is steady. */
const STEADY_AFTER = 500;
/** How far the two may differ, of the end. */
const STEADY_WITHIN = 0.05;
/** Of the stretch a run is foreseen to cover, the share that is offered: rates change on the way. */
const MARGIN = 0.9;

/** A run under way that meets a limit before its end. */
export interface Foreseen {
  readonly side: Side;
  /** Where the limit would end it, at the rate so far, ns. */
  readonly endNs: number;
  readonly durationNs: number;
}

/** The side whose run is foreseen to meet a limit first, before its end. */
export function foreseenLimit(state: State): Foreseen | undefined {
  const all = SIDES.flatMap((side) => foreseenOn(state, side) ?? []);
  return all.reduce<Foreseen | undefined>((first, each) => (first === undefined || each.endNs < first.endNs ? each : first), undefined);
}

function foreseenOn(state: State, side: Side): Foreseen | undefined {
  const { status, shown } = state.sides[side];
  if (status.kind !== "computing" || shown === undefined || shown.request.untilNs !== undefined) return undefined;
  const endNs = endFrom({ simulatedNs: shown.simulatedNs, shareDone: status.shareDone }, status.last);
  const durationNs = shown.meta.duration_ns;
  return endNs !== undefined && endNs < MARGIN * durationNs ? { side, endNs, durationNs } : undefined;
}

/** Where a run at `now` would end, ns; undefined while its rate does not tell. `last`: an earlier place of its way. */
function endFrom(now: Reached, last: Reached | undefined): number | undefined {
  const { simulatedNs, shareDone } = now;
  const endNs = (simulatedNs * WHOLE) / shareDone;
  if (shareDone >= TOLD_AFTER) return endNs;
  // The stretch must be neither a few records nor nearly all of the way.
  if (shareDone < STEADY_AFTER || last === undefined || last.shareDone < shareDone / 4 || last.shareDone > shareDone * 0.8)
    return undefined;
  const lately = simulatedNs + ((simulatedNs - last.simulatedNs) * (WHOLE - shareDone)) / (shareDone - last.shareDone);
  return Math.abs(lately - endNs) <= STEADY_WITHIN * endNs ? endNs : undefined;
}

/** The longest duration in two digits that both sides are known, or foreseen, to come through, ns; undefined if neither met a limit. */
export function fittingNs(state: State): number | undefined {
  const foreseen = foreseenLimit(state);
  const met = SIDES.flatMap((side) => (state.sides[side].status.kind === "limit" ? [reportOf(state, side)?.simulated_ns ?? 0] : []));
  const least = Math.min(...met, ...(foreseen === undefined ? [] : [foreseen.endNs * MARGIN]));
  return least > 0 && Number.isFinite(least) ? twoDigits(least) : undefined;
}

/** Rounded down. */
function twoDigits(ns: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(ns)) - 1);
  return Math.floor(ns / unit) * unit;
}
