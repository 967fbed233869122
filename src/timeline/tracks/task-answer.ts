// What the task track answers: the task's state, its CPU, from when to when, and the wake-up it
// belongs to. Fetched behind the first picture.

import { formatNs, speakNs } from "../../lib/format.ts";
import type { TaskSpan, TaskState, TraceStore } from "../../model/index.ts";
import { taskSpans } from "../../model/tasks/task-track.ts";
import { wakeOfSpan, wholeSpanAt } from "../../model/tasks/whole-span.ts";
import type { Plot } from "../plot/plot.ts";
import { askedNs, nsPerPx } from "../plot/plot.ts";
import type { LegendEntry } from "../draw/legend-entry.ts";
import type { MarkedWake, Selection } from "../plot/timeline-props.ts";
import type { Answer } from "./asked.tsx";
import { drawMixed, drawState } from "./draw-task.ts";

export interface TaskAnswer extends Answer {
  /** The wake-up it belongs to, if there is one. */
  readonly chosen: Selection | undefined;
}

/** What lies at a point of the track; undefined in the gutter and where nothing is simulated. */
export function askTask(plot: Plot, wake: MarkedWake, x: number): TaskAnswer | undefined {
  const ns = askedNs(plot, x);
  if (ns === undefined) return undefined;
  const { trace } = plot;
  const half = nsPerPx(plot) / 2;
  const here = taskSpans(trace, wake.taskId, Math.max(0, ns - half), ns + half);
  if (here.length > 2)
    return { ns, chosen: undefined, lines: mixLines(wake.task, here, ns - half, ns + half) };
  const span = wholeSpanAt(trace, wake.taskId, ns, half * 4);
  if (span === undefined) return undefined;
  const row = wakeOfSpan(trace, wake.task, span, ns);
  return {
    ns,
    chosen: row === undefined ? undefined : trace.wakes.selectionOf(row),
    lines: [
      `${wake.task}: ${stateWords(span)}`,
      `${formatNs(span.toNs - span.fromNs, 3)}, from ${formatNs(span.fromNs, 6)} to ${formatNs(span.toNs, 6)}`,
      ...(row === undefined ? [] : [wakeWords(trace, row)]),
    ],
  };
}

function stateWords({ state, cpu, asleep }: TaskSpan): string {
  switch (state) {
    case "running":
      return `runs on CPU ${String(cpu)}`;
    case "sleeping":
      return `sleeps, last CPU ${String(cpu)}`;
    case "blocked":
      return `waits for ${asleep?.at ?? "another task"}, last CPU ${String(cpu)}`;
    case "waking":
      return `is being woken on CPU ${String(cpu)}`;
    case "ready":
      return `ready, waits for CPU ${String(cpu)}`;
    case "preempted":
      return `preempted, waits for CPU ${String(cpu)}`;
  }
}

function wakeWords({ wakes }: TraceStore, row: number): string {
  return `wake-up #${String(wakes.nthOf(row))}: due ${formatNs(wakes.dueNs(row), 6)}, late ${formatNs(wakes.latencyNs(row), 3)}`;
}

/** What one pixel holds of each state, most first. */
function mixLines(
  task: string,
  spans: readonly TaskSpan[],
  fromNs: number,
  toNs: number,
): string[] {
  const sums = new Map<TaskState, number>();
  for (const span of spans) {
    const ns = Math.min(span.toNs, toNs) - Math.max(span.fromNs, fromNs);
    sums.set(span.state, (sums.get(span.state) ?? 0) + ns);
  }
  const parts = [...sums]
    .sort(([, one], [, other]) => other - one)
    .map(([state, ns]) => `${state} ${formatNs(ns)}`);
  return [`${task}: ${formatNs(toNs - fromNs)} from ${formatNs(fromNs, 3)} hold`, parts.join(", ")];
}

/** At the playhead, for a screen reader. */
export function speakTask(trace: TraceStore, wake: MarkedWake, ns: number, lookNs: number): string {
  const span = ns > trace.endNs ? undefined : wholeSpanAt(trace, wake.taskId, ns, lookNs);
  return span === undefined
    ? wake.task
    : `${wake.task}: ${stateWords(span)}, ${speakNs(span.fromNs, 3)} to ${speakNs(span.toNs, 3)}`;
}

function entry(state: TaskState, words: string): LegendEntry {
  return {
    words,
    swatch: (context, theme, width, height) => drawState(context, theme, state, 0, width, height),
  };
}

export const TASK_LEGEND: readonly LegendEntry[] = [
  entry("running", "task runs"),
  entry("ready", "task ready"),
  entry("preempted", "task preempted"),
  entry("waking", "task being woken"),
  entry("blocked", "task blocked"),
  entry("sleeping", "task sleeps"),
  {
    words: "many changes in a pixel: how much it runs, above that waits",
    swatch: (context, theme, width, height) =>
      drawMixed(context, theme, 0.5, 0.25, 0, width, height),
  },
];
