// What an event or a wake-up follows from: the waker, the holder of a lock, the sender of an IPI,
// who moved the task, the refill. Each cause is a row of the trace. True of one run; says nothing
// where the rows do not show it.

import { CAUSES, CPU_STATE, FIELD, KIND, NONE, VECTORS } from "../../engine/gen/catalogue.ts";
import { fieldOf } from "../../lib/bit-field.ts";
import { sayRow } from "../words/say-row.ts";
import { holdingNs, lockOf } from "./culprits.ts";
import type { TraceStore } from "../trace/trace-store.ts";
import type { WakeRecord } from "../trace/run-types.ts";
import { userSpinAt } from "../locks/user-locks.ts";

/** A row that led to something. */
export interface Cause {
  /** Index of the row among the run's events. */
  readonly row: number;
  readonly cpu: number;
  readonly ns: number;
  /** "waker: CPU 3 starts to wake cyclictest.3, which last ran on CPU 3". */
  readonly words: string;
}

/** Rows looked back at for one cause: what lies further back than this is not named. */
const BACK_ROWS_MAX = 500_000;

/** Whether a row is the one. */
type Wanted = (kind: number, cpu: number, a: number, b: number) => boolean;

/**
 * The causes of the row at an index, the nearest kind of cause first; none where the rows do not
 * show it.
 */
export function causesOfRow(store: TraceStore, row: number): readonly Cause[] {
  const { events } = store;
  const [kind, cpu, a, b, ns] = [
    events.kind.at(row),
    events.cpu.at(row),
    events.a.at(row),
    events.b.at(row),
    events.time.at(row),
  ];
  const before = (wanted: Wanted): number | undefined => lastBefore(store, row - 1, wanted);
  switch (kind) {
    case KIND.IpiArrive:
      return named(store, "IPI sender", sendOf(store, row));
    case KIND.IrqEntry:
      return named(store, "interrupt", arrivalOf(store, row, cpu, a, ns - b));
    case KIND.SchedWakeup:
      return named(store, "waker", before(isOf(KIND.SchedWaking, a)));
    case KIND.WakeDone:
      return [
        ...named(
          store,
          "switch",
          before((k, on, _, to) => k === KIND.SchedSwitch && on === cpu && to === a),
        ),
        ...wakingOf(store, row, a),
      ];
    case KIND.SchedSwitch:
      return b === NONE ? [] : [...movesOf(store, row, b), ...wakingOf(store, row, b)];
    case KIND.LockAcq:
      return b === 0
        ? []
        : named(
            store,
            "lock holder",
            before((k, on, lock) => k === KIND.LockRel && lock === a && on !== cpu),
          );
    case KIND.LockWait:
      return named(store, "lock holder", heldSince(store, row, a));
    case KIND.UserSpin:
      return holderOf(store, b, ns);
    case KIND.UserSpinEnd:
      return named(store, "release", releaseOf(store, row));
    case KIND.UserLockOut:
      return named(
        store,
        "request to reschedule",
        before(
          (k, on, flagged) =>
            (k === KIND.NeedResched || k === KIND.NeedReschedLazy) && on === cpu && flagged === b,
        ),
      );
    case KIND.BwUnthrottle:
    case KIND.BwTake:
    case KIND.BwStep:
      return named(store, "refill", before(isOf(KIND.BwRefill, a)));
    default:
      return named(store, "interrupt", handlerOf(store, row, cpu));
  }
}

/**
 * The causes of a wake-up's latency: the costliest lock first, then what moved the task, woke it,
 * let it run again.
 */
export function causesOfWake(store: TraceStore, wake: WakeRecord): readonly Cause[] {
  const { dueNs, latencyNs, taskId, cpu } = wake;
  const end = store.events.firstAt(dueNs + latencyNs + 1) - 1;
  const within = (wanted: Wanted): number | undefined => lastBefore(store, end, wanted, dueNs);
  const found = [
    ...lockCauses(store, wake),
    ...named(store, "waker", within(isOf(KIND.SchedWaking, taskId))),
    ...movesOf(store, end + 1, taskId, dueNs),
    ...named(store, "IPI sender", ipiTo(store, wake, end, cpu)),
    ...refillOf(store, wake, end),
  ];
  return found.filter((cause, at) => found.findIndex(({ row }) => row === cause.row) === at);
}

