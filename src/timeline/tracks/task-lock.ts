// The lane of a lock that tasks hold, a mutex or a spin lock: below, its holder, full while that
// task runs and hollow while it does not; above, the tasks that wait for it.
//
//   wait         [strong waits 5.3 ms      ]
//   held  [weak  ][ weak, preempted  ][weak]
//
// From afar the area of the waiters, and where it is held. No row names the holder of a spin lock
// while no task spins: then a dotted line.

import { formatNs } from "../../lib/format.ts";
import type { LockStep, LockTrack, TaskSpan, TraceStore } from "../../model/index.ts";
import {
  isSpinLock,
  isUnrecorded,
  lentPriority,
  offIn,
  waitsSince,
  waitsUntil,
  type Off,
} from "../../model/locks/task-locks.ts";
import { taskSpans } from "../../model/tasks/task-track.ts";
import { holderOutsIn } from "../../model/locks/user-locks.ts";
import type { Plot } from "../plot/plot.ts";
import { nsAt, plotWidth, xOf } from "../plot/plot.ts";
import type { TimelineTheme } from "../plot/timeline-theme.ts";
import { mixed } from "../plot/timeline-theme.ts";
import type { LegendEntry } from "../draw/legend-entry.ts";
import { CELLS_STEPS_MAX, fillWaiter } from "./draw-lock.ts";

/** Height of the holder's strip, as a share of the lane. */
const HOLDER_SHARE = 0.46;
/** Between a cell's words and its edge, CSS px. */
const PAD_PX = 4;
/** Words are not smaller. */
const FONT_LEAST_PX = 9;
export const UNRECORDED = "holder not recorded while nobody spins";

/** `most`: the longest queue that the height must hold, shared by the sides. */
export function drawTaskLock(
  context: CanvasRenderingContext2D,
  plot: Plot,
  lock: LockTrack | undefined,
  most: number,
): void {
  const { theme, trace, viewport } = plot;
  context.fillStyle = theme.background;
  context.fillRect(0, 0, plot.width, plot.height);
  drawFrame(context, plot);
  const { fromNs } = viewport;
  const toNs = Math.min(viewport.toNs, trace.endNs);
  if (lock === undefined) {
    if (hasSort(trace, "spin lock") && toNs > fromNs)
      drawUnrecorded(context, plot, { fromNs: Math.max(0, fromNs), toNs });
    return;
  }
  if (lock.countIn(fromNs, toNs) > CELLS_STEPS_MAX) return drawFar(context, plot, lock, most);
  const lives = new Map<number, readonly TaskSpan[]>();
  for (const step of lock.steps(Math.max(0, fromNs), toNs)) {
    drawWaiters(context, plot, lock, step, most);
    if (isSpinLock(lock) && step.queue.length === 0) drawUnrecorded(context, plot, step);
    if (step.holder === undefined) continue;
    const life = lives.get(step.holder) ?? taskSpans(trace, step.holder, Math.max(0, fromNs), toNs);
    lives.set(step.holder, life);
    for (const span of life) drawHeld(context, plot, step.holder, step, span);
  }
}

function floorOf({ height }: Pick<Plot, "height">): number {
  return height - Math.round(height * HOLDER_SHARE);
}

/**
 * The place in the queue that a height of the lane belongs to, from 0; -1 is the holder's strip.
 */
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

function drawFar(
  context: CanvasRenderingContext2D,
  plot: Plot,
  lock: LockTrack,
  most: number,
): void {
  const { theme, viewport, trace } = plot;
  const floor = floorOf(plot);
  const columns = Math.max(1, Math.floor(plotWidth(plot)));
  lock.depthProfile(viewport.fromNs, viewport.toNs, columns).forEach((depth, column) => {
    const x = plot.gutter + column;
    const ns = nsAt(plot, x + 0.5);
    if (ns > trace.endNs) return;
    const high = depth === 0 ? 0 : Math.max(2, (depth * floor) / Math.max(1, most));
    context.fillStyle = waiterInks(theme, lock).spin;
    context.fillRect(x, floor - high, 1, high);
    context.fillStyle = hollowInk(theme);
    if (isUnrecorded(lock, ns))
      fillUnrecorded(context, theme, { left: x, width: 1, top: floor, size: plot.height - floor });
    else if (lock.at(ns).holder !== undefined)
      context.fillRect(x, floor + 2, 1, plot.height - floor - 2);
  });
  if (isSpinLock(lock)) drawOuts(context, plot, lock);
}

