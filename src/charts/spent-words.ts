// What the kinds of a task's time are called.

import type { Spent } from "../model/tasks/spent.ts";

export const SPENT_WORDS: { readonly [what in Spent]: string } = {
  running: "running",
  kernel: "in the kernel",
  userSpin: "spinning in user code",
  spinning: "spinning for a lock",
  interrupted: "interrupted",
  waking: "being woken",
  ready: "waiting for a CPU",
  throttled: "throttled",
  lock: "waiting for a lock",
  blocked: "blocked",
  parked: "parked",
  asleep: "asleep",
};
