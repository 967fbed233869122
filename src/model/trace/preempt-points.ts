// Where the kernel looked whether to reschedule: every preemption point passed with a flag set, and
// every cond_resched and might_sleep. True of sim_preempt_point rows; must not know pixels.

import { NONE } from "../../engine/gen/catalogue.ts";
import { f64Column, u16Column, u8Column } from "../../lib/column.ts";
import { lowerBound } from "../../lib/search.ts";
import { NO_TASK } from "./lane.ts";

/** One preemption point. */
export interface PreemptPoint {
  readonly ns: number;
  readonly cpu: number;
  /** A Point. */
  readonly point: number;
  /** schedule() followed. */
  readonly taken: boolean;
  /** A flag was set there. */
  readonly flagged: boolean;
  readonly task: number | undefined;
}

/** The bits of the point in the index's own bytes. */
const POINT_MASK = 7;
const POINT_TAKEN = 8;
const POINT_FLAGGED = 16;

/** All preemption points of one run, in time order. */
export class PointIndex {
  private readonly times = f64Column();
  private readonly cpus = u16Column();
  private readonly tasks = u16Column();
  private readonly kinds = u8Column();

  get bytes(): number {
    return this.times.bytes + this.cpus.bytes + this.tasks.bytes + this.kinds.bytes;
  }

  push(
    ns: number,
    cpu: number,
    point: number,
    taken: boolean,
    flagged: boolean,
    task: number,
  ): void {
    this.times.push(ns);
    this.cpus.push(cpu);
    this.tasks.push(task === NONE ? NO_TASK : task);
    this.kinds.push(point + (taken ? POINT_TAKEN : 0) + (flagged ? POINT_FLAGGED : 0));
  }

  /** How many points lie in [fromNs, toNs). */
  countIn(fromNs: number, toNs: number): number {
    const { data, length } = this.times;
    return lowerBound(data, length, toNs) - lowerBound(data, length, fromNs);
  }

  /** Visits every point in [fromNs, toNs), in order. */
  visit(
    fromNs: number,
    toNs: number,
    see: (ns: number, cpu: number, point: number, taken: boolean, flagged: boolean) => void,
  ): void {
    const { data, length } = this.times;
    for (let index = lowerBound(data, length, fromNs); index < length; index += 1) {
      const ns = data[index] ?? 0;
      if (ns >= toNs) return;
      const kind = this.kinds.data[index] ?? 0;
      see(
        ns,
        this.cpus.data[index] ?? 0,
        kind & POINT_MASK,
        (kind & POINT_TAKEN) !== 0,
        (kind & POINT_FLAGGED) !== 0,
      );
    }
  }

  /** The point on `cpu` nearest to `ns`, no further away than `withinNs`. */
  nearest(cpu: number, ns: number, withinNs: number): PreemptPoint | undefined {
    const { data, length } = this.times;
    let best: number | undefined;
    for (
      let index = lowerBound(data, length, ns - withinNs);
      index < length && (data[index] ?? 0) <= ns + withinNs;
      index += 1
    ) {
      if (this.cpus.data[index] !== cpu) continue;
      if (
        best === undefined ||
        Math.abs((data[index] ?? 0) - ns) < Math.abs((data[best] ?? 0) - ns)
      )
        best = index;
    }
    if (best === undefined) return undefined;
    const kind = this.kinds.at(best);
    const task = this.tasks.at(best);
    return {
      ns: this.times.at(best),
      cpu,
      point: kind & POINT_MASK,
      taken: (kind & POINT_TAKEN) !== 0,
      flagged: (kind & POINT_FLAGGED) !== 0,
      task: task === NO_TASK ? undefined : task,
    };
  }
}
