// The lane of a mutex: below, the task that holds it, full while it runs and hollow while it does not; above, the tasks that wait for it.
//
//   wait         [strong waits 5.3 ms      ]
//   held  [weak  ][ weak, preempted  ][weak]
//
// From afar the area of the waiters, and where it is held.

import { formatNs } from "../../lib/format.ts";
import type { LockStep, LockTrack, TaskSpan, TraceStore } from "../../model/index.ts";
import { lentPriority, offIn, waitsSince, waitsUntil, type Off } from "../../model/mutexes.ts";
import { taskSpans } from "../../model/task-track.ts";
import type { Plot } from "../draw/plot.ts";
import { nsAt, plotWidth, xOf } from "../draw/plot.ts";
import type { TimelineTheme } from "../draw/theme.ts";
import { mixed } from "../draw/theme.ts";
import type { LegendEntry } from "../marks/mark.ts";
import { CELLS_STEPS_MAX, fillWaiter } from "./lock.ts";

/** Height of the holder's strip, as a share of the lane. */
const HOLDER_SHARE = 0.46;
/** Between a cell's words and its edge, CSS px. */
const PAD_PX = 4;

/** `most`: the longest queue that the height must hold, shared by the sides. */
export function drawMutex(context: CanvasRenderingContext2D, plot: Plot, lock: LockTrack | undefined, most: number): void {
  const { theme, trace, viewport } = plot;
  context.fillStyle = theme.background;
  context.fillRect(0, 0, plot.width, plot.height);
  drawFrame(context, plot);
  if (lock === undefined) return;
  const { fromNs } = viewport;
  const toNs = Math.min(viewport.toNs, trace.endNs);
  if (lock.countIn(fromNs, toNs) > CELLS_STEPS_MAX) return drawFar(context, plot, lock, most);
  const lives = new Map<number, readonly TaskSpan[]>();
  for (const step of lock.steps(Math.max(0, fromNs), toNs)) {
    drawWaiters(context, plot, lock, step, most);
    if (step.holder === undefined) continue;
    const life = lives.get(step.holder) ?? taskSpans(trace, step.holder, Math.max(0, fromNs), toNs);
    lives.set(step.holder, life);
    for (const span of life) drawHeld(context, plot, step.holder, step, span);
  }
}

function floorOf({ height }: Pick<Plot, "height">): number {
  return height - Math.round(height * HOLDER_SHARE);
}

/** The place in the queue that a height of the lane belongs to, from 0; -1 is the holder's strip. */
export function waiterAt(plot: Plot, most: number, y: number): number {
  const above = floorOf(plot) - y;
  return above <= 0 ? -1 : Math.floor((above * Math.max(1, most)) / floorOf(plot));
}

function drawFrame(context: CanvasRenderingContext2D, plot: Plot): void {
  const { theme, gutter } = plot;
  const floor = floorOf(plot);
  context.font = `${Math.max(9, theme.fontPx - 1)}px ui-monospace, monospace`;
  context.textAlign = "right";
  context.textBaseline = "middle";
  context.fillStyle = theme.muted;
  context.fillText("wait", gutter - 6, floor / 2);
  context.fillText("held", gutter - 6, (floor + plot.height) / 2);
  context.fillStyle = theme.rule;
  context.fillRect(gutter - 1, 0, 1, plot.height);
  context.fillRect(gutter, floor, plotWidth(plot), 1);
}

function drawFar(context: CanvasRenderingContext2D, plot: Plot, lock: LockTrack, most: number): void {
  const { theme, viewport, trace } = plot;
  const floor = floorOf(plot);
  const columns = Math.max(1, Math.floor(plotWidth(plot)));
  lock.depthProfile(viewport.fromNs, viewport.toNs, columns).forEach((depth, column) => {
    const x = plot.gutter + column;
    const ns = nsAt(plot, x + 0.5);
    if (ns > trace.endNs) return;
    const high = depth === 0 ? 0 : Math.max(2, (depth * floor) / Math.max(1, most));
    context.fillStyle = theme.spin;
    context.fillRect(x, floor - high, 1, high);
    context.fillStyle = hollowInk(theme);
    if (lock.at(ns).holder !== undefined) context.fillRect(x, floor + 2, 1, plot.height - floor - 2);
  });
}

