// The one place that asks for animation frames to draw in. Painters are named: asking twice before the next frame paints once, with the
// later painter; whatever changed in between is drawn together. What does not fit into a frame is drawn in the next one. While a browser lays
// out a sheet of paper no frame comes: what is wanted then is painted at once.

import { useEffect, useState } from "react";
import { mediaHolds } from "../../lib/use-media.ts";

/** Past this no further painter begins in a frame, ms. */
const FRAME_MS = 10;

export class FrameScheduler {
  private readonly wanted = new Map<string, () => void>();
  private request: number | undefined;

  /** Paints at the next frame, for paper at once. */
  want(name: string, paint: () => void): void {
    if (mediaHolds("print")) {
      this.wanted.delete(name);
      paint();
      return;
    }
    this.wanted.set(name, paint);
    this.request ??= requestAnimationFrame(this.run);
  }

  dispose(): void {
    if (this.request !== undefined) cancelAnimationFrame(this.request);
    this.request = undefined;
    this.wanted.clear();
  }

  private readonly run = (): void => {
    this.request = undefined;
    const until = performance.now() + FRAME_MS;
    for (const [name, paint] of [...this.wanted]) {
      this.wanted.delete(name);
      paint();
      if (performance.now() >= until) break;
    }
    if (this.wanted.size > 0) this.request ??= requestAnimationFrame(this.run);
  };
}

export function useFrameScheduler(): FrameScheduler {
  const [scheduler] = useState(() => new FrameScheduler());
  useEffect(() => () => scheduler.dispose(), [scheduler]);
  return scheduler;
}

/** Sizes a canvas to its CSS box in device pixels and hands out its context, scaled so that one unit is one CSS px. */
export function preparedContext(
  canvas: HTMLCanvasElement,
  width: number,
  height: number,
  ratio: number,
): CanvasRenderingContext2D | undefined {
  const deviceWidth = Math.max(1, Math.round(width * ratio));
  const deviceHeight = Math.max(1, Math.round(height * ratio));
  if (canvas.width !== deviceWidth) canvas.width = deviceWidth;
  if (canvas.height !== deviceHeight) canvas.height = deviceHeight;
  const context = canvas.getContext("2d") ?? undefined;
  if (context !== undefined) forSheet(context, deviceWidth);
  context?.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}

/** A browser may print the commands that drew a canvas, and a part that was cleared as white, over the canvas below: there none is cleared. */
function forSheet(context: CanvasRenderingContext2D, deviceWidth: number): void {
  if (mediaHolds("print")) {
    context.canvas.width = deviceWidth; // Blank, whatever was there.
    context.clearRect = () => undefined;
  } else if (Object.hasOwn(context, "clearRect")) Reflect.deleteProperty(context, "clearRect");
}
