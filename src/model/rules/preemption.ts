// The rules of flags and of the points where they are honoured.

import {
  POINT_COND_RESCHED,
  POINT_IRQ_EXIT,
  POINT_MIGHT_SLEEP,
  POINT_PREEMPT_ENABLE,
  POINT_RETURN_TO_USER,
  POINT_SCHEDULE_LOOP,
  type Point,
} from "../../engine/gen/codes.ts";
import { at, by, rule } from "./kernel-place.ts";
import type { RulesOf } from "./ways.ts";

export const RESCHED = [
  at("resched_task", "core", "2.6.24", "3.16"),
  by("8875125efe84", at("resched_curr", "core", "3.17")),
];
export const LAZY = [by("7c70cb94d29c", at("resched_curr_lazy", "core", "6.13"))];
export const LAZY_WAIT = rule(
  "resched_curr_lazy() asks for a switch at the next return to user; a tick turns the request into need_resched.",
  "docs/model/preemption.md#which-flag-is-set",
  ...LAZY,
);

export const USER_EXIT = [
  at("exit_to_usermode_loop", "arch/x86/entry/common.c", "4.15", "5.8"),
  by("a9f3a74a29af", at("exit_to_user_mode_loop", "kernel/entry/common.c", "5.10")),
];
export const POINTS: RulesOf<Point> = {
  [POINT_RETURN_TO_USER]: rule(
    "On its way back to user code a task calls schedule() while a flag is set.",
    "docs/model/preemption.md#preemption-points",
    ...USER_EXIT,
  ),
  [POINT_IRQ_EXIT]: rule(
    "At the end of an interrupt that met preemptible kernel code, a set need_resched leads to schedule().",
    "docs/model/preemption.md#preemption-points",
    at("preempt_schedule_irq", "core", "2.6.24"),
  ),
  [POINT_PREEMPT_ENABLE]: rule(
    "Where preempt_count falls to 0, a set need_resched leads to schedule().",
    "docs/model/preemption.md#preemption-points",
    at("preempt_schedule", "core", "2.6.24"),
  ),
  [POINT_COND_RESCHED]: rule(
    "Long kernel paths call cond_resched(), which calls schedule() where need_resched is set.",
    "docs/model/preemption.md#preemption-points",
    at("cond_resched", "core", "2.6.24", "2.6.24"),
    at("_cond_resched", "core", "2.6.25", "5.10"),
    by("b965f1ddb47d", at("__cond_resched", "core", "5.14")),
  ),
  [POINT_MIGHT_SLEEP]: rule(
    "A kernel path that may sleep says so; under voluntary preemption this is a call of cond_resched().",
    "docs/model/preemption.md#preemption-points",
    at("might_resched", "include/linux/kernel.h", "2.6.24"),
  ),
  [POINT_SCHEDULE_LOOP]: rule(
    "Before schedule() returns it looks at need_resched once more, and begins again while that is set.",
    "docs/model/preemption.md#preemption-points",
    at("schedule", "core", "2.6.24"),
  ),
};
export const RETURN_TO_USER = rule(
  "After schedule() the task goes back through the kernel's exit path to its user code.",
  "docs/model/preemption.md#preemption-points",
  ...USER_EXIT,
);
