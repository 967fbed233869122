// Spin locks of user space: for which one a task spins at an instant, who holds it, and since when
// that task is preempted. Read off rows when asked for, which is seldom. True of one run; must not
// know where its words appear.

import { CPU_STATE, FIELD, KIND, NONE } from "../../engine/gen/catalogue.ts";
import { fieldOf } from "../../lib/bit-field.ts";
import { counted } from "../../lib/count.ts";
import { formatNs } from "../../lib/format.ts";
import type { CpuLane } from "../trace/lane.ts";
import type { TraceStore } from "../trace/trace-store.ts";

/** What a spinning task waits for. */
export interface UserSpin {
  /** The lock's number in rows. */
  readonly lock: number;
  /** The row that says the spin begins. */
  readonly row: number;
  /** Undefined while the lock is free. */
  readonly holder: number | undefined;
  /** The row that last said who has it. */
  readonly heldRow: number | undefined;
  /** The holder's preemption, while it waits for a CPU. */
  readonly outRow: number | undefined;
}

/** A stretch in which the holder of a lock is preempted. */
export interface HolderOut {
  readonly row: number;
  readonly lock: number;
  readonly holder: number;
  readonly cpu: number;
  readonly fromNs: number;
  /** When it runs again, or the run's end so far. */
  readonly toNs: number;
}

const KINDS = [KIND.UserSpin, KIND.UserLockOwner];
const OUTS = [KIND.UserLockOut, KIND.SchedSwitch];
/** Rows looked back at: what lies further back than this is not named. */
const BACK_ROWS_MAX = 200_000;

/** "spin lock", "spin lock of CPU 3". */
export function userLockName({ shape }: TraceStore, lock: number): string {
  const object = fieldOf(FIELD.UserLock, lock);
  const name = shape.objects?.find(({ id }) => id === object)?.name ?? `lock ${String(object)}`;
  const cpu = fieldOf(FIELD.UserLockCpu, lock);
  return cpu === 0 ? name : `${name} of CPU ${String(cpu)}`;
}

/** The lock that `task` spins for at `ns`, if it spins. */
export function userSpinAt(store: TraceStore, task: number, ns: number): UserSpin | undefined {
  const { events } = store;
  const row = lastOf(
    store,
    KINDS,
    ns,
    (at) => events.kind.at(at) === KIND.UserSpin && events.b.at(at) === task,
  );
  if (row === undefined) return undefined;
  const lock = events.a.at(row);
  const heldRow = lastOf(
    store,
    KINDS,
    ns,
    (at) => events.kind.at(at) === KIND.UserLockOwner && events.a.at(at) === lock,
  );
  const owner = heldRow === undefined ? NONE : events.b.at(heldRow);
  const holder = owner === NONE ? undefined : owner;
  return {
    lock,
    row,
    holder,
    heldRow,
    outRow: holder === undefined ? undefined : outAt(store, lock, holder, ns),
  };
}

/** The row of the preemption that still keeps the holder off its CPU at `ns`. */
function outAt(store: TraceStore, lock: number, holder: number, ns: number): number | undefined {
  const { events } = store;
  const isOut = (at: number): boolean =>
    events.kind.at(at) === KIND.UserLockOut &&
    events.a.at(at) === lock &&
    events.b.at(at) === holder;
  const last = lastOf(
    store,
    OUTS,
    ns,
    (at) => isOut(at) || (events.kind.at(at) === KIND.SchedSwitch && events.b.at(at) === holder),
  );
  return last !== undefined && isOut(last) ? last : undefined;
}

/** The last row of the kinds, at or before `ns`, that is wanted. */
function lastOf(
  { events }: TraceStore,
  kinds: readonly number[],
  ns: number,
  wanted: (row: number) => boolean,
): number | undefined {
  const rows = events.rowsOf(kinds);
  const last = rows.firstAt(Math.floor(ns) + 1) - 1;
  for (let index = last; index >= Math.max(0, last - BACK_ROWS_MAX); index -= 1)
    if (wanted(rows.at(index))) return rows.at(index);
  return undefined;
}

