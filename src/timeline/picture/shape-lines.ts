// Test support: a picture's shapes as lines that can be read and compared, one line a shape:
//
//   box 9,13 462x22                        what follows lies in this box of the picture
//   rect 10,20 100x12 user                 place, size, colour of the theme
//   path 40,18 6x9 fill flag "MLLZ"        the box around it, and its strokes in order
//   text 44,20 "cpu0" 11px muted           left edge and baseline
//   tile 10,20 30x12 8x8 spin|hatch        a texture, and the colours in it
//
// Columns of one colour side by side are one `rect`, and equal ones at equal distances one line.
// Places are whole CSS px. A colour that several roles of the theme share has the names of all.

import type { TimelineTheme } from "../plot/timeline-theme.ts";
import { boundsOf, hexOf, type Box, type Command, type Shape } from "./shapes.ts";

export function shapeLines(shapes: readonly Shape[], theme: TimelineTheme): string {
  const colour = rolesOf(theme);
  const lines = rowsOf(joined(shapes)).flatMap((row) => lineOfRow(row, colour) ?? []);
  // A box without ink says nothing.
  const inked = lines.filter((line, at) => !isBox(line) || !isBox(lines[at + 1] ?? "box"));
  return `${inked.join("\n")}\n`;
}

type Rect = Extract<Shape, { kind: "rect" }>;

/** A column of the picture has at most so many rectangles, one over the other. */
const COLUMN_RECTS = 6;
/** Columns are drawn a little wider than they are, so that no gap shows between them, CSS px. */
const OVERLAP_PX = 0.5;

/** Shapes with columns of one colour, side by side, as one rectangle. */
function joined(shapes: readonly Shape[]): readonly Shape[] {
  const done: Shape[] = [];
  for (const shape of shapes) {
    const at =
      shape.kind === "rect"
        ? done.findLastIndex(
            (each, index) =>
              index >= done.length - COLUMN_RECTS && each.kind === "rect" && continues(each, shape),
          )
        : -1;
    const before = done[at];
    if (before?.kind === "rect" && shape.kind === "rect")
      done[at] = {
        ...before,
        box: { ...before.box, width: shape.box.x + shape.box.width - before.box.x },
      };
    else done.push(shape);
  }
  return done;
}

/** Whether `next` goes on where `before` ends, on the right. */
function continues(before: Rect, next: Rect): boolean {
  const [one, other] = [before.box, next.box];
  return (
    before.colour === next.colour &&
    before.alpha === next.alpha &&
    one.y === other.y &&
    one.height === other.height &&
    Math.abs(one.x + one.width - other.x) < OVERLAP_PX
  );
}

/** From this number on, equal rectangles at equal distances are one line. */
const ROW_LEAST = 4;

/** Shapes, with equal rectangles at equal distances together. */
function rowsOf(shapes: readonly Shape[]): readonly (readonly Shape[])[] {
  const rows: Shape[][] = [];
  for (const shape of shapes) {
    const row = rows.at(-1);
    if (row !== undefined && goesOn(row, shape)) row.push(shape);
    else rows.push([shape]);
  }
  return rows.flatMap((row) => (row.length < ROW_LEAST ? row.map((shape) => [shape]) : [row]));
}

/** Whether `next` lies after the last of `row` as that lies after the one before. */
function goesOn(row: readonly Shape[], next: Shape): boolean {
  const [last, before] = [row.at(-1), row.at(-2)];
  if (last?.kind !== "rect" || next.kind !== "rect") return false;
  const equal =
    last.colour === next.colour &&
    last.alpha === next.alpha &&
    last.box.width === next.box.width &&
    last.box.height === next.box.height;
  if (!equal || before?.kind !== "rect") return equal;
  const [step, first] = [stepOf(last.box, next.box), stepOf(before.box, last.box)];
  return Math.abs(step.x - first.x) < 0.01 && Math.abs(step.y - first.y) < 0.01;
}

function stepOf(from: Box, to: Box): { readonly x: number; readonly y: number } {
  return { x: to.x - from.x, y: to.y - from.y };
}

function lineOfRow(row: readonly Shape[], colour: Colours): string | undefined {
  const [first, second] = row;
  const line = first && lineOf(first, colour);
  if (line === undefined || first?.kind !== "rect" || second?.kind !== "rect") return line;
  const step = stepOf(first.box, second.box);
  return `${line}, ${row.length} times, ${point(step.x, step.y)} apart`;
}

function isBox(line: string): boolean {
  return line.startsWith("box");
}

type Colours = (colour: string) => string;

/** Names a colour by its roles in the theme; `#rrggbb` where the theme has none. */
function rolesOf(theme: TimelineTheme): Colours {
  const roles = new Map<string, string>();
  for (const [role, value] of Object.entries(theme)) {
    const hex = String(value).toLowerCase();
    if (!hex.startsWith("#")) continue;
    const known = roles.get(hex);
    roles.set(hex, known === undefined ? role : `${known}|${role}`);
  }
  return (colour) => roles.get(colour.toLowerCase()) ?? colour.toLowerCase();
}

function lineOf(shape: Shape, colour: Colours): string | undefined {
  switch (shape.kind) {
    case "rect":
      return `rect ${placed(shape.box)} ${colour(shape.colour)}${faint(shape.alpha)}`;
    case "path": {
      const { fill, stroke, commands, alpha } = shape;
      const ink = [
        ...(fill === undefined ? [] : [`fill ${colour(fill)}`]),
        ...(stroke === undefined
          ? []
          : [`stroke ${colour(stroke.colour)} ${stroke.width}px${dashed(stroke.dash)}`]),
      ];
      const bounds = boundsOf(shape);
      if (bounds === undefined || commands.length === 0) return undefined;
      return `path ${placed(bounds)} ${ink.join(" ")} "${opsOf(commands)}"${faint(alpha)}`;
    }
    case "text": {
      const { x, y, text, font, alpha } = shape;
      const style = `${font.size}px${font.weight > 400 ? " bold" : ""}${font.mono ? " mono" : ""}`;
      return `text ${point(x, y)} "${text}" ${style} ${colour(shape.colour)}${faint(alpha)}`;
    }
    case "tile": {
      const { data, width, height } = shape.tile;
      const inks = [...new Set(data)].filter((pixel) => pixel >>> 24 !== 0).map(hexOf);
      const names = inks.map(colour).join("|");
      return `tile ${placed(shape.box)} ${width}x${height} ${names}`;
    }
    case "image":
      return `image ${placed(shape.box)}`;
    case "clip":
      return `box ${placed(aroundPath(shape.commands))}`;
    case "unclip":
      return undefined;
  }
}

function aroundPath(commands: readonly Command[]): Box {
  const path = { kind: "path", commands, fill: undefined, stroke: undefined, alpha: 1 } as const;
  return boundsOf(path) ?? { x: 0, y: 0, width: 0, height: 0 };
}

function placed({ x, y, width, height }: Box): string {
  return `${point(x, y)} ${Math.round(width)}x${Math.round(height)}`;
}

function point(x: number, y: number): string {
  return `${Math.round(x)},${Math.round(y)}`;
}

function faint(alpha: number): string {
  return alpha === 1 ? "" : ` alpha ${alpha}`;
}

function dashed(dash: readonly number[]): string {
  return dash.length === 0 ? "" : ` dash ${dash.join(",")}`;
}

/** The strokes of a short path in order, else how many there are. */
function opsOf(commands: readonly Command[]): string {
  const ops = commands.map(({ op }) => op).join("");
  return ops.length <= 12 ? ops : `${ops.slice(0, 4)}… ${ops.length} strokes`;
}
