// Interrupts: which vector, when it arrived, how long its handler ran. The handler's bar or pin is
// the lane's own (lanes/raster.ts, lanes/raster-pins.ts); this mark writes the vector beside it
// where there is room.

import { CPU_STATE, KIND, VECTORS } from "../../engine/gen/catalogue.ts";
import type { TraceStore } from "../../model/index.ts";
import type { LabelLayer } from "../draw/label-layer.ts";
import { RANK } from "../draw/label-layer.ts";
import { barTop, xOf } from "../plot/plot.ts";
import { mixed } from "../plot/timeline-theme.ts";
import { rowsInView } from "../plot/lane-rows.ts";
import type { Mark, Scene } from "./mark.ts";
import { cpuWords } from "./mark.ts";
import { paintBarSwatch } from "../lanes/swatches.ts";
import type { RowParts, Say } from "./row-mark.ts";
import { rowMark, rowsIn } from "./row-mark.ts";

const DETAIL = { most: 300, beyond: "hidden" } as const;
/** Rows looked at for the end of a handler. */
const END_ROWS_MAX = 4000;

const PARTS: RowParts = {
  kinds: [KIND.IrqEntry],
  lines: interruptLines,
  during: CPU_STATE.Hardirq,
};

function interruptLines(trace: TraceStore, row: number, say: Say): string[] {
  const { events } = trace;
  const { name, doc } = vectorOf(events.a.at(row));
  const late = events.b.at(row);
  const ends = endOf(trace, row);
  const lasts =
    ends === undefined
      ? "the handler still runs"
      : `the handler runs for ${say(ends - events.time.at(row), 3)}`;
  return [
    `interrupt ${name} on ${cpuWords(events.cpu.at(row))}`,
    ...(doc === "" ? [] : [doc]),
    `${late === 0 ? "taken at once" : `taken ${say(late, 3)} after it arrived`}, ${lasts}`,
  ];
}

function vectorOf(vector: number): { readonly name: string; readonly doc: string } {
  return VECTORS[vector] ?? { name: `vector ${String(vector)}`, doc: "" };
}

function endOf(
  { events: { count, time, kind, cpu } }: TraceStore,
  row: number,
): number | undefined {
  const own = cpu.at(row);
  for (let next = row + 1; next < Math.min(count, row + END_ROWS_MAX); next += 1) {
    if (kind.data[next] === KIND.IrqExit && cpu.data[next] === own) return time.at(next);
  }
  return undefined;
}

function draw(_context: CanvasRenderingContext2D, scene: Scene, labels: LabelLayer): void {
  const { plot, trace } = scene;
  const { fontPx, hardirq } = plot.theme;
  const rows = rowsIn(PARTS, scene);
  if (
    rows.length > DETAIL.most ||
    !rowsInView(plot.rows, plot.scrollTop, plot.height).some((row) => row.barHeight >= fontPx)
  )
    return;
  for (const at of rows) {
    const row = plot.rows.rowOfCpu[trace.events.cpu.at(at)];
    if (row === undefined || row.barHeight < fontPx) continue;
    const end = endOf(trace, at) ?? trace.endNs;
    const left = Math.max(plot.gutter, xOf(plot, trace.events.time.at(at)));
    const { name } = vectorOf(trace.events.a.at(at));
    if (Math.min(plot.width, xOf(plot, end)) - left < labels.widthOf(name) + 8) continue;
    labels.add(
      name,
      left + 5,
      barTop(plot, row) + row.barHeight / 2,
      "#FFFFFF",
      RANK.Interrupt,
      mixed(hardirq, "#000000", 0.4),
    );
  }
}

export const INTERRUPT: Mark = {
  id: "interrupt",
  plural: "interrupts",
  short: "interrupts",
  shortOne: "interrupt",
  colours: ["hardirq"],
  detail: DETAIL,
  ...rowMark(PARTS),
  draw,
  legend: [
    {
      words: "interrupt",
      swatch: (context, theme) => paintBarSwatch(context, theme, CPU_STATE.User, { pinAt: 0.5 }),
    },
  ],
};