/** From afar too: where the holder of a spin lock is preempted, as far as a task spins for it. */
function drawOuts(context: CanvasRenderingContext2D, plot: Plot, lock: LockTrack): void {
  const { theme, trace, viewport } = plot;
  const floor = floorOf(plot);
  for (const out of holderOutsIn(
    trace,
    lock.id,
    viewport.fromNs,
    Math.min(viewport.toNs, trace.endNs),
  )) {
    const told = lock
      .steps(Math.max(out.fromNs, viewport.fromNs), Math.min(out.toNs, viewport.toNs))
      .filter(({ queue }) => queue.length > 0);
    const [first, last] = [told[0], told.at(-1)];
    if (first === undefined || last === undefined) continue;
    const left = Math.max(plot.gutter, xOf(plot, first.fromNs));
    const box = {
      left,
      width: Math.max(1, xOf(plot, last.toNs) - left),
      top: floor + 2,
      size: plot.height - floor - 2,
    };
    fillHeld(context, theme, true, box);
    write(
      context,
      plot,
      [`${trace.taskName(out.holder)}, preempted`, "preempted"],
      box,
      theme.text,
    );
  }
}

function drawWaiters(
  context: CanvasRenderingContext2D,
  plot: Plot,
  lock: LockTrack,
  step: LockStep,
  most: number,
): void {
  const left = Math.max(plot.gutter, xOf(plot, step.fromNs));
  const width = Math.max(1, xOf(plot, step.toNs) - left);
  const floor = floorOf(plot);
  const size = floor / Math.max(1, most);
  const inks = waiterInks(plot.theme, lock);
  const words = isSpinLock(lock) ? plot.theme.text : "#FFFFFF";
  const all = {
    left,
    width,
    top: floor - step.queue.length * size,
    size: step.queue.length * size,
  };
  // Waiters of less than a pixel each are drawn as one.
  if (size < 1 && step.queue.length > 0)
    fillWaiter(context, inks, 0, left, all.top, width, all.size);
  else
    step.queue.forEach((_, place) =>
      fillWaiter(context, inks, place, left, floor - (place + 1) * size, width, size),
    );
  if (fontIn(plot, size) === undefined)
    return void write(context, plot, [`${String(step.queue.length)} wait`], all, words);
  step.queue.forEach((task, place) => {
    const top = floor - (place + 1) * size;
    const name = plot.trace.taskName(task);
    const since = waitsSince(plot.trace, lock, task, step.fromNs);
    const until = waitsUntil(plot.trace, lock, task, step.fromNs);
    const ns = formatNs((until ?? plot.trace.endNs) - since, 3);
    const waits =
      until === undefined ? `${name} waits, ${ns} by the end of the run` : `${name} waits ${ns}`;
    write(context, plot, [waits, name], { left, width, top, size }, words);
  });
}

