// A limit of CPU time, whatever text states it: what it comes to in every period, and a scenario in
// which a program meets it. The program is assumed, since no limit says what runs under it: it
// works in bursts, on as many threads as there are CPUs.

import { formatNs } from "../../lib/format.ts";
import type { RawSet } from "../../links/link-types.ts";
import { writeTime } from "../../scenario/knob-values.ts";
import type { RealCommand } from "../write/real-command.ts";
import { SEARCH_RUNS } from "../../scenario/bisect.ts";
import { CPUS_MAX, scenarioText, type Opens, type Understood } from "./understood.ts";

/** What a group may use: quota in every period, us. */
export interface Limit {
  readonly quotaUs: number;
  readonly periodUs: number;
  /** 0: none. */
  readonly burstUs: number;
  /** cpu.weight of cgroup v2; undefined: not stated. */
  readonly weight: number | undefined;
}

/** The kernel takes no shorter quota or period. */
export const LEAST_US = 1_000;
/** The kernel takes no longer period. */
const PERIOD_MAX_US = 1_000_000;
/** The period of a group that states none. */
export const PERIOD_US = 100_000;
/** What a burst of the assumed program needs, in quotas: a little more than one period gives. */
const NEED = 1.2;
/**
 * Periods from one burst to the next. The odd part lets bursts come at every place of a period,
 * whatever the seed.
 */
const PERIODS_A_BURST = 4.03;
/** Bursts of a run, if they fit into a minute: they come at every place of a period. */
const BURSTS = 100;
const RUN_MAX_US = 60_000_000;
/** What a CPU takes of the quota at a time: sched_cfs_bandwidth_slice_us as every kernel has it. */
const SLICE_US = 5_000;
/** Why the kernel would refuse a limit, or why no machine here is large enough. */
export function wrongLimit({ quotaUs, periodUs, burstUs }: Limit): string | undefined {
  if (periodUs < LEAST_US || periodUs > PERIOD_MAX_US)
    return `The period is ${inWords(periodUs)}; the kernel accepts 1 ms to 1 s.`;
  if (quotaUs < LEAST_US)
    return `The quota is ${inWords(quotaUs)}; the kernel accepts 1 ms or more.`;
  if (burstUs > quotaUs)
    return `The burst is ${inWords(burstUs)}; the kernel accepts at most the quota, ${inWords(quotaUs)}.`;
  if (quotaUs / periodUs >= CPUS_MAX)
    return `The limit is ${cpuWords(quotaUs / periodUs)}; a machine here has at most ${CPUS_MAX} CPUs.`;
  return undefined;
}

/** `50000` us -> "50 ms". */
export function inWords(us: number): string {
  return formatNs(Math.round(us * 1_000), 2);
}

/** "1.5 CPUs". */
export function cpuWords(cpus: number): string {
  const rounded = Math.round(cpus * 1_000) / 1_000;
  return rounded === 1 ? "1 CPU" : `${rounded} CPUs`;
}

/** "50 ms in every 100 ms, which is 0.5 CPUs". */
export function limitWords({ quotaUs, periodUs, burstUs }: Limit): string {
  const burst = burstUs === 0 ? "" : ` with a burst of ${inWords(burstUs)}`;
  return `${inWords(quotaUs)} in every ${inWords(periodUs)}${burst}, which is ${cpuWords(quotaUs / periodUs)}`;
}

/** What cpu.max says for it. */
export function cpuMaxOf({ quotaUs, periodUs }: Limit): string {
  return `${quotaUs} ${periodUs}`;
}

/**
 * What follows from a limit alone. A CPU takes a slice at a time, so threads stop unevenly; what
 * they ran too long in the period before comes off, so that a count of slices is a most.
 */
export function followsOf(limit: Limit): readonly string[] {
  const { quotaUs, burstUs } = limit;
  const burst = `After periods that used less than the quota a period may use up to ${inWords(quotaUs + burstUs)}: quota and burst.`;
  return [...slicesOf(limit), ...(burstUs === 0 ? [] : [burst])];
}

