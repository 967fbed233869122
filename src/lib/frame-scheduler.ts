// The one place that asks for animation frames to draw in. Painters are named: asking twice before
// the next frame paints once, with the later painter; whatever changed in between is drawn
// together. What does not fit into a frame is drawn in the next one. While a browser lays out a
// sheet of paper no frame comes: what is wanted then is painted at once.

import { useEffect, useState } from "react";
import { mediaHolds } from "./use-media.ts";

/** Past this no further painter begins in a frame, ms. */
const FRAME_MS = 10;
/**
 * No painter starts that would end past this if it took as long as the last time: two long ones in
 * a frame hold up the next key, ms.
 */
const LONG_MS = 20;

export class FrameScheduler {
  private readonly wanted = new Map<string, () => void>();
  private request: number | undefined;
  /** How long each painter took the last time, ms. */
  private readonly took = new Map<string, number>();

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

  /** Paints what is still wanted: a sheet is laid out before the next frame. */
  readonly finish = (): void => {
    for (const [name, paint] of [...this.wanted]) {
      this.wanted.delete(name);
      paint();
    }
  };

  dispose(): void {
    if (this.request !== undefined) cancelAnimationFrame(this.request);
    this.request = undefined;
    this.wanted.clear();
  }

  private readonly run = (): void => {
    this.request = undefined;
    const began = performance.now();
    let at = began;
    for (const [name, paint] of [...this.wanted]) {
      const past = at - began;
      if (past >= FRAME_MS || (past > 0 && past + (this.took.get(name) ?? 0) > LONG_MS)) break;
      this.wanted.delete(name);
      paint();
      const done = performance.now();
      this.took.set(name, done - at);
      at = done;
    }
    if (this.wanted.size > 0) this.request ??= requestAnimationFrame(this.run);
  };
}

export function useFrameScheduler(): FrameScheduler {
  const [scheduler] = useState(() => new FrameScheduler());
  useEffect(() => {
    window.addEventListener("beforeprint", scheduler.finish);
    return () => {
      window.removeEventListener("beforeprint", scheduler.finish);
      scheduler.dispose();
    };
  }, [scheduler]);
  return scheduler;
}

/**
 * Sizes a canvas to its CSS box in device pixels and hands out its context, empty and scaled so
 * that one unit is one CSS px. What is drawn while Chromium lays out a sheet it replays on the
 * sheet, and replayed wiping takes what lies below away, too; once pixels were asked for, it prints
 * pixels. Copying a dot asks for them, and reads none back.
 */
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
  context?.setTransform(ratio, 0, 0, ratio, 0, 0);
  context?.clearRect(0, 0, width, height);
  if (mediaHolds("print"))
    (scratch ??= document.createElement("canvas").getContext("2d"))?.drawImage(
      canvas,
      0,
      0,
      1,
      1,
      0,
      0,
      1,
      1,
    );
  return context;
}

let scratch: CanvasRenderingContext2D | null | undefined;