function drawWaiters(context: CanvasRenderingContext2D, plot: Plot, lock: LockTrack, step: LockStep, most: number): void {
  const left = Math.max(plot.gutter, xOf(plot, step.fromNs));
  const width = Math.max(1, xOf(plot, step.toNs) - left);
  const floor = floorOf(plot);
  const size = floor / Math.max(1, most);
  step.queue.forEach((task, place) => {
    const top = floor - (place + 1) * size;
    fillWaiter(context, plot.theme, place, left, top, width, size);
    const name = plot.trace.taskName(task);
    const since = waitsSince(plot.trace, lock, task, step.fromNs);
    const until = waitsUntil(plot.trace, lock, task, step.fromNs);
    const ns = formatNs((until ?? plot.trace.endNs) - since, 3);
    const waits = until === undefined ? `${name} waits, ${ns} by the end of the run` : `${name} waits ${ns}`;
    write(context, plot, [waits, name], { left, width, top, size }, "#FFFFFF");
  });
}

/** A stretch of the holder's life in which it holds the mutex. */
function drawHeld(context: CanvasRenderingContext2D, plot: Plot, task: number, step: LockStep, span: TaskSpan): void {
  const [fromNs, toNs] = [Math.max(step.fromNs, span.fromNs), Math.min(step.toNs, span.toNs)];
  if (fromNs >= toNs) return;
  const { theme, trace } = plot;
  const floor = floorOf(plot);
  const left = Math.max(plot.gutter, xOf(plot, fromNs));
  const width = Math.max(1, xOf(plot, toNs) - left);
  const off = offIn(trace, task, span);
  const box = { left, width, top: floor + 2, size: plot.height - floor - 2 };
  fillHeld(context, theme, off !== undefined, box);
  const name = trace.taskName(task);
  const lent = lentPriority(trace, task, (fromNs + toNs) / 2);
  const state = off === undefined ? name : `${name}, ${off}`;
  const words = lent === undefined ? [state, name] : [`${state}, at lent priority ${String(lent)}`, `${name} ↑${String(lent)}`, name];
  write(context, plot, words, box, off === undefined ? "#FFFFFF" : theme.text);
}

interface Cell {
  readonly left: number;
  readonly width: number;
  readonly top: number;
  readonly size: number;
}

function hollowInk(theme: TimelineTheme): string {
  return mixed(theme.kernel, theme.background, 0.3);
}

function fillHeld(context: CanvasRenderingContext2D, theme: TimelineTheme, hollow: boolean, { left, width, top, size }: Cell): void {
  context.fillStyle = hollow ? hollowInk(theme) : theme.kernel;
  context.fillRect(left, top, width, size);
  if (!hollow || width < 4) return;
  context.strokeStyle = theme.kernel;
  context.lineWidth = 1;
  context.setLineDash([4, 3]);
  context.strokeRect(left + 0.5, top + 0.5, width - 1, size - 1);
  context.setLineDash([]);
}

/** The longest of `texts` that fits, in what is in sight of its cell. */
function write(context: CanvasRenderingContext2D, plot: Plot, texts: readonly string[], cell: Cell, colour: string): void {
  const fontPx = Math.min(plot.theme.fontPx, cell.size - 2);
  const room = Math.min(plot.width, cell.left + cell.width) - cell.left - 2 * PAD_PX;
  if (fontPx < 9 || room < fontPx) return;
  context.font = `600 ${String(fontPx)}px ui-sans-serif, system-ui, sans-serif`;
  context.textAlign = "left";
  context.textBaseline = "middle";
  const text = texts.find((each) => context.measureText(each).width <= room);
  if (text === undefined) return;
  context.fillStyle = colour;
  context.fillText(text, cell.left + PAD_PX, cell.top + cell.size / 2 + 0.5);
}

/** What a mutex's holder is said to do. */
export function holderWords(trace: TraceStore, task: number, off: Off | undefined, ns: number): string {
  const lent = lentPriority(trace, task, ns);
  const at = lent === undefined ? "" : `, at lent priority ${String(lent)}`;
  return `held by ${trace.taskName(task)}, ${off === undefined ? "which runs" : `which is ${off}`}${at}`;
}

export const MUTEX_LEGEND: readonly LegendEntry[] = [
  {
    words: "task that waits for the mutex",
    swatch: (context, theme, width, height) => fillWaiter(context, theme, 0, 0, height * 0.2, width, height * 0.6),
  },
  ...[false, true].map((hollow) => ({
    words: hollow ? "holds the mutex, does not run" : "task that holds the mutex, running",
    swatch: (context: CanvasRenderingContext2D, theme: TimelineTheme, width: number, height: number) =>
      fillHeld(context, theme, hollow, { left: 0, width, top: height * 0.2, size: height * 0.6 }),
  })),
];
