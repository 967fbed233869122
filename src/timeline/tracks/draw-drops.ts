// Drops on their way, on a canvas: the page's layer of them (drop-layer.tsx) as pictures and films have it. Outlines lie below the fill, as
// the style sheet has them there.

import { labelFont, writeLabel } from "../draw/labels.ts";
import type { Plot } from "../draw/plot.ts";
import type { TimelineTheme } from "../draw/theme.ts";
import { dropPath } from "../marks/shapes.ts";
import { placedDrops, sizeOf, withRoom } from "./drop-places.ts";
import type { Placed, Places } from "./drop-places.ts";
import type { DropKind } from "./drops.ts";

/** Draws what is under way at `ns` for the groups at `paths`; `places` count from the canvas' top. */
export function drawDrops(context: CanvasRenderingContext2D, plot: Plot, paths: readonly string[], ns: number, places: Places): void {
  const drops = placedDrops(plot, paths, ns, places, false);
  const named = withRoom(drops, plot.theme.fontPx);
  for (const each of drops) drawOne(context, plot, each);
  for (const each of drops) if (named.has(each)) drawWords(context, plot, each);
}

interface Look {
  readonly fill: string;
  readonly stroke: string;
  readonly width: number;
}

function lookOf(kind: DropKind, { quota, wrong, text, background }: TimelineTheme): Look {
  switch (kind) {
    case "take":
    case "give":
      return { fill: quota, stroke: background, width: 1 };
    case "double":
      return { fill: wrong, stroke: background, width: 1 };
    case "return":
      return { fill: background, stroke: quota, width: 1.5 };
    case "expire":
    case "lose":
      return { fill: background, stroke: text, width: 1 };
  }
}

function drawOne(context: CanvasRenderingContext2D, { theme }: Plot, { drop, way, share, x, y }: Placed): void {
  const { kind, amountNs } = drop;
  const size = sizeOf(amountNs, theme.fontPx);
  const look = lookOf(kind, theme);
  const lost = kind === "expire" || kind === "lose";
  if (lost) context.globalAlpha = 1 - 0.7 * share;
  context.strokeStyle = kind === "double" ? theme.wrong : theme.quota;
  context.lineWidth = 1;
  context.setLineDash([2, 3]);
  strokeLine(context, x, way.from, x, y);
  context.setLineDash([]);
  context.fillStyle = look.fill;
  context.strokeStyle = look.stroke;
  context.lineWidth = look.width;
  dropPath(context, x, y, size, kind === "return");
  context.stroke();
  context.fill();
  if (kind === "give") context.fillRect(x - size, y + size + 2, 2 * size, 1.5);
  if (lost) {
    context.strokeStyle = theme.text;
    context.lineWidth = 1.5;
    strokeLine(context, x - size, y - size, x + size, y + size);
  }
  context.globalAlpha = 1;
}

function strokeLine(context: CanvasRenderingContext2D, x: number, y: number, toX: number, toY: number): void {
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(toX, toY);
  context.stroke();
}

/** Left of the drop where there is no room on the right. */
function drawWords(context: CanvasRenderingContext2D, plot: Plot, { drop, x, y, words = "" }: Placed): void {
  const { theme, width } = plot;
  const size = sizeOf(drop.amountNs, theme.fontPx);
  const colour = drop.kind === "double" ? theme.wrong : theme.text;
  context.font = labelFont(theme.fontPx);
  const left = x > width * 0.7 ? x - size - 4 - context.measureText(words).width : x + size + 4;
  writeLabel(context, plot, words, left, y, colour);
}
