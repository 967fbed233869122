// What a picture is drawn on: a canvas of dots, or a list of shapes. Both take the same boxes and
// run the same drawing code.

import type { Plot } from "../plot/plot.ts";
import { LanePainter } from "../lanes/paint.ts";
import type { Measure } from "./fonts.ts";
import { Recorder, type Ruler } from "./recorder.ts";
import type { Box, Shape } from "./shapes.ts";
import { FINE, vectorLanes } from "./vector-lanes.ts";

type Draw = (context: CanvasRenderingContext2D) => void;

export interface Surface {
  /**
   * Draws in a box of the picture: CSS px from its left upper corner, cut off at its edges, over
   * what is there.
   */
  box(place: Box, draw: Draw): void;
  /** The lanes of one side. */
  lanes(place: Box, plot: Plot): void;
}

/** A canvas element's context; browsers that have none draw no page of ours either. */
export function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (context === null)
    throw new Error("This browser gives no canvas to draw on: close other tabs, then try again.");
  return context;
}

export function newCanvas(width: number, height: number): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  return canvas;
}

/** One for all measuring: asking costs nothing, making a canvas does. */
let ruler: CanvasRenderingContext2D | undefined;

function rulerContext(): CanvasRenderingContext2D {
  return (ruler ??= contextOf(newCanvas(1, 1)));
}

export const measureWords: Measure = (text, font) => {
  const context = rulerContext();
  context.font = font;
  return context.measureText(text).width;
};

/**
 * Dots. Every box has a canvas of its own, as on the page, so that what is drawn in one never wipes
 * another.
 */
export class Dots implements Surface {
  readonly context: CanvasRenderingContext2D;
  private readonly layer = newCanvas(1, 1);
  private readonly painter = new LanePainter();

  /** `ratio`: dots to a CSS px. */
  constructor(
    readonly canvas: HTMLCanvasElement,
    private readonly ratio: number,
  ) {
    this.context = contextOf(canvas);
  }

  box(place: Box, draw: Draw): void {
    const { layer, ratio } = this;
    layer.width = Math.max(1, Math.round(place.width * ratio));
    layer.height = Math.max(1, Math.round(place.height * ratio));
    const context = contextOf(layer);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    draw(context);
    this.context.drawImage(layer, Math.round(place.x * ratio), Math.round(place.y * ratio));
  }

  lanes(place: Box, plot: Plot): void {
    this.box(place, (context) => this.painter.paint(context, plot));
  }
}

/** Shapes. Lanes that take more of them than `most` become an image, and `images` counts it. */
export class Shapes implements Surface {
  images = 0;
  private readonly recorder: Recorder;
  /** Shapes that the lanes may still take. */
  private left: number;

  /** `ruler`: what words are measured with where there is no canvas. */
  constructor(most: number, ruler: Ruler = rulerContext()) {
    this.recorder = new Recorder(ruler);
    this.left = most;
  }

  get shapes(): readonly Shape[] {
    return this.recorder.shapes;
  }

  box(place: Box, draw: Draw): void {
    const { recorder } = this;
    recorder.save();
    recorder.translate(place.x, place.y);
    recorder.canvas = { width: Math.round(place.width), height: Math.round(place.height) };
    recorder.beginPath();
    recorder.rect(0, 0, place.width, place.height);
    recorder.clip();
    // It has what the drawing code uses of a context, and a test draws all there is on it.
    draw(recorder as unknown as CanvasRenderingContext2D);
    recorder.restore();
  }

  lanes(place: Box, plot: Plot): void {
    const shapes = vectorLanes(plot, place, this.left);
    if (shapes !== undefined) {
      this.left -= shapes.length;
      for (const shape of shapes) this.recorder.shapes.push(shape);
      return;
    }
    this.images += 1;
    const canvas = newCanvas(Math.round(place.width * FINE), Math.round(place.height * FINE));
    new LanePainter().paint(contextOf(canvas), { ...plot, ratio: FINE });
    this.recorder.shapes.push({ kind: "image", box: place, png: canvas.toDataURL("image/png") });
  }
}
