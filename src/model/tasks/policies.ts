// What the page asks of a scheduling policy. The table has an answer for every policy that a
// run can have, so a new one does not compile before it has one too.

import type { TaskInfo } from "../../engine/gen/types.ts";

type Policy = TaskInfo["policy"];

const REAL_TIME: Readonly<Record<Policy, boolean>> = {
  SCHED_FIFO: true,
  SCHED_RR: true,
  SCHED_OTHER: false,
  SCHED_IDLE: false,
};

/** Whether the task's own policy is real-time, whatever priority it inherits. */
export function isRealTime({ policy }: Pick<TaskInfo, "policy">): boolean {
  return REAL_TIME[policy];
}