/** Whom a CPU waits for that spins in user code at `ns`: any such CPU, if none is named. */
export function causesOfSpin(
  store: TraceStore,
  cpu: number | undefined,
  ns: number,
): readonly Cause[] {
  for (const lane of store.lanes) {
    const slice = cpu === undefined || cpu === lane.cpu ? store.cpuAt(lane.cpu, ns) : undefined;
    if (slice?.state === CPU_STATE.UserSpin && slice.task !== undefined)
      return holderOf(store, slice.task, ns);
  }
  return [];
}

/** The release that ends the spin whose end a row is: that row names the task, not the lock. */
function releaseOf(store: TraceStore, row: number): number | undefined {
  const { events } = store;
  const spun = userSpinAt(
    store,
    fieldOf(FIELD.SpunTask, events.a.at(row)),
    events.time.at(row),
  )?.lock;
  return lastBefore(
    store,
    row - 1,
    (kind, _, lock, owner) => kind === KIND.UserLockOwner && lock === spun && owner === NONE,
  );
}

/**
 * The holder of the user lock that a task spins for, or the place where the holder was preempted.
 */
function holderOf(store: TraceStore, task: number, ns: number): readonly Cause[] {
  const spin = userSpinAt(store, task, ns);
  return named(
    store,
    spin?.outRow === undefined ? "lock holder" : "preempted lock holder",
    spin?.outRow ?? spin?.heldRow,
  );
}

function isOf(wantedKind: number, subject: number): Wanted {
  return (kind, _, a) => kind === wantedKind && a === subject;
}

/** The last row at or before index `from` that is wanted, not earlier than `sinceNs`. */
function lastBefore(
  { events }: TraceStore,
  from: number,
  wanted: Wanted,
  sinceNs = 0,
): number | undefined {
  const { kind, cpu, a, b, time } = events;
  for (let row = from; row >= Math.max(0, from - BACK_ROWS_MAX); row -= 1) {
    if ((time.data[row] ?? 0) < sinceNs) return undefined;
    if (wanted(kind.data[row] ?? 0, cpu.data[row] ?? 0, a.data[row] ?? 0, b.data[row] ?? 0))
      return row;
  }
  return undefined;
}

function named(store: TraceStore, relation: string, row: number | undefined): readonly Cause[] {
  if (row === undefined) return [];
  const { kind, cpu, a, b, time } = store.events;
  const on = cpu.at(row);
  const words = `${relation}: ${sayRow(store, { kind: kind.at(row), cpu: on, a: a.at(row), b: b.at(row) })}`;
  return [{ row, cpu: on, ns: time.at(row), words }];
}

/**
 * The send of the IPI that arrives with a row: its sender sent it `b` ns before, to this CPU, with
 * this vector.
 */
function sendOf(store: TraceStore, row: number): number | undefined {
  const { events } = store;
  const [a, target, sentNs] = [
    events.a.at(row),
    events.cpu.at(row),
    events.time.at(row) - events.b.at(row),
  ];
  const [sender, vector] = [fieldOf(FIELD.IpiSender, a), fieldOf(FIELD.IpiVector, a)];
  const wanted: Wanted = (kind, cpu, to, sent) =>
    kind === KIND.IpiSend && cpu === sender && to === target && sent === vector;
  return lastBefore(store, Math.min(row, events.firstAt(sentNs + 1)) - 1, wanted, sentNs);
}

/** The arrival that a handler serves. */
function arrivalOf(
  store: TraceStore,
  row: number,
  cpu: number,
  vector: number,
  atNs: number,
): number | undefined {
  const wanted: Wanted = (kind, on, a) =>
    kind === KIND.IpiArrive && on === cpu && fieldOf(FIELD.IpiVector, a) === vector;
  return lastBefore(store, row - 1, wanted, atNs);
}

