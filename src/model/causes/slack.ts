// How much of a wake-up's interrupt delay is timer slack: its timer was due, but could still wait.
// The row of the timer's callback says by how much it came after the expiry; the engine's cause
// holds slack and delay together, and they have different remedies.

import { CAUSES, KIND, NONE } from "../../engine/gen/catalogue.ts";
import { lowerBound } from "../../lib/search.ts";
import { latencyBinOf, LATENCY_BINS } from "../trace/latency.ts";
import type { TraceStore } from "../trace/trace-store.ts";
import type { LatencyBin, WakeRecord } from "../trace/run-types.ts";

/**
 * The cause that timer slack is a part of, and the index after all causes that means this part
 * where it is shown alone.
 */
export const DELAY = CAUSES.findIndex(({ name }) => name === "irq_delay");
export const SLACK = CAUSES.length;

/** When the sleep timers of each task expired, in order, as far as the rows have been read. */
interface Expiries {
  read: number;
  readonly ofTask: Map<number, number[]>;
}

const kept = new WeakMap<TraceStore, Expiries>();

/** Expiries of all tasks of a run, up to its last row. Call it once, not for each wake-up. */
export function expiriesOf(store: TraceStore): Expiries {
  const known = kept.get(store) ?? { read: 0, ofTask: new Map<number, number[]>() };
  kept.set(store, known);
  const { events } = store;
  const rows = events.rowsOf([KIND.HrtimerExpire]);
  for (; known.read < rows.count; known.read += 1) {
    const row = rows.at(known.read);
    const [task, lateNs] = [events.a.at(row), events.b.at(row)];
    const list = known.ofTask.get(task) ?? [];
    known.ofTask.set(task, list);
    // "None" means a delay too long for its column.
    if (lateNs !== NONE) list.push(events.time.at(row) - lateNs);
  }
  return known;
}

const NONE_EXPIRED: readonly number[] = [];

/**
 * From the due time of a task's wake-up to the expiry of the timer that woke it; 0 where no timer
 * did, or where it had no slack.
 */
function between({ ofTask }: Expiries, taskId: number, dueNs: number, latencyNs: number): number {
  const list = ofTask.get(taskId) ?? NONE_EXPIRED;
  const expiry = list[lowerBound(list, list.length, dueNs)] ?? Infinity;
  return expiry <= dueNs + latencyNs ? expiry - dueNs : 0;
}

/** The part of a wake-up's first stretch that is timer slack, ns. */
export function slackNs(
  store: TraceStore,
  { taskId, dueNs, latencyNs, segments }: WakeRecord,
): number {
  const [first] = segments;
  return first?.cause === DELAY && first.summed !== true
    ? Math.min(first.ns, between(expiriesOf(store), taskId, dueNs, latencyNs))
    : 0;
}

/** The slack of a row of the store's wake-ups. */
export function slackOfRow(store: TraceStore, row: number, expiries = expiriesOf(store)): number {
  const { wakes } = store;
  const first = wakes.firstOf(row, DELAY);
  return first === 0
    ? 0
    : Math.min(
        first,
        between(expiries, wakes.taskIdOf(row), wakes.dueNs(row), wakes.latencyNs(row)),
      );
}

/** Timer slack of all wake-ups of each kind of task, ns. */
export function slackByKind(store: TraceStore): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  const expiries = expiriesOf(store);
  for (let row = 0; row < store.wakes.count; row += 1) {
    const kind = store.shape.tasks[store.wakes.taskIdOf(row)]?.kind ?? "";
    sums.set(kind, (sums.get(kind) ?? 0) + slackOfRow(store, row, expiries));
  }
  return sums;
}

/**
 * The bars of a kind with timer slack as a part of its own, at the index SLACK, taken out of the
 * cause that holds it.
 */
export function barsWithSlack(store: TraceStore, kind: string | undefined): readonly LatencyBin[] {
  const slack = new Array<number>(LATENCY_BINS).fill(0);
  const expiries = expiriesOf(store);
  for (let row = 0; row < store.wakes.count; row += 1) {
    const ns = slackOfRow(store, row, expiries);
    if (
      ns === 0 ||
      (kind !== undefined && store.shape.tasks[store.wakes.taskIdOf(row)]?.kind !== kind)
    )
      continue;
    const bin = latencyBinOf(store.wakes.latencyNs(row));
    slack[bin] = (slack[bin] ?? 0) + ns;
  }
  return store.latency
    .histogram(kind)
    .map((bar, bin) => ({ ...bar, causeNs: causesWithSlack(bar.causeNs, slack[bin] ?? 0) }));
}

/** Sums by cause, timer slack set apart. */
export function causesWithSlack(causeNs: readonly number[], slack: number): readonly number[] {
  return [...causeNs.map((ns, cause) => (cause === DELAY ? ns - slack : ns)), slack];
}
