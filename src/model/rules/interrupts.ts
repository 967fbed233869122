// The rules of interrupts, by vector.

import {
  VECTOR_CALL_FUNCTION_SINGLE,
  VECTOR_DEVICE,
  VECTOR_IRQ_WORK,
  VECTOR_LOCAL_TIMER,
  VECTOR_RESCHEDULE,
  type Vector,
} from "../../engine/gen/codes.ts";
import { at, by, rule, type Place } from "./kernel-place.ts";
import type { RulesOf } from "./ways.ts";

/** A file that moved in 5.4. */
function ipi(name: string): readonly Place[] {
  return [
    at(name, "arch/x86/kernel/smp.c", "3.2", "4.19"),
    at(name, "arch/x86/kernel/apic/ipi.c", "5.4"),
  ];
}
export const SEND_RESCHEDULE = [
  at("smp_send_reschedule", "arch/x86/kernel/smp_64.c", "2.6.24", "2.6.25"),
  ...ipi("native_smp_send_reschedule"),
];

/** What an interrupt of each vector is. */
export const IPIS: RulesOf<Vector> = {
  [VECTOR_LOCAL_TIMER]: rule(
    "The CPU's own timer interrupts it; nobody sends an IPI.",
    "docs/model/locks-and-ipis.md#interrupt-delivery",
    by("54cdfdb47f73", at("hrtimer_interrupt", "hrtimer", "2.6.24")),
  ),
  [VECTOR_RESCHEDULE]: rule(
    "A reschedule IPI makes the target look at need_resched, or at its wake-list up to 5.7.",
    "docs/model/locks-and-ipis.md#reschedule-ipi",
    ...SEND_RESCHEDULE,
  ),
  [VECTOR_CALL_FUNCTION_SINGLE]: rule(
    "A function-call IPI makes the target run the calls that were queued for it: a wake-list, or remote irq_work.",
    "docs/model/locks-and-ipis.md#one-call-list",
    ...ipi("native_send_call_func_single_ipi"),
  ),
  [VECTOR_DEVICE]: rule(
    "A device interrupts the CPU; nobody sends an IPI.",
    "docs/model/locks-and-ipis.md#interrupt-delivery",
    at("handle_irq_event_percpu", "kernel/irq/handle.c", "3.2"),
  ),
  [VECTOR_IRQ_WORK]: rule(
    "A CPU interrupts itself to run the irq_work that it queued.",
    "docs/model/locks-and-ipis.md#one-call-list",
    by("e360adbe2924", at("arch_irq_work_raise", "arch/x86/kernel/irq_work.c", "3.2")),
  ),
};

/** Their handlers. */
export const HANDLERS: RulesOf<Vector> = {
  [VECTOR_LOCAL_TIMER]: rule(
    "The timer interrupt runs the callbacks of all timers that are due.",
    "docs/model/time.md#hrtimers",
    by("54cdfdb47f73", at("hrtimer_interrupt", "hrtimer", "2.6.24")),
  ),
  [VECTOR_RESCHEDULE]: rule(
    "The handler of the reschedule IPI leaves the work to the interrupt's exit, which looks at need_resched.",
    "docs/model/locks-and-ipis.md#reschedule-ipi",
    at("scheduler_ipi", "core", "3.2", "5.7"),
    by("2a0a24ebb499", at("scheduler_ipi", "include/linux/sched.h", "5.8")),
  ),
  [VECTOR_CALL_FUNCTION_SINGLE]: rule(
    "The handler of the function-call IPI runs the calls that were queued for this CPU.",
    "docs/model/locks-and-ipis.md#one-call-list",
    by("3d4422332711", at("generic_smp_call_function_single_interrupt", "kernel/smp.c", "3.2")),
  ),
  [VECTOR_DEVICE]: rule(
    "A device's interrupt runs the handlers that its driver registered.",
    "docs/model/locks-and-ipis.md#interrupt-delivery",
    at("handle_irq_event_percpu", "kernel/irq/handle.c", "3.2"),
  ),
  [VECTOR_IRQ_WORK]: rule(
    "The handler runs the irq_work that was queued on this CPU.",
    "docs/model/locks-and-ipis.md#one-call-list",
    by("e360adbe2924", at("irq_work_run", "kernel/irq_work.c", "3.2")),
  ),
};
