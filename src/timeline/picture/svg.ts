// Shapes as an SVG file: rectangles, paths, and words as words. Nothing is named at random, so the
// same shapes give the same bytes.

import type { Box, Command, Shape, Tile } from "./shapes.ts";
import { boundsOf, pixelRects } from "./shapes.ts";

export interface Page {
  /** CSS px, in which the shapes lie. */
  readonly width: number;
  readonly height: number;
  /** What is left out at the left and at the top, CSS px. */
  readonly left?: number;
  readonly top?: number;
  /** Dots of the finished file to a CSS px. */
  readonly scale: number;
  readonly background: string;
  readonly title: string;
  /** What the file says of itself, whole: where it comes from and the link. */
  readonly about: string;
}

const SANS = "ui-sans-serif, system-ui, Helvetica, Arial, sans-serif";
const MONO = "ui-monospace, Menlo, Consolas, monospace";

export function svgOf(
  shapes: readonly Shape[],
  { width, height, left = 0, top = 0, scale, background, title, about }: Page,
): string {
  const writer = new SvgWriter();
  for (const shape of shapes) if (isSeen(shape, left + width, top + height)) writer.add(shape);
  const size = `width="${number(width * scale)}" height="${number(height * scale)}" viewBox="${number(left)} ${number(top)} ${number(width)} ${number(height)}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="${SANS}" text-rendering="geometricPrecision">`,
    `<title>${escaped(title)}</title>`,
    `<desc>${escaped(about)}</desc>`,
    ...(writer.defs.length === 0 ? [] : [`<defs>\n${writer.defs.join("\n")}\n</defs>`]),
    `<rect ${left === 0 && top === 0 ? "" : `x="${number(left)}" y="${number(top)}" `}width="${number(width)}" height="${number(height)}" fill="${background}"/>`,
    ...writer.finished(),
    "</svg>\n",
  ].join("\n");
}

/** Some programs fail on what lies far outside a page. */
function isSeen(shape: Shape, width: number, height: number): boolean {
  const bounds = boundsOf(shape);
  return (
    bounds === undefined ||
    (bounds.x <= width &&
      bounds.y <= height &&
      bounds.x + bounds.width >= 0 &&
      bounds.y + bounds.height >= 0)
  );
}

class SvgWriter {
  readonly defs: string[] = [];
  private readonly lines: string[] = [];
  private readonly names = new Map<string, string>();
  private readonly tiles = new Map<Tile, string>();
  /** Rectangles of one colour in a row become one path. */
  private run: { readonly colour: string; parts: string[] } | undefined;

  add(shape: Shape): void {
    if (shape.kind === "rect" && shape.alpha === 1) {
      if (this.run?.colour !== shape.colour) this.endRun();
      (this.run ??= { colour: shape.colour, parts: [] }).parts.push(rectPath(shape.box));
      return;
    }
    this.endRun();
    this.lines.push(this.lineOf(shape));
  }

  finished(): readonly string[] {
    this.endRun();
    return this.lines;
  }

  private endRun(): void {
    if (this.run !== undefined)
      this.lines.push(`<path fill="${this.run.colour}" d="${this.run.parts.join("")}"/>`);
    this.run = undefined;
  }

  private lineOf(shape: Shape): string {
    switch (shape.kind) {
      case "rect":
        return `<rect ${boxOf(shape.box)} fill="${shape.colour}" fill-opacity="${number(shape.alpha)}"/>`;
      case "path":
        return pathOf(shape);
      case "text":
        return textOf(shape);
      case "tile":
        return this.tileOf(shape);
      case "image":
        return `<image ${boxOf(shape.box)} preserveAspectRatio="none" href="${shape.png}"/>`;
      case "clip":
        return `<g clip-path="url(#${this.clipOf(shape.commands)})">`;
      case "unclip":
        return "</g>";
    }
  }

