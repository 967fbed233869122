// Test support: the stretch of a run that a track above the lanes is drawn for.

import type { TraceStore, Viewport } from "../../model/index.ts";
import type { Plot } from "../plot/plot.ts";
import { THEMES } from "../plot/timeline-theme.ts";
import { layRows } from "../plot/lane-rows.ts";

/** A track 1 000 px wide unless `width` says otherwise, right of a gutter of 48 px. */
export function trackPlot(
  trace: TraceStore,
  viewport: Viewport,
  { width = 1048, height = 40 } = {},
): Plot {
  return {
    trace,
    viewport,
    rows: layRows(1, 60, []),
    scrollTop: 0,
    gutter: 48,
    width,
    height,
    ratio: 1,
    theme: THEMES.dark,
  };
}
