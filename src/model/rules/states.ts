// What the kernel does during each state of a CPU and each cause of latency.

import type { CAUSES, CPU_STATES } from "../../engine/gen/catalogue.ts";
import { SEND_RESCHEDULE } from "./interrupts.ts";
import { at, by, where, type ModelRule, type Rule } from "./kernel-place.ts";
import { RT_THROTTLED, THROTTLE } from "./bandwidth.ts";
import { LAZY_WAIT, RETURN_TO_USER } from "./preemption.ts";
import { SOFTIRQ_RUN, SPIN, USER_SPIN } from "./records.ts";

const IDLE_LOOP = [
  at("cpu_idle", "arch/x86/kernel/process_64.c", "2.6.24", "3.2"),
  at("cpu_idle_loop", "kernel/sched/idle.c", "3.16", "4.2"),
  by("c1de45ca831a", at("do_idle", "kernel/sched/idle.c", "4.15")),
];
const IRQ_ENTER = [at("irq_enter", "kernel/softirq.c", "2.6.24")];

/** No function: the kernel does not run. */
const STOPPED: Rule = {
  says: "The firmware or the host runs instead. The kernel sees nothing but a clock that has moved on.",
  model: "docs/model/time.md#hardware-noise",
  places: [],
};

/** In words of a CPU. */
export const STATES: { readonly [name in (typeof CPU_STATES)[number]["name"]]: Rule } = {
  idle: {
    says: "The CPU has nothing to run and stays in the idle loop.",
    model: "docs/model/time.md#tick-stop",
    places: IDLE_LOOP,
  },
  idle_exit: {
    says: "The CPU leaves its idle state, which takes longer the deeper the state is.",
    model: "docs/model/locks-and-ipis.md#ipi-costs",
    places: IDLE_LOOP,
  },
  user: {
    says: "The task runs its own code; the kernel does nothing.",
    model: "docs/model/accounting.md#run-time",
    places: [],
  },
  kernel: {
    says: "The CPU is in kernel code: a system call, schedule() or balancing. The events on its lane name the functions.",
    model: "docs/model/preemption.md#kernel-sections",
    places: [],
  },
  softirq: SOFTIRQ_RUN,
  hardirq: {
    says: "The CPU is in an interrupt handler; interrupts are off.",
    model: "docs/model/locks-and-ipis.md#interrupt-delivery",
    places: IRQ_ENTER,
  },
  spin: SPIN,
  stopped: STOPPED,
  user_spin: USER_SPIN,
};

/** The rule of each cause of a wake-up's latency. */
export const CAUSE_RULES: { readonly [name in (typeof CAUSES)[number]["name"]]: Rule } = {
  irq_delay: {
    says: "The timer was due while its CPU had interrupts off or was in another handler: its own handler had to wait.",
    model: "docs/model/locks-and-ipis.md#interrupts-off",
    places: [by("54cdfdb47f73", at("hrtimer_interrupt", "hrtimer", "2.6.24"))],
  },
  idle_exit: {
    says: "The CPU was in an idle state and had to leave it first.",
    model: "docs/model/locks-and-ipis.md#ipi-costs",
    places: IDLE_LOOP,
  },
  irq: {
    says: "The interrupt's entry, handler and exit ran on the CPU.",
    model: "docs/model/locks-and-ipis.md#ipi-costs",
    places: IRQ_ENTER,
  },
  softirq: SOFTIRQ_RUN,
  nonpreemptible: {
    says: "The running task held preempt_count above 0, or was in kernel code that this preemption model does not preempt.",
    model: "docs/model/preemption.md#kernel-sections",
    places: [at("preempt_schedule", "core", "2.6.24")],
  },
  lazy_wait: LAZY_WAIT,
  rq_lock_spin: SPIN,
  ipi: {
    says: "The IPI was sent and had not arrived yet.",
    model: "docs/model/locks-and-ipis.md#interrupt-delivery",
    places: SEND_RESCHEDULE,
  },
  higher_prio: {
    says: "schedule() asks the classes in their order, the highest first: a task of higher priority was there.",
    model: "docs/model/preemption.md#preemption-across-classes",
    places: [at("pick_next_task", "core", "2.6.24")],
  },
  same_class: {
    says: "Another task of the same priority ran: the fair class picks by virtual time, the RT class by order of arrival.",
    model: "docs/model/accounting.md#causes",
    places: [
      ...where("kernel.fair", ["cfs"], [at("pick_next_entity", "fair", "3.2", "6.3")]),
      ...where("kernel.fair", ["eevdf"], [by("147f3efaa241", at("pick_eevdf", "fair", "6.6"))]),
    ],
  },
  throttled: THROTTLE,
  rt_throttled: RT_THROTTLED,
  switch: {
    says: "The CPU changed from one task to the next.",
    model: "docs/model/preemption.md#resched",
    places: [at("context_switch", "core", "2.6.24")],
  },
  return_to_user: RETURN_TO_USER,
  smi: STOPPED,
  steal: STOPPED,
};

/** The rule of each finding of a run, by the finding's kind. */
export const FINDING_RULES: Readonly<Record<string, ModelRule>> = {
  breaktrace: "docs/model/programs.md#cyclictest",
  deadlock: "docs/model/programs.md#shared-objects",
  double_spend: "docs/model/bandwidth.md#quota-pathologies",
  noise_never_fired: "docs/model/programs.md#rt-noise",
  nohz_kick_lost: "docs/model/idle-balancing.md#lost-updates",
  nohz_kick_stolen: "docs/model/idle-balancing.md#lost-updates",
  nohz_lost_update: "docs/model/idle-balancing.md#lost-updates",
  rt_throttled_for_good: "docs/model/bandwidth.md#rt-throttling",
  rt_throttling_activated: "docs/model/bandwidth.md#rt-throttling",
};
