// CPUQuota= of systemd: a share of one CPU in percent, with CPUQuotaPeriodSec= and CPUWeight=
// beside it; in a unit file, in a drop-in, in `systemctl set-property` or behind `systemd-run -p`.

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
} from "./quota-scenario.ts";
import type { RealCommand } from "../write/real-command.ts";
import { listed, quoted, refused, type Reading } from "./understood.ts";

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
/** A percentage in the form that systemd takes. */
const PERCENT = /^(\d{1,9}(?:\.\d{1,2})?)%$/;
/** systemd keeps the period between these. */
const PERIOD_RANGE_US = [LEAST_US, 1_000_000] as const;

export function readSystemd(text: string): Reading | undefined {
  const quota = quotaOf(text);
  const weight = weightOf(text);
  if (quota === undefined && weight === undefined) return undefined;
  const wrongWeight = weight === undefined ? undefined : wrongWeightOf(weight);
  if (wrongWeight !== undefined) return refused(LANGUAGE, wrongWeight);
  if (quota === undefined || quota === "" || quota === "infinity")
    return withoutLimit(
      LANGUAGE,
      `The unit has no CPUQuota: it has no CPU limit of its own.`,
      [
        "A slice above the unit may have a limit, which then counts.",
        ...besideWords(text, undefined),
      ],
      [],
    );
  const limit = limitOf(text, quota);
  if (typeof limit === "string") return refused(LANGUAGE, limit);
  const wrong = wrongLimit(limit);
  if (wrong !== undefined) return refused(LANGUAGE, wrong);
  const settings = settingsOf(text, quota);
  const who = isRealTime(text) ? "The fair threads of the unit" : "The unit";
  return {
    kind: "understood",
    language: LANGUAGE,
    what: `${who} may use ${limitWords(limit)}: cpu.max “${limit.quotaUs} ${limit.periodUs}”.`,
    follows: [...realTimeWords(text), ...followsOf(limit)],
    unknown: [
      "A slice above the unit may have a smaller limit, which then counts.",
      ...besideWords(text, limit),
      ...(/\.\d/.test(settings[0] ?? "")
        ? ["Older versions of systemd take only a whole number of percent in CPUQuota=."]
        : []),
      ...assumedWith(limit),
    ],
    opens: limitScenario("unit", limit, settings.join(" ")),
    // A setting of finer steps than systemd takes came from elsewhere: no line of systemd sets the
    // same.
    commands: [...(PERCENT.test(quota) ? linesOf(settings) : []), cpuMaxCommand(limit)],
  };
}

function linesOf(settings: readonly string[]): readonly RealCommand[] {
  return [
    {
      line: `sudo systemctl set-property --runtime UNIT.service ${settings.join(" ")}`,
      needs: "root",
    },
    {
      line: `systemd-run --user --scope ${settings.map((each) => `-p ${each}`).join(" ")} COMMAND`,
      needs: undefined,
    },
  ];
}

/**
 * What sets this limit: percent, and period and weight where they are stated. What systemd
 * lengthens it lengthens again.
 */
function settingsOf(text: string, quota: string): readonly string[] {
  const us = periodOf(text);
  const period =
    us === undefined
      ? []
      : [`CPUQuotaPeriodSec=${us % 1_000 === 0 ? `${us / 1_000}ms` : `${us}us`}`];
  const weight = weightOf(text);
  return [`CPUQuota=${quota}`, ...period, ...(weight === undefined ? [] : [`CPUWeight=${weight}`])];
}

/** Whether the unit's main thread is real-time. */
function isRealTime(text: string): boolean {
  return /^(?:fifo|rr)$/.test(policyOf(text) ?? "");
}

/** By its name; undefined where it is the usual one. */
function policyOf(text: string): string | undefined {
  const stated = valueOf(text, "CPUSchedulingPolicy");
  const name =
    { "0": "other", "1": "fifo", "2": "rr", "3": "batch", "5": "idle" }[stated ?? ""] ?? stated;
  return name === "" || name === "other" ? undefined : name;
}

function realTimeWords(text: string): readonly string[] {
  const policy = policyOf(text) ?? "";
  return isRealTime(text)
    ? [
        `CPUQuota does not limit real-time threads, and CPUSchedulingPolicy=${policy} starts the unit's threads as SCHED_${policy.toUpperCase()}. The scenario has fair threads: it shows only what the limit does to threads that the unit makes fair.`,
      ]
    : [];
}

/** Settings that the scenario has nothing like. */
const LEFT_OUT = [
  "CPUSchedulingPriority CPUSchedulingResetOnFork CPUAffinity AllowedCPUs StartupAllowedCPUs StartupCPUWeight CPUShares StartupCPUShares",
  "NUMAPolicy NUMAMask AllowedMemoryNodes Nice",
].flatMap((line) => line.split(" "));

