// The size of an element in CSS px, the screen's pixel ratio and whether motion is wanted, as
// state.

import { useEffect, useState } from "react";
import type { RefObject } from "react";
import { observeSize } from "../../lib/element-size.ts";

export function useWidth(element: RefObject<HTMLElement | null>): number {
  return useExtent(element, "width");
}

export function useHeight(element: RefObject<HTMLElement | null>): number {
  return useExtent(element, "height");
}

function useExtent(element: RefObject<HTMLElement | null>, along: "width" | "height"): number {
  const [px, setPx] = useState(0);
  useEffect(() => {
    const node = element.current;
    if (node === null) return undefined;
    return observeSize(node, (size) => setPx(Math.floor(size[along])));
  }, [element, along]);
  return px;
}

/**
 * Follows the window from screen to screen: the ratio changes when it moves or the page is zoomed.
 */
export function usePixelRatio(): number {
  const [ratio, setRatio] = useState(() => window.devicePixelRatio);
  useEffect(() => {
    const query = window.matchMedia(`(resolution: ${ratio}dppx)`);
    const onChange = (): void => setRatio(window.devicePixelRatio);
    query.addEventListener("change", onChange);
    return () => query.removeEventListener("change", onChange);
  }, [ratio]);
  return ratio;
}

/** Whether the viewer has asked for less motion. */
export function useReducedMotion(): boolean {
  const query = "(prefers-reduced-motion: reduce)";
  const [reduced, setReduced] = useState(() => window.matchMedia(query).matches);
  useEffect(() => {
    const list = window.matchMedia(query);
    const onChange = (): void => setReduced(list.matches);
    list.addEventListener("change", onChange);
    return () => list.removeEventListener("change", onChange);
  }, []);
  return reduced;
}
