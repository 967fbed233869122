// Test support: a machine's story as text, one row a line, so that a test reads like the trace it
// is about.
//
//   0    cpu0  state    user t1          what the CPU does, and for whom; `spin!` = interrupts off,
// `kernel#` = preempt_count not 0
//   10   cpu1  wait     0                lock 0
//   30   cpu1  acq      0 20             after 20 ns of spinning
//   40   cpu1  rel      0
//   50   cpu0  waking   t1 cpu2          last ran on cpu2        60 cpu0 wakeup t1 cpu2     on
// cpu2's run queue
//   70   cpu2  switch   idle t1          previous, next          80 cpu2 migrate t1 cpu3    to cpu3
//   90   cpu0  send     cpu2 reschedule
//   90   cpu2  arrive   cpu0 reschedule 12                       sent by cpu0 12 ns ago; a fourth
// word `coalesced`
//   91   cpu2  irq      reschedule 1     handler, 1 ns after the arrival; 93 cpu2 irq_end
// reschedule
//   94   cpu0  kick     cpu3 sent 500    the tick of cpu0 asks cpu3, idle for 500 ns
//   95   cpu2  flag     t1 cpu0          need_resched set by cpu0     99 cpu2 clear t1 4    after 4
// ns
//   95   cpu2  lazy     t1 cpu0          need_resched_lazy            97 cpu2 upgrade t1 cpu2
//   96   cpu2  pass     cond_resched t1  a preemption point           98 cpu2 take return_to_user
// t1    schedule() follows
//   96   cpu2  raise    6 1              softirq 6, one item          97 cpu2 softirq 6 1    98
// cpu2 softirq_end 6 0
//   96   cpu2  user_spin 0 t1            t1 spins for lock 0 of user space; user_owner 0 t2,
// user_out 0 t2, user_spin_end t1 50
//   97   cpu2  draw     g1 50            group 1's silo takes 50 from the pool; `pool`, `silo`,
// `refill`, `return`, `throttle` and so on alike
//
// and wake-ups:   t1 0 cpu2 due 50: ipi 12, switch 8

import { CAUSES, CPU_STATES, FIELD, KIND, NONE, VECTORS } from "../../engine/gen/catalogue.ts";
import * as CODES from "../../engine/gen/codes.ts";
import { fieldPut } from "../../lib/bit-field.ts";
import type { TaskInfo } from "../../engine/gen/types.ts";
import type { TraceChunk, WakeChunk } from "../../engine/protocol.ts";
import type { RunShape } from "./trace-store.ts";

export interface Row {
  readonly ns: number;
  readonly kind: number;
  readonly cpu: number;
  readonly a: number;
  readonly b: number;
}

export interface WakeText {
  readonly task: number;
  readonly nth: number;
  readonly cpu: number;
  readonly due: number;
  readonly segments: readonly (readonly [cause: number, ns: number])[];
}

