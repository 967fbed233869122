// Why a group was throttled, in one sentence, from its books. Knows arithmetic only.

import type { GroupMetrics } from "../../engine/gen/types.ts";
import { counted } from "../../lib/count.ts";
import { fixed, formatCount, formatNs } from "../../lib/format.ts";
import { usedShare } from "./quota-books.ts";

/**
 * From this share of its entitlement on, a group that is throttled simply wants more, hundredths of
 * a per cent.
 */
const ALL_USED = 9_500;
/**
 * So much of what was granted has to be lost on CPUs before the loss is called the cause,
 * hundredths of a per cent.
 */
const MUCH_LOST = 500;

/**
 * "Throttled in 40 % of the periods that the kernel counted (4 of 10), because …". `quotaNs` at the
 * start; `lostNs`: run time that expired or was dropped on CPUs that had taken it, without what a
 * refill throws away of the pool.
 */
export function whyThrottled(
  group: GroupMetrics,
  quotaNs: number | undefined,
  lostNs: number,
): string {
  const { nr_periods: periods, nr_throttled: throttled } = group;
  if (periods === 0) return "No period of the limit was counted.";
  const of = `${formatCount(throttled)} of ${formatCount(periods)}`;
  if (throttled === 0) return `Not throttled in any of ${counted(periods, "period")}.`;
  return `Throttled in ${fixed(throttled * 100, periods, 1)} % of the periods that the kernel counted (${of}), because ${causeOf(group, quotaNs, lostNs)}.${asleepWords(group, quotaNs)}`;
}

/** Said where the share of throttled periods and the share of the limit count different times. */
function asleepWords(
  { nr_periods: periods, entitled_ns: entitledNs }: GroupMetrics,
  quotaNs = 0,
): string {
  const counted = usedShare(periods * quotaNs, entitledNs) ?? ALL_USED;
  return quotaNs > 0 && counted < ALL_USED
    ? " While the group sleeps, the kernel counts no period."
    : "";
}

function causeOf(group: GroupMetrics, quotaNs: number | undefined, lostNs: number): string {
  const used = usedShare(group.usage_ns, group.entitled_ns) ?? 0;
  const lost = usedShare(lostNs, group.granted_ns) ?? 0;
  if (used >= ALL_USED)
    return `it wants more than its limit: it used ${formatNs(group.usage_ns, 2)} of the ${formatNs(group.granted_ns, 2)} granted, the full pool at the start included`;
  if (lost >= MUCH_LOST)
    return `${formatNs(lostNs, 2)} of run time, ${fixed(lost, 100, 1)} % of what was granted, expired unused on the CPUs that had taken it`;
  const quota = quotaNs === undefined ? "the quota" : `the quota of ${formatNs(quotaNs, 2)}`;
  return `it uses up ${quota} before such a period ends, though in the time of the run it used only ${fixed(used, 100, 1)} % of its limit`;
}
