// IPIs that a CPU sends to itself, or that go from CPU to CPU in a push chain, as a ring: how many
// there were by an instant, where on the ring the last one is, and what the CPUs did not get to
// meanwhile. A function of the trace and the playhead alone, so that playing, stepping and pictures
// show the same. Must not know pixels.

import { FIELD, KIND, NONE } from "../../engine/gen/catalogue.ts";
import { SOFTIRQ_WORDS } from "../../engine/gen/codes.ts";
import { fieldOf } from "../../lib/bit-field.ts";
import { lowerBound, upperBound } from "../../lib/search.ts";
import type { TraceStore } from "../../model/index.ts";
import { isRealTime } from "../../model/tasks/policies.ts";
import type { Viewport } from "../plot/timeline-props.ts";

/** What a ring is about, the same on all sides: a CPU by itself, or a chain of CPUs. */
export type RingSubject =
  | { readonly form: "self"; readonly cpu: number }
  /** `cpus`: those that the chain visits in view, ascending. */
  | { readonly form: "chain"; readonly cpus: readonly number[] };

/** Something that a CPU has not got to yet. */
export interface Undone {
  /** "second.0", "softirq TASKLET, 12 items". */
  readonly words: string;
  /** A task of a real-time policy. */
  readonly realTime: boolean;
  readonly cpu: number;
  /** How long it has waited, ns. */
  readonly ns: number;
}

export interface RingMoment {
  readonly subject: RingSubject;
  /** IPIs since the run began. */
  readonly count: number;
  /** No further than the run is computed. */
  readonly of: number;
  /** Turns since the view's left edge; its fraction is the place on the ring, from the top. */
  readonly turns: number;
  /** Marks around a ring: IPIs of one turn, at most `NOTCHES_MAX`. */
  readonly notches: number;
  /** The CPU at hand in a chain; undefined while no chain is under way. */
  readonly lit: number | undefined;
  /** The longest wait first. */
  readonly undone: readonly Undone[];
}

/** A view with more IPIs turns the ring about so many times; with fewer, each IPI is a turn. */
const TURNS = 12;
export const NOTCHES_MAX = 24;
/** Rows looked through for the arrival of an IPI. */
const ARRIVAL_ROWS = 64;
/** Rows looked back at for pending softirqs. */
const SOFTIRQ_ROWS = 4_000;

/** Instants at which each CPU sent itself an IPI. */
type SelfSends = ReadonlyMap<number, readonly number[]>;

const sends = new WeakMap<TraceStore, { readonly rows: number; readonly byCpu: SelfSends }>();

function selfSends(trace: TraceStore): SelfSends {
  const { events } = trace;
  const rows = events.rowsOf([KIND.IpiSend]);
  const known = sends.get(trace);
  if (known?.rows === rows.count) return known.byCpu;
  const byCpu = new Map<number, number[]>();
  for (const row of rows.slice(0, rows.count)) {
    const cpu = events.cpu.at(row);
    if (events.a.at(row) !== cpu) continue;
    const own = byCpu.get(cpu);
    if (own === undefined) byCpu.set(cpu, [events.time.at(row)]);
    else own.push(events.time.at(row));
  }
  sends.set(trace, { rows: rows.count, byCpu });
  return byCpu;
}

/**
 * The CPU of a step that sent itself most IPIs, else the CPU of any side that did; where no CPU did,
 * the push chain in view.
 */
export function ringSubject(
  traces: readonly TraceStore[],
  stepCpus: readonly number[],
  { fromNs, toNs }: Viewport,
): RingSubject | undefined {
  const counts = new Map<number, number>();
  for (const trace of traces)
    for (const [cpu, own] of selfSends(trace)) counts.set(cpu, (counts.get(cpu) ?? 0) + own.length);
  const most = (cpus: readonly number[]): number | undefined =>
    [...cpus].sort((one, other) => (counts.get(other) ?? 0) - (counts.get(one) ?? 0))[0];
  const cpu = most(stepCpus.filter((each) => counts.has(each))) ?? most([...counts.keys()]);
  if (cpu !== undefined) return { form: "self", cpu };
  const cpus = new Set<number>();
  for (const { events } of traces)
    for (const row of events.rowsOf([KIND.RtoHop]).listIn(fromNs, toNs))
      if (isHop(events.cpu.at(row), events.a.at(row))) cpus.add(events.a.at(row));
  return cpus.size === 0
    ? undefined
    : { form: "chain", cpus: [...cpus].sort((one, other) => one - other) };
}

function isHop(from: number, to: number): boolean {
  return to !== NONE && to !== from;
}

/** The ring of one run at an instant; undefined beyond what is computed. */
export function ringAt(
  trace: TraceStore,
  subject: RingSubject,
  ns: number,
  view: Viewport,
): RingMoment | undefined {
  if (ns > trace.endNs) return undefined;
  return subject.form === "self"
    ? selfRing(trace, subject, ns, view)
    : chainRing(trace, subject, ns, view);
}

