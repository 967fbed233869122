// What became of a task's time in a stretch: parts end to end that add up to it, exactly. True of
// lanes, waits and rows; must not know what the answer is for.
//
//   |running|kernel|  blocked: semaphore  |waking|waiting for a CPU|throttled|running|
//
// While the task has the CPU, the CPU's own state says what it does; while it waits, its group may
// be throttled there; asleep, its last row says what it waits at.

import { CPU_STATE } from "../../engine/gen/catalogue.ts";
import { taskSpans, type TaskSpan } from "./task-track.ts";
import type { TraceStore } from "../trace/trace-store.ts";

export type Spent =
  | "running"
  | "kernel"
  | "userSpin"
  | "spinning"
  | "interrupted"
  | "waking"
  | "ready"
  | "throttled"
  | "lock"
  | "blocked"
  | "parked"
  | "asleep";

/** One stretch of one kind. */
export interface SpentPart {
  readonly what: Spent;
  /** What the task waits at: "mutex m". */
  readonly at: string | undefined;
  readonly fromNs: number;
  readonly ns: number;
}

/** In time order, end to end from `fromNs`; their `ns` add to the stretch. */
export function spentIn(
  store: TraceStore,
  task: number,
  fromNs: number,
  toNs: number,
): readonly SpentPart[] {
  const parts: SpentPart[] = [];
  const add = (what: Spent, from: number, to: number, at?: string): void => {
    if (to <= from) return;
    const last = parts.at(-1);
    if (last?.what === what && last.at === at)
      parts[parts.length - 1] = { ...last, ns: last.ns + to - from };
    else parts.push({ what, at, fromNs: from, ns: to - from });
  };
  const throttled = throttledIn(store, task, fromNs, toNs);
  let done = fromNs;
  for (const span of taskSpans(store, task, fromNs, toNs)) {
    const from = Math.max(done, span.fromNs);
    const { state, toNs: to } = span;
    if (to <= from) continue;
    if (state === "running") addRun(store, { ...span, fromNs: from }, add);
    else if (state === "waking") add("waking", from, to);
    else if (span.asleep !== undefined) add(span.asleep.what, from, to, span.asleep.at);
    else addWait(throttled, { ...span, fromNs: from }, add);
    done = to;
  }
  return parts;
}

type Add = (what: Spent, fromNs: number, toNs: number) => void;

/** What a CPU does is what the task it runs does; interrupts, softirqs and stops come between. */
const WHILE_RUNNING: Readonly<Record<number, Spent>> = {
  [CPU_STATE.User]: "running",
  [CPU_STATE.UserSpin]: "userSpin",
  [CPU_STATE.Spin]: "spinning",
  [CPU_STATE.Softirq]: "interrupted",
  [CPU_STATE.Hardirq]: "interrupted",
  [CPU_STATE.Stopped]: "interrupted",
};

function addRun({ lanes, endNs }: TraceStore, { cpu, fromNs, toNs }: TaskSpan, add: Add): void {
  const lane = lanes[cpu];
  if (lane === undefined) return add("kernel", fromNs, toNs);
  for (let index = Math.max(0, lane.indexAt(fromNs)); index < lane.count; index += 1) {
    const slice = lane.slice(index, endNs);
    if (slice.fromNs >= toNs) break;
    add(
      WHILE_RUNNING[slice.state] ?? "kernel",
      Math.max(slice.fromNs, fromNs),
      Math.min(slice.toNs, toNs),
    );
  }
}

interface Stretch {
  readonly cpu: number;
  readonly fromNs: number;
  readonly toNs: number;
}

/** When queues of the task's group, or of one above it, were throttled, by beginning. */
function throttledIn(
  { quota, shape, endNs }: TraceStore,
  task: number,
  fromNs: number,
  toNs: number,
): readonly Stretch[] {
  const above = new Set<number>();
  for (
    let group = shape.tasks[task]?.group ?? 0;
    group !== 0 && !above.has(group);
    group = shape.groups[group]?.parent ?? 0
  )
    above.add(group);
  const found: Stretch[] = [];
  quota.visitThrottled(fromNs, toNs, endNs, (from, to, cpu, group) => {
    if (above.has(group)) found.push({ cpu, fromNs: from, toNs: to });
  });
  return found.sort((one, other) => one.fromNs - other.fromNs);
}

function addWait(throttled: readonly Stretch[], { cpu, fromNs, toNs }: TaskSpan, add: Add): void {
  let at = fromNs;
  for (const stretch of throttled) {
    if (stretch.cpu !== cpu || stretch.toNs <= at || stretch.fromNs >= toNs) continue;
    add("ready", at, stretch.fromNs);
    at = Math.max(at, stretch.fromNs);
    add("throttled", at, Math.min(stretch.toNs, toNs));
    at = Math.min(stretch.toNs, toNs);
  }
  add("ready", at, toNs);
}

/** The sum of one kind, as one line of an answer. */
export interface SpentSum {
  readonly what: Spent;
  /** The objects that the task waited at, each once, longest first. */
  readonly at: readonly string[];
  readonly ns: number;
  readonly parts: readonly SpentPart[];
}

/** By kind, most first; the earlier one among equals. */
export function spentSums(parts: readonly SpentPart[]): readonly SpentSum[] {
  const byKind = new Map<Spent, SpentPart[]>();
  for (const part of parts) {
    const known = byKind.get(part.what);
    if (known === undefined) byKind.set(part.what, [part]);
    else known.push(part);
  }
  return [...byKind]
    .map(([what, of]) => ({
      what,
      at: placesOf(of),
      ns: of.reduce((sum, { ns }) => sum + ns, 0),
      parts: of,
    }))
    .sort((one, other) => other.ns - one.ns);
}

function placesOf(parts: readonly SpentPart[]): readonly string[] {
  const ns = new Map<string, number>();
  for (const { at, ns: spent } of parts)
    if (at !== undefined) ns.set(at, (ns.get(at) ?? 0) + spent);
  return [...ns].sort(([, one], [, other]) => other - one).map(([at]) => at);
}
