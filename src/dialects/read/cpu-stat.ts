// cpu.stat of a group before and after a while, and the group's limit beside it in any of the other
// languages: in how many of its periods the group was throttled, for how long, and a scenario whose
// program meets the limit as often.

import { counted } from "../../lib/count.ts";
import { fixed } from "../../lib/format.ts";
import { limitOfCpuMax } from "./cpu-max.ts";
import { limitOfDocker } from "./docker.ts";
import { firstCpuStat } from "./named-files.ts";
import { limitOfPod } from "./pod.ts";
import {
  cpusFor,
  inWords,
  limitWords,
  LONGEST_WORDS,
  PERIOD_US,
  scenarioUnder,
  wrongLimit,
  type Limit,
} from "./quota-scenario.ts";
import { isFarBelow, mayExpire, NO_BURSTS, strandedWith, whyFarBelow } from "./stranded.ts";
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
/** What the program uses may differ so far from what the group used before it is said. */
const USED_OFF = 0.15;
/**
 * A group that takes nothing from its pool for a period stops the period timer, and nr_periods
 * counts no further: between rare bursts it uses so much a period, us, but no more than a part of
 * its quota. A CPU keeps 1 ms of what it took.
 */
const AWAKE_US = 1_500;
const AWAKE_MAX = 0.25;
/** Bursts a period from which on no whole period between them is idle. */
const OFTEN = 0.5;
/** Rounds in which threads and work are found from each other. */
const ROUNDS = 4;
/** The other work comes so often, us. */
const STEADY_EVERY_US = 10_000;

/** What happened between the two, times in us. */
interface Happened {
  readonly periods: number;
  readonly throttled: number;
  readonly throttledUs: number;
  /** undefined: cgroup v1 does not say it here. */
  readonly usageUs: number | undefined;
  /**
   * Periods that used more than the quota, by what a burst had saved, and by how much in all;
   * undefined where the text does not say.
   */
  readonly bursts: number | undefined;
  readonly burstUs: number | undefined;
  /** One cpu.stat alone: since the group was made. */
  readonly sinceStart: boolean;
}

