// What of a workload no tool does on a real machine, each in one sentence with what comes closest.

import type { RunMeta } from "../../engine/gen/types.ts";
import { keysOf } from "../knobs/knob-values.ts";
import { hasTasks, rtAppFiles } from "./rt-app-file.ts";

/** Generators that are no program of their own; those that are have a line (programs.ts). */
export const NO_TOOL: Readonly<Record<string, string>> = {
  rt_noise: "No tool does what rt_noise does: an rt-app task of SCHED_FIFO that runs briefly on a timer comes closest.",
  burst_sleep: "No package has burst_sleep: the Go program in kubernetes issue 67577 does the same.",
  web: "No tool does what web does: a load generator with a fixed rate, such as wrk2, before a service of your own comes closest.",
  thread_pool:
    "No tool does what thread_pool does: a load generator with a fixed rate, such as wrk2, before a service with as many workers comes closest.",
  gc_burst: "No tool does what gc_burst does: an rt-app task with “instance”, “run” and a “timer” of the same period comes closest.",
  database: "No tool does what database does: PostgreSQL under pgbench, with as many clients as backends, comes closest.",
  softirq: "No tool leaves tasklets behind at a set rate, which takes kernel code: a flood of packets to one CPU comes closest.",
  smi: "No tool raises SMIs: hwlatdetect finds those that the firmware raises.",
  steal: "No tool in a guest takes time from its CPUs: stress-ng on the host, on the guest’s CPUs, comes closest.",
  device_irq: "No tool makes a device interrupt at a set rate: ping -f to a network card whose interrupts go to these CPUs comes closest.",
  rcu: "No tool queues RCU callbacks at a set rate: stress-ng --dentry comes closest.",
};

const NO_RT_APP =
  "No tool plays these tasks: they depend on each other across groups, or on an event that rt-app does not have; rt-app’s grammar comes closest.";

/** A sentence for each part of the workload of a run that has neither a command line nor a file for rt-app. */
export function withoutTool(file: Readonly<Record<string, unknown>>, meta: Pick<RunMeta, "knobs" | "duration_ns">): readonly string[] {
  const parts = new Set(meta.knobs.flatMap(({ path }) => (path.startsWith("workload.") ? keysOf(path).slice(1, 2) : [])));
  const made = Object.entries(NO_TOOL).flatMap(([name, words]) => (parts.has(name) ? [words] : []));
  return hasTasks(file) && rtAppFiles(file, meta).length === 0 ? [...made, NO_RT_APP] : made;
}
