// What the shapes mean. Each swatch is drawn by the same code as the lanes, so that the legend
// cannot lie.

import { useEffect, useRef } from "react";
import type { ReactElement } from "react";
import { CPU_STATE } from "../../engine/gen/catalogue.ts";
import { preparedContext } from "../../lib/frame-scheduler.ts";
import { stateColour } from "../plot/timeline-theme.ts";
import type { TimelineTheme } from "../plot/timeline-theme.ts";
import { LANE_LEGEND } from "../lanes/swatches.ts";
import type { LegendEntry } from "../draw/legend-entry.ts";
import type { Run } from "./mark.ts";
import { marksIn } from "./registry.ts";

const WIDTH_PX = 26;
const HEIGHT_PX = 14;

/** The run that lies under the lanes, as its layer draws it: nothing but every second pixel. */
const GHOST: LegendEntry = {
  words: "the other run, idle here",
  swatch: (context, theme, width, height) => {
    context.fillStyle = stateColour(theme, CPU_STATE.User);
    for (let y = 0; y < height; y += 1)
      for (let x = y & 1; x < width; x += 2) context.fillRect(x, y, 1, 1);
  },
};

interface LegendProps {
  readonly theme: TimelineTheme;
  readonly ratio: number;
  /** Entries of the tracks over the lanes and beside them. */
  readonly tracks: readonly LegendEntry[];
  /** The runs in the picture: a mark that none of them has is not explained. */
  readonly runs: readonly (Run & { readonly ghost?: object | undefined })[];
}

export function TimelineLegend({ theme, ratio, tracks, runs }: LegendProps): ReactElement {
  const ghost = runs.some((run) => run.ghost !== undefined) ? [GHOST] : [];
  const entries = [
    ...ghost,
    ...LANE_LEGEND,
    ...marksIn(runs).flatMap((mark) => mark.legend),
    ...tracks,
  ];
  return (
    <div className="tl-legend" data-testid="timeline-legend">
      {entries.map((entry) => (
        <span key={entry.words}>
          <Swatch entry={entry} theme={theme} ratio={ratio} />
          {entry.words}
        </span>
      ))}
    </div>
  );
}

interface SwatchProps {
  readonly entry: LegendEntry;
  readonly theme: TimelineTheme;
  readonly ratio: number;
}

export function Swatch({ entry, theme, ratio }: SwatchProps): ReactElement {
  const canvas = useRef<HTMLCanvasElement>(null);
  const scale = theme.fontPx / 11;
  const width = WIDTH_PX * scale;
  const height = HEIGHT_PX * scale;
  const { swatch, words } = entry;
  useEffect(() => {
    const context =
      canvas.current === null ? undefined : preparedContext(canvas.current, width, height, ratio);
    if (context === undefined) return;
    swatch(context, theme, width, height);
  }, [swatch, words, theme, ratio, width, height]);
  return <canvas ref={canvas} style={{ width, height }} aria-hidden="true" />;
}
