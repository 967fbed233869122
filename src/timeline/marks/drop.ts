// Run time that moves between a group's pool and a CPU: a full drop falls to the CPU that takes, a
// hollow one rises from the CPU that returns, a crossed one is lost, a red one was spent twice.

import { KIND } from "../../engine/gen/catalogue.ts";
import type { TraceStore } from "../../model/index.ts";
import { barTop, inSight, xOf } from "../plot/plot.ts";
import type { TimelineTheme } from "../plot/timeline-theme.ts";
import { awayFromUpright } from "./arcs.ts";
import type { Mark, Pointer, Scene } from "./mark.ts";
import { cpuWords } from "./mark.ts";
import type { RowParts, Say } from "./row-mark.ts";
import { rowMark, rowsIn } from "./row-mark.ts";
import { drop } from "../draw/strokes.ts";

const DETAIL = { most: 700, beyond: "hidden" } as const;
/** Up to this number of drops, each hangs on a thread from the tank. */
const THREADS_MAX = 60;

type DropKind = "take" | "return" | "lost" | "double";

const PARTS: RowParts = {
  kinds: [
    KIND.BwTake,
    KIND.BwStep,
    KIND.BwReturn,
    KIND.BwExpire,
    KIND.BwExpireSilo,
    KIND.BwDrop,
    KIND.BwDoubleSpend,
  ],
  lines: dropLines,
  halfPx: 4,
  away,
};

/** Words of a row about run time that moves, the heading first. */
export function dropLines(trace: TraceStore, row: number, say: Say): string[] {
  const { events } = trace;
  const cpu = cpuWords(events.cpu.at(row));
  const group = trace.groupName(events.a.at(row));
  const ns = events.b.at(row);
  const amount = say(ns, 3);
  switch (events.kind.at(row)) {
    case KIND.BwTake:
      return ns === 0
        ? [`${cpu} asks the pool of ${group} for run time: it is empty`]
        : [`${cpu} takes ${amount} from the pool of ${group}`];
    case KIND.BwStep:
      return [`${cpu} gets ${amount} of ${group}: the distribution pays its debt`];
    case KIND.BwReturn:
      return [
        `${cpu} returns ${amount} to the pool of ${group}: its last task of the group sleeps`,
      ];
    case KIND.BwExpire:
      return [`the refill throws away ${amount} left in the pool of ${group}`];
    case KIND.BwExpireSilo:
      return [`${cpu} loses ${amount} of ${group}: it was too old`];
    case KIND.BwDrop:
      return [`${cpu} loses ${amount} of ${group}: too old to be returned`];
    default:
      return [
        `${amount} of ${group} were spent twice`,
        "the pool had less than had been handed out of its copy",
      ];
  }
}

function kindAt({ events }: TraceStore, row: number): DropKind | undefined {
  switch (events.kind.at(row)) {
    case KIND.BwTake:
      return events.b.at(row) === 0 ? undefined : "take";
    case KIND.BwStep:
      return "take";
    case KIND.BwReturn:
      return "return";
    case KIND.BwDoubleSpend:
      return "double";
    default:
      return "lost";
  }
}

/** Up and down the thread where one hangs; else along the lane. */
function away(scene: Scene, row: number, at: Pointer): number {
  const { plot, trace } = scene;
  const cpu = trace.events.cpu.at(row);
  const x = xOf(plot, trace.events.time.at(row));
  if (cpu === at.cpu) return Math.abs(x - at.x);
  const lane = plot.rows.rowOfCpu[cpu];
  if (lane === undefined || Math.abs(x - at.x) > 8 || rowsIn(PARTS, scene).length > THREADS_MAX)
    return Infinity;
  return awayFromUpright(x, 0, barTop(plot, lane), at);
}

function draw(context: CanvasRenderingContext2D, scene: Scene): void {
  const { plot, trace } = scene;
  if (trace.quota.limited.length === 0) return;
  const rows = rowsIn(PARTS, scene);
  if (rows.length > DETAIL.most) return;
  for (const event of rows) {
    const kind = kindAt(trace, event);
    const row = plot.rows.rowOfCpu[trace.events.cpu.at(event)];
    if (kind === undefined || row === undefined || !inSight(plot, barTop(plot, row))) continue;
    const x = xOf(plot, trace.events.time.at(event));
    const size = Math.max(1.5, Math.min(4, row.height / 5));
    if (rows.length <= THREADS_MAX && kind !== "lost")
      drawThread(context, plot.theme, x, barTop(plot, row) - size);
    drawDrop(context, plot.theme, kind, x, barTop(plot, row), size);
  }
}

function drawThread(
  context: CanvasRenderingContext2D,
  theme: TimelineTheme,
  x: number,
  to: number,
): void {
  context.fillStyle = theme.quota;
  context.globalAlpha = 0.35;
  context.fillRect(x - 0.5, 0, 1, Math.max(0, to));
  context.globalAlpha = 1;
}

function drawDrop(
  context: CanvasRenderingContext2D,
  theme: TimelineTheme,
  kind: DropKind,
  x: number,
  y: number,
  size: number,
): void {
  context.fillStyle = context.strokeStyle = colourOf(theme, kind);
  context.lineWidth = Math.max(1, theme.strokePx * 0.5);
  drop(context, x, y, size, kind === "return" || kind === "lost");
  if (kind !== "lost") return;
  context.beginPath();
  context.moveTo(x - size, y - size);
  context.lineTo(x + size, y + size);
  context.stroke();
}

function colourOf(theme: TimelineTheme, kind: DropKind): string {
  if (kind === "double") return theme.wrong;
  return kind === "lost" ? theme.lost : theme.quota;
}

function swatchOf(kind: DropKind): Mark["legend"][number]["swatch"] {
  return (context, theme, width, height) =>
    drawDrop(
      context,
      theme,
      kind,
      width / 2,
      height / 2 + (kind === "take" || kind === "double" ? 2 : -2),
      Math.min(4, height / 4),
    );
}

export const DROP: Mark = {
  id: "drop",
  plural: "movements of run time",
  short: "transfers",
  shortOne: "transfer",
  colours: ["quota", "lost", "wrong"],
  detail: DETAIL,
  ...rowMark(PARTS),
  draw,
  legend: [
    { words: "takes run time", swatch: swatchOf("take") },
    { words: "returns it", swatch: swatchOf("return") },
    { words: "lost, too old", swatch: swatchOf("lost") },
    { words: "spent twice", swatch: swatchOf("double") },
  ],
};