const LISTS = [
  "CPUAffinity",
  "AllowedCPUs",
  "StartupAllowedCPUs",
  "NUMAMask",
  "AllowedMemoryNodes",
];
/** What `systemctl show` prints of a setting that was never made. */
const UNSET = /^(?:|0|no|n\/a|\[not|18446744073709551615)$/;

/** What the unit's settings say beside the limit, a sentence each. */
function besideWords(text: string, limit: Limit | undefined): readonly string[] {
  // In a list of CPUs, 0 is a CPU.
  const isStated = (key: string): boolean => {
    const value = valueOf(text, key) ?? "";
    return !UNSET.test(value) || (value === "0" && LISTS.includes(key));
  };
  const policy = isRealTime(text) || policyOf(text) === undefined ? [] : ["CPUSchedulingPolicy"];
  const left = [...policy, ...LEFT_OUT.filter(isStated)].map((key) => `${key}=`);
  const weight = weightOf(text);
  const says = limit?.weight === undefined ? "is left out" : `sets cpu.weight ${limit.weight}`;
  return [
    ...(limit === undefined && isRealTime(text)
      ? [
          `CPUSchedulingPolicy=${policyOf(text) ?? ""} makes the unit's threads real-time; quota and weight count for fair threads only.`,
        ]
      : []),
    ...(weight === undefined
      ? []
      : [`CPUWeight=${weight} ${says}: a weight counts only where groups compete for a CPU.`]),
    ...(left.length === 0
      ? []
      : [`Left out, since the scenario has nothing like it: ${listed(left)}.`]),
  ];
}

/** The limit alone, for texts that hold more. */
export function limitOfSystemd(text: string): Limit | undefined {
  const quota = quotaOf(text);
  const limit = quota === undefined ? undefined : limitOf(text, quota);
  return typeof limit === "object" ? limit : undefined;
}

/**
 * The last assignment counts, as in a unit with drop-ins; an empty one takes back the values before
 * it.
 */
function valueOf(text: string, key: string): string | undefined {
  return [...text.matchAll(new RegExp(`(?:^|[\\s"'])${key}=[^\\S\\n]*([^\\s"';#]{0,40})`, "g"))].at(
    -1,
  )?.[1];
}

/**
 * CPUQuota= as written, or in percent what `systemctl show` prints of it: "CPUQuotaPerSecUSec=1s
 * 500ms".
 */
function quotaOf(text: string): string | undefined {
  const written = valueOf(text, "CPUQuota");
  const shown = /(?:^|\n)CPUQuotaPerSecUSec=([\w. ]{1,60})/.exec(text)?.[1]?.trim();
  if (written !== undefined || shown === undefined || shown === "infinity") return written ?? shown;
  const us = shown.split(" ").reduce((sum, part) => sum + timeUs(part), 0);
  return Number.isFinite(us) ? `${String(us / 10_000)}%` : shown;
}

/** Whether only `systemctl show` states the quota, which counts in us. */
function isShown(text: string): boolean {
  return valueOf(text, "CPUQuota") === undefined;
}

/** "1.5s" in us; NaN where it is no time. */
function timeUs(text: string): number {
  const [, number, unit = ""] = /^(\d{1,9}(?:\.\d{1,6})?)([a-zµ]*)$/.exec(text) ?? [];
  return Number(number) * (UNITS_US[unit] ?? Number.NaN);
}

/** CPUWeight= as written. */
function weightOf(text: string): string | undefined {
  const weight = valueOf(text, "CPUWeight");
  return weight === undefined || UNSET.test(weight) ? undefined : weight;
}

function wrongWeightOf(weight: string): string | undefined {
  const number = Number(weight);
  const isRight =
    weight === "idle" || (Number.isInteger(number) && number >= 1 && number <= 10_000);
  return isRight
    ? undefined
    : `CPUWeight is ${quoted(weight)}; expected a whole number from 1 to 10000, or idle.`;
}

/** The stated period, us; NaN where it is no time. */
function periodOf(text: string): number | undefined {
  const stated = valueOf(text, "CPUQuotaPeriodSec") ?? valueOf(text, "CPUQuotaPeriodUSec");
  return stated === undefined || stated === "" || stated === "infinity"
    ? undefined
    : timeUs(stated);
}

/** A sentence where systemd would refuse it. */
function limitOf(text: string, quota: string): Limit | string {
  const [, percent] = (isShown(text) ? /^(\d{1,9}(?:\.\d{1,4})?)%$/ : PERCENT).exec(quota) ?? [];
  if (percent === undefined || Number(percent) <= 0)
    return `CPUQuota is ${quoted(quota)}; expected percent of one CPU such as 150%, with two decimals at most.`;
  const periodUs = periodOf(text) ?? PERIOD_US;
  if (!Number.isFinite(periodUs))
    return `CPUQuotaPeriodSec is not a time; expected one such as 10ms.`;
  const weight = weightOf(text);
  // Like systemd, the period grows until the quota is 1 ms, which is the least the kernel takes,
  // but not above 1 s.
  const [least, most] = PERIOD_RANGE_US;
  const perSecond = Math.round(Number(percent) * 10_000);
  const period = Math.min(
    most,
    Math.max(least, Math.round(periodUs), Math.floor((LEAST_US * 1_000_000) / perSecond)),
  );
  return {
    quotaUs: Math.max(LEAST_US, Math.floor((perSecond * period) / 1_000_000)),
    periodUs: period,
    burstUs: 0,
    weight: weight === undefined || weight === "idle" ? undefined : Number(weight),
  };
}
