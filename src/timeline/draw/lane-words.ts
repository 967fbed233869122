// Words on the lanes that belong to no mark: CPU numbers, task names, the selected wake-up, and the
// part that is not simulated yet.

import { CPU_STATE } from "../../engine/gen/catalogue.ts";
import { plainText } from "../../engine/plain.ts";
import { counted } from "../../lib/count.ts";
import { formatNs, threeFigures } from "../../lib/format.ts";
import { silosPx } from "../plot/gutter.ts";
import type { MarkedWake } from "../plot/timeline-props.ts";
import { bracketsOf, drawBrackets } from "./brackets.ts";
import type { LabelLayer } from "./label-layer.ts";
import { RANK } from "./label-layer.ts";
import type { Plot } from "../plot/plot.ts";
import { barTop, xOf } from "../plot/plot.ts";
import { stretchesOf, type Stretch } from "./named-stretches.ts";
import type { LaneRow } from "../plot/lane-rows.ts";
import { rowsInView } from "../plot/lane-rows.ts";
import type { TimelineTheme } from "../plot/timeline-theme.ts";
import { mixed, stateColour } from "../plot/timeline-theme.ts";

/** Between a CPU's number and its lane, CSS px. */
const NUMBER_GAP_PX = 6;
/** Where the longest name has no room else. */
const NUMBER_GAP_MIN_PX = 2;
/** Thickness of the brackets around lanes that share a cache, and a core, CSS px. */
const CACHE_PX = 2;
const CORE_PX = 1;
/** Between the side's edge and the brackets around caches, CSS px. */
const EDGE_PX = 3;
/** Slices of all lanes in view that are searched for names at every frame, at most. */
const LOOKED_AT_MAX = 24_000;
/** A narrower piece within a named stretch cannot be seen, CSS px. */
const UNSEEN_PX = 3;

/** CPU numbers beside their lanes, as many as are readable. */
export function drawGutter(context: CanvasRenderingContext2D, plot: Plot): void {
  const { theme } = plot;
  const small = smallPx(theme);
  // Silos lie between the numbers and the lanes.
  const edge =
    plot.gutter - (plot.trace.quota.limited.length > 0 ? silosPx(plot.gutter, theme) : 0);
  context.fillStyle = theme.background;
  context.fillRect(0, 0, plot.gutter, plot.height);
  context.textBaseline = "middle";
  context.textAlign = "right";
  // By the machine's longest name, not by those in sight: numbers of one kind of row look alike
  // wherever it is scrolled to.
  const sizes = [
    [theme.fontPx, NUMBER_GAP_PX] as const,
    [small, NUMBER_GAP_PX] as const,
    [small, NUMBER_GAP_MIN_PX] as const,
  ];
  const [named, gap = NUMBER_GAP_PX] =
    sizes.find(([size, left]) => {
      context.font = numberFont(size, true);
      return context.measureText(`cpu${plot.trace.lanes.length - 1}`).width <= edge - left;
    }) ?? [];
  for (const row of rowsInView(plot.rows, plot.scrollTop, plot.height)) {
    if (!isNumbered(row, small)) continue;
    const tall = row.fold === undefined && row.height >= 18;
    const size = (tall ? named : undefined) ?? (row.height >= theme.fontPx ? theme.fontPx : small);
    const middle = numberMiddle(row, plot.rows.height, size) - plot.scrollTop;
    context.font = numberFont(size, row.pinned);
    context.fillStyle = row.pinned ? theme.text : theme.muted;
    const number = tall && named !== undefined ? `cpu${row.cpu}` : `${row.cpu}`;
    context.fillText(row.fold?.label ?? number, edge - gap, middle);
  }
  const { scrollTop } = plot;
  const { caches, cores } = bracketsOf(plot.rows, plot.trace.shape);
  context.fillStyle = theme.muted;
  drawBrackets(context, caches, { x: EDGE_PX, scrollTop, width: CACHE_PX });
  if (gap >= NUMBER_GAP_PX)
    drawBrackets(context, cores, { x: edge - NUMBER_GAP_PX + 1, scrollTop, width: CORE_PX });
  context.fillStyle = theme.rule;
  context.fillRect(plot.gutter - 1, 0, 1, plot.height);
}

function numberFont(size: number, pinned: boolean): string {
  return `${pinned ? 700 : 400} ${size}px ui-monospace, monospace`;
}

/**
 * Place of a row's number among rows of `height` px in all: in its middle, or as near as a
 * number of `size` px is whole.
 */
export function numberMiddle(
  { top, height: own }: Pick<LaneRow, "top" | "height">,
  height: number,
  size: number,
): number {
  return Math.max(size / 2, Math.min(top + own / 2, height - size / 2));
}

/** Writes into the room of CPUs that only the other side has. */
export function nameLacking(
  { rows, theme, trace, gutter, scrollTop }: Plot,
  labels: LabelLayer,
): void {
  const last = rows.rows.at(-1);
  if (last === undefined || rows.sorted === true) return;
  const top = last.top + last.height;
  if (rows.height - top < theme.fontPx * 2) return;
  const words = `This machine has ${counted(trace.lanes.length, "CPU")}`;
  labels.add(words, gutter + 6, top - scrollTop + theme.fontPx, theme.muted, RANK.Change);
}

function isNumbered(row: LaneRow, fontPx: number): boolean {
  return row.pinned || (row.fold?.group ?? row.cpu) % numberedEvery(row.height, fontPx) === 0;
}