/** When the holder that a row says is preempted runs again. */
export function holderOut(store: TraceStore, row: number): HolderOut {
  const { events } = store;
  const [lock, holder, fromNs] = [events.a.at(row), events.b.at(row), events.time.at(row)];
  const rows = events.rowsOf(OUTS);
  let toNs = store.endNs;
  const first = rows.firstAt(fromNs);
  for (let index = first; index < Math.min(rows.count, first + BACK_ROWS_MAX); index += 1) {
    const at = rows.at(index);
    if (at <= row || events.kind.at(at) !== KIND.SchedSwitch || events.b.at(at) !== holder)
      continue;
    toNs = events.time.at(at);
    break;
  }
  return { row, lock, holder, cpu: events.cpu.at(row), fromNs, toNs };
}

/**
 * The stretches in [fromNs, toNs) in which the holder of `lock` is preempted. A lock has one
 * holder: of those before, only the last may go on.
 */
export function holderOutsIn(
  store: TraceStore,
  lock: number,
  fromNs: number,
  toNs: number,
): readonly HolderOut[] {
  const { events } = store;
  const rows = events.rowsOf([KIND.UserLockOut]);
  const isOf = (row: number): boolean => events.a.at(row) === lock;
  const before = lastOf(store, [KIND.UserLockOut], fromNs - 1, isOf);
  const first = rows.firstAt(Math.ceil(fromNs));
  const inside = Array.from(
    { length: Math.max(0, rows.firstAt(Math.ceil(toNs)) - first) },
    (_, index) => rows.at(first + index),
  );
  const found = [...(before === undefined ? [] : [before]), ...inside.filter(isOf)].map((row) =>
    holderOut(store, row),
  );
  return found.filter((out) => out.toNs > fromNs);
}

/** The CPU that the holder runs on at `ns`, or was preempted on. */
export function holderCpu(
  store: TraceStore,
  { holder, outRow }: UserSpin,
  ns: number,
): number | undefined {
  const { events } = store;
  if (outRow !== undefined) return events.cpu.at(outRow);
  const row = lastOf(
    store,
    OUTS,
    ns,
    (at) => events.kind.at(at) === KIND.SchedSwitch && events.b.at(at) === holder,
  );
  return row === undefined ? undefined : events.cpu.at(row);
}

/**
 * "spin lock: 14 CPUs spin, held by backend.7, preempted for 412 µs": of the lock that a task on
 * some CPU spins for; undefined where none ever did.
 */
export function userLockWords(store: TraceStore, ns: number): string | undefined {
  const { lanes, events } = store;
  if (events.rowsOf([KIND.UserSpin]).count === 0) return undefined;
  const spinning = lanes.flatMap((lane) => spinnerOn(store, lane, ns) ?? []);
  const spin = spinning[0] === undefined ? undefined : userSpinAt(store, spinning[0], ns);
  if (spin === undefined) return "no CPU spins for a user lock at the playhead";
  const lock = `${userLockName(store, spin.lock)}: ${counted(spinning.length, "CPU")} ${spinning.length === 1 ? "spins" : "spin"}`;
  if (spin.holder === undefined) return `${lock}, nobody holds it`;
  const out =
    spin.outRow === undefined
      ? ""
      : `, preempted for ${formatNs(ns - events.time.at(spin.outRow), 3)}`;
  return `${lock}, held by ${store.taskName(spin.holder)}${out}`;
}

const INTERRUPTED: readonly number[] = [CPU_STATE.Softirq, CPU_STATE.Hardirq, CPU_STATE.Stopped];

/** The task that spins on a CPU: a tick that interrupts the spin does not end it. */
function spinnerOn({ endNs }: TraceStore, lane: CpuLane, ns: number): number | undefined {
  let index = lane.indexAt(ns);
  while (index > 0 && INTERRUPTED.includes(lane.slice(index, endNs).state)) index -= 1;
  const slice = index < 0 ? undefined : lane.slice(index, endNs);
  return slice?.state === CPU_STATE.UserSpin ? slice.task : undefined;
}

/** "for spin lock, held by backend.7, which is preempted since 12.3 ms". */
export function userSpinWords(store: TraceStore, task: number | undefined, ns: number): string {
  const spin = task === undefined ? undefined : userSpinAt(store, task, ns);
  if (spin === undefined) return "for a lock";
  const lock = `for ${userLockName(store, spin.lock)}`;
  if (spin.holder === undefined) return `${lock}, which nobody holds now`;
  const out =
    spin.outRow === undefined
      ? ""
      : `, which is preempted since ${formatNs(store.events.time.at(spin.outRow), 6)}`;
  return `${lock}, held by ${store.taskName(spin.holder)}${out}`;
}
