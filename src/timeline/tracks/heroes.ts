// The tracks that carry steps, as the late script has them.

import type { LegendEntry } from "../draw/legend-entry.ts";
import type { MarkedWake, TimelineProps } from "../plot/timeline-props.ts";
import type { TraceStore } from "../../model/index.ts";
import { INSTEAD_LEGEND, insteadRows, ROWS_MAX } from "./draw-instead.ts";
import { RING_LEGEND } from "./draw-ring.ts";

export { InsteadTrack } from "./instead.tsx";
export { RingTrack } from "./ring.tsx";

/** Rows of who ran instead, the same for all sides. */
export function insteadCount(
  sides: readonly {
    readonly side: { readonly trace: TraceStore };
    readonly wake: MarkedWake | undefined;
  }[],
): number {
  return Math.max(
    0,
    ...sides.map(({ side, wake }) => insteadRows(side.trace, wake, ROWS_MAX).length),
  );
}

export function heroLegend({
  lanes,
  hero,
}: Pick<TimelineProps, "lanes" | "hero">): readonly LegendEntry[] {
  const asked = [hero, ...lanes.split("_")];
  return [
    ...(asked.includes("ring") ? RING_LEGEND : []),
    ...(asked.includes("instead") ? INSTEAD_LEGEND : []),
  ];
}
