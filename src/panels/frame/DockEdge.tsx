// The edge between picture and answers: dragged, or moved with arrow keys, it makes the answers
// wider; a double click gives the room back.

import { useState, type KeyboardEvent, type PointerEvent, type ReactNode } from "react";

/** The largest share of the window's width that the answers take. */
const MOST = 0.6;
/** One press of an arrow key, CSS pixels. */
const STEP = 32;

/**
 * The width that the viewer last chose, px, until the page is loaded again; undefined: the width
 * that the style sets.
 */
let left: number | undefined;

/** The style's own width, which answers have at least, px. */
function leastWidth(edge: Element): number {
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const page = edge.closest(".page");
  return page === null
    ? 0
    : Number.parseFloat(getComputedStyle(page).getPropertyValue("--dock")) * rem;
}

/** The chosen width, and the way to choose another. */
export function useDockWidth(): readonly [
  width: number | undefined,
  setWidth: (width: number | undefined) => void,
] {
  const [width, setWidth] = useState(left);
  return [width, (next) => setWidth((left = next))];
}

interface DockEdgeProps {
  readonly width: number | undefined;
  readonly onWidth: (width: number | undefined) => void;
}

export function DockEdge({ width, onWidth }: DockEdgeProps): ReactNode {
  const widen = (edge: Element, wanted: number): void => {
    onWidth(wanted <= leastWidth(edge) ? undefined : Math.min(wanted, window.innerWidth * MOST));
  };
  const drag = (event: PointerEvent<HTMLDivElement>): void => {
    const edge = event.currentTarget;
    if (edge.hasPointerCapture(event.pointerId)) widen(edge, window.innerWidth - event.clientX);
  };
  const press = (event: KeyboardEvent<HTMLDivElement>): void => {
    const by = { ArrowLeft: STEP, ArrowRight: -STEP }[event.code];
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    widen(event.currentTarget, (event.currentTarget.parentElement?.clientWidth ?? 0) + by);
  };
  return (
    <div
      className="dock-edge"
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the answers"
      aria-valuenow={Math.round(width ?? 0)}
      tabIndex={0}
      title="Drag: wider answers; double click: as before"
      data-testid="dock-edge"
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onDoubleClick={() => onWidth(undefined)}
      onKeyDown={press}
    />
  );
}