export function readCpuStat(text: string): Reading | undefined {
  const { lines, others } = firstCpuStat(text.split("\n"));
  const blocks = blocksOf(lines);
  const [before, after] = blocks;
  if (before === undefined) return undefined;
  const happened = between(before, after);
  if (typeof happened === "string") return refused(LANGUAGE, happened);
  const limit = limitIn(
    lines
      .filter(
        (line) => !FIELD.test(line) && !/^\s*(?:before|after|cpu\.stat)\b.{0,20}$/i.test(line),
      )
      .join("\n"),
  );
  const wrong = limit === undefined ? undefined : wrongLimit(limit);
  if (wrong !== undefined) return refused(LANGUAGE, wrong);
  const more = blocks.length > 2 ? ["Only the first two cpu.stat of the text are compared."] : [];
  const groups = others ? ["Of several groups only the first one's cpu.stat is read."] : [];
  const since = happened.sinceStart
    ? [
        "One cpu.stat counts since the group was made. Paste a second one, read a minute later, to see that minute alone.",
      ]
    : [];
  const opens = limit === undefined ? undefined : opensOf(happened, limit);
  return {
    kind: "understood",
    language: LANGUAGE,
    what: whatOf(happened, limit),
    follows: followsOf(happened, limit),
    unknown: [...groups, ...since, ...more, ...unknownOf(happened, limit, opens?.assumed ?? [])],
    opens: opens?.opens,
    commands: [
      {
        line: "cd /sys/fs/cgroup/GROUP && grep . cpu.max cpu.max.burst cpu.stat; sleep 60; grep . cpu.stat",
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
    return after === undefined
      ? first
      : first === undefined || last === undefined
        ? undefined
        : last - first;
  };
  const [periods = 0, throttled = 0] = [delta("nr_periods"), delta("nr_throttled")];
  const ns = delta("throttled_time");
  const throttledUs = delta("throttled_usec") ?? (ns === undefined ? 0 : Math.round(ns / 1_000));
  const usageUs = delta("usage_usec");
  const bursts = delta("nr_bursts");
  const burstNs = delta("burst_time");
  const burstUs =
    delta("burst_usec") ?? (burstNs === undefined ? undefined : Math.round(burstNs / 1_000));
  if (Math.min(periods, throttled, throttledUs, usageUs ?? 0, bursts ?? 0, burstUs ?? 0) < 0)
    return "The second cpu.stat is smaller than the first: paste the earlier one first.";
  if (throttled > periods)
    return `nr_throttled grew by ${throttled}, but nr_periods only by ${periods}: paste two readings of one group.`;
  if (periods === 0)
    return "nr_periods did not grow: no period of the limit passed, or the group has no limit.";
  return {
    periods,
    throttled,
    throttledUs,
    usageUs,
    bursts,
    burstUs,
    sinceStart: after === undefined,
  };
}

function limitIn(rest: string): Limit | undefined {
  return limitOfCpuMax(rest) ?? limitOfPod(rest) ?? limitOfDocker(rest) ?? limitOfSystemd(rest);
}

function whatOf({ periods, throttled, throttledUs }: Happened, limit: Limit | undefined): string {
  const under =
    limit === undefined ? "The group" : `The group, which may use ${limitWords(limit)},`;
  if (throttled === 0) return `${under} was not throttled in any of ${counted(periods, "period")}.`;
  const each = inWords(throttledUs / throttled);
  return `${under} was throttled in ${percent(throttled, periods)} of its periods (${throttled} of ${periods}): on average for ${each} in such a period, added up over its CPUs.`;
}

function followsOf(happened: Happened, limit: Limit | undefined): readonly string[] {
  const { periods, throttled, throttledUs, usageUs } = happened;
  const follows: string[] = [];
  const periodUs = limit?.periodUs ?? PERIOD_US;
  const stopped = throttled === 0 ? 0 : Math.ceil(throttledUs / throttled / periodUs - 0.05);
  if (stopped > 1)
    follows.push(
      `At least ${stopped} CPUs were throttled at the same time: one CPU adds at most ${inWords(periodUs)} a period.`,
    );
  follows.push(...burstWords(happened, limit));
  if (limit === undefined || usageUs === undefined) return follows;
  const average = usageUs / periods;
  follows.push(
    `On average the group used ${inWords(average)} of ${inWords(limit.quotaUs)} a period, ${percent(average, limit.quotaUs)} of the limit.`,
  );
  const [least, most] = othersUsed(happened, usageUs, limit);
  const rest =
    inWords(least) === inWords(most) ? inWords(most) : `${inWords(least)} to ${inWords(most)}`;
  const uses = hasBurst(happened, limit)
    ? `all ${inWords(limit.quotaUs)} and what its burst has saved`
    : `all ${inWords(limit.quotaUs)}`;
  if (throttled > 0 && throttled < periods && most >= 0)
    follows.push(
      `It is throttled because it uses up ${uses} before the end of such a period; the other periods used ${rest} on average.`,
    );
  if (throttled > 0 && most < 0) follows.push(whyFarBelow(happened, limit));
  return follows;
}

/** A count of bursts grows only with a burst. */
function hasBurst({ bursts = 0, burstUs = 0 }: Happened, limit: Limit | undefined): boolean {
  return bursts > 0 || burstUs > 0 || (limit?.burstUs ?? 0) > 0;
}

function burstWords(happened: Happened, limit: Limit | undefined): readonly string[] {
  const { bursts = 0, burstUs } = happened;
  if (bursts === 0) return [];
  const each = burstUs === undefined ? "" : `, by ${inWords(burstUs / bursts)} on average`;
  const shown = (limit?.burstUs ?? 0) > 0 ? "" : " So the group has a cpu.max.burst.";
  return [
    `${counted(bursts, "period")} used more than the quota${each}: nr_bursts counts them.${shown}`,
  ];
}

/**
 * What the periods without a throttle used on average, least and most, us. A throttled period uses
 * the quota and, with a burst, what that has saved: counted where the text counts it, else at most
 * the burst. Whether the counted part fell into throttled periods the text does not say.
 */
function othersUsed(
  happened: Happened,
  usageUs: number,
  { quotaUs, burstUs }: Limit,
): readonly [least: number, most: number] {
  const { periods, throttled } = happened;
  const others = Math.max(1, periods - throttled);
  const most = (usageUs - throttled * quotaUs) / others;
  const above = Math.min(
    happened.burstUs ?? Infinity,
    burstUs > 0 ? throttled * burstUs : (happened.burstUs ?? 0),
  );
  return [Math.max(Math.min(0, most), most - above / others), most];
}

function unknownOf(
  happened: Happened,
  limit: Limit | undefined,
  assumed: readonly string[],
): readonly string[] {
  if (limit === undefined)
    return [
      `The limit is missing: add ${hasBurst(happened, limit) ? "lines with cpu.max and cpu.max.burst" : "a line with cpu.max"}, or the Pod's resources, and a scenario opens. The period is assumed to be ${inWords(PERIOD_US)}.`,
    ];
  const burst =
    limit.burstUs === 0 && hasBurst(happened, limit)
      ? ["How large the burst is: add a line with cpu.max.burst. The scenario has none until then."]
      : [];
  const search =
    "The smallest limit that is enough: the search finds it for the assumed program, and that program decides the answer.";
  return happened.throttled === 0 || isFarBelow(happened, limit)
    ? [...burst, ...assumed]
    : [...burst, ...assumed, search, LONGEST_WORDS];
}

interface Explained {
  readonly opens: Opens;
  readonly assumed: readonly string[];
}

function opensOf(happened: Happened, limit: Limit): Explained {
  if (!isFarBelow(happened, limit)) return scenarioOf(happened, limit);
  if (mayExpire(happened, limit)) return strandedWith(limit);
  const { opens, assumed } = scenarioOf(happened, limit);
  return { opens, assumed: [NO_BURSTS, ...assumed] };
}

/** A program that is throttled as often as the group was, for a time of the same order. */
function scenarioOf(happened: Happened, limit: Limit): Explained {
  const { quotaUs, periodUs } = limit;
  const share = happened.throttled / happened.periods;
  const average = happened.usageUs === undefined ? undefined : happened.usageUs / happened.periods;
  const { threads, hits, needUs, steadyUs } = programOf(happened, limit, share, average);
  const everyUs =
    share >= ALWAYS
      ? periodUs
      : share === 0
        ? 10 * periodUs
        : Math.min(EVERY_MAX_US, Math.round(spread((hits * periodUs) / share, periodUs)));
  const cpus = cpusFor(quotaUs / periodUs, threads);
  const workUs = Math.max(1, Math.ceil(needUs / threads));
  const other = steadyUs >= 1 ? { other: steadyTask("group", steadyUs / periodUs) } : {};
  const beside = steadyUs >= 1 ? `, and ${inWords(steadyUs)} of steady work in every period` : "";
  const used = Math.min(quotaUs, steadyUs + (threads * workUs * periodUs) / everyUs);
  return {
    opens: scenarioUnder(
      "group",
      limit,
      "cpu.stat and the limit",
      cpus,
      { threads, workUs, everyUs },
      other,
    ),
    assumed: [
      `When the work comes. Assumed: bursts of ${counted(threads, "thread")} with ${inWords(workUs)} of work each, every ${inWords(everyUs)}${beside}.`,
      "Threads and gaps are chosen to match your share of throttled periods, and roughly your throttled time. Compare nr_throttled and nr_periods of the run with yours; then adjust threads, work and period.",
      ...usedWords(used, average),
      ...(limit.burstUs > 0 && share > 0
        ? [
            "With a burst the match is rough: what the burst has saved when work comes depends on the work before.",
          ]
        : []),
      `How many CPUs the machine has (assumed: ${cpus}), and which kernel (assumed: 6.12, 1000 Hz).`,
    ],
  };
}

/**
 * Whether the program uses as much as the group did: bursts that are not throttled need run time
 * too.
 */
function usedWords(usedUs: number, average: number | undefined): readonly string[] {
  if (average === undefined || average <= 0) return [];
  const off = usedUs / average - 1;
  if (Math.abs(off) < USED_OFF) return [];
  const [by, than] = [percent(Math.abs(off), 1), off > 0 ? "more" : "less"];
  return [
    `What the program uses does not match: about ${inWords(usedUs)} a period, ${by} ${than} than your ${inWords(average)}. The box found no program that matches all three figures.`,
  ];
}

interface Program extends Guess {
  /** Work of a burst, us. */
  readonly needUs: number;
  /** Other work in each period, us. */
  readonly steadyUs: number;
}

/**
 * Threads decide which share of the bursts is throttled, and that what bursts use; so each is found
 * anew from the other.
 */
function programOf(
  happened: Happened,
  limit: Limit,
  share: number,
  average: number | undefined,
): Program {
  const { quotaUs } = limit;
  if (share >= ALWAYS)
    return { ...threadsOf(happened, limit, undefined, quotaUs), needUs: 2 * quotaUs, steadyUs: 0 };
  let program: Program = { threads: 1, hits: 1, needUs: 0, steadyUs: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    const often = Math.min(1, share / program.hits);
    const savedUs =
      often === 0
        ? limit.burstUs
        : Math.min(
            limit.burstUs,
            Math.max(0, (quotaUs - program.steadyUs) * (1 / often - NEED.least)),
          );
    const { need, steadyUs: even } = workOf(share, often, average, quotaUs, savedUs);
    const steadyUs =
      share > 0 && often < OFTEN ? Math.max(even, Math.min(AWAKE_US, AWAKE_MAX * quotaUs)) : even;
    const needUs = share === 0 ? (quotaUs - steadyUs) / 10 : need * quotaUs + savedUs - steadyUs;
    program = { ...threadsOf(happened, limit, steadyUs, quotaUs + savedUs), needUs, steadyUs };
  }
  return program;
}

/**
 * A period with a burst uses the quota, with what cpu.max.burst has saved, and the burst's rest the
 * next one; what is left of the average is used evenly. The more CPU time a burst needs, the more
 * threads wait throttled; with twice the quota, less what else is used in the next period, it would
 * be throttled there too. `often`: bursts in a period, of which `share` are throttled.
 */
function workOf(
  share: number,
  often: number,
  average: number | undefined,
  quotaUs: number,
  savedUs: number,
): { readonly need: number; readonly steadyUs: number } {
  if (share === 0)
    return { need: NEED.least, steadyUs: Math.min(STEADY_MAX * quotaUs, average ?? 0) };
  if (average === undefined) return { need: NEED.unknown, steadyUs: 0 };
  const evenly = (need: number): number =>
    Math.max(0, average - often * (need * quotaUs + savedUs)) / Math.max(1e-3, 1 - often);
  const most = Math.min(
    NEED.most - evenly(NEED.least) / quotaUs,
    2 - 2 * share,
    (average / often - savedUs) / quotaUs,
  );
  const need = Math.max(NEED.least, most);
  return { need, steadyUs: Math.min(STEADY_MAX * quotaUs, evenly(need)) };
}

/**
 * Bursts a whole number of periods apart would all come at one place of a period: a little more
 * lets them come at every one.
 */
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
 * How many threads explain the throttled time. Threads that never rest use the quota and wait
 * throttled for the rest of the period: threads x period = quota + throttled. Bursts begin anywhere
 * in a period, of whose quota the even work has used its part by then.
 */
function threadsOf(
  { throttled, throttledUs }: Happened,
  { quotaUs, periodUs }: Limit,
  steadyUs: number | undefined,
  poolUs: number,
): Guess {
  const each = throttled === 0 ? 0 : throttledUs / throttled;
  const least = Math.min(
    CPUS_MAX,
    Math.floor((NEED.least * quotaUs + poolUs - quotaUs) / periodUs) + 1,
  );
  if (steadyUs === undefined)
    return {
      threads: Math.min(CPUS_MAX, Math.max(least, Math.round((each + quotaUs) / periodUs))),
      hits: 1,
    };
  let best: Guess = { threads: least, hits: 1 };
  let off = Infinity;
  for (let threads = least; threads <= CPUS_MAX; threads += 1) {
    const { hits, stoppedUs } = stopped(threads, poolUs, periodUs, steadyUs);
    const now = Math.abs(stoppedUs - each);
    if (hits > 0 && now < off) [best, off] = [{ threads, hits }, now];
    if (hits > 0 && stoppedUs > each) break;
  }
  return best;
}

/**
 * Over bursts that begin evenly over a period: how many are throttled, and for how long with all
 * threads added up.
 */
function stopped(
  threads: number,
  poolUs: number,
  periodUs: number,
  steadyUs: number,
): { readonly hits: number; readonly stoppedUs: number } {
  let [hits, sum] = [0, 0];
  for (let place = 0; place < PLACES; place += 1) {
    const begins = (place + 0.5) / PLACES;
    const left = periodUs * (1 - begins) - (poolUs - steadyUs * begins) / threads;
    if (left <= 0) continue;
    hits += 1;
    sum += threads * left;
  }
  return { hits: hits / PLACES, stoppedUs: hits === 0 ? 0 : sum / hits };
}

/** Even work of `cpus` CPUs, in rt-app's grammar. */
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
