// The life of one task: sleeping, waking, ready, running, in order. True of one task; built on
// demand, because a viewer follows one at a time and sixteen thousand tasks would each cost memory.

import { NONE } from "../../engine/gen/catalogue.ts";
import { blocksOf, type Blocked } from "./blocked-at.ts";
import { BySubject } from "../trace/by-subject.ts";
import { SWITCHES } from "../trace/indexed-kinds.ts";
import { lowerBound, upperBound } from "../../lib/search.ts";
import { WAIT } from "../trace/waits.ts";
import type { TraceStore } from "../trace/trace-store.ts";

/**
 * "blocked": asleep until another task lets it on; "sleeping": until a time or an interrupt, or the
 * rows do not show it.
 */
export type TaskState = "running" | "waking" | "ready" | "preempted" | "blocked" | "sleeping";

export interface TaskSpan {
  readonly state: TaskState;
  readonly fromNs: number;
  readonly toNs: number;
  /** The CPU it runs or waits on; the CPU it last ran on, while it sleeps. */
  readonly cpu: number;
  /** The object it waits at while it sleeps or is blocked; undefined in all other states. */
  readonly asleep?: Blocked;
}

/**
 * What `task` does over [fromNs, toNs), clipped to what is simulated; gaps between waits and runs
 * are sleep.
 */
export function taskSpans(
  store: TraceStore,
  task: number,
  fromNs: number,
  toNs: number,
): TaskSpan[] {
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
  /**
   * How much of it the task runs and how much it waits for a CPU, ns, where it holds more than two
   * spans.
   */
  readonly mixed?: { readonly runNs: number; readonly waitNs: number };
};

/**
 * The whole of `spans`, end to end; of those shorter than `leastNs` that follow each other, as many
 * as it takes are one.
 */
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
    short.reduce(
      (ns, { state, fromNs, toNs }) => ns + (wanted.includes(state) ? toNs - fromNs : 0),
      0,
    );
  const [first, last] = [short[0], short.at(-1)];
  const mixed = { runNs: sum(["running"]), waitNs: sum(["waking", "ready", "preempted"]) };
  const [fromNs, toNs] = [first?.fromNs ?? 0, last?.toNs ?? 0];
  return {
    state: mixed.runNs > 0 ? "running" : "sleeping",
    fromNs,
    toNs,
    cpu: last?.cpu ?? 0,
    mixed,
  };
}

/**
 * What of one run is about which task: places in the list of all switches, and rows of the table of
 * waits.
 */
interface OfTasks {
  readonly switches: BySubject;
  readonly waits: BySubject;
}

const kept = new WeakMap<TraceStore, OfTasks>();

function ofTasks(store: TraceStore): OfTasks {
  const known = kept.get(store);
  if (known !== undefined) return known;
  const { events, waits, shape } = store;
  const all = events.rowsOf(SWITCHES);
  const subjects = shape.tasks.length;
  const made = {
    switches: new BySubject(subjects, (from, to) => {
      const rows = all.slice(from, to);
      return [gathered(events.a.data, rows), gathered(events.b.data, rows)];
    }),
    waits: new BySubject(subjects, (from, to) => [waits.spans.whats.data.subarray(from, to)]),
  };
  kept.set(store, made);
  return made;
}

function gathered(column: Uint32Array, rows: Uint32Array): Uint32Array {
  const values = new Uint32Array(rows.length);
  for (let at = 0; at < rows.length; at += 1) values[at] = column[rows[at] ?? 0] ?? NONE;
  return values;
}

/**
 * Between its switch in and its switch out a task runs; the switch before the window may be the one
 * that put it there.
 */
function runsOf(store: TraceStore, task: number, fromNs: number, toNs: number): TaskSpan[] {
  const { events } = store;
  const { a, b, cpu, time } = events;
  const runs: TaskSpan[] = [];
  const all = events.rowsOf(SWITCHES);
  const first = all.firstAt(fromNs);
  let since = runningSince(store, task, first);
  ofTasks(store).switches.visit(task, first, all.firstAt(toNs), all.count, (place) => {
    const row = all.at(place);
    const [ns, on] = [time.at(row), cpu.at(row)];
    if (a.at(row) === task && since !== undefined) {
      runs.push({ state: "running", fromNs: Math.max(since.ns, fromNs), toNs: ns, cpu: on });
      since = undefined;
    }
    if (b.at(row) === task) since = { ns, cpu: on };
  });
  if (since !== undefined)
    runs.push({ state: "running", fromNs: Math.max(since.ns, fromNs), toNs, cpu: since.cpu });
  return runs;
}

/** `before`: a place in the list of all switches. */
function runningSince(
  store: TraceStore,
  task: number,
  before: number,
): { readonly ns: number; readonly cpu: number } | undefined {
  const { events } = store;
  const { b, cpu, time } = events;
  const all = events.rowsOf(SWITCHES);
  const place = ofTasks(store).switches.last(task, before, all.count);
  const row = place === undefined ? undefined : all.at(place);
  return row === undefined || b.at(row) !== task
    ? undefined
    : { ns: time.at(row), cpu: cpu.at(row) };
}

function waitsOf(store: TraceStore, task: number, fromNs: number, toNs: number): TaskSpan[] {
  const { spans } = store.waits;
  const waits: TaskSpan[] = [];
  const see = (from: number, to: number, cpu: number, kind: number): void => {
    const state = kind === WAIT.Waking ? "waking" : kind === WAIT.Ready ? "ready" : "preempted";
    waits.push({ state, fromNs: Math.max(from, fromNs), toNs: Math.min(to, toNs), cpu });
  };
  const { ends, lengths, cpus, kinds, longestNs, count } = spans;
  const first = lowerBound(ends.data, count, fromNs);
  const last = upperBound(ends.data, count, toNs + longestNs);
  ofTasks(store).waits.visit(task, first, last, count, (row) => {
    const from = ends.at(row) - lengths.at(row);
    if (from <= toNs) see(from, ends.at(row), cpus.at(row), kinds.at(row));
  });
  const open = store.waits.openOf(task);
  if (open !== undefined && open.sinceNs <= toNs && store.endNs >= fromNs)
    see(open.sinceNs, store.endNs, open.cpu, open.kind);
  return waits;
}
