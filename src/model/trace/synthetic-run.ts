// Test support: a made-up but lawful run of any size, the same every time. Every 100 us all CPUs
// wake their cyclictest thread within a few microseconds, spin for CPU 0's lock one after another,
// and sleep again; now and then a task is pushed by IPI. Never part of the product.

import { CPU_STATE, FIELD, KIND, NONE } from "../../engine/gen/catalogue.ts";
import { VECTOR_RESCHEDULE } from "../../engine/gen/codes.ts";
import { fieldPut } from "../../lib/bit-field.ts";
import type { TraceChunk, WakeChunk } from "../../engine/protocol.ts";
import { shapeOf, traceChunk, wakeChunk } from "./trace-text.ts";
import type { Row, WakeText } from "./trace-text.ts";
import type { RunShape } from "./trace-store.ts";

export interface SyntheticRun {
  readonly shape: RunShape;
  readonly endNs: number;
  readonly trace: TraceChunk;
  readonly wakes: WakeChunk;
}

const PERIOD_NS = 100_000;
/** Interrupts off, in a row of sim_cpu_state. */
const OFF = fieldPut(FIELD.IrqOff, 1);

/**
 * How long each CPU holds the lock: all of them together are through in half a period, so that
 * no CPU queues twice.
 */
function holdNs(cpus: number): number {
  return Math.min(1_100, Math.floor((PERIOD_NS * 0.5) / cpus));
}

/** A small generator with one purpose: the same draws on every machine (xorshift, 32 bits). */
function draws(seed: number): (below: number) => number {
  let state = seed >>> 0 || 1;
  return (below) => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % below;
  };
}

/**
 * `rounds` periods on `cpus` CPUs. `herd`: how many of 100 CPUs go for the one lock each round; the
 * rest wake undisturbed.
 */
export function syntheticRun(cpus: number, rounds: number, herd: number): SyntheticRun {
  const rows: Row[] = [];
  const wakes: WakeText[] = [];
  const draw = draws(7);
  for (let cpu = 0; cpu < cpus; cpu += 1)
    rows.push({ ns: 0, kind: KIND.CpuState, cpu, a: CPU_STATE.Idle, b: NONE });
  for (let round = 0; round < rounds; round += 1) addRound(rows, wakes, round, cpus, herd, draw);
  rows.sort((one, other) => one.ns - other.ns);
  const endNs = (rounds + 1) * PERIOD_NS;
  return {
    shape: shapeOf(cpus, cpus + 1, endNs),
    endNs,
    trace: traceChunk(rows),
    wakes: wakeChunk(wakes),
  };
}

function addRound(
  rows: Row[],
  wakes: WakeText[],
  round: number,
  cpus: number,
  herd: number,
  draw: (below: number) => number,
): void {
  const start = round * PERIOD_NS + 30_000;
  const hold = holdNs(cpus);
  let freeNs = start;
  const arrivals = Array.from({ length: cpus }, (_, cpu) => ({
    cpu,
    due: start + draw(4000),
  })).sort((one, other) => one.due - other.due);
  for (const { cpu, due } of arrivals) {
    const irq = due + 400;
    const joins = draw(100) < herd;
    const asks = irq + 1500;
    const gets = joins ? Math.max(asks, freeNs) : asks;
    const put = (ns: number, kind: number, a: number, b: number, on = cpu): number =>
      rows.push({ ns, kind, cpu: on, a, b });
    put(due, KIND.CpuState, CPU_STATE.IdleExit, NONE);
    put(irq, KIND.CpuState, CPU_STATE.Hardirq + OFF, NONE);
    put(irq + 300, KIND.SchedWaking, cpu + 1, cpu);
    if (joins && gets > asks) {
      put(asks, KIND.CpuState, CPU_STATE.Spin + OFF, NONE);
      put(asks, KIND.LockWait, 0, 0);
    }
    if (joins) {
      put(gets, KIND.LockAcq, 0, gets - asks);
      put(gets + hold, KIND.LockRel, 0, 0);
      freeNs = gets + hold;
    }
    put(gets, KIND.CpuState, CPU_STATE.Kernel + OFF, NONE);
    put(gets + hold, KIND.SchedWakeup, cpu + 1, cpu);
    put(gets + hold, KIND.NeedResched, NONE, cpu);
    put(gets + hold + 50, KIND.CpuState, CPU_STATE.Kernel, NONE);
    put(gets + 2400, KIND.SchedSwitch, NONE, cpu + 1);
    put(gets + 2400, KIND.NeedReschedClear, NONE, 1300);
    put(gets + 2900, KIND.CpuState, CPU_STATE.User, cpu + 1);
    const done = gets + 2900 + 4000 + draw(20_000);
    put(done, KIND.CpuState, CPU_STATE.Kernel, cpu + 1);
    put(done + 900, KIND.SchedSwitch, cpu + 1, NONE);
    put(done + 900, KIND.CpuState, draw(6) === 0 ? CPU_STATE.Softirq : CPU_STATE.Idle, NONE);
    put(done + 3000, KIND.CpuState, CPU_STATE.Idle, NONE);
    if (draw(12) === 0) addPush(put, done, cpu, draw(cpus));
    wakes.push({
      task: cpu + 1,
      nth: round,
      cpu,
      due,
      segments: [
        [1, 400],
        [2, 1500],
        [6, gets - asks],
        [12, hold],
        [13, 2900 - hold],
      ],
    });
  }
}

function addPush(
  put: (ns: number, kind: number, a: number, b: number, on?: number) => number,
  ns: number,
  from: number,
  to: number,
): void {
  const flight = 1200;
  put(ns, KIND.IpiSend, to, VECTOR_RESCHEDULE);
  put(ns + flight, KIND.IpiArrive, from + fieldPut(FIELD.IpiVector, VECTOR_RESCHEDULE), flight, to);
  put(ns + flight, KIND.PushOk, 0, to, from);
}
