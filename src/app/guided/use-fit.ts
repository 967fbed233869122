// How large the letters of a frame are in its window: a small window makes them smaller before it
// loses lanes, a large one makes them larger.

import { useEffect, useState } from "react";

/** The window that letters have their own size in, CSS px, and the least and greatest scale. */
export interface FitTo {
  readonly width: number;
  readonly height: number;
  readonly least: number;
  readonly most: number;
}

/** The scale of letters in a window of this size. */
export function fitScale(
  width: number,
  height: number,
  { width: wide, height: high, least, most }: FitTo,
): number {
  return Math.min(most, Math.max(least, Math.min(width / wide, height / high)));
}

/** The window's scale now, kept as the window changes. */
export function useFit(to: FitTo): number {
  const [scale, setScale] = useState(() => fitScale(window.innerWidth, window.innerHeight, to));
  useEffect(() => {
    const measure = (): void => setScale(fitScale(window.innerWidth, window.innerHeight, to));
    measure();
    window.addEventListener("resize", measure);
    return () => window.removeEventListener("resize", measure);
  }, [to]);
  return scale;
}

/** Scales the page's letters, besides what the theme and the viewer ask for. */
export function useLetters(scale: number): void {
  useEffect(() => {
    const { style } = document.documentElement;
    style.setProperty("--fit", String(scale));
    return () => void style.removeProperty("--fit");
  }, [scale]);
}
