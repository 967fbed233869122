// A need_resched flag where its lane is tall: a bar from the instant it is set to the instant at
// which the CPU acts on it, with words that say who set it, for whom, and what acts on it.
//
//   |/ / / / / / / / /|##############|   lazy: slanted lines in a frame; need_resched: solid
//   lazy, CPU 0 set it for t1; the tick makes it need_resched after 3.2 ms

import { KIND, NO_CPU } from "../../engine/gen/catalogue.ts";
import { threeFigures } from "../../lib/format.ts";
import { pointName } from "../../model/words/describe.ts";
import type { Flag, TraceStore } from "../../model/index.ts";
import { NO_POINT } from "../../model/trace/flags.ts";
import type { LabelLayer } from "../draw/label-layer.ts";
import { RANK } from "../draw/label-layer.ts";
import type { LaneRow } from "../plot/lane-rows.ts";
import type { Plot } from "../plot/plot.ts";
import type { TimelineTheme } from "../plot/timeline-theme.ts";

/** Flags of a lane in view up to which each says in words what it is. */
export const WORDED_MAX = 4;
/** Height of a shelf that has room for a bar, in sizes of the text: words may lie over its edge. */
const TALL = 0.65;
/** A bar narrower than this is a pennant on its pole, CSS px. */
const BAR_LEAST_PX = 6;
/** Lines of a lazy bar lie so far apart, CSS px. */
const LINES_PX = 7;
/** Rows looked through around a flag for the wake-up that it is set for. */
const NEAR_ROWS = 12;

/** Whether a row's shelf has room for words in a bar. */
export function isTall({ theme }: Plot, { shelfHeight }: LaneRow): boolean {
  return shelfHeight >= TALL * theme.fontPx;
}

/** Where a flag begins, becomes need_resched and ends, and the floor of its shelf, CSS px. */
export interface PennantPlace {
  readonly left: number;
  readonly turn: number;
  readonly right: number;
  readonly floor: number;
  readonly size: number;
}

/** Draws the bar; false where it would be too narrow to be one. */
export function drawBar(
  context: CanvasRenderingContext2D,
  plot: Plot,
  { left, turn, right, floor, size }: PennantPlace,
): boolean {
  if (right - left < BAR_LEAST_PX) return false;
  const { theme, gutter, width } = plot;
  const [from, to] = [Math.max(left, gutter), Math.min(right, width)];
  const middle = Math.min(to, Math.max(from, turn));
  drawLazy(context, theme, from, middle, floor, size);
  context.fillStyle = theme.flag;
  if (to > middle) context.fillRect(middle, floor - size, to - middle, size);
  return true;
}

/** Slanted lines in a frame: another texture, not another hue alone. */
export function drawLazy(
  context: CanvasRenderingContext2D,
  theme: TimelineTheme,
  from: number,
  to: number,
  floor: number,
  size: number,
): void {
  if (to - from < 1) return;
  const top = floor - size;
  context.fillStyle = theme.background;
  context.fillRect(from, top, to - from, size);
  context.strokeStyle = theme.flagLazy;
  context.lineWidth = 1.5;
  context.strokeRect(from + 0.75, top + 0.75, Math.max(0.5, to - from - 1.5), size - 1.5);
  context.beginPath();
  for (let x = from + LINES_PX - size; x < to; x += LINES_PX) {
    const low = Math.max(x, from);
    const high = Math.min(x + size, to);
    if (high <= low) continue;
    context.moveTo(low, floor - (low - x));
    context.lineTo(high, floor - (high - x));
  }
  context.stroke();
}

/** Says over the bar, or behind a short one, what the flag is. */
export function wordBar(
  plot: Plot,
  flag: Flag,
  { left, right, turn, floor, size }: PennantPlace,
  labels: LabelLayer,
): void {
  const { theme, gutter, width } = plot;
  const from = Math.max(left, gutter) + 4;
  const room = width - from - 4;
  const words = pennantWords(plot.trace, flag).find((each) => labels.widthOf(each) <= room);
  if (words === undefined) return;
  const colour = turn > left ? theme.flagLazy : theme.flag;
  const fits = Math.min(right, width) - from >= labels.widthOf(words) + 4;
  const at = fits || right + 6 + labels.widthOf(words) > width ? from : right + 6;
  labels.add(words, at, floor - size / 2, colour, RANK.Flag);
}

/** What a flag is in words, the longest first: who set it, for whom, and what acts on it. */
export function pennantWords(trace: TraceStore, flag: Flag): readonly string[] {
  const kind = flag.lazy ? "lazy" : "need_resched";
  const whom = forWhom(trace, flag);
  const by = flag.setBy === NO_CPU ? "" : ` by CPU ${String(flag.setBy)}`;
  const short = whom === undefined ? `${kind}, set${by}` : `${kind} for ${whom}`;
  const long = whom === undefined ? short : `${kind}, set${by} for ${whom}`;
  const next = nextWords(flag);
  return [`${long}; ${next}`, `${short}; ${next}`, long, short, kind];
}

/** The task whose wake-up set the flag; undefined where no wake-up did. */
export function forWhom({ events, shape }: TraceStore, flag: Flag): string | undefined {
  const first = events.firstAt(flag.fromNs);
  for (let row = first; row < Math.min(events.count, first + NEAR_ROWS); row += 1) {
    if (events.time.at(row) !== flag.fromNs) return undefined;
    const kind = events.kind.at(row);
    if (
      (kind === KIND.SchedWakeup || kind === KIND.WakeupNew) &&
      events.cpu.at(row) === flag.setBy &&
      events.b.at(row) === flag.cpu
    )
      return shape.tasks[events.a.at(row)]?.name;
  }
  return undefined;
}

/** What happens to a flag next, and how long after it was set. */
function nextWords({ task, fromNs, toNs, upgradeNs, honouredAt }: Flag): string {
  if (upgradeNs !== undefined)
    return `the tick makes it need_resched after ${threeFigures(upgradeNs - fromNs)}`;
  const after = threeFigures(toNs - fromNs);
  if (honouredAt === undefined) return `still set after ${after}`;
  if (honouredAt === NO_POINT)
    return `${task === undefined ? "the CPU leaves idle" : "the task gives way"} after ${after}`;
  return `schedule() at ${pointName(honouredAt)} after ${after}`;
}