function selfRing(
  trace: TraceStore,
  subject: Extract<RingSubject, { form: "self" }>,
  ns: number,
  { fromNs, toNs }: Viewport,
): RingMoment {
  const own = selfSends(trace).get(subject.cpu) ?? [];
  const before = lowerBound(own, own.length, fromNs);
  const count = upperBound(own, own.length, ns);
  const inView = lowerBound(own, own.length, toNs) - before;
  const aTurn = Math.max(1, Math.ceil(inView / TURNS));
  const last = own[count - 1];
  // An IPI that has been sent is on its way; the ones before have come round.
  const under = last === undefined ? 1 : flown(trace, subject.cpu, last, ns);
  return {
    subject,
    count,
    of: own.length,
    turns: (count - before - 1 + under) / aTurn,
    notches: Math.min(NOTCHES_MAX, aTurn),
    lit: subject.cpu,
    undone: undoneOn(trace, [subject.cpu], ns),
  };
}

/** How far an IPI that a CPU sent itself is on its way at `ns`, 0 to 1. */
function flown({ events }: TraceStore, cpu: number, sentNs: number, ns: number): number {
  const arrivals = events.rowsOf([KIND.IpiArrive]);
  const first = arrivals.firstAt(sentNs);
  for (const row of arrivals.slice(first, first + ARRIVAL_ROWS)) {
    const a = events.a.at(row);
    if (events.cpu.at(row) !== cpu || fieldOf(FIELD.IpiSender, a) !== cpu) continue;
    const flightNs = events.time.at(row) - sentNs;
    return flightNs <= 0 ? 1 : Math.min(1, (ns - sentNs) / flightNs);
  }
  return 1;
}

function chainRing(
  trace: TraceStore,
  subject: Extract<RingSubject, { form: "chain" }>,
  ns: number,
  { fromNs }: Viewport,
): RingMoment {
  const { events } = trace;
  const rows = events.rowsOf([KIND.RtoHop]);
  const hops = hopsOf(trace);
  const count = upperBound(hops, hops.length, ns);
  const next = rows.firstAt(ns + 1);
  const row = next === 0 ? undefined : rows.at(next - 1);
  const to = row === undefined ? NONE : events.a.at(row);
  const lit = to === NONE ? undefined : to;
  const place = lit === undefined ? 0 : Math.max(0, subject.cpus.indexOf(lit));
  return {
    subject,
    count,
    of: hops.length,
    turns: count === lowerBound(hops, hops.length, fromNs) ? 0 : place / subject.cpus.length,
    notches: subject.cpus.length,
    lit,
    undone: undoneOn(trace, subject.cpus, ns),
  };
}

const hopsKnown = new WeakMap<TraceStore, { readonly rows: number; readonly at: number[] }>();

/** Instants at which a push chain goes on to another CPU. */
function hopsOf(trace: TraceStore): readonly number[] {
  const { events } = trace;
  const rows = events.rowsOf([KIND.RtoHop]);
  const known = hopsKnown.get(trace);
  if (known?.rows === rows.count) return known.at;
  const at = Array.from(rows.slice(0, rows.count))
    .filter((row) => isHop(events.cpu.at(row), events.a.at(row)))
    .map((row) => events.time.at(row));
  hopsKnown.set(trace, { rows: rows.count, at });
  return at;
}

/** Tasks that wait on these CPUs at `ns`, and softirqs that are pending there. */
function undoneOn(trace: TraceStore, cpus: readonly number[], ns: number): readonly Undone[] {
  const wanted = new Set(cpus);
  const found: Undone[] = cpus.flatMap((cpu) => pendingOn(trace, cpu, ns));
  trace.waits.visit(ns, ns, trace.endNs, (fromNs, toNs, cpu, task) => {
    if (!wanted.has(cpu) || fromNs > ns || toNs <= ns) return;
    const info = trace.shape.tasks[task];
    const realTime = info !== undefined && isRealTime(info);
    found.push({ words: trace.taskName(task), realTime, cpu, ns: ns - fromNs });
  });
  return found.sort((one, other) => other.ns - one.ns || one.words.localeCompare(other.words));
}

/** Softirqs raised on a CPU since their handler last began. */
function pendingOn({ events }: TraceStore, cpu: number, ns: number): readonly Undone[] {
  const rows = events.rowsOf([KIND.SoftirqRaise, KIND.SoftirqEntry]);
  const end = rows.firstAt(ns + 1);
  const begun = new Set<number>();
  const raised = new Map<number, { items: number; sinceNs: number }>();
  for (let at = end - 1; at >= Math.max(0, end - SOFTIRQ_ROWS); at -= 1) {
    const row = rows.at(at);
    if (events.cpu.at(row) !== cpu) continue;
    const softirq = events.a.at(row);
    if (events.kind.at(row) === KIND.SoftirqEntry) begun.add(softirq);
    else if (!begun.has(softirq)) {
      const later = raised.get(softirq);
      const sinceNs = events.time.at(row);
      raised.set(softirq, { items: later?.items ?? events.b.at(row), sinceNs });
    }
  }
  return [...raised].map(([softirq, { items, sinceNs }]) => ({
    words: `softirq ${SOFTIRQ_WORDS[softirq] ?? String(softirq)}${itemWords(items)}`,
    realTime: false,
    cpu,
    ns: ns - sinceNs,
  }));
}

function itemWords(items: number): string {
  return items === 0 ? "" : items === 1 ? ", 1 item" : `, ${String(items)} items`;
}
