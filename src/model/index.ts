/**
 * What the page knows of one run. Pure: no DOM, no worker, no clock.
 *
 *   const store = new TraceStore(meta);            one store per run; a new run has a new one
 *   store.append(simulatedNs, trace, wakes);       as chunks arrive; `store.version` goes up by one
 *
 *   store.endNs, store.rows                        simulated so far, ns; trace rows so far
 *   store.wakes.worst(10)                          rows of finished wake-ups, worst first
 *   store.wakes.record(row)                        WakeRecord: task, due time, latency, segments
 *   store.wakes.find("cyclictest.12", 41)          the row, or undefined
 *   partnerOf(wakes, row, otherWakes)              the other run's row of the same wake-up
 *   store.latency.percentiles(kind?)               nearest rank on exact values
 *   store.latency.histogram(kind?)                 log bins, stacked by cause
 *   store.locks.deepestIn(fromNs, toNs)            id of the lock with the longest queue
 *   store.locks.lock(id)?.at(ns)                   holder and queue at an instant
 *   store.flags.at(cpu, ns, endNs)                 the need_resched flag: set, upgraded, honoured
 *   store.points.nearest(cpu, ns, within)          the preemption point passed there
 *   store.quota.limited                            groups with a quota: pool, silos, takes, returns
 *   store.kicks.madeAt(cpu, ns)                    the kick of idle balancing by the CPU's tick
 *   store.events.rowsOf(kinds)                     rows of some kinds in time order
 *   store.cpuAt(cpu, ns)                           what the CPU does; `describeCpu` has it in words
 *
 * Scripts fetched later read a store too: tasks/spent.ts, stats/timehist.ts, rules/rules.ts.
 *
 * Folders, each of which imports only from those before it: trace, tasks, locks, words, compare,
 * causes, stats, overload, rules; then this file.
 *
 * Task names, not task numbers, cross this boundary where a thing is named: numbers change with the
 * machine's size, names do not.
 */
export type * from "./trace/run-types.ts";
export { partnerOf } from "./compare/pairs.ts";
export type { Step } from "./compare/divergence-finder.ts";
export type { AreaStats } from "./stats/area-stats.ts";
export type { AreaDeltas, AreaRow } from "./stats/area-deltas.ts";
export type { TimehistRow } from "./stats/timehist.ts";
export type { LockStep } from "./trace/kernel-locks.ts";
export type { LockTrack } from "./trace/kernel-locks.ts";
export type { Flag } from "./trace/flags.ts";
export type { PreemptPoint } from "./trace/preempt-points.ts";
export { CHANNELS, IRQ_OFF_CHANNEL, NO_PREEMPT_CHANNEL } from "./trace/pyramid.ts";
export { TraceStore } from "./trace/trace-store.ts";
export type { RunShape } from "./trace/trace-store.ts";
export type { RowList } from "./trace/events.ts";
export { ACQUIRES, HOLDS } from "./trace/indexed-kinds.ts";
export type { Kick } from "./trace/nohz.ts";
export type { GroupTrack, Limit, QuotaWrite } from "./trace/group-quota.ts";
export {
  fewSamples,
  LATENCY_BINS,
  latencyEdgeNs,
  samplesNeeded,
  samplesPath,
} from "./trace/latency.ts";
export type { TaskSpan, TaskState, TrackSpan } from "./tasks/task-track.ts";
export type { SampleRecord } from "./tasks/samples.ts";
export { WAIT } from "./trace/waits.ts";
export type { WaitKind } from "./trace/waits.ts";
