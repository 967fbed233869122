// cpu.stat of a group before and after a while, and the group's limit beside it in any of the other languages: in how many of its periods the
// group was throttled, for how long, and a scenario whose program meets the limit as often.

import { counted } from "../../lib/count.ts";
import { fixed } from "../../lib/format.ts";
import { limitOfCpuMax } from "./cpu-max.ts";
import { limitOfDocker } from "./docker.ts";
import { limitOfPod } from "./pod.ts";
import { cpusFor, inWords, limitWords, PERIOD_US, scenarioUnder, wrongLimit, type Limit } from "./quota.ts";
import { limitOfSystemd } from "./systemd.ts";
import { CPUS_MAX, refused, type Opens, type Reading } from "./understood.ts";

const LANGUAGE = "cpu.stat";
/** A field of either cgroup version, with its value. */
const FIELD =
  /^\s*(?:[\w./-]{0,200}cpu\.stat:\s*)?(usage_usec|user_usec|system_usec|nice_usec|core_sched\.force_idle_usec|nr_periods|nr_throttled|throttled_usec|throttled_time|nr_bursts|burst_usec|burst_time|wait_sum)\s*[:=]?\s*(\d{1,15})\s*$/;
/** From this share of throttled periods on, the program is assumed never to rest. */
const ALWAYS = 0.9;
/** What a burst may need, in quotas: it is throttled once and ends in the next period. */
const NEED = { least: 1.2, most: 1.8, unknown: 1.5 } as const;
/** Longest distance of two bursts, us. */
const EVERY_MAX_US = 10_000_000;
/** Most that the other work in a period uses, in quotas. */
const STEADY_MAX = 0.9;
/** Bursts come at least so far from a whole number of periods, in periods. */
const APART = 0.03;
/** Places of a period at which a burst is tried. */
const PLACES = 50;
/** The other work comes so often, us. */
const STEADY_EVERY_US = 10_000;

/** What happened between the two, times in us. */
interface Happened {
  readonly periods: number;
  readonly throttled: number;
  readonly throttledUs: number;
  /** undefined: cgroup v1 does not say it here. */
  readonly usageUs: number | undefined;
  /** One cpu.stat alone: since the group was made. */
  readonly sinceStart: boolean;
}

export function readCpuStat(text: string): Reading | undefined {
  const lines = text.split("\n");
  const blocks = blocksOf(lines);
  const [before, after] = blocks;
  if (before === undefined) return undefined;
  const happened = between(before, after);
  if (typeof happened === "string") return refused(LANGUAGE, happened);
  const limit = limitIn(lines.filter((line) => !FIELD.test(line) && !/^\s*(?:before|after|cpu\.stat)\b.{0,20}$/i.test(line)).join("\n"));
  const wrong = limit === undefined ? undefined : wrongLimit(limit);
  if (wrong !== undefined) return refused(LANGUAGE, wrong);
  const more = blocks.length > 2 ? ["Only the first two cpu.stat of the text are compared."] : [];
  const since = happened.sinceStart
    ? ["One cpu.stat counts since the group was made. Paste a second one, read a minute later, to see that minute alone."]
    : [];
  const opens = limit === undefined ? undefined : scenarioOf(happened, limit);
  return {
    kind: "understood",
    language: LANGUAGE,
    what: whatOf(happened, limit),
    follows: followsOf(happened, limit),
    unknown: [...since, ...more, ...unknownOf(happened, limit, opens?.assumed ?? [])],
    opens: opens?.opens,
    commands: [
      {
        line: "cat /sys/fs/cgroup/GROUP/cpu.max /sys/fs/cgroup/GROUP/cpu.stat; sleep 60; cat /sys/fs/cgroup/GROUP/cpu.stat",
        needs: undefined,
      },
    ],
  };
}

type Block = ReadonlyMap<string, number>;

/** A field that comes again begins another cpu.stat. */
function blocksOf(lines: readonly string[]): readonly Block[] {
  const blocks: Map<string, number>[] = [];
  for (const line of lines) {
    const [, field, value] = FIELD.exec(line) ?? [];
    if (field === undefined || value === undefined) continue;
    const last = blocks.at(-1);
    if (last === undefined || last.has(field)) blocks.push(new Map([[field, Number(value)]]));
    else last.set(field, Number(value));
  }
  return blocks;
}

