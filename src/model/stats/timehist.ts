// Every stretch a task ran, as `perf sched timehist` lists them: one row each time a task leaves a
// CPU. True of switch and wake-up rows; must not know how rows are shown. The definitions are
// perf's: wait time from the last switch out to this switch in, scheduling delay from the wake-up
// to this switch in, run time from this switch in to the switch out.

import { KIND, NONE } from "../../engine/gen/catalogue.ts";
import { f64Column, u16Column } from "../../lib/column.ts";
import { upperBound } from "../../lib/search.ts";
import type { TraceStore } from "../trace/trace-store.ts";

/** One row; ns. */
export interface TimehistRow {
  /** When the task left the CPU. */
  readonly ns: number;
  readonly cpu: number;
  readonly task: number;
  /** Off the CPU before, sleeping included; 0 for a task's first run. */
  readonly waitNs: number;
  /** On a run queue before, counted from its wake-up; 0 where no wake-up led here. */
  readonly delayNs: number;
  readonly runNs: number;
}

/** Grows with its run: rows are read once, when asked for. */
export class Timehist {
  private readonly times = f64Column();
  private readonly cpus = u16Column();
  private readonly tasks = u16Column();
  private readonly waits = f64Column();
  private readonly delays = f64Column();
  private readonly runs = f64Column();
  private seen = 0;
  private longestNs = 0;
  /** By CPU: since when its task runs. */
  private readonly since: number[] = [];
  /**
   * By task: when it last left a CPU, when it was woken, and the two figures of the run it is in.
   */
  private readonly lastOut: number[] = [];
  private readonly woken: (number | undefined)[] = [];
  private readonly wait: number[] = [];
  private readonly delay: number[] = [];

  constructor(private readonly store: TraceStore) {}

  /** Rows so far. */
  get count(): number {
    this.grow();
    return this.times.length;
  }

  at(row: number): TimehistRow {
    this.grow();
    return {
      ns: this.times.at(row),
      cpu: this.cpus.at(row),
      task: this.tasks.at(row),
      waitNs: this.waits.at(row),
      delayNs: this.delays.at(row),
      runNs: this.runs.at(row),
    };
  }

  /** Rows whose run touches [fromNs, toNs) and whose task is `wanted`, in order of time. */
  rowsIn(fromNs: number, toNs: number, wanted: (task: number) => boolean): number[] {
    const found: number[] = [];
    const { count } = this;
    for (let row = upperBound(this.times.data, count, fromNs); row < count; row += 1) {
      const ns = this.times.data[row] ?? 0;
      if (ns - this.longestNs >= toNs) break;
      if (ns - (this.runs.data[row] ?? 0) < toNs && wanted(this.tasks.data[row] ?? 0))
        found.push(row);
    }
    return found;
  }

  /**
   * Row of the wake-up that a run belongs to: the last of its task that had ended by then.
   * Undefined before the first.
   */
  wakeOf(row: number): number | undefined {
    const { wakes } = this.store;
    const { task, ns } = this.at(row);
    const { rows } = wakes.ofTask(this.store.taskName(task));
    // Wake-ups of one task end in the order in which they are due.
    let low = 0;
    let high = rows.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (wakes.doneNs(rows[middle] ?? 0) <= ns) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? undefined : rows[low - 1];
  }

  private grow(): void {
    const { time, kind, cpu, a, b, count } = this.store.events;
    for (; this.seen < count; this.seen += 1) {
      const ns = time.data[this.seen] ?? 0;
      const first = a.data[this.seen] ?? NONE;
      switch (kind.data[this.seen]) {
        case KIND.SchedWakeup:
        case KIND.WakeupNew:
          this.woken[first] ??= ns;
          break;
        case KIND.SchedSwitch:
          this.leave(ns, cpu.data[this.seen] ?? 0, first);
          this.enter(ns, cpu.data[this.seen] ?? 0, b.data[this.seen] ?? NONE);
          break;
        default:
          break;
      }
    }
  }

  private leave(ns: number, cpu: number, task: number): void {
    if (task === NONE) return;
    const runNs = ns - (this.since[cpu] ?? ns);
    this.times.push(ns);
    this.cpus.push(cpu);
    this.tasks.push(task);
    this.waits.push(this.wait[task] ?? 0);
    this.delays.push(this.delay[task] ?? 0);
    this.runs.push(runNs);
    this.longestNs = Math.max(this.longestNs, runNs);
    this.lastOut[task] = ns;
  }

  private enter(ns: number, cpu: number, task: number): void {
    this.since[cpu] = ns;
    if (task === NONE) return;
    this.wait[task] = ns - (this.lastOut[task] ?? ns);
    this.delay[task] = ns - (this.woken[task] ?? ns);
    this.woken[task] = undefined;
  }
}
