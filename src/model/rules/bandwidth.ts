// The rules of quotas, and of the limit on RT tasks, by record kind.

import type { KIND } from "../../engine/gen/catalogue.ts";
import {
  SLACK_TIMER_ARMED,
  SLACK_TIMER_FIRED,
  SLACK_TIMER_IDLE,
  SLACK_TIMER_NEAR,
} from "../../engine/gen/codes.ts";
import { at, by, rule, where } from "./kernel-place.ts";
import type { RulesOfKind } from "./ways.ts";

const PERIOD = [at("do_sched_cfs_period_timer", "fair", "3.2")];
const REFILL = [by("a9cf55b28610", at("__refill_cfs_bandwidth_runtime", "fair", "3.2"))];
const RETURN = [by("d8b4986d3dbc", at("__return_cfs_rq_runtime", "fair", "3.2"))];
const DISTRIBUTE = [at("distribute_cfs_runtime", "fair", "3.2")];
const SLACK_START = [by("d8b4986d3dbc", at("start_cfs_slack_bandwidth", "fair", "3.2"))];
const SLACK_RUN = rule(
  "The slack timer hands returned run time to throttled run queues before the next refill.",
  "docs/model/bandwidth.md#slack-timer",
  by("d8b4986d3dbc", at("do_sched_cfs_slack_timer", "fair", "3.2")),
);
const POOL = [
  by("ab84d31e1550", at("struct cfs_bandwidth", "kernel/sched.c", "3.2", "3.2")),
  by("ab84d31e1550", at("struct cfs_bandwidth", "kernel/sched/sched.h", "3.16")),
];
const SILO = [
  by("ab84d31e1550", at("struct cfs_rq", "kernel/sched.c", "3.2", "3.2")),
  by("ab84d31e1550", at("struct cfs_rq", "kernel/sched/sched.h", "3.16")),
];
export const THROTTLE = rule(
  "A run queue of the group that has no run time and finds the pool empty leaves its CPU until it is given some.",
  "docs/model/bandwidth.md#throttle",
  by("85dac906bec3", at("throttle_cfs_rq", "fair", "3.2", "6.13")),
  by("e1fad12dcb66", at("throttle_cfs_rq", "fair", "6.18")),
);
export const RT_THROTTLED = rule(
  "Once RT tasks used up the runtime of their period, no RT task may run on the CPU.",
  "docs/model/bandwidth.md#rt-throttling",
  ...where(
    "kernel.rt_throttle",
    ["off", "950_1000_share", "950_1000_noshare"],
    [at("sched_rt_runtime_exceeded", "rt", "2.6.25")],
  ),
  ...where(
    "kernel.rt_throttle",
    ["dl_server_6_12"],
    [by("a110a81c52a9", at("dl_server_timer", "kernel/sched/deadline.c", "6.12"))],
  ),
);

/** A rule for every record kind of bandwidth control. */
export const BANDWIDTH: {
  readonly [name in Extract<keyof typeof KIND, `Bw${string}`>]: RulesOfKind<name>;
} = {
  BwPool: rule(
    "The group's pool is cfs_bandwidth.runtime; who takes, returns or refills writes it.",
    "docs/model/bandwidth.md#pool-and-silo",
    ...POOL,
  ),
  BwSilo: rule(
    "A CPU's share of the group's run time is cfs_rq.runtime_remaining, charged as the group runs.",
    "docs/model/bandwidth.md#pool-and-silo",
    ...SILO,
  ),
  BwRefill: rule(
    "The period timer sets the pool to a period's quota.",
    "docs/model/bandwidth.md#refill",
    ...REFILL,
  ),
  BwTake: rule(
    "A run queue of the group that used up its run time takes a slice from the pool.",
    "docs/model/bandwidth.md#take",
    by("ec12cb7f31e2", at("assign_cfs_rq_runtime", "fair", "3.2", "7.1")),
    by("f666241e6bd5", at("__assign_cfs_rq_runtime", "fair", "7.2")),
  ),
  BwReturn: rule(
    "The last task of the group on this CPU sleeps: all but a minimum goes back to the pool.",
    "docs/model/bandwidth.md#return",
    ...RETURN,
  ),
  BwExpire: rule(
    "The refill sets the pool and does not add to it: what was left is gone.",
    "docs/model/bandwidth.md#refill",
    ...REFILL,
  ),
  BwExpireSilo: rule(
    "Run time of a period that is over expires on the CPU.",
    "docs/model/bandwidth.md#expiry",
    by("a9cf55b28610", at("expire_cfs_rq_runtime", "fair", "3.2", "4.19")),
  ),
  BwDrop: rule(
    "Run time of a period that is over is not returned to the pool.",
    "docs/model/bandwidth.md#expiry",
    by("a9cf55b28610", at("__return_cfs_rq_runtime", "fair", "3.2", "4.19")),
  ),
  BwThrottle: THROTTLE,
  BwUnthrottle: rule(
    "The group's run queue has run time again and comes back to its CPU.",
    "docs/model/bandwidth.md#distribution",
    at("unthrottle_cfs_rq", "fair", "3.2"),
  ),
  BwDistBegin: rule(
    "The pool is handed out to the throttled run queues of the group, one after the other.",
    "docs/model/bandwidth.md#distribution",
    ...DISTRIBUTE,
  ),
  BwStep: rule(
    "A throttled run queue gets its debt and 1 ns, so that it may run.",
    "docs/model/bandwidth.md#distribution",
    ...DISTRIBUTE,
  ),
  BwDistEnd: rule(
    "The pool is empty, or no run queue of the group is throttled any more.",
    "docs/model/bandwidth.md#distribution",
    ...DISTRIBUTE,
  ),
  BwDoubleSpend: rule(
    "A copy of the pool was handed out while others took from the pool: what both took is spent twice.",
    "docs/model/bandwidth.md#quota-pathologies",
    by("c06f04c70489", at("do_sched_cfs_period_timer", "fair", "3.17", "5.4")),
  ),
  BwBurst: rule(
    "The period that ends used more than one quota, from run time saved before.",
    "docs/model/bandwidth.md#refill",
    by("f4183717b370", at("__refill_cfs_bandwidth_runtime", "fair", "5.14")),
  ),
  BwSlack: {
    [SLACK_TIMER_ARMED]: rule(
      "Returned run time arms the slack timer, if throttled run queues could use it.",
      "docs/model/bandwidth.md#slack-timer",
      ...SLACK_START,
    ),
    [SLACK_TIMER_FIRED]: SLACK_RUN,
    [SLACK_TIMER_IDLE]: SLACK_RUN,
    [SLACK_TIMER_NEAR]: SLACK_RUN,
  },
  BwIdle: rule(
    "A period without throttled run queues; after the second one the timer stops.",
    "docs/model/bandwidth.md#period-timer",
    ...PERIOD,
  ),
  BwSlackSkip: rule(
    "Returned run time does not arm the slack timer.",
    "docs/model/bandwidth.md#slack-timer",
    ...SLACK_START,
  ),
};