/** Every row has its number while numbers fit above each other, else every 2nd, 4th, 8th … */
export function numberedEvery(rowPx: number, fontPx: number): number {
  let every = 1;
  while (rowPx * every < fontPx) every *= 2;
  return every;
}

/** Size of the CPU numbers on rows too low for the theme's size. */
export function smallPx(theme: TimelineTheme): number {
  return Math.round(theme.fontPx * 0.85);
}

/** The woken task's name inside bars wide enough to hold it. */
export function nameSlices(plot: Plot, labels: LabelLayer): void {
  const { trace, viewport, theme } = plot;
  const { fromNs, toNs } = viewport;
  const unseenNs = ((toNs - fromNs) / (plot.width - plot.gutter)) * UNSEEN_PX;
  const rows = rowsInView(plot.rows, plot.scrollTop, plot.height).filter(
    (row) => row.fold === undefined && row.barHeight >= theme.fontPx,
  );
  for (const row of rows) {
    const lane = trace.lanes[row.cpu];
    if (lane === undefined || lane.countIn(fromNs, toNs) > LOOKED_AT_MAX / rows.length) continue;
    for (const stretch of stretchesOf(lane, viewport, trace.endNs, unseenNs))
      nameStretch(plot, labels, row, stretch);
  }
}

/** Words for a stretch, the longest first: the first that has room is drawn. */
function wordsFor({ trace }: Plot, { state, task }: Stretch): readonly string[] {
  const name = task === undefined ? undefined : trace.taskName(task);
  switch (state) {
    case CPU_STATE.User:
      return [name ?? "user"];
    case CPU_STATE.UserSpin:
      return [name === undefined ? "spins" : `${name} spins`];
    case CPU_STATE.Kernel:
      return name === undefined ? ["kernel"] : [`${name}, kernel`, "kernel"];
    case CPU_STATE.Spin:
      return ["spin"];
    case CPU_STATE.IdleExit:
      return ["idle exit"];
    case CPU_STATE.Stopped:
      return ["stopped"];
    default:
      return [];
  }
}

function nameStretch(plot: Plot, labels: LabelLayer, row: LaneRow, stretch: Stretch): void {
  const left = Math.max(xOf(plot, stretch.fromNs), plot.gutter);
  const width = Math.min(xOf(plot, stretch.toNs), plot.width) - left;
  if (width < 2 * plot.theme.fontPx) return;
  const words = wordsFor(plot, stretch).find((each) => labels.widthOf(each) + 8 <= width);
  if (words === undefined) return;
  // A plate in the bar's own colour under the text: textures must not cut through letters.
  const plate = mixed(stateColour(plot.theme, stretch.state), "#000000", 0.62);
  labels.add(words, left + 5, barTop(plot, row) + row.barHeight / 2, "#FFFFFF", RANK.Task, plate);
}

/**
 * What is selected. A wake-up: a frame from due to done on its CPU, with its latency. A sample:
 * where it begins and ends, on all lanes.
 */
export function drawSelection(
  context: CanvasRenderingContext2D,
  plot: Plot,
  wake: MarkedWake,
  labels: LabelLayer,
): void {
  const row = plot.rows.rowOfCpu[wake.cpu];
  if (row === undefined) return;
  const { theme } = plot;
  const left = xOf(plot, wake.dueNs);
  const right = Math.max(left + 3, xOf(plot, wake.dueNs + wake.latencyNs));
  if (right < plot.gutter || left > plot.width) return;
  const top = row.top - plot.scrollTop;
  context.strokeStyle = theme.selection;
  context.lineWidth = Math.max(2, theme.strokePx);
  context.setLineDash([]);
  if (wake.label === undefined)
    context.strokeRect(left - 1, top - 1, right - left + 2, row.height + 1);
  context.globalAlpha = 0.25;
  context.fillStyle = theme.selection;
  context.fillRect(left, 0, 1, plot.height);
  context.fillRect(right, 0, 1, plot.height);
  context.globalAlpha = 1;
  const y = top > theme.fontPx * 2 ? top - theme.fontPx : top + row.height + theme.fontPx;
  const words = `${wake.task} #${wake.nth} ${plainText(wake.label ?? "late")} ${threeFigures(wake.latencyNs)}`;
  labels.add(words, Math.max(left, plot.gutter + 4), y, theme.text, RANK.Selection);
}

/** Beyond what is simulated nothing is known: hatched, and said. */
export function drawUnknown(
  context: CanvasRenderingContext2D,
  plot: Plot,
  running: boolean,
  labels: LabelLayer,
): void {
  const left = Math.max(plot.gutter, xOf(plot, plot.trace.endNs));
  if (left >= plot.width) return;
  context.save();
  context.beginPath();
  context.rect(left, 0, plot.width - left, plot.height);
  context.clip();
  context.strokeStyle = plot.theme.rule;
  context.lineWidth = 1;
  context.beginPath();
  for (let x = left - plot.height; x < plot.width; x += 14) {
    context.moveTo(x, plot.height);
    context.lineTo(x + plot.height, 0);
  }
  context.stroke();
  context.restore();
  const end = formatNs(plot.trace.endNs, 4);
  const words = running ? `computing …, at ${end}` : `not simulated: the run ends at ${end}`;
  if (plot.width - left > labels.widthOf(words) + 20)
    labels.add(words, left + 10, 14, plot.theme.muted, RANK.Change);
}
