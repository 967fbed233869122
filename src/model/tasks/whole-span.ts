// One span of a task's life with its true ends: taskSpans() cuts at the edge of what is in view.
// Looks no further than it must.

import { upperBound } from "../../lib/search.ts";
import type { TaskSpan } from "./task-track.ts";
import { taskSpans } from "./task-track.ts";
import type { TraceStore } from "../trace/trace-store.ts";

/** How much wider each look is than the one before. */
const WIDER = 4;

/** What `task` does at `ns`, from when to when; undefined beyond what is simulated. */
export function wholeSpanAt(
  store: TraceStore,
  task: number,
  ns: number,
  lookNs: number,
): TaskSpan | undefined {
  for (let half = Math.max(1, lookNs); ; half *= WIDER) {
    const fromNs = Math.max(0, Math.floor(ns - half));
    const toNs = Math.min(store.endNs, Math.ceil(ns + half));
    const span = taskSpans(store, task, fromNs, toNs).find(
      (each) => each.fromNs <= ns && ns < each.toNs,
    );
    const cut =
      span !== undefined &&
      ((span.fromNs === fromNs && fromNs > 0) || (span.toNs === toNs && toNs < store.endNs));
    if (!cut) return span;
  }
}

/**
 * The row of the task's wake-up that `ns` belongs to: the last that was due by then; while the task
 * sleeps or is blocked, only one that is not done.
 */
export function wakeOfSpan(
  { wakes }: TraceStore,
  task: string,
  { asleep }: TaskSpan,
  ns: number,
): number | undefined {
  const { rows, dues } = wakes.ofTask(task);
  const row = rows[upperBound(dues, dues.length, ns) - 1];
  return row === undefined || (asleep !== undefined && wakes.doneNs(row) < ns) ? undefined : row;
}
