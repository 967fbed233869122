// What a CPU does at an instant, in words: tooltips, spoken rows. True of one instant; must not know where the words appear.

import { CPU_STATE } from "../engine/gen/catalogue.ts";
import { assertUnreachable } from "../lib/unreachable.ts";
import { speakNs } from "../lib/format.ts";
import type { TraceStore } from "./trace-store.ts";
import type { Slice } from "./types.ts";

/** Where a CPU stands in the queue for a lock, counted from 1. */
interface SpinPlace {
  readonly lock: number;
  readonly place: number;
  readonly of: number;
  readonly holder: number | undefined;
}

/** The lock `cpu` waits for at `ns`, if it waits for one. */
function spinPlace(store: TraceStore, cpu: number, ns: number): SpinPlace | undefined {
  for (let lock = 0; lock < store.shape.locks.length; lock += 1) {
    const track = store.locks.lock(lock);
    if (track === undefined || track.peak.depth === 0) continue;
    const { queue, holder } = track.at(ns);
    const place = queue.indexOf(cpu);
    if (place >= 0) return { lock, place: place + 1, of: queue.length, holder };
  }
  return undefined;
}

/** "cyclictest.12 in user mode", "spinning for rq 3, 2 of 12". */
export function describeSlice(store: TraceStore, slice: Slice, ns: number): string {
  const who = slice.task === undefined ? "" : ` for ${store.taskName(slice.task)}`;
  const irq = slice.irqOff ? ", interrupts off" : "";
  return `${stateWords(store, slice, ns, who)}${irq}`;
}

/** One sentence for a screen reader: "CPU 3, spinning for rq 0 lock, 12 of 12, interrupts off, 41 to 97 microseconds". */
export function describeCpu(store: TraceStore, cpu: number, ns: number): string {
  const slice = store.cpuAt(cpu, ns);
  // A CPU has a slice from its first change on; until then it is where it began, in the idle loop.
  if (slice === undefined) return `CPU ${String(cpu)}, ${ns <= store.endNs ? "idle" : "not simulated yet"}`;
  return `CPU ${String(cpu)}, ${describeSlice(store, slice, ns)}, ${speakNs(slice.fromNs, 3)} to ${speakNs(slice.toNs, 3)}`;
}

function stateWords(store: TraceStore, slice: Slice, ns: number, who: string): string {
  switch (slice.state) {
    case CPU_STATE.Idle:
      return "idle";
    case CPU_STATE.IdleExit:
      return "leaving idle";
    case CPU_STATE.User:
      return `user code${who}`;
    case CPU_STATE.Kernel:
      return `kernel code${who}`;
    case CPU_STATE.Softirq:
      return "softirq handler";
    case CPU_STATE.Hardirq:
      return "interrupt handler";
    case CPU_STATE.Spin: {
      const spin = spinPlace(store, slice.cpu, ns);
      if (spin === undefined) return "spinning for a lock";
      return `spinning for ${store.lockName(spin.lock)} lock, ${String(spin.place)} of ${String(spin.of)}`;
    }
    default:
      return assertUnreachable(slice.state);
  }
}
