// Pointer, wheel and touch on a plot, through d3-zoom. Knows the shared time axis and nothing of
// lanes.
//
// d3-zoom keeps a transform (k, x) against the whole domain laid over the plot's width; the
// viewport is what it shows. The owner's viewport is the truth: the transform is set from it before
// each gesture can use it.

import { select } from "d3-selection";
import type { D3ZoomEvent } from "d3-zoom";
import { zoom, zoomIdentity } from "d3-zoom";
import { useEffect, useRef } from "react";
import type { RefObject } from "react";
import type { Drag, Viewport } from "../plot/timeline-props.ts";
import { beginsArea } from "./area-drag.ts";
import { clampViewport, panBy, spanNs, SPAN_NS_MIN } from "../../model/trace/viewport.ts";

export interface GestureInput {
  /** What a plain drag of the mouse is: Shift makes it the other. */
  readonly drag: Drag;
  readonly viewport: Viewport;
  readonly domainNs: number;
  /** CSS px of the time axis, and how far right of the element's edge it begins. */
  readonly plotPx: number;
  readonly gutterPx: number;
  readonly onViewport: (viewport: Viewport, phase: "move" | "end") => void;
}

/**
 * A gesture is a drag that selects no area, a pinch, or a wheel with Ctrl; a wheel alone scrolls
 * the lanes.
 */
function isGesture(event: Event, drag: Drag): boolean {
  if (event.type === "wheel") return (event as WheelEvent).ctrlKey || (event as WheelEvent).metaKey;
  return (
    !("button" in event) ||
    ((event as MouseEvent).button === 0 && !beginsArea(event as MouseEvent, drag))
  );
}

function viewportOf(
  transform: { readonly k: number; readonly x: number },
  input: GestureInput,
): Viewport {
  const span = input.domainNs / transform.k;
  const fromNs = (-transform.x / transform.k / input.plotPx) * input.domainNs;
  return clampViewport({ fromNs, toNs: fromNs + span }, input.domainNs);
}

/** Where the mouse rests over the axis of a plot: all plots have the same. */
let resting: number | undefined;

export function pointerShare(): number | undefined {
  return resting;
}

/**
 * Follows the mouse, since a finger does not rest. What is returned forgets the place: the
 * listeners go with their element.
 */
function watchMouse(node: HTMLElement, latest: { readonly current: GestureInput }): () => void {
  const forget = (): void => void (resting = undefined);
  node.addEventListener("mousemove", ({ clientX }) => {
    const { gutterPx, plotPx } = latest.current;
    const share = (clientX - node.getBoundingClientRect().left - gutterPx) / plotPx;
    resting = share >= 0 && share <= 1 ? share : undefined;
  });
  node.addEventListener("mouseleave", forget);
  return forget;
}

/** Attaches the gestures to an element. */
export function useTimelineGestures(
  element: RefObject<HTMLElement | null>,
  input: GestureInput,
): void {
  const latest = useRef(input);
  useEffect(() => {
    latest.current = input;
  });
  const { viewport, domainNs, plotPx, gutterPx } = input;
  const behaviour = useRef<ReturnType<typeof makeZoom>>(undefined);

  useEffect(() => {
    const node = element.current;
    if (node === null) return undefined;
    behaviour.current = makeZoom(latest);
    select(node).call(behaviour.current).on("dblclick.zoom", null);
    const onWheel = (event: WheelEvent): void => panByWheel(event, latest.current);
    node.addEventListener("wheel", onWheel, { passive: false });
    const leave = letSwipesScroll(node);
    const unwatch = watchMouse(node, latest);
    return () => {
      leave();
      unwatch();
      node.removeEventListener("wheel", onWheel);
      select(node).on(".zoom", null);
    };
  }, [element]);

  useEffect(() => {
    const node = element.current;
    if (node === null || behaviour.current === undefined) return;
    behaviour.current
      .scaleExtent([1, Math.max(1, domainNs / SPAN_NS_MIN)])
      .extent([
        [gutterPx, 0],
        [gutterPx + plotPx, 1],
      ])
      .translateExtent([
        [gutterPx, -Infinity],
        [gutterPx + plotPx, Infinity],
      ]);
    const k = domainNs / spanNs(viewport);
    const x = gutterPx - (gutterPx + (viewport.fromNs / domainNs) * plotPx) * k;
    // Writing the property moves d3's memory without an event: the owner already knows this
    // viewport.
    select(node).property("__zoom", zoomIdentity.translate(x, 0).scale(k));
  }, [element, viewport, domainNs, plotPx, gutterPx]);
}

function makeZoom(latest: { readonly current: GestureInput }) {
  const report = (event: D3ZoomEvent<HTMLElement, unknown>, phase: "move" | "end"): void => {
    if (event.sourceEvent === null || event.sourceEvent === undefined) return;
    const input = latest.current;
    // The gutter is part of the element but not of the axis: undo its share of the transform.
    const x = event.transform.x + input.gutterPx * (event.transform.k - 1);
    input.onViewport(viewportOf({ k: event.transform.k, x }, input), phase);
  };
  return (
    zoom<HTMLElement, unknown>()
      .filter((event: Event) => isGesture(event, latest.current.drag))
      .wheelDelta(
        (event) =>
          -event.deltaY * (event.deltaMode === 1 ? 0.05 : event.deltaMode === 2 ? 1 : 0.002) * 3,
      )
      // Two taps zoom at once: nothing here moves by transitions (lib/no-transition.ts).
      .duration(0)
      .clickDistance(4)
      .on("zoom", (event: D3ZoomEvent<HTMLElement, unknown>) => report(event, "move"))
      .on("end", (event: D3ZoomEvent<HTMLElement, unknown>) => report(event, "end"))
  );
}

/** Sideways wheels and Shift + wheel pan; the rest is left to the scroll bar. */
function panByWheel(event: WheelEvent, input: GestureInput): void {
  if (event.ctrlKey || event.metaKey) return;
  const sideways = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
  if (Math.abs(sideways) <= Math.abs(event.shiftKey ? 0 : event.deltaY)) return;
  event.preventDefault();
  input.onViewport(panBy(input.viewport, sideways / input.plotPx, input.domainNs), "end");
}

/** A finger that has moved less, CSS px, has no direction yet. */
const SLOP_PX = 8;

/**
 * A vertical swipe on a plot scrolls the page. d3-zoom takes every touch for itself, so listeners
 * behind this one see no vertical move of a single finger. Returns the way to stop.
 */
function letSwipesScroll(node: HTMLElement): () => void {
  let start: { readonly x: number; readonly y: number } | undefined;
  let sideways: boolean | undefined;
  const begin = ({ touches }: TouchEvent): void => {
    const [touch] = touches;
    start =
      touches.length === 1 && touch !== undefined
        ? { x: touch.clientX, y: touch.clientY }
        : undefined;
    sideways = undefined;
  };
  const move = (event: TouchEvent): void => {
    const [touch] = event.touches;
    if (start === undefined || touch === undefined) return;
    const [x, y] = [Math.abs(touch.clientX - start.x), Math.abs(touch.clientY - start.y)];
    if (sideways === undefined && Math.max(x, y) >= SLOP_PX) sideways = x >= y;
    // A move that cannot be cancelled belongs to a scroll that goes on.
    if (sideways !== true || !event.cancelable) event.stopImmediatePropagation();
  };
  node.addEventListener("touchstart", begin, { capture: true, passive: true });
  node.addEventListener("touchmove", move, { capture: true, passive: true });
  return () => {
    node.removeEventListener("touchstart", begin, { capture: true });
    node.removeEventListener("touchmove", move, { capture: true });
  };
}
