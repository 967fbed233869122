// Scheduler ticks: a caret on the baseline of rows tall enough to show one.

import { KIND } from "../../engine/gen/catalogue.ts";
import { nsPerPx, xOf } from "../plot/plot.ts";
import type { Mark, Scene } from "./mark.ts";
import { cpuWords } from "./mark.ts";
import type { RowParts } from "./row-mark.ts";
import { rowMark, rowsIn } from "./row-mark.ts";
import { caret } from "../draw/strokes.ts";

const DETAIL = { most: 1500, beyond: "hidden" } as const;
/** Further out than this, ticks of every HZ would be a comb; ns per CSS px. */
export const TICKS_NS_PER_PX = 1e5;
/** Rows lower than this have no room below their bar. */
export const TICKS_ROW_PX = 18;

const PARTS: RowParts = {
  kinds: [KIND.Tick],
  lines: (trace, row) => [`scheduler tick of ${cpuWords(trace.events.cpu.at(row))}`],
};

function draw(context: CanvasRenderingContext2D, scene: Scene): void {
  const { plot, trace } = scene;
  const rows = rowsIn(PARTS, scene);
  if (rows.length > DETAIL.most || nsPerPx(plot) > TICKS_NS_PER_PX) return;
  context.fillStyle = plot.theme.text;
  for (const tick of rows) {
    const row = plot.rows.rowOfCpu[trace.events.cpu.at(tick)];
    if (row === undefined || row.height < TICKS_ROW_PX) continue;
    const floor = row.top - plot.scrollTop + row.height - 0.5;
    caret(context, xOf(plot, trace.events.time.at(tick)), floor, floor - 5, false);
  }
}

export const TICK: Mark = {
  id: "tick",
  plural: "ticks",
  short: "ticks",
  shortOne: "tick",
  colours: ["text"],
  detail: DETAIL,
  ...rowMark(PARTS),
  draw,
  legend: [
    {
      words: "tick",
      swatch: (context, theme, width, height) => {
        context.fillStyle = theme.text;
        caret(context, width / 2, height - 3, height - 9, false);
      },
    },
  ],
};
