// One line of the legend. Knows neither lanes nor marks nor tracks: each of these has its own
// entries.

import type { TimelineTheme } from "../plot/timeline-theme.ts";

/** One line of the legend. */
export interface LegendEntry {
  readonly words: string;
  /**
   * The shape in a box of `width` by `height` CSS px, drawn by the code that draws it on the
   * picture.
   */
  readonly swatch: (
    context: CanvasRenderingContext2D,
    theme: TimelineTheme,
    width: number,
    height: number,
  ) => void;
}
