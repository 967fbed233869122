// The letters of a picture.

import type { TimelineTheme } from "../plot/timeline-theme.ts";

/** Width of words in a font, CSS px. */
export type Measure = (text: string, font: string) => number;

export function titleFont(theme: TimelineTheme): string {
  return `600 ${theme.fontPx + 5}px ui-sans-serif, system-ui, sans-serif`;
}

export function wordsFont(theme: TimelineTheme): string {
  return `${theme.fontPx}px ui-sans-serif, system-ui, sans-serif`;
}
