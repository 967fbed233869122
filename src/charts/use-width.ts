// The width of an element on screen, or of a sheet on paper, so that charts are drawn in CSS pixels
// and their text keeps its size.

import { useEffect, useRef, useState, type RefObject } from "react";
import { useMedia } from "../lib/use-media.ts";

/**
 * The width of an upright A4 sheet within the page's margins, CSS px; the style of paper stretches
 * a drawing to any other sheet's.
 */
const SHEET_PX = 688;

export function useWidth<E extends Element>(): readonly [ref: RefObject<E | null>, width: number] {
  const ref = useRef<E>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(([entry]) =>
      setWidth(Math.floor(entry?.contentRect.width ?? 0)),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, useMedia("print") ? SHEET_PX : width];
}
