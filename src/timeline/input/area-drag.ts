// A drag with the mouse that selects an area: a stretch of time, and whatever CPUs the owner finds
// between where it began and where it is. Shift turns a drag into the other thing it can be, a pan;
// touch always pans. A press that does not move stays a click.

import { useEffect, useRef } from "react";
import type { RefObject } from "react";
import type { Area, Drag, Viewport } from "../plot/timeline-props.ts";

/** A height among rows that scroll, CSS px as they were laid out; negative above them. */
export interface RowPlace {
  readonly y: number;
  /** Where the first lane began that showed below the rows on top. */
  readonly seenFrom: number;
}

export interface AreaDragInput {
  readonly drag: Drag;
  readonly viewport: Viewport;
  readonly domainNs: number;
  /** CSS px of the time axis, and how far right of the element's edge it begins. */
  readonly plotPx: number;
  readonly gutterPx: number;
  /** A height of the window as one of what is dragged over, which may scroll meanwhile, CSS px. */
  readonly placeOf?: (y: number) => RowPlace;
  /** The CPUs between two such heights; undefined for all. */
  readonly cpusBetween: (from: RowPlace, to: RowPlace) => readonly number[] | undefined;
  /** Scrolls where the pointer is at an edge, and says whether it is. */
  readonly edge?: (y: number) => boolean;
  /** The area while it is dragged; undefined once that is over or given up. */
  readonly onDraft: (area: Area | undefined) => void;
  readonly onArea: (area: Area) => void;
}

interface Point {
  readonly clientX: number;
  readonly clientY: number;
}

/** Shorter is a click with an unsteady hand, CSS px. */
const LEAST_PX = 4;

/** Whether a press begins an area, sooner than a pan. */
export function beginsArea(event: Pick<MouseEvent, "button" | "shiftKey">, drag: Drag): boolean {
  return event.button === 0 && event.shiftKey === (drag === "pan");
}

/** The stretch between two places of an element, within what is in view. */
export function stretchBetween(
  fromX: number,
  toX: number,
  {
    viewport,
    domainNs,
    plotPx,
    gutterPx,
  }: Pick<AreaDragInput, "viewport" | "domainNs" | "plotPx" | "gutterPx">,
): Viewport {
  const nsAt = (x: number): number => {
    const share = Math.min(1, Math.max(0, (x - gutterPx) / plotPx));
    return viewport.fromNs + share * (viewport.toNs - viewport.fromNs);
  };
  const fromNs = Math.max(0, Math.floor(nsAt(Math.min(fromX, toX))));
  const toNs = Math.min(domainNs, Math.ceil(nsAt(Math.max(fromX, toX))));
  return { fromNs, toNs: Math.max(fromNs + 1, toNs) };
}

export function useAreaDrag(element: RefObject<Element | null>, input: AreaDragInput): void {
  const latest = useRef(input);
  useEffect(() => {
    latest.current = input;
  });
  useEffect(() => {
    const node = element.current;
    if (node === null) return undefined;
    let stop: (() => void) | undefined;
    const press = (event: Event): void => {
      // A lane's head is dragged to another place.
      if (event.target instanceof Element && event.target.closest(".tl-heads") !== null) return;
      if (
        !(event instanceof PointerEvent) ||
        event.pointerType === "touch" ||
        !beginsArea(event, latest.current.drag)
      )
        return;
      stop?.();
      stop = follow(node, event, latest);
    };
    node.addEventListener("pointerdown", press);
    return () => {
      node.removeEventListener("pointerdown", press);
      stop?.();
    };
  }, [element]);
}

/** Follows one drag; returns what gives it up. */
function follow(
  node: Element,
  start: Point,
  latest: { readonly current: AreaDragInput },
): () => void {
  let area: Area | undefined;
  let frame = 0;
  const placeOf = (y: number): RowPlace => latest.current.placeOf?.(y) ?? { y, seenFrom: 0 };
  const from = placeOf(start.clientY);
  const areaTo = (end: Point): Area => {
    const { left } = node.getBoundingClientRect();
    const input = latest.current;
    const cpus = input.cpusBetween(from, placeOf(end.clientY));
    return {
      ...stretchBetween(start.clientX - left, end.clientX - left, input),
      ...(cpus === undefined ? {} : { cpus }),
    };
  };
  const move = (event: PointerEvent): void => {
    if (area === undefined && Math.abs(event.clientX - start.clientX) < LEAST_PX) return;
    reach(event);
  };
  /** At an edge the drag goes on by itself, frame by frame. */
  const reach = (end: Point): void => {
    cancelAnimationFrame(frame);
    area = areaTo(end);
    latest.current.onDraft(area);
    if (from.y >= 0 && latest.current.edge?.(end.clientY) === true)
      frame = requestAnimationFrame(() => reach(end));
  };
  const release = (): void => {
    const done = area;
    stop();
    if (done === undefined) return;
    swallowClick(true);
    latest.current.onArea(done);
  };
  const escape = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || area === undefined) return;
    event.stopImmediatePropagation();
    swallowClick(false);
    stop();
  };
  const stop = (): void => {
    cancelAnimationFrame(frame);
    window.removeEventListener("pointermove", move);
    window.removeEventListener("pointerup", release);
    window.removeEventListener("pointercancel", stop);
    window.removeEventListener("keydown", escape, true);
    if (area !== undefined) latest.current.onDraft(undefined);
    area = undefined;
  };
  window.addEventListener("pointermove", move);
  window.addEventListener("pointerup", release);
  window.addEventListener("pointercancel", stop);
  window.addEventListener("keydown", escape, true);
  return stop;
}

/**
 * The browser makes a click of the release, which is none: it comes before any timer. Until there is
 * a release where `released` is false.
 */
export function swallowClick(released: boolean): void {
  const swallow = (event: MouseEvent): void => event.stopPropagation();
  const stop = (): void => window.removeEventListener("click", swallow, true);
  window.addEventListener("click", swallow, true);
  if (released) setTimeout(stop);
  else window.addEventListener("pointerup", () => setTimeout(stop), { once: true });
}
