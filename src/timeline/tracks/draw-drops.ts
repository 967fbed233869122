// Drops on their way, on a canvas: the page's layer of them (drop-layer.tsx) as pictures and films
// have it. Outlines lie below the fill, as the style sheet has them there.

import { labelFont, writeLabel } from "../draw/label-layer.ts";
import type { LabelRoom } from "../draw/label-layer.ts";
import type { Plot } from "../plot/plot.ts";
import type { TimelineTheme } from "../plot/timeline-theme.ts";
import { dropPath } from "../draw/strokes.ts";
import { placedDrops, sizeOf, withRoom, WORDS_GAP_PX } from "./drop-places.ts";
import type { Placed, Places } from "./drop-places.ts";
import type { DropKind } from "./drops.ts";

/** What is under way, for which groups, and between what. */
interface Flights {
  readonly paths: readonly string[];
  readonly ns: number;
  /** From the canvas' top. */
  readonly places: Places;
  /** The words of the lanes. */
  readonly labels: LabelRoom;
}

export function drawDrops(
  context: CanvasRenderingContext2D,
  plot: Plot,
  { paths, ns, places, labels }: Flights,
): void {
  const drops = placedDrops(plot, paths, ns, places, false);
  for (const each of drops) drawOne(context, plot, each);
  for (const [each, isLeft] of withRoom(drops, plot, places.lanes, labels))
    drawWords(context, plot, each, isLeft);
}

interface Look {
  readonly fill: string;
  readonly stroke: string;
  readonly width: number;
}

function lookOf(kind: DropKind, { quota, wrong, lost, background }: TimelineTheme): Look {
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
      return { fill: lost, stroke: background, width: 1 };
  }
}

function drawOne(
  context: CanvasRenderingContext2D,
  { theme }: Plot,
  { drop, way, share, x, y }: Placed,
): void {
  const { kind, amountNs } = drop;
  const size = sizeOf(amountNs, theme.fontPx);
  const look = lookOf(kind, theme);
  const lost = kind === "expire" || kind === "lose";
  if (lost) context.globalAlpha = 1 - 0.7 * share;
  context.strokeStyle = kind === "double" ? theme.wrong : lost ? theme.lost : theme.quota;
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
    context.strokeStyle = theme.background;
    context.lineWidth = 1.5;
    strokeLine(context, x - size, y - size, x + size, y + size);
  }
  context.globalAlpha = 1;
}

function strokeLine(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  toX: number,
  toY: number,
): void {
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(toX, toY);
  context.stroke();
}

function drawWords(
  context: CanvasRenderingContext2D,
  plot: Plot,
  { drop, x, y, words = "" }: Placed,
  isLeft: boolean,
): void {
  const { theme } = plot;
  const away = sizeOf(drop.amountNs, theme.fontPx) + WORDS_GAP_PX;
  const colour = drop.kind === "double" ? theme.wrong : theme.text;
  context.font = labelFont(theme.fontPx);
  const left = isLeft ? x - away - context.measureText(words).width : x + away;
  writeLabel(context, plot, words, left, y, colour);
}
