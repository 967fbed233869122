// The life of one task: sleeping, waking, ready, running, in order. True of one task; built on demand, because a viewer follows one at a
// time and sixteen thousand tasks would each cost memory.

import { KIND } from "../engine/gen/catalogue.ts";
import { WAIT } from "./waits.ts";
import type { TraceStore } from "./trace-store.ts";

export type TaskState = "running" | "waking" | "ready" | "preempted" | "sleeping";

export interface TaskSpan {
  readonly state: TaskState;
  readonly fromNs: number;
  readonly toNs: number;
  /** Where it runs or waits; where it last ran, while it sleeps. */
  readonly cpu: number;
}

/** What `task` does over [fromNs, toNs), clipped to what is simulated; gaps between waits and runs are sleep. At most `limit` spans. */
export function taskSpans(store: TraceStore, task: number, fromNs: number, toNs: number, limit: number): TaskSpan[] {
  const untilNs = Math.min(toNs, store.endNs);
  const busy = [...runsOf(store, task, fromNs, untilNs), ...waitsOf(store, task, fromNs, untilNs)]
    .filter((span) => span.toNs > span.fromNs)
    .sort((one, other) => one.fromNs - other.fromNs);
  const spans: TaskSpan[] = [];
  let at = fromNs;
  let cpu = busy[0]?.cpu ?? 0;
  for (const span of busy.slice(0, limit)) {
    if (span.fromNs > at) spans.push({ state: "sleeping", fromNs: at, toNs: span.fromNs, cpu });
    spans.push(span);
    at = Math.max(at, span.toNs);
    cpu = span.cpu;
  }
  if (busy.length <= limit && untilNs > at) spans.push({ state: "sleeping", fromNs: at, toNs: untilNs, cpu });
  return spans;
}

/** Between its switch in and its switch out a task runs; the switch before the window may be the one that put it there. */
function runsOf(store: TraceStore, task: number, fromNs: number, toNs: number): TaskSpan[] {
  const { kind, a, b, cpu, time } = store.events;
  const runs: TaskSpan[] = [];
  let since = runningSince(store, task, fromNs);
  for (let row = store.events.firstAt(fromNs); row < store.events.count; row += 1) {
    const ns = time.data[row] ?? 0;
    if (ns >= toNs) break;
    if (kind.data[row] !== KIND.SchedSwitch) continue;
    const on = cpu.data[row] ?? 0;
    if (a.data[row] === task && since !== undefined) {
      runs.push({ state: "running", fromNs: Math.max(since.ns, fromNs), toNs: ns, cpu: on });
      since = undefined;
    }
    if (b.data[row] === task) since = { ns, cpu: on };
  }
  if (since !== undefined) runs.push({ state: "running", fromNs: Math.max(since.ns, fromNs), toNs, cpu: since.cpu });
  return runs;
}

function runningSince(store: TraceStore, task: number, ns: number): { readonly ns: number; readonly cpu: number } | undefined {
  const { kind, a, b, cpu, time } = store.events;
  for (let row = store.events.firstAt(ns) - 1; row >= 0; row -= 1) {
    if (kind.data[row] !== KIND.SchedSwitch) continue;
    if (b.data[row] === task) return { ns: time.at(row), cpu: cpu.at(row) };
    if (a.data[row] === task) return undefined;
  }
  return undefined;
}

function waitsOf(store: TraceStore, task: number, fromNs: number, toNs: number): TaskSpan[] {
  const waits: TaskSpan[] = [];
  store.waits.visit(fromNs, toNs, store.endNs, (from, to, cpu, who, kind) => {
    if (who !== task) return;
    const state = kind === WAIT.Waking ? "waking" : kind === WAIT.Ready ? "ready" : "preempted";
    waits.push({ state, fromNs: Math.max(from, fromNs), toNs: Math.min(to, toNs), cpu });
  });
  return waits;
}
