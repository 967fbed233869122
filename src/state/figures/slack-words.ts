// How much of an interrupt's delay the task's own timer slack is: the engine's cause holds both, and they have different remedies.

import { CAUSES } from "../../engine/gen/catalogue.ts";
import type { RunMeta } from "../../engine/gen/types.ts";
import { formatNs } from "../../lib/format.ts";
import type { WakeRecord, WakeSegment } from "../../model/types.ts";

/** prctl(PR_SET_TIMERSLACK) of a task that never asked: kernel/syscall.rs of the engine, init_task's 50 us of the kernel. */
const TIMER_SLACK_NS = 50_000;
const DELAY = CAUSES.findIndex(({ name }) => name === "irq_delay");

/** Words for a stretch that holds timer slack; undefined for all others. Only fair tasks have slack. */
export function slackWords(meta: RunMeta, wake: WakeRecord, segment: WakeSegment): string | undefined {
  const policy = meta.tasks[wake.taskId]?.policy;
  const fair = policy !== undefined && !["SCHED_FIFO", "SCHED_RR", "SCHED_DEADLINE"].includes(policy);
  if (!fair || segment.cause !== DELAY || segment.fromNs !== wake.dueNs) return undefined;
  // A machine whose timers were measured delivers them about so late, up to twice as much, in place of the whole slack.
  const mean = meta.costs.find(({ name }) => name === "timer_jitter_ns")?.value ?? 0;
  if (mean > 0) return `up to ${formatNs(Math.min(2 * mean, segment.ns))} of it is timer slack`;
  return segment.ns >= TIMER_SLACK_NS ? `${formatNs(TIMER_SLACK_NS)} of it is timer slack` : undefined;
}