/** What happened, or what is wrong with the counters. */
function between(before: Block, after: Block | undefined): Happened | string {
  const both = after === undefined ? [before] : [before, after];
  if (!both.every((block) => block.has("nr_periods") && block.has("nr_throttled")))
    return "cpu.stat needs nr_periods and nr_throttled, which it has once the cpu controller is on for the group.";
  const delta = (field: string): number | undefined => {
    const [first, last] = [before.get(field), after?.get(field)];
    return after === undefined ? first : first === undefined || last === undefined ? undefined : last - first;
  };
  const [periods = 0, throttled = 0] = [delta("nr_periods"), delta("nr_throttled")];
  const ns = delta("throttled_time");
  const throttledUs = delta("throttled_usec") ?? (ns === undefined ? 0 : Math.round(ns / 1_000));
  const usageUs = delta("usage_usec");
  if (Math.min(periods, throttled, throttledUs, usageUs ?? 0) < 0)
    return "The second cpu.stat is smaller than the first: paste the earlier one first.";
  if (throttled > periods) return `nr_throttled grew by ${throttled}, but nr_periods only by ${periods}: paste two readings of one group.`;
  if (periods === 0) return "nr_periods did not grow: no period of the limit passed, or the group has no limit.";
  return { periods, throttled, throttledUs, usageUs, sinceStart: after === undefined };
}

function limitIn(rest: string): Limit | undefined {
  return limitOfCpuMax(rest) ?? limitOfPod(rest) ?? limitOfDocker(rest) ?? limitOfSystemd(rest);
}

function whatOf({ periods, throttled, throttledUs }: Happened, limit: Limit | undefined): string {
  const under = limit === undefined ? "The group" : `The group, which may use ${limitWords(limit)},`;
  if (throttled === 0) return `${under} was not throttled in any of ${counted(periods, "period")}.`;
  const each = inWords(throttledUs / throttled);
  return `${under} was throttled in ${percent(throttled, periods)} of its periods (${throttled} of ${periods}): on average for ${each} in such a period, added up over its CPUs.`;
}

function followsOf({ periods, throttled, throttledUs, usageUs }: Happened, limit: Limit | undefined): readonly string[] {
  const follows: string[] = [];
  const periodUs = limit?.periodUs ?? PERIOD_US;
  const stopped = throttled === 0 ? 0 : Math.ceil(throttledUs / throttled / periodUs - 0.05);
  if (stopped > 1)
    follows.push(`At least ${stopped} CPUs were throttled at the same time: one CPU adds at most ${inWords(periodUs)} a period.`);
  if (limit === undefined || usageUs === undefined) return follows;
  const average = usageUs / periods;
  follows.push(
    `On average the group used ${inWords(average)} of ${inWords(limit.quotaUs)} a period, ${percent(average, limit.quotaUs)} of the limit.`,
  );
  const rest = (usageUs - throttled * limit.quotaUs) / Math.max(1, periods - throttled);
  if (throttled > 0 && throttled < periods && rest >= 0)
    follows.push(
      `It is throttled because it uses up all ${inWords(limit.quotaUs)} before the end of such a period; the other periods used ${inWords(rest)} on average.`,
    );
  if (throttled > 0 && rest < 0)
    follows.push(
      `The group used less than the quotas of its throttled periods: CPUs held run time that they did not use (kernels before 5.4 let it expire), or the limit was different then.`,
    );
  return follows;
}

function unknownOf({ throttled }: Happened, limit: Limit | undefined, assumed: readonly string[]): readonly string[] {
  if (limit === undefined)
    return [
      `The limit is missing: add a line with cpu.max, or the Pod's resources, and a scenario opens. The period is assumed to be ${inWords(PERIOD_US)}.`,
    ];
  const search = "The smallest limit that is enough: the search finds it for the assumed program, and that program decides the answer.";
  return throttled === 0 ? [...assumed] : [...assumed, search];
}

/** A program that is throttled as often as the group was, for a time of the same order. */
function scenarioOf(happened: Happened, limit: Limit): { readonly opens: Opens; readonly assumed: readonly string[] } {
  const { quotaUs, periodUs } = limit;
  const share = happened.throttled / happened.periods;
  const average = happened.usageUs === undefined ? undefined : happened.usageUs / happened.periods;
  const always = share >= ALWAYS;
  const { need, steadyUs } = always ? { need: 2, steadyUs: 0 } : workOf(share, average, quotaUs);
  const { threads, hits } = threadsOf(happened, limit, always ? undefined : steadyUs);
  const needUs = share === 0 ? (quotaUs - steadyUs) / 10 : need * quotaUs - steadyUs;
  const everyUs = always
    ? periodUs
    : share === 0
      ? 10 * periodUs
      : Math.min(EVERY_MAX_US, Math.round(spread((hits * periodUs) / share, periodUs)));
  const cpus = cpusFor(quotaUs / periodUs, threads);
  const workUs = Math.max(1, Math.ceil(needUs / threads));
  const other = steadyUs >= 1 ? { other: steadyTask("group", steadyUs / periodUs) } : {};
  const beside = steadyUs >= 1 ? `, and ${inWords(steadyUs)} of steady work in every period` : "";
  return {
    opens: scenarioUnder("group", limit, "cpu.stat and the limit", cpus, { threads, workUs, everyUs }, other),
    assumed: [
      `When the work comes. Assumed: bursts of ${counted(threads, "thread")} with ${inWords(workUs)} of work each, every ${inWords(everyUs)}${beside}.`,
      "Threads and gaps are chosen to match your share of throttled periods, and roughly your throttled time. Compare nr_throttled and nr_periods of the run with yours; then adjust threads, work and period.",
      `How many CPUs the machine has (assumed: ${cpus}), and which kernel (assumed: 6.12, 1000 Hz).`,
    ],
  };
}

