// Ticks that an idle CPU stops and starts again: a hollow caret on the baseline, one that points
// down where the tick is back.

import { KIND } from "../../engine/gen/catalogue.ts";
import { nsPerPx, xOf } from "../plot/plot.ts";
import type { TimelineTheme } from "../plot/timeline-theme.ts";
import type { Mark, Scene } from "./mark.ts";
import { cpuWords } from "./mark.ts";
import type { RowParts } from "./row-mark.ts";
import { rowMark, rowsIn } from "./row-mark.ts";
import { caret } from "../draw/strokes.ts";
import { TICKS_NS_PER_PX, TICKS_ROW_PX } from "./tick.ts";

const DETAIL = { most: 1200, beyond: "hidden" } as const;

const PARTS: RowParts = {
  kinds: [KIND.TickStop, KIND.TickRestart],
  lines: ({ events }, row) => {
    const cpu = cpuWords(events.cpu.at(row));
    return [
      events.kind.at(row) === KIND.TickStop
        ? `${cpu} is idle and stops its tick`
        : `${cpu} starts its tick again`,
    ];
  },
};

function draw(context: CanvasRenderingContext2D, scene: Scene): void {
  const { plot, trace } = scene;
  const rows = rowsIn(PARTS, scene);
  if (rows.length > DETAIL.most || nsPerPx(plot) > TICKS_NS_PER_PX) return;
  for (const at of rows) {
    const row = plot.rows.rowOfCpu[trace.events.cpu.at(at)];
    if (row === undefined || row.height < TICKS_ROW_PX) continue;
    const floor = row.top - plot.scrollTop + row.height - 0.5;
    drawStop(
      context,
      plot.theme,
      xOf(plot, trace.events.time.at(at)),
      floor,
      trace.events.kind.at(at) === KIND.TickStop,
    );
  }
}

function drawStop(
  context: CanvasRenderingContext2D,
  theme: TimelineTheme,
  x: number,
  floor: number,
  stops: boolean,
): void {
  context.strokeStyle = theme.text;
  context.lineWidth = 1;
  if (stops) caret(context, x, floor, floor - 5, true);
  else caret(context, x, floor - 5, floor, true);
}

export const TICK_STOP: Mark = {
  id: "tick-stop",
  plural: "stopped or restarted ticks",
  short: "tick stops",
  shortOne: "tick stop",
  colours: ["text"],
  detail: DETAIL,
  ...rowMark(PARTS),
  draw,
  legend: [
    {
      words: "tick stopped",
      swatch: (context, theme, width, height) =>
        drawStop(context, theme, width / 2, height - 4, true),
    },
    {
      words: "tick restarted",
      swatch: (context, theme, width, height) =>
        drawStop(context, theme, width / 2, height - 4, false),
    },
  ],
};