const WORDS = {
  state: KIND.CpuState,
  wait: KIND.LockWait,
  acq: KIND.LockAcq,
  rel: KIND.LockRel,
  waking: KIND.SchedWaking,
  wakeup: KIND.SchedWakeup,
  switch: KIND.SchedSwitch,
  migrate: KIND.MigrateTask,
  send: KIND.IpiSend,
  arrive: KIND.IpiArrive,
  flag: KIND.NeedResched,
  lazy: KIND.NeedReschedLazy,
  upgrade: KIND.NeedReschedUpgrade,
  pass: KIND.PreemptPoint,
  take: KIND.PreemptPoint,
  raise: KIND.SoftirqRaise,
  softirq: KIND.SoftirqEntry,
  softirq_end: KIND.SoftirqExit,
  new: KIND.WakeupNew,
  clear: KIND.NeedReschedClear,
  tick: KIND.Tick,
  pool: KIND.BwPool,
  silo: KIND.BwSilo,
  refill: KIND.BwRefill,
  draw: KIND.BwTake,
  step: KIND.BwStep,
  return: KIND.BwReturn,
  expire_silo: KIND.BwExpireSilo,
  double: KIND.BwDoubleSpend,
  slack: KIND.BwSlack,
  slack_skip: KIND.BwSlackSkip,
  change: KIND.LiveChange,
  throttle: KIND.BwThrottle,
  unthrottle: KIND.BwUnthrottle,
  expire: KIND.BwExpire,
  stop: KIND.TickStop,
  restart: KIND.TickRestart,
  irq: KIND.IrqEntry,
  irq_end: KIND.IrqExit,
  rto_set: KIND.RtoSet,
  rto_clear: KIND.RtoClear,
  pull: KIND.PullOk,
  push: KIND.PushOk,
  rt_throttle: KIND.RtThrottle,
  rt_unthrottle: KIND.RtUnthrottle,
  kick: KIND.NohzKick,
  user_spin: KIND.UserSpin,
  user_spin_end: KIND.UserSpinEnd,
  user_owner: KIND.UserLockOwner,
  user_out: KIND.UserLockOut,
  mutex_wait: KIND.ObjectWait,
  mutex_wake: KIND.ObjectWake,
  mutex_owner: KIND.MutexOwner,
  enter: KIND.NohzEnterIdle,
  exit: KIND.NohzExitIdle,
} as const;

/** The rows of a story. Throws on a word it does not know. */
export function rowsFrom(text: string): Row[] {
  return lines(text).map((line) => {
    const [ns = "", cpu = "", word = "", ...rest] = line.split(/\s+/);
    const kind = WORDS[word as keyof typeof WORDS] as number | undefined;
    if (kind === undefined) throw new Error(`unknown word "${word}" in "${line}"`);
    const [a, b] = kind === KIND.PreemptPoint ? pointOperands(word, rest) : operands(kind, rest);
    return { ns: Number(ns), kind, cpu: numberIn(cpu), a, b };
  });
}

/** The wake-ups of a story. */
export function wakesFrom(text: string): WakeText[] {
  return lines(text).map((line) => {
    const [head = "", parts = ""] = line.split(":");
    const [task = "", nth = "", cpu = "", , due = ""] = head.split(/\s+/);
    const segments = parts.split(",").map((part) => {
      const [cause = "", ns = ""] = part.trim().split(/\s+/);
      return [indexOf(CAUSES, cause), Number(ns)] as const;
    });
    return {
      task: numberIn(task),
      nth: Number(nth),
      cpu: numberIn(cpu),
      due: Number(due),
      segments,
    };
  });
}

/** Rows as the worker would send them. */
export function traceChunk(rows: readonly Row[]): TraceChunk {
  return {
    time: Float64Array.from(rows, (row) => row.ns),
    kind: Uint8Array.from(rows, (row) => row.kind),
    cpu: Uint16Array.from(rows, (row) => row.cpu),
    a: Uint32Array.from(rows, (row) => row.a),
    b: Uint32Array.from(rows, (row) => row.b),
  };
}

/** Wake-ups as the worker would send them; `segmentsBefore` = segments of earlier chunks. */
export function wakeChunk(wakes: readonly WakeText[], segmentsBefore = 0): WakeChunk {
  let end = segmentsBefore;
  const segments = wakes.flatMap((wake) => wake.segments);
  return {
    task: Uint32Array.from(wakes, (wake) => wake.task),
    nth: Uint32Array.from(wakes, (wake) => wake.nth),
    cpu: Uint16Array.from(wakes, (wake) => wake.cpu),
    due: Float64Array.from(wakes, (wake) => wake.due),
    latency: Float64Array.from(wakes, (wake) => wake.segments.reduce((sum, [, ns]) => sum + ns, 0)),
    segmentsEnd: Uint32Array.from(wakes, (wake) => (end += wake.segments.length)),
    segmentCause: Uint8Array.from(segments, ([cause]) => cause),
    segmentNs: Uint32Array.from(segments, ([, ns]) => ns),
  };
}

