import { expect, test } from "vitest";
import type { GroupMetrics } from "../../engine/gen/types.ts";
import { whyThrottled } from "./throttle-words.ts";

const ms = (n: number): number => n * 1_000_000;
const group = (own: Partial<GroupMetrics>): GroupMetrics => ({
  adjusted_ns: 0, burst_ns: 0, double_spent_ns: 0, dropped_ns: 0, entitled_ns: ms(1_000), expired_ns: 0, granted_ns: ms(1_000), in_walk_ns: 0,
  lock_acquisitions: 0, max_period_usage_ns: 0, nr_bursts: 0, nr_periods: 10, nr_throttled: 4, pool_ns: 0, silo_ns: 0, throttled_local_ns: 0,
  throttled_ns: 0, usage_ns: ms(500), ...own,
}); // prettier-ignore

test("the reason is what the books say: demand, loss on CPUs, or a burst; what a refill throws away of the pool is no loss of the group", () => {
  expect(
    whyThrottled(group({ usage_ns: ms(1_090), granted_ns: ms(1_100) }), ms(100), ms(300)),
  ).toBe(
    "Throttled in 40.0 % of the periods that the kernel counted (4 of 10), because it wants more than its limit: it used 1.09 s of the 1.1 s granted, the full pool at the start included.",
  );
  expect(whyThrottled(group({ expired_ns: ms(400) }), ms(100), ms(250))).toContain(
    "because 250 ms of run time, 25.0 % of what was granted, expired unused",
  );
  expect(whyThrottled(group({ expired_ns: ms(400) }), ms(100), 0)).toContain(
    "because it uses up the quota of 100 ms before such a period ends, though in the time of the run it used only 50.0 % of its limit.",
  );
});

test("where fewer periods were counted than the run had time for, both shares stand with the reason why they differ", () => {
  expect(
    whyThrottled(group({ nr_periods: 4, nr_throttled: 2, usage_ns: ms(120) }), ms(100), 0),
  ).toBe(
    "Throttled in 50.0 % of the periods that the kernel counted (2 of 4), because it uses up the quota of 100 ms before such a period ends, though in the time of the run it used only 12.0 % of its limit. While the group sleeps, the kernel counts no period.",
  );
});

test("a group that was not throttled, or has no period, needs no reason", () => {
  expect(whyThrottled(group({ nr_throttled: 0 }), ms(100), 0)).toBe(
    "Not throttled in any of 10 periods.",
  );
  expect(whyThrottled(group({ nr_periods: 0, nr_throttled: 0 }), undefined, 0)).toBe(
    "No period of the limit was counted.",
  );
});