/** The handler that a CPU is in at a row: it has entered it and not left it. */
function handlerOf(store: TraceStore, row: number, cpu: number): number | undefined {
  const last = lastBefore(
    store,
    row - 1,
    (kind, on) =>
      on === cpu && (kind === KIND.IrqEntry || kind === KIND.IrqExit || kind === KIND.SchedSwitch),
  );
  return last !== undefined && store.events.kind.at(last) === KIND.IrqEntry ? last : undefined;
}

/** The wake-up of a task that got a CPU; none if it had run in between. */
function wakingOf(store: TraceStore, row: number, task: number): readonly Cause[] {
  const last = lastBefore(
    store,
    row - 1,
    (kind, _, a, b) =>
      (kind === KIND.SchedWaking && a === task) ||
      (kind === KIND.SchedSwitch && (a === task || b === task)),
  );
  return last !== undefined && store.events.kind.at(last) === KIND.SchedWaking
    ? named(store, "waker", last)
    : [];
}

const MOVES: Readonly<Record<number, string>> = {
  [KIND.PushOk]: "pusher",
  [KIND.PullOk]: "puller",
  [KIND.MigrateTask]: "mover",
};

/** The move of a task before a row, since the task last ran or since an instant. */
function movesOf(store: TraceStore, row: number, task: number, sinceNs = 0): readonly Cause[] {
  const ran: Wanted = (kind, _, a, b) =>
    kind === KIND.SchedSwitch && (a === task || (b === task && sinceNs === 0));
  const wanted: Wanted = (kind, cpu, a, b) =>
    (a === task && MOVES[kind] !== undefined) || ran(kind, cpu, a, b);
  const last = lastBefore(store, row - 1, wanted, sinceNs);
  return last === undefined
    ? []
    : named(store, MOVES[store.events.kind.at(last)] ?? "", moved(store, last));
}

function moved({ events }: TraceStore, row: number): number | undefined {
  return events.kind.at(row) === KIND.SchedSwitch ? undefined : row;
}

/** The row in which the holder of a lock took it, for a row that finds the lock held. */
function heldSince(store: TraceStore, row: number, lock: number): number | undefined {
  const last = lastBefore(
    store,
    row - 1,
    (kind, _, a) => (kind === KIND.LockAcq || kind === KIND.LockRel) && a === lock,
  );
  return last !== undefined && store.events.kind.at(last) === KIND.LockAcq ? last : undefined;
}

/** Holders of the locks that the CPU of a wake-up spun for, the longest wait first. */
function lockCauses(store: TraceStore, { cpu, segments }: WakeRecord): readonly Cause[] {
  return segments
    .filter(({ cause, summed }) => CAUSES[cause]?.name === "rq_lock_spin" && summed !== true)
    .sort((one, other) => other.ns - one.ns)
    .flatMap(({ fromNs, ns }) => {
      const at = holdingNs(store, cpu, fromNs, ns);
      const lock = lockOf(store, cpu, at)?.lock;
      return lock === undefined
        ? []
        : named(store, "lock holder", heldSince(store, store.events.firstAt(at + 1), lock));
    });
}

/** The last IPI from another CPU that reached the wake-up's CPU while it lasted. */
function ipiTo(
  store: TraceStore,
  { dueNs }: WakeRecord,
  end: number,
  cpu: number,
): number | undefined {
  const wanted: Wanted = (kind, on, a) =>
    kind === KIND.IpiArrive &&
    on === cpu &&
    fieldOf(FIELD.IpiSender, a) !== cpu &&
    VECTORS[fieldOf(FIELD.IpiVector, a)] !== undefined;
  const arrival = lastBefore(store, end, wanted, dueNs);
  return arrival === undefined ? undefined : sendOf(store, arrival);
}

/** The refill that ended the throttling of the task's group, or of one above it. */
function refillOf(
  store: TraceStore,
  { taskId, dueNs, segments }: WakeRecord,
  end: number,
): readonly Cause[] {
  if (!segments.some(({ cause }) => CAUSES[cause]?.name === "throttled")) return [];
  const group = store.shape.tasks[taskId]?.group ?? 0;
  return named(
    store,
    "refill",
    lastBefore(
      store,
      end,
      (kind, _, a) => kind === KIND.BwRefill && store.quota.isBelow(group, a),
      dueNs,
    ),
  );
}
