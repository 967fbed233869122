// The life of the selected wake-up's task on one line: sleeping, blocked, being woken, ready,
// running, and on which CPU.

import type { TaskState, TrackSpan } from "../../model/index.ts";
import type { Plot } from "../plot/plot.ts";
import { xOf } from "../plot/plot.ts";
import type { TimelineTheme } from "../plot/timeline-theme.ts";

/**
 * Sleeping is a dotted line, blocked a line of dashes, waking dots in a box, ready a hollow box,
 * preempted a hollow box with a heavy edge, running a full bar.
 */
export function drawTaskLane(
  context: CanvasRenderingContext2D,
  plot: Plot,
  spans: readonly TrackSpan[],
): void {
  const { theme } = plot;
  context.fillStyle = theme.background;
  context.fillRect(0, 0, plot.width, plot.height);
  context.font = `${Math.max(9, theme.fontPx - 1)}px ui-monospace, monospace`;
  context.textAlign = "right";
  context.textBaseline = "middle";
  context.fillStyle = theme.muted;
  context.fillText("task", plot.gutter - 6, plot.height / 2);
  context.fillStyle = theme.rule;
  context.fillRect(plot.gutter - 1, 0, 1, plot.height);
  for (const span of spans) drawSpan(context, plot, span);
}

function drawSpan(context: CanvasRenderingContext2D, plot: Plot, span: TrackSpan): void {
  const left = Math.max(plot.gutter, xOf(plot, span.fromNs));
  const right = Math.min(plot.width, xOf(plot, span.toNs));
  if (span.mixed !== undefined) {
    const ns = span.toNs - span.fromNs;
    return drawMixed(
      context,
      plot.theme,
      span.mixed.runNs / ns,
      span.mixed.waitNs / ns,
      left,
      right - left,
      plot.height,
    );
  }
  const width = Math.max(span.asleep === undefined ? 1 : 0, right - left);
  drawState(context, plot.theme, span.state, left, width, plot.height);
  writeWord(context, plot, span, left, width);
}

/**
 * Draws a stretch too short to show its parts: from below the share that the task runs, above it
 * the share that the task waits for a CPU.
 */
export function drawMixed(
  context: CanvasRenderingContext2D,
  theme: TimelineTheme,
  runs: number,
  waits: number,
  left: number,
  width: number,
  height: number,
): void {
  const size = height - 6;
  const [run, wait] = [runs, waits].map((share) => (share === 0 ? 0 : Math.max(1, size * share)));
  const bottom = height - 3;
  context.fillStyle = theme.user;
  context.fillRect(left, bottom - (run ?? 0), width, run ?? 0);
  context.fillStyle = theme.muted;
  context.fillRect(left, bottom - (run ?? 0) - (wait ?? 0), width, wait ?? 0);
}

/** The shape of a state in a lane of that height. */
export function drawState(
  context: CanvasRenderingContext2D,
  theme: TimelineTheme,
  state: TaskState,
  left: number,
  width: number,
  height: number,
): void {
  const top = 3;
  const size = height - 6;
  context.fillStyle = theme.user;
  context.strokeStyle = theme.text;
  context.lineWidth = theme.strokePx;
  if (state === "sleeping") {
    context.fillStyle = theme.muted;
    for (let x = left + 2; x < left + width; x += 5) context.fillRect(x, height - 5, 1.5, 1.5);
  } else if (state === "blocked") {
    context.fillStyle = theme.text;
    for (let x = left + 2; x < left + width; x += 8)
      context.fillRect(x, height - 6, Math.min(5, left + width - x), 2);
  } else if (state === "running") context.fillRect(left, top, width, size);
  else {
    context.setLineDash(state === "waking" ? [2, 2] : []);
    context.strokeRect(left + 0.5, top + 0.5, Math.max(1, width - 1), size - 1);
    context.setLineDash([]);
    context.fillStyle = theme.text;
    if (state === "preempted") context.fillRect(left, top, 3, size);
  }
}

function writeWord(
  context: CanvasRenderingContext2D,
  plot: Plot,
  span: TrackSpan,
  left: number,
  width: number,
): void {
  context.textAlign = "center";
  const text = wordsOf(span).find((words) => context.measureText(words).width <= width - 6);
  if (text === undefined) return;
  context.fillStyle = span.state === "running" ? plot.theme.background : plot.theme.muted;
  context.fillText(text, left + width / 2, plot.height / 2 + 0.5);
}

/** What a span says, the longest first. */
function wordsOf({ state, cpu, asleep }: TrackSpan): readonly string[] {
  if (state === "running") return [`cpu${cpu}`];
  return asleep?.at === undefined || state !== "blocked"
    ? [state]
    : [`waits for ${asleep.at}`, state];
}
