// Chooses the ticks above the scrubber and on the ruler: moments too near to each other share one
// tick, the most important kind first. Pure.

import { MOMENT_KINDS, type RunMoment } from "../../state/play/run-moments.ts";
import type { Side } from "../../scenario/sides.ts";

export interface Tick {
  readonly side: Side;
  /** The place of the first moment, CSS px. */
  readonly x: number;
  /** At least one moment, the most important kind first. */
  readonly moments: readonly [RunMoment, ...RunMoment[]];
}

/** Nearer ones share a tick, CSS px. */
export const APART_PX = 10;

/** Where an instant lies, CSS px; undefined where it is not in sight. */
type PlaceOf = (ns: number) => number | undefined;

/** The ticks of the sides shown. Sides that share a row share ticks too; `apart` in CSS px. */
export function ticksOf(
  moments: readonly RunMoment[],
  sides: readonly Side[],
  placeOf: PlaceOf,
  { apart = APART_PX, oneRow = false } = {},
): readonly Tick[] {
  const rank = ({ kind }: RunMoment): number => MOMENT_KINDS.indexOf(kind);
  const ordered = [...moments].sort((one, other) => rank(one) - rank(other));
  const ticks: { side: Side; x: number; moments: [RunMoment, ...RunMoment[]] }[] = [];
  for (const moment of ordered) {
    const x = sides.includes(moment.side) ? placeOf(moment.ns) : undefined;
    if (x === undefined) continue;
    const near = ticks.find(
      (tick) => (oneRow || tick.side === moment.side) && Math.abs(tick.x - x) < apart,
    );
    if (near === undefined) ticks.push({ side: moment.side, x, moments: [moment] });
    else near.moments.push(moment);
  }
  return ticks;
}