  private tileOf({ box, anchorX, tile }: Extract<Shape, { readonly kind: "tile" }>): string {
    let name = this.tiles.get(tile);
    if (name === undefined) {
      name = this.named(
        "t",
        `${tile.width} ${tile.height} ${tile.size} ${tile.data.join(" ")}`,
        (id) => {
          const size = `width="${number(tile.width * tile.size)}" height="${number(tile.height * tile.size)}"`;
          const rects = pixelRects(tile).map(
            (each) => `<path fill="${each.colour}" d="${rectPath(each)}"/>`,
          );
          return `<pattern id="${id}" ${size} patternUnits="userSpaceOnUse"><g transform="scale(${number(tile.size)})">${rects.join("")}</g></pattern>`;
        },
      );
      this.tiles.set(tile, name);
    }
    // A texture lies where its user's own zero is.
    const at = `x="${number(box.x - anchorX)}" width="${number(box.width)}" height="${number(box.height)}"`;
    return `<rect transform="translate(${number(anchorX)} ${number(box.y)})" ${at} fill="url(#${name})"/>`;
  }

  private clipOf(commands: readonly Command[]): string {
    const path = pathData(commands);
    return this.named("c", path, (id) => `<clipPath id="${id}"><path d="${path}"/></clipPath>`);
  }

  private named(letter: string, key: string, define: (id: string) => string): string {
    const known = this.names.get(letter + key);
    if (known !== undefined) return known;
    const id = `${letter}${this.names.size + 1}`;
    this.names.set(letter + key, id);
    this.defs.push(define(id));
    return id;
  }
}

function pathOf({
  commands,
  fill,
  stroke,
  alpha,
}: Extract<Shape, { readonly kind: "path" }>): string {
  const filled = `fill="${fill ?? "none"}"`;
  const dash =
    stroke === undefined || stroke.dash.length === 0
      ? ""
      : ` stroke-dasharray="${stroke.dash.map(number).join(" ")}"`;
  const stroked =
    stroke === undefined
      ? ""
      : ` stroke="${stroke.colour}" stroke-width="${number(stroke.width)}"${dash}`;
  // A shape has a fill or a stroke, never both, so that this is the opacity of all of it, without a
  // layer of its own.
  const faint =
    alpha === 1 ? "" : ` ${fill === undefined ? "stroke" : "fill"}-opacity="${number(alpha)}"`;
  return `<path ${filled}${stroked}${faint} d="${pathData(commands)}"/>`;
}

function textOf({
  text,
  x,
  y,
  width,
  font,
  colour,
  alpha,
}: Extract<Shape, { readonly kind: "text" }>): string {
  const style = `${font.mono ? ` font-family="${MONO}"` : ""} font-size="${number(font.size)}"${font.weight === 400 ? "" : ` font-weight="${font.weight}"`}`;
  const faint = alpha === 1 ? "" : ` fill-opacity="${number(alpha)}"`;
  // Words have their measured width, whatever font the reader has: they must not overlap.
  const fit =
    text.length > 1 ? ` textLength="${number(width)}" lengthAdjust="spacingAndGlyphs"` : "";
  return `<text x="${number(x)}" y="${number(y)}"${style} fill="${colour}"${faint}${fit} xml:space="preserve">${escaped(text)}</text>`;
}

function boxOf({ x, y, width, height }: Box): string {
  return `x="${number(x)}" y="${number(y)}" width="${number(width)}" height="${number(height)}"`;
}

function rectPath({ x, y, width, height }: Box): string {
  return `M${number(x)} ${number(y)}h${number(width)}v${number(height)}h${number(-width)}z`;
}

function pathData(commands: readonly Command[]): string {
  return commands.map(({ op, at }) => `${op}${at.map(number).join(" ")}`).join("");
}

/** At most three decimals, without zeros that say nothing. */
function number(value: number): string {
  return String(Math.round(value * 1000) / 1000 + 0);
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (found) => ENTITIES[found] ?? found);
}
