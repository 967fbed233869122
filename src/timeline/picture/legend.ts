// What the states and the marks of a picture mean, in lines below the lanes.

import type { LegendEntry } from "../draw/legend-entry.ts";
import { LANE_LEGEND } from "../lanes/swatches.ts";
import type { Run } from "../marks/mark.ts";
import { guideEntries } from "../marks/guide-legend.tsx";
import { marksIn } from "../marks/registry.ts";
import type { TimelineTheme } from "../plot/timeline-theme.ts";
import { tankLegend } from "../tracks/silos.ts";
import { type Measure, wordsFont } from "./fonts.ts";
import type { PictureOf } from "./layout.ts";

const SWATCH = { width: 26, height: 14 };

export function swatchSize(theme: TimelineTheme): {
  readonly width: number;
  readonly height: number;
} {
  const scale = theme.fontPx / 11;
  return { width: Math.round(SWATCH.width * scale), height: Math.round(SWATCH.height * scale) };
}

/** What CPUs are seen doing in [fromNs, toNs), and all ways to wait. */
export function lanesLegendIn(
  runs: readonly Run[],
  fromNs: number,
  toNs: number,
): readonly LegendEntry[] {
  const sums = runs.flatMap(({ trace }) =>
    trace.lanes.map((lane) => lane.windowNs(fromNs, toNs, trace.endNs)),
  );
  return LANE_LEGEND.filter(
    ({ channel }) => channel === undefined || sums.some((ns) => (ns[channel] ?? 0) > 0),
  );
}

/** The states and the marks that lie in view. */
export function legendOf(
  { sides, viewport, heads }: PictureOf,
  cpusPerSilo: number,
): readonly LegendEntry[] {
  // A slide is read from afar: few entries, as on the guided page.
  if (heads !== undefined) return guideEntries(sides, viewport, []);
  const marks = marksIn(sides, viewport.fromNs, viewport.toNs).flatMap((mark) => mark.legend);
  return [
    ...lanesLegendIn(sides, viewport.fromNs, viewport.toNs),
    ...marks,
    ...tankLegend(cpusPerSilo),
  ];
}

export interface PlacedLegend {
  readonly height: number;
  readonly placed: readonly {
    readonly entry: LegendEntry;
    readonly x: number;
    readonly y: number;
  }[];
}

export function placedLegend(
  entries: readonly LegendEntry[],
  width: number,
  theme: TimelineTheme,
  measure: Measure,
): PlacedLegend {
  const linePx = theme.fontPx * 2 - 2;
  let x = 0;
  let line = 0;
  const placed = entries.map((entry) => {
    const wide = swatchSize(theme).width + 5 + measure(entry.words, wordsFont(theme));
    if (x > 0 && x + wide > width) {
      x = 0;
      line += 1;
    }
    const at = { entry, x, y: (line + 0.5) * linePx };
    x += wide + 14;
    return at;
  });
  return { placed, height: entries.length === 0 ? 0 : (line + 1) * linePx };
}
