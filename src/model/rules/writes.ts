// The rules of what is written to the running kernel.

import { at, by, rule, type Rule } from "./kernel-place.ts";

/** The rule of a group's weight, which a record also names. */
export const WEIGHT = rule(
  "A write to the group's cpu.weight changes its share of every CPU.",
  "docs/model/fair-class.md#group-weights",
  at("sched_group_set_shares", "core", "2.6.25", "3.2"),
  at("sched_group_set_shares", "fair", "3.16"),
);

interface Write {
  /** The words of the write on the timeline. */
  readonly pattern: RegExp;
  readonly rule: Rule;
}

/**
 * What is written to the running kernel without a record of its own: a scheduler feature, the
 * preemption mode, a sysctl.
 */
export const WRITES: readonly Write[] = [
  {
    pattern: /\b(RT_PUSH_IPI|TTWU_QUEUE)\b/i,
    rule: rule(
      "A write to sched_features switches a feature of the scheduler.",
      "docs/model/accounting.md#live-writes",
      at("sched_feat_write", "core", "3.2", "4.2"),
      at("sched_feat_write", "kernel/sched/debug.c", "4.15"),
    ),
  },
  {
    pattern: /^preempt/i,
    rule: rule(
      "A write to the preempt file of PREEMPT_DYNAMIC switches the preemption model.",
      "docs/model/accounting.md#live-writes",
      by("e59e10f8ef63", at("sched_dynamic_update", "core", "5.14")),
    ),
  },
  {
    pattern: /\bsched_rt_(runtime|period)_us\b/,
    rule: rule(
      "A write to sched_rt_runtime_us changes what RT tasks may use of a period.",
      "docs/model/accounting.md#live-writes",
      by("d0b27fa77854", at("sched_rt_handler", "core", "3.2", "4.2")),
      by("d0b27fa77854", at("sched_rt_handler", "rt", "4.15")),
    ),
  },
  {
    pattern: /\bcpu\.max\b/,
    rule: rule(
      "A write to the group's cpu.max changes its quota or period.",
      "docs/model/bandwidth.md#writing-a-quota",
      by("ab84d31e1550", at("tg_set_cfs_bandwidth", "core", "3.2")),
    ),
  },
  { pattern: /\bcpu\.weight\b/, rule: WEIGHT },
];
