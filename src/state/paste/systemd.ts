// CPUQuota= of systemd: a share of one CPU in percent, with CPUQuotaPeriodSec= and CPUWeight= beside it; in a unit file, in a drop-in, in
// `systemctl set-property` or behind `systemd-run -p`.

import {
  assumedWith,
  cpuMaxCommand,
  followsOf,
  LEAST_US,
  limitScenario,
  limitWords,
  PERIOD_US,
  withoutLimit,
  wrongLimit,
  type Limit,
} from "./quota.ts";
import { quoted, refused, type Reading } from "./understood.ts";

const LANGUAGE = "systemd CPUQuota=";

const UNITS_US: Readonly<Record<string, number>> = {
  us: 1,
  µs: 1,
  usec: 1,
  ms: 1_000,
  msec: 1_000,
  "": 1_000_000,
  s: 1_000_000,
  sec: 1_000_000,
};
/** systemd keeps the period between these. */
const PERIOD_RANGE_US = [LEAST_US, 1_000_000] as const;

export function readSystemd(text: string): Reading | undefined {
  const quota = quotaOf(text);
  if (quota === undefined) return undefined;
  if (quota === "" || quota === "infinity")
    return withoutLimit(
      LANGUAGE,
      "The unit has no CPUQuota: it has no CPU limit of its own.",
      ["A slice above the unit may have a limit, which then counts."],
      [],
    );
  const limit = limitOf(text, quota);
  if (typeof limit === "string") return refused(LANGUAGE, limit);
  const wrong = wrongLimit(limit);
  if (wrong !== undefined) return refused(LANGUAGE, wrong);
  const percent = Math.round((limit.quotaUs * 100) / limit.periodUs);
  return {
    kind: "understood",
    language: LANGUAGE,
    what: `The unit may use ${limitWords(limit)}: cpu.max “${limit.quotaUs} ${limit.periodUs}”.`,
    follows: followsOf(limit),
    unknown: ["A slice above the unit may have a smaller limit, which then counts.", ...assumedWith(limit)],
    opens: limitScenario("unit", limit, `CPUQuota=${percent}%`),
    commands: [
      { line: `sudo systemctl set-property --runtime UNIT.service CPUQuota=${percent}%`, needs: "root" },
      { line: `systemd-run --user --scope -p CPUQuota=${percent}% COMMAND`, needs: undefined },
      cpuMaxCommand(limit),
    ],
  };
}

/** The limit alone, for texts that hold more. */
export function limitOfSystemd(text: string): Limit | undefined {
  const quota = quotaOf(text);
  const limit = quota === undefined ? undefined : limitOf(text, quota);
  return typeof limit === "object" ? limit : undefined;
}

/** The last assignment counts, as in a unit with drop-ins; an empty one takes back what stood before. */
function valueOf(text: string, key: string): string | undefined {
  return [...text.matchAll(new RegExp(`(?:^|[\\s"'])${key}=[^\\S\\n]*([^\\s"';#]{0,40})`, "g"))].at(-1)?.[1];
}

/** CPUQuota= as written, or in percent what `systemctl show` prints of it: "CPUQuotaPerSecUSec=1s 500ms". */
function quotaOf(text: string): string | undefined {
  const written = valueOf(text, "CPUQuota");
  const shown = /(?:^|\n)CPUQuotaPerSecUSec=([\w. ]{1,60})/.exec(text)?.[1]?.trim();
  if (written !== undefined || shown === undefined || shown === "infinity") return written ?? shown;
  const us = shown.split(" ").reduce((sum, part) => sum + timeUs(part), 0);
  return Number.isFinite(us) ? `${String(us / 10_000)}%` : shown;
}

/** "1.5s" in us; NaN where it is no time. */
function timeUs(text: string): number {
  const [, number, unit = ""] = /^(\d{1,9}(?:\.\d{1,6})?)([a-zµ]*)$/.exec(text) ?? [];
  return Number(number) * (UNITS_US[unit] ?? Number.NaN);
}

/** A sentence where systemd would refuse it. */
function limitOf(text: string, quota: string): Limit | string {
  const [, percent] = /^(\d{1,9}(?:\.\d{1,2})?)%$/.exec(quota) ?? [];
  if (percent === undefined || Number(percent) <= 0) return `CPUQuota is ${quoted(quota)}; expected percent of one CPU such as 150%.`;
  const stated = valueOf(text, "CPUQuotaPeriodSec") ?? valueOf(text, "CPUQuotaPeriodUSec");
  const periodUs = stated === undefined || stated === "" || stated === "infinity" ? PERIOD_US : timeUs(stated);
  if (!Number.isFinite(periodUs)) return `CPUQuotaPeriodSec is ${quoted(stated ?? "")}; expected a time such as 10ms.`;
  const weight = Number(valueOf(text, "CPUWeight"));
  // As systemd does it: the period grows until the quota is 1 ms, which is the least the kernel takes.
  const [least, most] = PERIOD_RANGE_US;
  const period = Math.min(most, Math.max(least, Math.round(periodUs), Math.ceil((LEAST_US * 100) / Number(percent))));
  return {
    quotaUs: Math.round((period * Number(percent)) / 100),
    periodUs: period,
    burstUs: 0,
    weight: Number.isInteger(weight) && weight >= 1 && weight <= 10_000 ? weight : undefined,
  };
}
