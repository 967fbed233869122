// Whether a task that leaves a CPU still wants it. sched_switch does not say; what the task does
// next does, as in trace/waits.ts.

import { KIND, NONE } from "../../engine/gen/catalogue.ts";
import type { EventTable } from "../trace/events.ts";

export interface Stays {
  /** Reads up to so many rows; how many of them were not needed: 0 or less while rows are left. */
  advance(rows: number): number;
  /** Whether the previous task of a sched_switch row stays runnable. Needs all rows read. */
  after(row: number): boolean;
}

/** Over the rows that there are at the call. */
export function staysRunnable({ kind, a, b, count }: EventTable): Stays {
  const stays = new Uint8Array(count);
  /** By task: the row at which it left, + 1; 0 once it is known what that was. */
  const left: number[] = [];
  let row = 0;
  const still = (task: number): void => {
    const at = left[task] ?? 0;
    if (at > 0) stays[at - 1] = 1;
    left[task] = 0;
  };
  const read = (at: number): void => {
    const first = a.data[at] ?? NONE;
    switch (kind.data[at]) {
      case KIND.SchedWaking:
        left[first] = 0;
        break;
      case KIND.MigrateTask:
        still(first);
        break;
      case KIND.SchedSwitch: {
        const next = b.data[at] ?? NONE;
        if (first !== NONE) left[first] = at + 1;
        if (next !== NONE) still(next);
        break;
      }
      default:
    }
  };
  return {
    advance: (rows) => {
      const until = Math.min(count, row + rows);
      const unused = rows - (until - row);
      for (; row < until; row += 1) read(row);
      return row < count ? 0 : unused;
    },
    after: (at) => stays[at] === 1,
  };
}
