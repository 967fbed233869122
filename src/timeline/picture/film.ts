// The playhead's way through the view, frame by frame: at frame i it is at instant i, whatever
// the clock says, so that the same view gives the same frames.

import { xOf } from "../plot/plot.ts";
import { drawnMarks } from "../marks/registry.ts";
import { drawHead } from "./draw-heads.ts";
import { dimQuiet, drawMoment, drawPlayhead, drawStill } from "./draw-picture.ts";
import type { Layout, PictureOf } from "./layout.ts";
import { layoutOf } from "./layout.ts";
import { contextOf, Dots, measureWords, newCanvas } from "./surfaces.ts";

/** Share of the ink that what lies ahead keeps, as on the page while it plays. */
const AHEAD_INK = 0.25;
/** Least share of the view that a flight takes, as on the page. */
const FLIGHT_SHARE = 0.02;

/** Frames a second. A GIF counts in hundredths of a second. */
export const WEBM_FPS = 30;
export const GIF_FPS = 12.5;

/** Frames that are painted on one canvas, in any order. */
export interface Frames {
  readonly canvas: HTMLCanvasElement;
  readonly frames: number;
  readonly paint: (frame: number) => void;
}

export class Film implements Frames {
  readonly canvas: HTMLCanvasElement;
  readonly frames: number;
  private readonly still: HTMLCanvasElement;
  private readonly layout: Layout;
  private readonly dots: Dots;

  /** `instants`: where the playhead is at each frame, ns. */
  constructor(
    private readonly picture: PictureOf,
    ratio: number,
    private readonly instants: readonly number[],
  ) {
    this.layout = layoutOf(picture, measureWords, ratio);
    this.frames = instants.length;
    this.still = this.sheet(ratio);
    this.canvas = this.sheet(ratio);
    drawStill(new Dots(this.still, ratio), this.layout, picture);
    this.dots = new Dots(this.canvas, ratio);
  }

  /** Codecs halve the colours, so both sides are even. */
  private sheet(ratio: number): HTMLCanvasElement {
    const even = (px: number): number => Math.ceil((px * ratio) / 2) * 2;
    return newCanvas(even(this.layout.width), even(this.layout.height));
  }

  /** Draws a frame on the canvas. */
  paint(frame: number): void {
    const { dots, layout } = this;
    const ns = this.instants[frame] ?? 0;
    // A dot that the picture does not reach at the right or below is the background's.
    dots.context.fillStyle = layout.theme.background;
    dots.context.fillRect(0, 0, this.canvas.width, this.canvas.height);
    dots.context.drawImage(this.still, 0, 0);
    this.veil(ns);
    for (const side of layout.sides) {
      const now = { ...this.picture, playheadNs: ns };
      dots.box(side.head, (context) => drawHead(context, layout, side, now));
      drawMoment(dots, layout, side, ns);
      const { fromNs, toNs } = side.scene.plot.viewport;
      dots.box(side.lanes, (context) => {
        for (const mark of drawnMarks(side.scene))
          mark.fly?.(context, side.scene, ns, (toNs - fromNs) * FLIGHT_SHARE);
      });
    }
    drawPlayhead(dots, layout, ns);
    dimQuiet(dots, layout, this.picture);
  }

  private veil(ns: number): void {
    const { theme, gutter, sides } = this.layout;
    for (const { head, lanes, left, scene } of sides) {
      const x = Math.max(gutter, xOf(scene.plot, ns));
      const width = lanes.width - x;
      const y = head.y + head.height;
      if (width <= 0) continue;
      this.dots.box({ x: left + x, y, width, height: lanes.y + lanes.height - y }, (context) => {
        context.globalAlpha = 1 - AHEAD_INK;
        context.fillStyle = theme.background;
        context.fillRect(0, 0, width, lanes.y + lanes.height - y);
      });
    }
  }
}

/** Films one after the other, all of one size; only the one at hand is in memory. */
export class Reel implements Frames {
  readonly canvas: HTMLCanvasElement;
  readonly frames: number;
  private readonly context: CanvasRenderingContext2D;
  private at: { readonly part: number; readonly film: Film } | undefined;

  /** Each part makes a film of so many frames. Not empty. */
  constructor(private readonly parts: readonly ReelPart[]) {
    this.frames = parts.reduce((sum, { frames }) => sum + frames, 0);
    const { width, height } = this.film(0).canvas;
    this.canvas = newCanvas(width, height);
    this.context = contextOf(this.canvas);
  }

  paint(frame: number): void {
    let [part, own] = [0, frame];
    while (own >= (this.parts[part]?.frames ?? Infinity)) {
      own -= this.parts[part]?.frames ?? 0;
      part += 1;
    }
    const film = this.film(part);
    film.paint(own);
    this.context.drawImage(film.canvas, 0, 0);
  }

  private film(part: number): Film {
    if (this.at?.part !== part) {
      const { make } = this.parts[part] as ReelPart;
      this.at = { part, film: make() };
    }
    return this.at.film;
  }
}

export interface ReelPart {
  readonly frames: number;
  readonly make: () => Film;
}

/** How the making of a file is watched and stopped. */
export interface Making {
  readonly signal: AbortSignal;
  /** After each frame. */
  readonly onFrame: (done: number) => void;
}
