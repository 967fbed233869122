// Which ticks stand over the scrubber: moments too near to each other share one, the most telling first. Pure.

import { MOMENT_KINDS, type RunMoment } from "../../state/play/run-moments.ts";
import type { Side } from "../../state/sides.ts";

export interface Tick {
  readonly side: Side;
  /** Of its first moment, CSS px. */
  readonly x: number;
  /** At least one, the most telling first. */
  readonly moments: readonly [RunMoment, ...RunMoment[]];
}

/** Nearer ones share a tick, CSS px. */
export const APART_PX = 10;

/** The ticks of the sides shown, on an axis of `domainNs` that is `width` px wide. */
export function ticksOf(moments: readonly RunMoment[], sides: readonly Side[], domainNs: number, width: number): readonly Tick[] {
  const rank = ({ kind }: RunMoment): number => MOMENT_KINDS.indexOf(kind);
  const ordered = [...moments].sort((one, other) => rank(one) - rank(other));
  const ticks: { side: Side; x: number; moments: [RunMoment, ...RunMoment[]] }[] = [];
  for (const moment of ordered) {
    if (!sides.includes(moment.side) || moment.ns > domainNs) continue;
    const x = (moment.ns / domainNs) * width;
    const near = ticks.find((tick) => tick.side === moment.side && Math.abs(tick.x - x) < APART_PX);
    if (near === undefined) ticks.push({ side: moment.side, x, moments: [moment] });
    else near.moments.push(moment);
  }
  return ticks;
}