/** A machine of `cpus` CPUs with one lock each and tasks t0 … */
export function shapeOf(cpus: number, tasks: number, durationNs = 1e6): RunShape {
  const task = (id: number): TaskInfo => ({
    name: `t${String(id)}`,
    kind: id === 0 ? "rt_noise" : "cyclictest",
    policy: "SCHED_FIFO",
    priority: 95,
    cpus: "0",
    group: 0,
  });
  return {
    cpus,
    duration_ns: durationNs,
    tasks: Array.from({ length: tasks }, (_, id) => task(id)),
    groups: [],
    locks: Array.from({ length: cpus }, (_, cpu) => `rq ${String(cpu)}`),
  };
}

/** The numbers of a code by their names in a story: of POINT, `return_to_user`. */
export function namesOf(code: "POINT" | "KICK_OUTCOME"): ReadonlyMap<string, number> {
  const values = Object.entries(CODES).filter(([name]) => name.startsWith(`${code}_`));
  return new Map(
    values.flatMap(([name, value]) =>
      typeof value === "number" ? [[name.slice(code.length + 1).toLowerCase(), value]] : [],
    ),
  );
}

const POINTS = namesOf("POINT");
const OUTCOMES = namesOf("KICK_OUTCOME");

function numberOf(names: ReadonlyMap<string, number>, name: string): number {
  const number = names.get(name);
  if (number === undefined) throw new Error(`unknown name "${name}"`);
  return number;
}

function pointOperands(
  word: string,
  [point = "", task = ""]: readonly string[],
): readonly [a: number, b: number] {
  return [
    fieldPut(FIELD.Point, numberOf(POINTS, point)) +
      fieldPut(FIELD.PointTaken, word === "take" ? 1 : 0),
    idOr(task),
  ];
}

function operands(kind: number, words: readonly string[]): readonly [a: number, b: number] {
  const [first = "", second = "", third = "", fourth = ""] = words;
  switch (kind) {
    case KIND.CpuState: {
      const [name = "", off = ""] = first.split(/(?=[!#])/);
      return [
        indexOf(CPU_STATES, name) +
          fieldPut(FIELD.IrqOff, off.includes("!") ? 1 : 0) +
          fieldPut(FIELD.NoPreempt, off.includes("#") ? 1 : 0),
        idOr(second),
      ];
    }
    case KIND.IpiArrive:
      return [
        numberIn(first) +
          fieldPut(FIELD.IpiVector, indexOf(VECTORS, second)) +
          fieldPut(FIELD.IpiCoalesced, fourth === "coalesced" ? 1 : 0),
        Number(third),
      ];
    case KIND.IpiSend:
      return [numberIn(first), indexOf(VECTORS, second)];
    case KIND.NohzKick:
      return [
        numberIn(first) +
          fieldPut(FIELD.KickReasons, CODES.KICK_REASON_BALANCE) +
          fieldPut(FIELD.KickOutcome, numberOf(OUTCOMES, second)),
        Number(third),
      ];
    case KIND.IrqEntry:
    case KIND.IrqExit:
      return [indexOf(VECTORS, first), Number(second || "0")];
    case KIND.LockWait:
    case KIND.LockAcq:
    case KIND.LockRel:
      return [Number(first), Number(second || "0")];
    default:
      return [idOr(first), second === "" ? NONE : idOr(second)];
  }
}

/** `t3`, `cpu3` and `3` are 3; `idle` and nothing are none. */
function idOr(word: string): number {
  return word === "" || word === "idle" ? NONE : numberIn(word);
}

function numberIn(word: string): number {
  const digits = /\d+$/.exec(word);
  if (digits === null) throw new Error(`no number in "${word}"`);
  return Number(digits[0]);
}

function indexOf(table: readonly { readonly name: string }[], name: string): number {
  const index = table.findIndex((entry) => entry.name === name);
  if (index < 0) throw new Error(`unknown name "${name}"`);
  return index;
}

function lines(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
