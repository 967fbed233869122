// The life of one task: sleeping, waking, ready, running, in order. True of one task; built on demand, because a viewer follows one at a
// time and sixteen thousand tasks would each cost memory.

import { KIND } from "../engine/gen/catalogue.ts";
import { blocksOf, type Blocked } from "./blocked.ts";
import { WAIT } from "./waits.ts";
import type { TraceStore } from "./trace-store.ts";

/** "blocked": asleep until another task lets it on; "sleeping": until a time or an interrupt, or the rows do not tell. */
export type TaskState = "running" | "waking" | "ready" | "preempted" | "blocked" | "sleeping";

export interface TaskSpan {
  readonly state: TaskState;
  readonly fromNs: number;
  readonly toNs: number;
  /** Where it runs or waits; where it last ran, while it sleeps. */
  readonly cpu: number;
  /** What it waits at while it sleeps or is blocked; undefined in all other states. */
  readonly asleep?: Blocked;
}

/** What `task` does over [fromNs, toNs), clipped to what is simulated; gaps between waits and runs are sleep. */
export function taskSpans(store: TraceStore, task: number, fromNs: number, toNs: number): TaskSpan[] {
  const untilNs = Math.min(toNs, store.endNs);
  const busy = [...runsOf(store, task, fromNs, untilNs), ...waitsOf(store, task, fromNs, untilNs)]
    .filter((span) => span.toNs > span.fromNs)
    .sort((one, other) => one.fromNs - other.fromNs);
  const blockedAt = blocksOf(store, task, fromNs, untilNs);
  const spans: TaskSpan[] = [];
  let at = fromNs;
  let cpu = busy[0]?.cpu ?? 0;
  const sleep = (until: number): void => {
    if (until <= at) return;
    const asleep = blockedAt(at);
    const blocked = asleep.what === "lock" || asleep.what === "blocked";
    spans.push({ state: blocked ? "blocked" : "sleeping", fromNs: at, toNs: until, cpu, asleep });
  };
  for (const span of busy) {
    sleep(span.fromNs);
    spans.push(span);
    at = Math.max(at, span.toNs);
    cpu = span.cpu;
  }
  sleep(untilNs);
  return spans;
}

/** One thing of a track: a span, or a stretch that is too short to show what is in it. */
export type TrackSpan = TaskSpan & {
  /** How much of it the task runs and how much it waits for a CPU, ns, where it holds more than two spans. */
  readonly mixed?: { readonly runNs: number; readonly waitNs: number };
};

/** The whole of `spans`, end to end; of those shorter than `leastNs` that follow each other, as many as it takes are one. */
export function trackSpans(spans: readonly TaskSpan[], leastNs: number): readonly TrackSpan[] {
  const track: TrackSpan[] = [];
  let short: TaskSpan[] = [];
  const flush = (): void => {
    if (short.length > 2) track.push(mixedOf(short));
    else track.push(...short);
    short = [];
  };
  for (const span of spans) {
    if (span.toNs - span.fromNs >= leastNs) {
      flush();
      track.push(span);
    } else {
      short.push(span);
      if (span.toNs - (short[0]?.fromNs ?? span.toNs) >= leastNs) flush();
    }
  }
  flush();
  return track;
}

function mixedOf(short: readonly TaskSpan[]): TrackSpan {
  const sum = (wanted: readonly TaskState[]): number =>
    short.reduce((ns, { state, fromNs, toNs }) => ns + (wanted.includes(state) ? toNs - fromNs : 0), 0);
  const [first, last] = [short[0], short.at(-1)];
  const mixed = { runNs: sum(["running"]), waitNs: sum(["waking", "ready", "preempted"]) };
  const [fromNs, toNs] = [first?.fromNs ?? 0, last?.toNs ?? 0];
  return { state: mixed.runNs > 0 ? "running" : "sleeping", fromNs, toNs, cpu: last?.cpu ?? 0, mixed };
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
