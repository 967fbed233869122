// Another run under the lanes: stippled where it is busy and the run on top is idle, so that
// nothing on top is covered or changes its colour.

import { useEffect, useRef, useState } from "react";
import type { ReactElement } from "react";
import { preparedContext, type FrameScheduler } from "../../lib/frame-scheduler.ts";
import type { Plot } from "../plot/plot.ts";
import { pixelOf } from "../plot/timeline-theme.ts";
import { imageRaster, LanePainter, lanesBox } from "../lanes/paint.ts";
import type { GhostRun, TimelineSide } from "../plot/timeline-props.ts";
import type { Raster } from "../lanes/raster-inks.ts";

interface GhostProps {
  readonly side: TimelineSide;
  readonly plot: Plot;
  readonly ghost: GhostRun;
  readonly scheduler: FrameScheduler;
}

export default function GhostLayer({ side, plot, ghost, scheduler }: GhostProps): ReactElement {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [painter] = useState(() => new LanePainter());
  useEffect(() => {
    scheduler.want(`ghost ${side.id}`, () => {
      if (canvas.current !== null) drawGhost(canvas.current, painter, plot, ghost);
    });
  }, [scheduler, painter, plot, ghost, side.id, side.version]);
  return (
    <canvas
      ref={canvas}
      className="tl-ghost-layer"
      aria-hidden="true"
      data-testid={`ghost-${side.id}`}
    />
  );
}

function drawGhost(
  canvas: HTMLCanvasElement,
  painter: LanePainter,
  plot: Plot,
  ghost: GhostRun,
): void {
  const { left, width, height } = lanesBox(plot);
  const { image, raster: under } = imageRaster(width, height);
  const over: Raster = { data: new Uint32Array(width * height), width, height };
  painter.paintInto(over, plot);
  painter.paintInto(under, { ...plot, trace: ghost.trace });
  stipple(under, over, pixelOf(plot.theme.background));
  preparedContext(canvas, plot.width, plot.height, plot.ratio)?.putImageData(image, left, 0);
}

/** Leaves of `under` every second pixel where `over` has nothing; all other pixels become clear. */
export function stipple(under: Raster, over: Raster, background: number): void {
  const { data, width, height } = under;
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += 1) {
      const shows = over.data[at] === background && ((x + y) & 1) === 0;
      if (!shows || data[at] === background) data[at] = 0;
    }
  }
}