function slicesOf({ quotaUs, periodUs }: Limit): readonly string[] {
  const threads = cpusFor(quotaUs / periodUs, 0);
  const many = `${threads} runnable threads on ${threads} CPUs`;
  const slice = inWords(SLICE_US);
  const rest = "the others stop at their next tick, if they run at all";
  const slices = quotaUs / SLICE_US;
  if (slices < 2)
    return [
      `CPUs take the quota in slices of at most ${slice}: of ${many} the first to ask use it up, and ${rest}.`,
    ];
  const are = `${inWords(quotaUs)} are ${Math.round(slices * 10) / 10} slices of ${slice}`;
  const until = `of every ${inWords(periodUs)}, and are then throttled until the next refill`;
  if (slices < threads)
    return [
      `${are}: of ${many} at most ${Math.ceil(slices)} get one, run for about ${slice} ${until}; ${rest}.`,
    ];
  const each = [...new Set([Math.floor(slices / threads), Math.ceil(slices / threads)])];
  const run = inWords(Math.min(periodUs, (each.at(-1) ?? 1) * SLICE_US));
  const ms = each.length === 1 ? run : `${(each[0] ?? 1) * (SLICE_US / 1_000)} or ${run}`;
  return [`${are}: ${many} get ${each.join(" or ")} each, run for about ${ms} ${until}.`];
}

/** CPUs of the assumed machine: a power of two that holds the limit and the threads. */
export function cpusFor(limit: number, threads: number): number {
  let cpus = 8;
  while ((cpus <= limit || cpus < threads) && cpus < CPUS_MAX) cpus *= 2;
  return cpus;
}

/** The program that is assumed under a limit. */
interface Load {
  readonly threads: number;
  /** Work of each thread in a burst, us. */
  readonly workUs: number;
  /** From one burst to the next, us. */
  readonly everyUs: number;
}

function assumedLoad({ quotaUs, periodUs }: Limit, cpus: number): Load {
  return {
    threads: cpus,
    workUs: Math.max(1, Math.ceil((quotaUs * NEED) / cpus)),
    everyUs: Math.round(PERIODS_A_BURST * periodUs),
  };
}

/** Why the search for the smallest limit looks at the longest burst. */
export const LONGEST_WORDS = `The search for the smallest limit looks at the longest burst, because a run has at most ${BURSTS} bursts, too few for a 99th percentile.`;

/** What is assumed beside a limit, a sentence each. */
export function assumedWith(limit: Limit): readonly string[] {
  const cpus = cpusFor(limit.quotaUs / limit.periodUs, 0);
  const { workUs, everyUs } = assumedLoad(limit, cpus);
  return [
    `What runs under the limit. Assumed: every ${inWords(everyUs)}, ${cpus} threads start to work ${inWords(workUs)} each, together ${NEED} quotas.`,
    `How many CPUs the machine has (assumed: ${cpus}), and which kernel (assumed: 6.12, 1000 Hz).`,
    LONGEST_WORDS,
  ];
}

/**
 * A program under this limit, beside the same without a limit, and with a burst that covers what it
 * needs.
 */
export function limitScenario(group: string, limit: Limit, from: string): Opens {
  const cpus = cpusFor(limit.quotaUs / limit.periodUs, 0);
  return scenarioUnder(group, limit, from, cpus, assumedLoad(limit, cpus), {});
}

/** `tasks`: what else runs in the group, in rt-app's grammar. */
export function scenarioUnder(
  group: string,
  limit: Limit,
  from: string,
  cpus: number,
  load: Load,
  tasks: object,
): Opens {
  const path = `cgroups.${group}.cpu_max`;
  const weight = limit.weight === undefined ? {} : { cpu_weight: limit.weight };
  const burst = limit.burstUs === 0 ? {} : { cpu_max_burst: limit.burstUs };
  const burstUs = Math.min(
    limit.quotaUs,
    Math.max(LEAST_US, Math.ceil((limit.quotaUs * (NEED - 1)) / 500) * 500),
  );
  const workload = {
    gc_burst: {
      threads: load.threads,
      work: writeTime(load.workUs * 1_000),
      period: writeTime(load.everyUs * 1_000),
      group,
    },
  };
  const scenario = {
    schema: 1,
    title: `What does a limit of ${inWords(limit.quotaUs)} in every ${inWords(limit.periodUs)} do?`,
    source: [{ title: `made from ${from}; the program under the limit is assumed` }],
    seed: 1,
    duration: writeTime(Math.min(RUN_MAX_US, BURSTS * load.everyUs) * 1_000),
    machine: { cpus, costs: "modern_2s_qspin" },
    kernel: { version: "6.12", hz: 1000 },
    cgroups: { [group]: { cpu_max: cpuMaxOf(limit), ...burst, ...weight } },
    workload: Object.keys(tasks).length === 0 ? workload : { ...workload, tasks },
    variants: [
      { name: AS_PASTED, set: {} },
      {
        name: "no limit",
        set: { [path]: "max", ...(limit.burstUs === 0 ? {} : { [`${path}_burst`]: 0 }) },
      },
      ...(limit.burstUs === 0
        ? [{ name: `a burst of ${inWords(burstUs)}`, set: { [`${path}_burst`]: burstUs } }]
        : []),
    ],
    knobs: [
      path,
      `${path}_burst`,
      "workload.gc_burst.threads",
      "workload.gc_burst.work",
      "workload.gc_burst.period",
      "machine.cpus",
      "kernel.version",
      "kernel.cfs_bandwidth_slice_us",
      "kernel.hz",
    ],
    labels: { ...LABELS, ...(Object.hasOwn(tasks, "other") ? { other: "steady work" } : {}) },
    headline: [
      ANSWER,
      `groups.${group}.nr_throttled`,
      `groups.${group}.nr_periods`,
      `groups.${group}.throttled_ns`,
      `groups.${group}.usage_ns`,
    ],
  };
  return {
    kind: "scenario",
    text: scenarioText({ ...scenario, steps: stepsOf(group, limit) }),
    search: searchOf(path, limit, cpus),
  };
}

