// Run queues that hold more than they run while other CPUs have nothing, after SchedViz. True of a
// run that is done; must not know pixels.

import { KIND, NONE } from "../../engine/gen/catalogue.ts";
import { u16Column } from "../../lib/column.ts";
import { LevelTrack } from "../trace/level-track.ts";
import type { TraceStore } from "../trace/trace-store.ts";
import { staysRunnable } from "./stays.ts";
import { Queues } from "./queues.ts";

/** CPU time of a whole run, ns. */
export interface OverloadSums {
  readonly idleNs: number;
  readonly lostNs: number;
}

/**
 * The one definition of these figures, at each instant, after all rows of that instant:
 *
 * - A task is **runnable** on a run queue from its sched_wakeup there until it sleeps, the time it
 *   runs included. While its group is
 *   throttled on that CPU, or the RT class of that CPU is and the task is RT, a task that does not
 * run is not runnable. A task that
 *   leaves a CPU and is never heard of again sleeps.
 * - A task **waits** if it is runnable and does not run.
 * - A CPU is **idle** if nothing is runnable there: the kernel's `idle_cpu()`. It may still serve
 *   interrupts.
 * - A CPU is **overloaded** if two or more tasks are runnable there: the kernel's `rq->nr_running >
 *   1`.
 * - **Idle while overloaded** are the idle CPUs on which some task that waits on an overloaded CPU
 *   may run, by the affinity it had at the
 *   start of the run. `idleNs` is their CPU time: one waiting task makes all idle CPUs count that
 * it may run on.
 * - **Lost work** is the lesser of that number of CPUs and the number of waiting tasks that make
 *   them count: `lostNs` is how much CPU time
 *   those tasks could have had elsewhere at most.
 *
 * Costs of a migration, partitions, migrate_disable and what a live write did to affinities are not
 * looked at.
 */
export class Overload {
  /** Runnable tasks on all run queues. */
  readonly runnable: LevelTrack;
  /** CPUs with two or more of them. */
  readonly overloaded: LevelTrack;
  /** CPUs idle while overloaded. */
  readonly idle: LevelTrack;
  private readonly queues: Queues;
  private readonly stays: ReturnType<typeof staysRunnable>;
  private row = 0;
  private atNs = 0;
  private lost = 0;
  private idleNs = 0;
  private lostNs = 0;
  private done = false;

  /** `store` must be complete: what follows a row decides what the row meant. */
  constructor(private readonly store: TraceStore) {
    const { events } = store;
    this.runnable = new LevelTrack(events, u16Column);
    this.overloaded = new LevelTrack(events, u16Column);
    this.idle = new LevelTrack(events, u16Column);
    this.queues = new Queues(store.shape);
    this.stays = staysRunnable(events);
  }

  get bytes(): number {
    return this.runnable.bytes + this.overloaded.bytes + this.idle.bytes;
  }

  /**
   * Reads up to `rows` further rows, so that a long run is read without holding up the page; true
   * once all are read.
   */
  advance(rows: number): boolean {
    const left = this.stays.advance(rows);
    if (left <= 0 || this.done) return this.done;
    const { time, count } = this.store.events;
    const until = Math.min(count, this.row + left);
    for (; this.row < until; this.row += 1) {
      const ns = time.data[this.row] ?? 0;
      this.pass(ns);
      this.take(this.row);
      if (time.data[this.row + 1] !== ns || this.row + 1 === count) this.settle();
    }
    if (this.row < count) return false;
    this.pass(this.store.endNs);
    this.done = true;
    return true;
  }

  /** Sums of the run as far as it was read: of the whole run once `advance` has said so. */
  sums(): OverloadSums {
    return { idleNs: this.idleNs, lostNs: this.lostNs };
  }

  /** What was settled last holds until `ns`. */
  private pass(ns: number): void {
    this.idleNs += this.idle.last * (ns - this.atNs);
    this.lostNs += this.lost * (ns - this.atNs);
    this.atNs = ns;
  }

  private take(row: number): void {
    const { kind, cpu, a, b } = this.store.events;
    const [on, first, second] = [cpu.data[row] ?? 0, a.data[row] ?? NONE, b.data[row] ?? NONE];
    switch (kind.data[row]) {
      case KIND.SchedWakeup:
      case KIND.WakeupNew:
        return this.queues.enqueue(first, second);
      case KIND.SchedSwitch:
        return this.queues.change(on, first, this.stays.after(row), second);
      case KIND.MigrateTask:
        return this.queues.move(first, second);
      case KIND.BwThrottle:
      case KIND.BwUnthrottle:
        return this.queues.throttle(on, first, kind.data[row] === KIND.BwThrottle);
      case KIND.RtThrottle:
      case KIND.RtUnthrottle:
        return this.queues.throttleRt(on, kind.data[row] === KIND.RtThrottle);
      default:
    }
  }

  /**
   * All rows of an instant are taken: only now the numbers hold, for a switch takes a task from a
   * queue and puts one there.
   */
  private settle(): void {
    const now = this.queues.count();
    for (const [track, value] of [
      [this.runnable, now.runnable],
      [this.overloaded, now.overloaded],
      [this.idle, now.idle],
    ] as const) {
      if (track.last !== value) track.push(this.row, value);
    }
    this.lost = now.lost;
  }
}
