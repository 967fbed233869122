// A canvas that remembers what was asked of it. It has exactly the methods that the drawing code
// uses (picture.test.ts draws everything on it); what it records is the same every time, since it
// names nothing at random and reads no clock.

import { plainText } from "../../engine/plain.ts";
import type { Box, Command, Font, Shape } from "./shapes.ts";
import { pixelRects } from "./shapes.ts";

/** Canvas units to the picture's: x' = a x + c y + e, y' = b x + d y + f. */
type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** Measures words: a real canvas where there is one. */
export type Ruler = Pick<CanvasRenderingContext2D, "measureText" | "font" | "textBaseline">;

/**
 * From the middle of the em box to the baseline, in shares of the font's size, where a browser does
 * not say.
 */
const MIDDLE = 0.35;
/** A circle's quarter as a cubic curve: how far its handles reach, in radii. */
const QUARTER = 0.5522847498;

export class Recorder {
  readonly shapes: Shape[] = [];
  /** The box that is drawn in, as a canvas has its size. */
  canvas = { width: 0, height: 0 };
  fillStyle = "#000000";
  strokeStyle = "#000000";
  lineWidth = 1;
  globalAlpha = 1;
  font = "10px sans-serif";
  textAlign: CanvasTextAlign = "left";
  textBaseline: CanvasTextBaseline = "alphabetic";
  private dash: readonly number[] = [];
  private matrix: Matrix = [1, 0, 0, 1, 0, 0];
  private clips = 0;
  private commands: Command[] = [];
  private readonly saved: (() => void)[] = [];

  constructor(private readonly ruler: Ruler) {}

  save(): void {
    const {
      fillStyle,
      strokeStyle,
      lineWidth,
      globalAlpha,
      font,
      textAlign,
      textBaseline,
      dash,
      matrix,
      clips,
      canvas,
    } = this;
    this.saved.push(() => {
      for (let more = this.clips; more > clips; more -= 1) this.shapes.push({ kind: "unclip" });
      Object.assign(this, {
        fillStyle,
        strokeStyle,
        lineWidth,
        globalAlpha,
        font,
        textAlign,
        textBaseline,
        dash,
        matrix,
        clips,
        canvas,
      });
    });
  }

  restore(): void {
    this.saved.pop()?.();
  }

  translate(x: number, y: number): void {
    const [a, b, c, d] = this.matrix;
    const [e, f] = this.place(x, y);
    this.matrix = [a, b, c, d, e, f];
  }

  rotate(angle: number): void {
    const [a, b, c, d, e, f] = this.matrix;
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    this.matrix = [
      a * cos + c * sin,
      b * cos + d * sin,
      c * cos - a * sin,
      d * cos - b * sin,
      e,
      f,
    ];
  }

  private place(x: number, y: number): readonly [x: number, y: number] {
    const [a, b, c, d, e, f] = this.matrix;
    return [a * x + c * y + e, b * x + d * y + f];
  }

  beginPath(): void {
    this.commands = [];
  }

  moveTo(x: number, y: number): void {
    this.commands.push({ op: "M", at: this.place(x, y) });
  }

  lineTo(x: number, y: number): void {
    this.commands.push({ op: this.commands.length === 0 ? "M" : "L", at: this.place(x, y) });
  }

  /**
   * Two thirds of the way to a quadratic curve's handle lie those of the same curve as a cubic one.
   */
  quadraticCurveTo(cx: number, cy: number, x: number, y: number): void {
    const [hx, hy] = this.place(cx, cy);
    const [fromX = hx, fromY = hy] = this.commands.at(-1)?.at.slice(-2) ?? [];
    const [tx, ty] = this.place(x, y);
    const third = (end: number, handle: number): number => end + (handle - end) * (2 / 3);
    this.commands.push({
      op: "C",
      at: [third(fromX, hx), third(fromY, hy), third(tx, hx), third(ty, hy), tx, ty],
    });
  }

  /** Whole circles alone: nothing on the lanes draws a part of one. */
  arc(x: number, y: number, radius: number): void {
    const handle = radius * QUARTER;
    const point = (dx: number, dy: number): readonly number[] => this.place(x + dx, y + dy);
    this.commands.push(
      { op: "M", at: point(radius, 0) },
      { op: "C", at: [...point(radius, handle), ...point(handle, radius), ...point(0, radius)] },
      { op: "C", at: [...point(-handle, radius), ...point(-radius, handle), ...point(-radius, 0)] },
      {
        op: "C",
        at: [...point(-radius, -handle), ...point(-handle, -radius), ...point(0, -radius)],
      },
      { op: "C", at: [...point(handle, -radius), ...point(radius, -handle), ...point(radius, 0)] },
      { op: "Z", at: [] },
    );
  }

  rect(x: number, y: number, width: number, height: number): void {
    this.moveTo(x, y);
    this.lineTo(x + width, y);
    this.lineTo(x + width, y + height);
    this.lineTo(x, y + height);
    this.closePath();
  }

