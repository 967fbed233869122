// What a drag over the lanes takes in, and how the lanes go on scrolling under it.

import type { RefObject } from "react";
import type { LaneRows } from "../lanes/rows.ts";
import { cpusOf } from "../lanes/rows.ts";
import type { AreaDragInput } from "./area-drag.ts";
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
    placeOf: (y) => placeOf(lanes.current, y),
    cpusBetween: (from, to) => cpusBetween(rows, from, to),
    edge: (y) => scrollAtEdge(lanes.current, y),
  });
}

/** A height of the window as one of the lanes, scrolled or not. */
function placeOf(lanes: HTMLElement | null, y: number): number {
  return lanes === null ? -1 : y - lanes.getBoundingClientRect().top + lanes.scrollTop;
}

/** Nearer to the edge than this, the lanes scroll under a drag, CSS px; and how far a frame. */
const EDGE_PX = 14;
const EDGE_STEP_PX = 8;

/** Whether the pointer is at an edge: also at the last row, since the other side's lanes may still follow and hold these back a frame. */
function scrollAtEdge(lanes: HTMLElement | null, y: number): boolean {
  if (lanes === null) return false;
  const { top, bottom } = lanes.getBoundingClientRect();
  const by = y > bottom - EDGE_PX ? EDGE_STEP_PX : y < top + EDGE_PX ? -EDGE_STEP_PX : 0;
  if (by !== 0) lanes.scrollTop += by;
  return by !== 0;
}

/** The CPUs whose rows lie between two heights of the lanes; all of them where the first is above. */
function cpusBetween(rows: LaneRows, from: number, to: number): readonly number[] | undefined {
  if (from < 0) return undefined;
  const [low, high] = [Math.min(from, to), Math.max(from, to)];
  const cpus = new Set(rows.rows.filter((row) => row.top <= high && row.top + row.height > low).flatMap(cpusOf));
  return cpus.size === 0 || cpus.size === rows.rowOfCpu.length ? undefined : [...cpus].sort((one, other) => one - other);
}