/**
 * A period with a burst uses the quota and the burst's rest the next one; what is left of the average is used evenly. The more a burst needs,
 * the more threads stand still; with twice the quota, less what else is used in the next period, it would be throttled there too.
 */
function workOf(share: number, average: number | undefined, quotaUs: number): { readonly need: number; readonly steadyUs: number } {
  if (share === 0) return { need: NEED.least, steadyUs: Math.min(STEADY_MAX * quotaUs, average ?? 0) };
  if (average === undefined) return { need: NEED.unknown, steadyUs: 0 };
  const even = Math.max(0, average - NEED.least * share * quotaUs) / (1 - share);
  const most = Math.min(NEED.most - even / quotaUs, 2 - 2 * share, average / (share * quotaUs));
  const need = Math.max(NEED.least, most);
  const rest = Math.max(0, average - need * share * quotaUs) / (1 - share);
  return { need, steadyUs: Math.min(STEADY_MAX * quotaUs, rest) };
}

/** Bursts a whole number of periods apart would all come at one place of a period: a little more lets them come at every one. */
function spread(us: number, periodUs: number): number {
  const beside = us / periodUs - Math.round(us / periodUs);
  return Math.abs(beside) < APART ? us + (APART - beside) * periodUs : us;
}

interface Guess {
  readonly threads: number;
  /** Share of the bursts that are throttled. */
  readonly hits: number;
}

/**
 * How many threads explain the throttled time. Threads that never rest use the quota and stand still for the rest of the period: threads x period =
 * quota + throttled. Bursts begin anywhere in a period, of whose quota the even work has used its part by then.
 */
function threadsOf({ throttled, throttledUs }: Happened, { quotaUs, periodUs }: Limit, steadyUs: number | undefined): Guess {
  const each = throttled === 0 ? 0 : throttledUs / throttled;
  const least = Math.min(CPUS_MAX, Math.floor((NEED.least * quotaUs) / periodUs) + 1);
  if (steadyUs === undefined) return { threads: Math.min(CPUS_MAX, Math.max(least, Math.round((each + quotaUs) / periodUs))), hits: 1 };
  let best: Guess = { threads: least, hits: 1 };
  let off = Infinity;
  for (let threads = least; threads <= CPUS_MAX; threads += 1) {
    const { hits, stoppedUs } = stopped(threads, quotaUs, periodUs, steadyUs);
    const now = Math.abs(stoppedUs - each);
    if (hits > 0 && now < off) [best, off] = [{ threads, hits }, now];
    if (hits > 0 && stoppedUs > each) break;
  }
  return best;
}

/** Over bursts that begin evenly over a period: how many are throttled, and for how long with all threads added up. */
function stopped(
  threads: number,
  quotaUs: number,
  periodUs: number,
  steadyUs: number,
): { readonly hits: number; readonly stoppedUs: number } {
  let [hits, sum] = [0, 0];
  for (let place = 0; place < PLACES; place += 1) {
    const begins = (place + 0.5) / PLACES;
    const left = periodUs * (1 - begins) - (quotaUs - steadyUs * begins) / threads;
    if (left <= 0) continue;
    hits += 1;
    sum += threads * left;
  }
  return { hits: hits / PLACES, stoppedUs: hits === 0 ? 0 : sum / hits };
}

/** Even work of so many CPUs, in rt-app's grammar. */
function steadyTask(group: string, cpus: number): object {
  const instances = Math.min(CPUS_MAX, Math.max(1, Math.ceil(cpus / 0.5)));
  const run = Math.max(1, Math.round((cpus / instances) * STEADY_EVERY_US));
  return {
    instance: instances,
    loop: -1,
    run,
    timer: { ref: "unique", period: STEADY_EVERY_US, mode: "absolute" },
    taskgroup: `/${group}`,
  };
}

function percent(part: number, whole: number): string {
  return `${fixed(part * 100, whole, 1)} %`;
}
