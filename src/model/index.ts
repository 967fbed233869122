/**
 * What the page knows of one run. Pure: no DOM, no worker, no clock.
 *
 // one store per run; make a new one to start again
 *   const store = new TraceStore(meta);
 // as chunks arrive; `store.version` goes up by one
 *   store.append(simulatedNs, traceChunk, wakeChunk);
 *
 *   store.endNs                          simulated so far, ns          store.rows     trace rows so
 * far
 *   store.wakes.count                    finished wake-ups             store.wakes.worst(10)
 * rows, worst first
 *   store.wakes.record(row)              WakeRecord: task name, nth, due, latency, segments laid
 * end to end, percentages
 *   store.wakes.find("cyclictest.12", 41)  row or undefined            store.wakes.rank(row)      0
 * = the worst
 *   partnerOf(wakes, row, otherWakes)    the other run's row for the same wake-up by due time, or
 * undefined
 *   new Timehist(store).rowsIn(fromNs, toNs, wanted)   (stats/timehist.ts, for what is fetched
 * later) runs of tasks as `perf sched timehist` lists them
 *   store.latency.percentiles(kind?)     nearest rank on exact values
 * store.latency.histogram(kind?)  log bins, stacked by cause
 *   store.latency.kinds()                task kinds with a wake-up, in task order
 *   store.locks.deepest()                id of the lock with the longest queue so far
 *   store.locks.deepestIn(fromNs, toNs)  the same within a window      store.locks.lock(id)?.at(ns)
 *   holder and queue at an instant
 *   store.flags.at(cpu, ns, endNs)       the need_resched flag set there, whole: who set it, when
 * it was upgraded, where it was honoured
 *   store.points.nearest(cpu, ns, within)  the preemption point passed there
 *   store.quota.limited                  groups with a quota: pool, silos, use, takes and returns;
 * store.quota.throttledAt(cpu, ns, endNs)
 *   store.kicks.madeAt(cpu, ns)          the kick of idle balancing that the tick of the CPU made
 * there
 *   longestSamples(store, "web_front.request")   the tools' own samples; findSample(store,
 * selection), samplePartner(sample, other)
 *   spentIn(store, task, fromNs, toNs)   (tasks/spent.ts, for what is fetched later) what became of a
 * task's time, parts end to end; spentSums(parts) by kind, most first
 *   store.events.rowsOf(kinds)           the rows of some kinds in time order, kept from the first
 * time somebody asks
 *   store.cpuAt(cpu, ns)                 what the CPU does at an instant; `describeCpu(store, cpu,
 * ns)` says it in words
 *
 * Folders, each of which imports only from those before it: trace, tasks, locks, words, compare,
 * causes, stats, overload, rules; then this file.
 *
 * Task names, not task numbers, cross this boundary where a thing is named: numbers change with the
 * machine's size, names do not.
 */
export type * from "./trace/run-types.ts";
export { partnerOf } from "./compare/pairs.ts";
export type { Step } from "./compare/divergence.ts";
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
