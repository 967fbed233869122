// What a drag over the lanes takes in, and how the lanes go on scrolling under it.

import type { RefObject } from "react";
import type { LaneRows } from "../plot/lane-rows.ts";
import { cpusOf } from "../plot/lane-rows.ts";
import type { AreaDragInput, RowPlace } from "./area-drag.ts";
import { useAreaDrag } from "./area-drag.ts";

/** A drag in `element` selects an area on the rows of `lanes`, which scroll. */
export function useAreaOnRows(
  element: RefObject<Element | null>,
  lanes: RefObject<HTMLElement | null>,
  rows: LaneRows,
  input: Omit<AreaDragInput, "placeOf" | "cpusBetween" | "edge">,
): void {
  useAreaDrag(element, {
    ...input,
    placeOf: (y) => placeOf(lanes.current, rows, y),
    cpusBetween: (from, to) => cpusBetween(rows, from, to),
    edge: (y) => scrollAtEdge(lanes.current, y),
  });
}

function placeOf(lanes: HTMLElement | null, rows: LaneRows, y: number): RowPlace {
  return lanes === null
    ? ABOVE
    : rowPlace(rows, y - lanes.getBoundingClientRect().top, lanes.scrollTop);
}

const ABOVE: RowPlace = { y: -1, seenFrom: 0 };

/**
 * `y` counts from the lanes' upper edge in the window. Rows kept on top do not scroll: what lies on
 * them is as high as it was laid out.
 */
export function rowPlace({ pinnedPx }: LaneRows, y: number, scrollTop: number): RowPlace {
  return { y: y < pinnedPx ? y : y + scrollTop, seenFrom: scrollTop + pinnedPx };
}

/** Nearer to the edge than this, the lanes scroll under a drag, CSS px; and how far a frame. */
const EDGE_PX = 14;
const EDGE_STEP_PX = 8;

/**
 * Whether the pointer is at an edge: also at the last row, since the other side's lanes may still
 * follow and hold these back a frame.
 */
function scrollAtEdge(lanes: HTMLElement | null, y: number): boolean {
  if (lanes === null) return false;
  const { top, bottom } = lanes.getBoundingClientRect();
  const by = y > bottom - EDGE_PX ? EDGE_STEP_PX : y < top + EDGE_PX ? -EDGE_STEP_PX : 0;
  if (by !== 0) lanes.scrollTop += by;
  return by !== 0;
}

/**
 * The CPUs whose rows lie between two places; all of them where the first is above. From a row on
 * top the way leads on at the first lane in sight: the lanes that are scrolled away between them
 * are not dragged over.
 */
export function cpusBetween(
  rows: LaneRows,
  from: RowPlace,
  to: RowPlace,
): readonly number[] | undefined {
  if (from.y < 0) return undefined;
  const [low, high] = from.y <= to.y ? [from, to] : [to, from];
  const least = low.y < rows.pinnedPx ? low.seenFrom : 0;
  const between = rows.rows.filter(
    (row) => row.top <= high.y && row.top + row.height > low.y && (row.pinned || row.top >= least),
  );
  const cpus = new Set(between.flatMap(cpusOf));
  return cpus.size === 0 || cpus.size === rows.rowOfCpu.length
    ? undefined
    : [...cpus].sort((one, other) => one - other);
}
