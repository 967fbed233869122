// cpu.stat of a group whose CPUs held run time until it expired: throttled, although the group used
// far less than its quota. The program that the box assumes elsewhere uses the whole quota before
// it is throttled; the shipped scenario of this fault opens instead.

import type { RawSet } from "../../links/link-types.ts";
import { cpuMaxOf, cpusFor, type Limit } from "./quota-scenario.ts";
import type { Opens } from "./understood.ts";

/**
 * Below this share of the quotas of the throttled periods it is far below, even if the other
 * periods used nothing.
 */
const FAR_BELOW = 0.9;

/** The lines of a cpu.stat that show held run time. */
interface Counted {
  readonly throttled: number;
  readonly usageUs: number | undefined;
  /** Counted by kernels from 5.14 on, which let nothing expire. */
  readonly bursts: number | undefined;
  readonly burstUs: number | undefined;
}

/** Whether no program that uses its quota up can have made the counters. */
export function isFarBelow({ throttled, usageUs }: Counted, { quotaUs }: Limit): boolean {
  return throttled > 0 && usageUs !== undefined && usageUs < FAR_BELOW * throttled * quotaUs;
}

/** Whether the kernel may be one whose run time expires. */
export function mayExpire({ bursts, burstUs }: Counted, limit: Limit): boolean {
  return bursts === undefined && burstUs === undefined && limit.burstUs === 0;
}

/** Why the group was throttled all the same. */
export function whyFarBelow(happened: Counted, limit: Limit): string {
  const used = "The group used less than the quotas of its throttled periods";
  return mayExpire(happened, limit)
    ? `${used}: CPUs held run time that they did not use (kernels before 5.4 let it expire), or the limit was different then.`
    : `${used}: the limit was different then. Kernels with a burst (5.14 on) let no run time expire.`;
}

/** What the box would assume otherwise is no explanation. */
export const NO_BURSTS =
  "Bursts of work did not make these figures: a burst uses the whole quota before it is throttled.";

/** What opens, with the limit that was pasted. */
export function strandedWith(limit: Limit): {
  readonly opens: Opens;
  readonly assumed: readonly string[];
} {
  const limits = limit.quotaUs / limit.periodUs;
  // More threads compute than the limit has CPUs, and as many CPUs have light threads.
  const fast = Math.floor(limits) + 1;
  const large: RawSet =
    fast === 1
      ? []
      : [
          ["machine.cpus", String(cpusFor(2 * limits, 2 * fast))],
          ["workload.fibtest.fast", String(fast)],
        ];
  const set: RawSet = [["cgroups.fibtest.cpu_max", cpuMaxOf(limit)], ...large];
  return {
    opens: { kind: "preset", slug: "quota-stranded", a: set, b: set },
    assumed: [
      NO_BURSTS,
      "The scenario “quota-stranded” opens with your limit: on A (4.19) what CPUs hold expires, on B (5.4) it does not.",
      "What runs, how many CPUs the machine has, and which kernel: its program computes, and light threads on the other CPUs take slices.",
    ],
  };
}
