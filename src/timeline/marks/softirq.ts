// Softirqs: a dot on the lower edge of the bar where one becomes pending. The handler is the lane's
// own softirq bar, and the row that began the handler names the softirq.

import { CPU_STATE, KIND } from "../../engine/gen/catalogue.ts";
import { SOFTIRQ_WORDS } from "../../engine/gen/codes.ts";
import type { TraceStore } from "../../model/index.ts";
import { xOf } from "../plot/plot.ts";
import type { TimelineTheme } from "../plot/timeline-theme.ts";
import type { Mark, Scene } from "./mark.ts";
import { cpuWords } from "./mark.ts";
import type { RowParts } from "./row-mark.ts";
import { rowMark, rowsIn } from "./row-mark.ts";

const DETAIL = { most: 400, beyond: "hidden" } as const;
const ROW_PX_MIN = 18;

const PARTS: RowParts = {
  kinds: [KIND.SoftirqEntry, KIND.SoftirqExit, KIND.SoftirqRaise],
  lines: softirqLines,
  during: CPU_STATE.Softirq,
};

function softirqLines({ events }: TraceStore, row: number): string[] {
  const [cpu, number, items] = [cpuWords(events.cpu.at(row)), events.a.at(row), events.b.at(row)];
  const name = `softirq ${SOFTIRQ_WORDS[number] ?? String(number)}`;
  const work = items === 0 ? "" : `, ${String(items)} ${items === 1 ? "item" : "items"}`;
  switch (events.kind.at(row)) {
    case KIND.SoftirqRaise:
      return [`${name} becomes pending on ${cpu}${work === "" ? "" : `${work} queued`}`];
    case KIND.SoftirqEntry:
      return [`${name}: its handler starts on ${cpu}${work === "" ? "" : `${work} to process`}`];
    default:
      return [
        `${name}: its handler ends on ${cpu}${work === "" ? "" : `${work} queued meanwhile`}`,
      ];
  }
}

function draw(context: CanvasRenderingContext2D, scene: Scene): void {
  const { plot, trace } = scene;
  const rows = rowsIn({ kinds: [KIND.SoftirqRaise] }, scene);
  if (rows.length > DETAIL.most) return;
  for (const raise of rows) {
    const row = plot.rows.rowOfCpu[trace.events.cpu.at(raise)];
    if (row === undefined || row.height < ROW_PX_MIN) continue;
    drawRaise(
      context,
      plot.theme,
      xOf(plot, trace.events.time.at(raise)),
      row.barTop - plot.scrollTop + row.barHeight - 1,
    );
  }
}

function drawRaise(
  context: CanvasRenderingContext2D,
  theme: TimelineTheme,
  x: number,
  y: number,
): void {
  context.fillStyle = theme.softirq;
  context.beginPath();
  context.arc(x, y, 2.5, 0, 2 * Math.PI);
  context.fill();
}

export const SOFTIRQ: Mark = {
  id: "softirq",
  plural: "softirq events",
  short: "softirqs",
  shortOne: "softirq",
  colours: ["softirq"],
  detail: DETAIL,
  ...rowMark(PARTS),
  draw,
  legend: [
    {
      words: "softirq pending",
      swatch: (context, theme, width, height) => drawRaise(context, theme, width / 2, height - 4),
    },
  ],
};
