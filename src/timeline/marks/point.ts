// Preemption points: diamonds on the bar's upper edge, filled where schedule() followed, hollow
// where a set flag was passed over, a hair where none was set.

import { KIND } from "../../engine/gen/catalogue.ts";
import {
  POINT_IRQ_EXIT,
  POINT_RETURN_TO_USER,
  POINT_SCHEDULE_LOOP,
  POINT_WORDS,
  type Point,
  type WordsOf,
} from "../../engine/gen/codes.ts";
import { describePoint } from "../../model/words/describe.ts";
import type { LabelLayer } from "../draw/label-layer.ts";
import { RANK } from "../draw/label-layer.ts";
import { barTop, inSight, nsPerPx, roomFor, xOf } from "../plot/plot.ts";
import type { TimelineTheme } from "../plot/timeline-theme.ts";
import type { Mark, Scene } from "./mark.ts";
import type { RowParts } from "./row-mark.ts";
import { rowMark } from "./row-mark.ts";

const DETAIL = { most: 700, beyond: "smaller" } as const;
/** From afar one point for each so many CSS px is drawn, the first of them. */
const APART_PX = 6;
/**
 * Where points lie closer than this on the lanes, diamonds would hide the flags above them, CSS
 * px.
 */
const DIAMOND_PX = 14;
/** Rows lower than this have no room on their edge. */
const ROW_PX_MIN = 18;
/** Zoomed in as far as this, points carry their name, ns per CSS px. */
const NAMED_NS_PER_PX = 200;
/** Names short enough for the shelf; the others are the kernel's own. */
const SHORT: Partial<WordsOf<Point>> = {
  [POINT_RETURN_TO_USER]: "to user",
  [POINT_IRQ_EXIT]: "irq exit",
  [POINT_SCHEDULE_LOOP]: "schedule() end",
};

const PARTS: RowParts = {
  kinds: [KIND.PreemptPoint],
  lines: (trace, row) => {
    const point = trace.points.nearest(trace.events.cpu.at(row), trace.events.time.at(row), 0);
    return point === undefined ? [] : [describePoint(point)];
  },
};

function draw(context: CanvasRenderingContext2D, { plot, trace }: Scene, labels: LabelLayer): void {
  const { fromNs, toNs } = plot.viewport;
  const count = trace.points.countIn(fromNs, toNs);
  const crowded = count > Math.min(DETAIL.most, roomFor(plot, DIAMOND_PX));
  const size = Math.max(3.5, plot.theme.fontPx * 0.34);
  const close = nsPerPx(plot) <= NAMED_NS_PER_PX && !crowded;
  const done = new Map<number, number>();
  trace.points.visit(fromNs, toNs, (ns, cpu, point, taken, flagged) => {
    const row = plot.rows.rowOfCpu[cpu];
    if (row === undefined || row.height < ROW_PX_MIN || !inSight(plot, barTop(plot, row))) return;
    const x = xOf(plot, ns);
    const y = barTop(plot, row);
    if (crowded) {
      if (!flagged || x < (done.get(cpu) ?? -Infinity)) return;
      done.set(cpu, x + APART_PX);
      drawSmall(context, plot.theme, x, y, taken);
    } else if (flagged) {
      drawPoint(context, plot.theme, x, y + (taken ? 0 : size * 0.4), size, taken);
      const ink = taken ? plot.theme.text : plot.theme.muted;
      if (close)
        labels.add(
          nameOf(point),
          x + plot.theme.fontPx * 0.6,
          y - 1 - row.shelfHeight / 2,
          ink,
          RANK.Point,
        );
    } else drawSmall(context, plot.theme, x, y, false);
  });
}

function nameOf(point: number): string {
  return SHORT[point] ?? POINT_WORDS[point] ?? "";
}

function drawPoint(
  context: CanvasRenderingContext2D,
  theme: TimelineTheme,
  x: number,
  y: number,
  size: number,
  taken: boolean,
): void {
  context.beginPath();
  context.moveTo(x, y - size);
  context.lineTo(x + size, y);
  context.lineTo(x, y + size);
  context.lineTo(x - size, y);
  context.closePath();
  context.fillStyle = taken ? theme.text : theme.background;
  context.fill();
  context.strokeStyle = taken ? theme.background : theme.text;
  context.lineWidth = Math.max(1.25, theme.strokePx * 0.5);
  context.stroke();
}

function drawSmall(
  context: CanvasRenderingContext2D,
  theme: TimelineTheme,
  x: number,
  y: number,
  taken: boolean,
): void {
  context.fillStyle = theme.text;
  context.globalAlpha = taken ? 1 : 0.55;
  context.fillRect(x - (taken ? 1 : 0.5), y - 1, taken ? 2 : 1, taken ? 6 : 4);
  context.globalAlpha = 1;
}

function drawSwatch(taken: boolean): Mark["legend"][number]["swatch"] {
  return (context, theme, width, height) =>
    drawPoint(context, theme, width / 2, height / 2, Math.max(4, theme.fontPx * 0.4), taken);
}

export const PREEMPT_POINT: Mark = {
  id: "point",
  plural: "preemption points",
  short: "points",
  shortOne: "point",
  colours: ["text", "background"],
  detail: DETAIL,
  ...rowMark(PARTS),
  draw,
  legend: [
    { words: "preemption point, taken", swatch: drawSwatch(true) },
    { words: "passed, flag set", swatch: drawSwatch(false) },
  ],
};