  closePath(): void {
    this.commands.push({ op: "Z", at: [] });
  }

  clip(): void {
    this.shapes.push({ kind: "clip", commands: this.commands });
    this.clips += 1;
  }

  fill(): void {
    this.path(this.fillStyle, false);
  }

  stroke(): void {
    this.path(undefined, true);
  }

  private path(fill: string | undefined, stroked: boolean): void {
    if (this.commands.length === 0 || this.globalAlpha === 0) return;
    const stroke = stroked
      ? { colour: this.strokeStyle, width: this.lineWidth, dash: this.dash }
      : undefined;
    this.shapes.push({
      kind: "path",
      commands: [...this.commands],
      fill,
      stroke,
      alpha: this.globalAlpha,
    });
  }

  setLineDash(dash: readonly number[]): void {
    this.dash = dash;
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    if (width <= 0 || height <= 0 || this.globalAlpha === 0) return;
    const [a, b] = this.matrix;
    if (a === 1 && b === 0) {
      const [left, top] = this.place(x, y);
      this.rectangle({ x: left, y: top, width, height });
      return;
    }
    this.apart(() => this.rect(x, y, width, height));
    this.shapes.push({
      kind: "path",
      commands: this.boxed,
      fill: this.fillStyle,
      stroke: undefined,
      alpha: this.globalAlpha,
    });
  }

  /**
   * Columns of one height side by side become one rectangle: a curve is drawn as hundreds of them.
   */
  private rectangle(box: Box): void {
    const colour = this.fillStyle;
    const last = this.shapes.at(-1);
    if (
      last?.kind === "rect" &&
      last.alpha === 1 &&
      this.globalAlpha === 1 &&
      last.colour === colour &&
      isBeside(last.box, box)
    ) {
      this.shapes[this.shapes.length - 1] = {
        ...last,
        box: { ...last.box, width: box.x + box.width - last.box.x },
      };
    } else this.shapes.push({ kind: "rect", box, colour, alpha: this.globalAlpha });
  }

  strokeRect(x: number, y: number, width: number, height: number): void {
    this.apart(() => this.rect(x, y, width, height));
    const stroke = { colour: this.strokeStyle, width: this.lineWidth, dash: this.dash };
    this.shapes.push({
      kind: "path",
      commands: this.boxed,
      fill: undefined,
      stroke,
      alpha: this.globalAlpha,
    });
  }

  private boxed: readonly Command[] = [];

  /** A path of its own: the one that is being made stays. */
  private apart(draw: () => void): void {
    const kept = this.commands;
    this.commands = [];
    draw();
    this.boxed = this.commands;
    this.commands = kept;
  }

  putImageData({ data, width, height }: ImageData, left: number, top: number): void {
    const pixels = new Uint32Array(data.buffer);
    for (const each of pixelRects({ data: pixels, width, height })) {
      const [x, y] = this.place(left + each.x, top + each.y);
      this.shapes.push({
        kind: "rect",
        box: { x, y, width: each.width, height: each.height },
        colour: each.colour,
        alpha: 1,
      });
    }
  }

  measureText(text: string): TextMetrics {
    this.ruler.font = this.font;
    this.ruler.textBaseline = this.textBaseline;
    return this.ruler.measureText(plainText(text));
  }

  fillText(text: string, x: number, y: number): void {
    const { width, alphabeticBaseline } = this.measureText(text) as Pick<TextMetrics, "width"> &
      Partial<TextMetrics>;
    const font = fontOf(this.font);
    const share = this.textAlign === "center" ? 0.5 : this.textAlign === "right" ? 1 : 0;
    const down = this.textBaseline === "middle" ? -(alphabeticBaseline ?? -MIDDLE * font.size) : 0;
    const [left, base] = this.place(x - width * share, y + down);
    // Unpaired halves of a character are no text that a file can hold.
    const words = plainText(text).replaceAll(/\p{Cs}/gu, "\uFFFD");
    this.shapes.push({
      kind: "text",
      text: words,
      x: left,
      y: base,
      width,
      font,
      colour: this.fillStyle,
      alpha: this.globalAlpha,
    });
  }
}

/** Whether a box goes on where another ends. */
function isBeside(one: Box, { x, y, width, height }: Box): boolean {
  return (
    y === one.y &&
    height === one.height &&
    x >= one.x &&
    x <= one.x + one.width &&
    x + width >= one.x + one.width
  );
}

/** `600 10px ui-sans-serif, system-ui, sans-serif`. */
function fontOf(css: string): Font {
  const [, weight = "400", size = "10", family = ""] =
    /^(?:(\d+) )?([\d.]+)px (.+)$/.exec(css) ?? [];
  return { size: Number(size), weight: Number(weight), mono: family.includes("mono") };
}