/** A stretch of the holder's life in which it holds the lock. */
function drawHeld(
  context: CanvasRenderingContext2D,
  plot: Plot,
  task: number,
  step: LockStep,
  span: TaskSpan,
): void {
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
  const words =
    lent === undefined
      ? [state, name]
      : [`${state}, at lent priority ${String(lent)}`, `${name} ↑${String(lent)}`, name];
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

function fillHeld(
  context: CanvasRenderingContext2D,
  theme: TimelineTheme,
  hollow: boolean,
  { left, width, top, size }: Cell,
): void {
  context.fillStyle = hollow ? hollowInk(theme) : theme.kernel;
  context.fillRect(left, top, width, size);
  if (!hollow || width < 4) return;
  context.strokeStyle = theme.kernel;
  context.lineWidth = 1;
  context.setLineDash([4, 3]);
  context.strokeRect(left + 0.5, top + 0.5, width - 1, size - 1);
  context.setLineDash([]);
}

/** A stretch of which no row says who holds the lock. */
function drawUnrecorded(
  context: CanvasRenderingContext2D,
  plot: Plot,
  { fromNs, toNs }: Pick<LockStep, "fromNs" | "toNs">,
): void {
  const left = Math.max(plot.gutter, xOf(plot, fromNs));
  const floor = floorOf(plot);
  const box = {
    left,
    width: Math.max(1, xOf(plot, toNs) - left),
    top: floor,
    size: plot.height - floor,
  };
  if (!write(context, plot, [UNRECORDED, "not recorded"], box, plot.theme.muted))
    fillUnrecorded(context, plot.theme, box);
}

/** Dots at the same places, in whatever pieces the line is drawn. */
function fillUnrecorded(
  context: CanvasRenderingContext2D,
  theme: TimelineTheme,
  { left, width, top, size }: Cell,
): void {
  context.fillStyle = theme.muted;
  for (let x = Math.ceil(left / 4) * 4; x < left + width; x += 4)
    context.fillRect(x, Math.round(top + size / 2), 1, 1);
}

/** Who spins in user code has the colour that its CPU has. */
function waiterInks(theme: TimelineTheme, lock: LockTrack): TimelineTheme {
  return isSpinLock(lock) ? { ...theme, spin: theme.userSpin } : theme;
}

/** The size of words in a cell `size` px high; undefined where words would not be readable. */
function fontIn({ theme }: Plot, size: number): number | undefined {
  const fontPx = Math.min(theme.fontPx, size - 2);
  return fontPx < FONT_LEAST_PX ? undefined : fontPx;
}

/** The longest of `texts` that fits, in what is in sight of its cell; whether one did. */
function write(
  context: CanvasRenderingContext2D,
  plot: Plot,
  texts: readonly string[],
  cell: Cell,
  colour: string,
): boolean {
  const fontPx = fontIn(plot, cell.size);
  const room = Math.min(plot.width, cell.left + cell.width) - cell.left - 2 * PAD_PX;
  if (fontPx === undefined || room < fontPx) return false;
  context.font = `600 ${String(fontPx)}px ui-sans-serif, system-ui, sans-serif`;
  context.textAlign = "left";
  context.textBaseline = "middle";
  const text = texts.find((each) => context.measureText(each).width <= room);
  if (text === undefined) return false;
  context.fillStyle = colour;
  context.fillText(text, cell.left + PAD_PX, cell.top + cell.size / 2 + 0.5);
  return true;
}

/** Whether tasks of a run may hold a lock of a sort. */
export function hasSort({ shape }: TraceStore, wanted: "mutex" | "spin lock"): boolean {
  return shape.objects?.some(({ sort }) => sort === wanted) ?? false;
}

/** What a lock's holder is said to do. */
export function holderWords(
  trace: TraceStore,
  task: number,
  off: Off | undefined,
  ns: number,
): string {
  const lent = lentPriority(trace, task, ns);
  const at = lent === undefined ? "" : `, at lent priority ${String(lent)}`;
  return `held by ${trace.taskName(task)}, ${off === undefined ? "which runs" : `which is ${off}`}${at}`;
}

/** Entries for the sorts of locks that the runs have. */
export function taskLockLegend(traces: readonly TraceStore[]): readonly LegendEntry[] {
  const [mutex, spins] = (["mutex", "spin lock"] as const).map((sort) =>
    traces.some((trace) => hasSort(trace, sort)),
  );
  const lock = !spins ? "mutex" : mutex ? "lock" : "spin lock";
  const box = (width: number, height: number): Cell => ({
    left: 0,
    width,
    top: height * 0.2,
    size: height * 0.6,
  });
  const waiter = (words: string, ink: "spin" | "userSpin"): LegendEntry => ({
    words,
    swatch: (context, theme, width, height) =>
      fillWaiter(context, { ...theme, spin: theme[ink] }, 0, 0, height * 0.2, width, height * 0.6),
  });
  return [
    ...(mutex ? [waiter("task that waits for the mutex", "spin")] : []),
    ...(spins ? [waiter("task that waits for the spin lock", "userSpin")] : []),
    ...[false, true].map((hollow) => ({
      words: hollow ? `holds the ${lock}, does not run` : `task that holds the ${lock}, running`,
      swatch: (
        context: CanvasRenderingContext2D,
        theme: TimelineTheme,
        width: number,
        height: number,
      ) => fillHeld(context, theme, hollow, box(width, height)),
    })),
    {
      words: `${lock} held, from afar`,
      swatch: (context, theme, width, height) => {
        context.fillStyle = hollowInk(theme);
        context.fillRect(0, height * 0.2, width, height * 0.6);
      },
    },
    ...(spins
      ? [
          {
            words: UNRECORDED,
            swatch: (
              context: CanvasRenderingContext2D,
              theme: TimelineTheme,
              width: number,
              height: number,
            ) => fillUnrecorded(context, theme, box(width, height)),
          },
        ]
      : []),
  ];
}