/** What a viewer sees first: the share, a throttle, and the refill that ends it. */
function stepsOf(group: string, { periodUs }: Limit): readonly object[] {
  const around = (moment: string, before: number, after: number): object => ({
    moment,
    before: writeTime(Math.round(periodUs * before) * 1_000),
    after: writeTime(Math.round(periodUs * after) * 1_000),
    side: "a",
  });
  return [
    {
      caption: `A is throttled in {groups.${group}.nr_throttled a} of {groups.${group}.nr_periods a} periods. B has no limit.`,
      view: around("throttle", 0.3, 1),
    },
    {
      caption: "A: the quota is used up, and the threads stop before their work is done.",
      view: around("throttle", 0.05, 0.1),
      side: "a",
    },
    {
      caption: "A: the next refill lets the threads run again.",
      view: around("unthrottle", 0.05, 0.1),
      side: "a",
    },
  ];
}

/** The variant that is what was pasted. */
const AS_PASTED = "this limit";
/**
 * How long the longest burst takes: the figure that a limit is chosen by. A run has too few bursts
 * for a 99th percentile.
 */
const ANSWER = "tool_samples.gc_main.cycle.max_ns";
/** What people call the assumed program's tasks, and what they measure. */
const LABELS = {
  gc_main: "first thread",
  gc_worker: "other threads",
  "gc_main.cycle": "burst of work",
};

/**
 * "The smallest limit with which every burst takes at most half a period", for the window of
 * sweeps.
 */
function searchOf(path: string, { quotaUs, periodUs }: Limit, cpus: number): RawSet {
  const most = Math.min(cpus * periodUs, quotaUs * 8);
  const values = [quotaUs / 4, quotaUs / 2, quotaUs, quotaUs * 2, quotaUs * 4]
    .map((us) => Math.round(us))
    .filter((us) => us >= LEAST_US && us <= most)
    .map((us) => writeTime(us * 1_000));
  return [
    [`over.${path}`, values.join(", ")],
    ["seeds", String(SEARCH_RUNS)],
    ["first", "1"],
    [`metric.${ANSWER}`, ""],
    [`variant.${AS_PASTED}`, ""],
    ["find.metric", ANSWER],
    ["find.variant", AS_PASTED],
    ["find.bound", writeTime((periodUs / 2) * 1_000)],
    ["find.from", writeTime(Math.max(LEAST_US, Math.round(quotaUs / 8)) * 1_000)],
    ["find.to", writeTime(Math.round(most) * 1_000)],
  ];
}

/**
 * A text that states no limit: a shipped scenario compares one with none. `more`: what else is to
 * be said, a sentence each.
 */
export function withoutLimit(
  language: string,
  what: string,
  more: readonly string[],
  commands: readonly RealCommand[],
): Understood {
  return {
    kind: "understood",
    language,
    what,
    follows: [],
    unknown: [...more, "A shipped scenario opens, with a limit on side A and none on side B."],
    opens: { kind: "preset", slug: "quota-average-lies", a: [], b: [] },
    commands,
  };
}

/** The file that a cgroup v2 has for it. */
export function cpuMaxCommand(limit: Limit): RealCommand {
  return {
    line: `echo "${cpuMaxOf(limit)}" | sudo tee /sys/fs/cgroup/GROUP/cpu.max`,
    needs: "root",
  };
}

/** The file of its burst. */
export function burstCommands({ burstUs }: Limit): readonly RealCommand[] {
  return burstUs === 0
    ? []
    : [{ line: `echo "${burstUs}" | sudo tee /sys/fs/cgroup/GROUP/cpu.max.burst`, needs: "root" }];
}
