// Refills: a period's quota is added to a group's pool. A thin line through all lanes, since it
// concerns them all, and a funnel on the lane of the CPU whose timer did it.

import { KIND } from "../../engine/gen/catalogue.ts";
import type { TraceStore } from "../../model/index.ts";
import type { LabelLayer } from "../draw/label-layer.ts";
import { RANK } from "../draw/label-layer.ts";
import { barTop, inSight, xOf } from "../plot/plot.ts";
import type { TimelineTheme } from "../plot/timeline-theme.ts";
import type { Mark, Scene } from "./mark.ts";
import { cpuWords } from "./mark.ts";
import type { RowParts, Say } from "./row-mark.ts";
import { rowMark, rowsIn } from "./row-mark.ts";

const DETAIL = { most: 120, beyond: "hidden" } as const;
/** Up to this number of refills, each carries the word. */
const NAMED_MAX = 12;

const PARTS: RowParts = {
  kinds: [KIND.BwRefill],
  lines: refillLines,
  halfPx: 5,
  away: (scene, row, { x, cpu }) => {
    const along = Math.abs(xOf(scene.plot, scene.trace.events.time.at(row)) - x);
    return cpu === scene.trace.events.cpu.at(row) || rowsIn(PARTS, scene).length <= DETAIL.most
      ? along
      : Infinity;
  },
};

/** What a refill says, the heading first. */
export function refillLines(trace: TraceStore, row: number, say: Say): string[] {
  const { events } = trace;
  const [group, ns] = [events.a.at(row), events.time.at(row)];
  const pool = trace.quota.group(group)?.pool.at(ns);
  return [
    `refill: ${say(events.b.at(row), 3)} for the pool of ${trace.groupName(group)}`,
    `by the period timer on ${cpuWords(events.cpu.at(row))}${pool === undefined ? "" : `; the pool then holds ${say(pool, 3)}`}`,
  ];
}

function draw(context: CanvasRenderingContext2D, scene: Scene, labels: LabelLayer): void {
  const { plot, trace } = scene;
  const rows = rowsIn(PARTS, scene);
  if (rows.length > DETAIL.most) return;
  for (const event of rows) {
    const x = xOf(plot, trace.events.time.at(event));
    const row = plot.rows.rowOfCpu[trace.events.cpu.at(event)];
    context.fillStyle = plot.theme.quota;
    context.globalAlpha = 0.45;
    for (let y = 0; y < plot.height; y += 6) context.fillRect(x - 0.5, y, 1, 3);
    context.globalAlpha = 1;
    if (row === undefined || !inSight(plot, barTop(plot, row))) continue;
    drawFunnel(
      context,
      plot.theme,
      x,
      barTop(plot, row),
      Math.max(2.5, Math.min(5, row.height / 4)),
    );
    if (rows.length <= NAMED_MAX)
      labels.add("refill", x + 8, barTop(plot, row), plot.theme.quota, RANK.Throttle);
  }
}

function drawFunnel(
  context: CanvasRenderingContext2D,
  theme: TimelineTheme,
  x: number,
  y: number,
  size: number,
): void {
  context.fillStyle = theme.quota;
  context.beginPath();
  context.moveTo(x - size * 1.4, y - size);
  context.lineTo(x + size * 1.4, y - size);
  context.lineTo(x, y + size);
  context.closePath();
  context.fill();
}

export const REFILL: Mark = {
  id: "refill",
  plural: "refills",
  short: "refills",
  shortOne: "refill",
  colours: ["quota"],
  detail: DETAIL,
  ...rowMark(PARTS),
  draw,
  legend: [
    {
      words: "refill",
      swatch: (context, theme, width, height) =>
        drawFunnel(context, theme, width / 2, height / 2, Math.min(5, height / 3)),
    },
  ],
};
