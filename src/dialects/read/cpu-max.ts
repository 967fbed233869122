// cpu.max of cgroup v2, "50000 100000": quota and period in us. Also the three files of cgroup v1,
// and cpu.max.burst beside it.

import {
  assumedWith,
  burstCommands,
  cpuMaxCommand,
  followsOf,
  inWords,
  limitScenario,
  limitWords,
  PERIOD_US,
  withoutLimit,
  wrongLimit,
  type Limit,
} from "./quota-scenario.ts";
import { refused, type Reading } from "./understood.ts";

const LANGUAGE = "cpu.max";

/** The bare file, or a line that writes or names it, as `grep .` does with its path. */
const BARE = /^(?:(?:\S*\/)?cpu\.max\s*[:=]?\s*)?["']?(max|\d{1,15})(?:\s+(\d{1,15}))?["']?$/;
const WRITTEN =
  /^(?:[$#]\s+)?echo\s+["']?(max|\d{1,15})(?:\s+(\d{1,15}))?["']?\s*(?:>|\|\s*(?:sudo\s+)?tee\b)[^\n]*cpu\.max\s*$/;
const BURST = /^(?:\S*\/)?(?:cpu\.max\.burst|cpu\.cfs_burst_us)\s*[:=]?\s*(\d{1,15})$/;
const V1_QUOTA = /^(?:\S*\/)?cpu\.cfs_quota_us\s*[:=]?\s*(-?\d{1,15})$/;
const V1_PERIOD = /^(?:\S*\/)?cpu\.cfs_period_us\s*[:=]?\s*(\d{1,15})$/;
/**
 * A command that prints the file, with whatever prompt: `root@host:/# cat
 * /sys/fs/cgroup/web/cpu.max`. Comments and bare prompts are left out too.
 */
const PRINTS = /(?:^|[\s#$%>;])(?:cat|head|more|less|grep)\s[^\n]*\bcpu\.(?:max|cfs_)/;

export function readCpuMaxFile(text: string): Reading | undefined {
  const stated = statedLimit(text);
  if (stated === undefined) return undefined;
  if (stated.quotaUs === undefined)
    return withoutLimit(
      LANGUAGE,
      "This is no limit: the group may use every CPU all the time and is never throttled.",
      [],
      [{ line: 'echo "max" | sudo tee /sys/fs/cgroup/GROUP/cpu.max', needs: "root" }],
    );
  const limit: Limit = { ...stated, quotaUs: stated.quotaUs };
  const wrong = wrongLimit(limit);
  if (wrong !== undefined) return refused(LANGUAGE, wrong);
  const period = stated.saysPeriod
    ? []
    : [`The text has no period. Assumed: the kernel's default, ${inWords(PERIOD_US)}.`];
  return {
    kind: "understood",
    language: LANGUAGE,
    what: `The group may use ${limitWords(limit)}.`,
    follows: followsOf(limit),
    unknown: [...period, ...assumedWith(limit)],
    opens: limitScenario("group", limit, `cpu.max “${limit.quotaUs} ${limit.periodUs}”`),
    commands: [cpuMaxCommand(limit), ...burstCommands(limit)],
  };
}

interface Stated extends Omit<Limit, "quotaUs"> {
  /** undefined: max, or -1 of cgroup v1. */
  readonly quotaUs: number | undefined;
  readonly saysPeriod: boolean;
}

/** The limit that the lines state, if all of them are of these files. */
function statedLimit(text: string): Stated | undefined {
  let quota: string | undefined;
  let period: string | undefined;
  let burst = "0";
  for (const line of text.split("\n").map((each) => each.trim())) {
    const max = WRITTEN.exec(line) ?? BARE.exec(line);
    if (line === "" || (max === null && (/^[#$]/.test(line) || PRINTS.test(line)))) continue;
    const v1 = V1_QUOTA.exec(line);
    const v1Period = V1_PERIOD.exec(line);
    const more = BURST.exec(line);
    if (max !== null && quota === undefined) [, quota, period] = max;
    else if (v1 !== null && quota === undefined) quota = v1[1];
    else if (v1Period !== null) period = v1Period[1];
    else if (more?.[1] !== undefined) burst = more[1];
    else return undefined;
  }
  // A number alone is a CPU, not a limit.
  if (
    quota === undefined ||
    (period === undefined && /^\d{1,4}$/.test(quota) && !text.includes("cpu."))
  )
    return undefined;
  return {
    quotaUs: quota === "max" || quota.startsWith("-") ? undefined : Number(quota),
    periodUs: period === undefined ? PERIOD_US : Number(period),
    burstUs: Number(burst),
    weight: undefined,
    saysPeriod: period !== undefined,
  };
}

/** The limit alone, for texts that hold more: the first of each file counts. */
export function limitOfCpuMax(text: string): Limit | undefined {
  const lines = text.split("\n").map((line) => line.trim());
  const first = [[WRITTEN, BARE], [V1_QUOTA], [V1_PERIOD], [BURST]].flatMap(
    (forms) => lines.find((line) => forms.some((form) => form.test(line))) ?? [],
  );
  const stated = statedLimit(first.join("\n"));
  return stated?.quotaUs === undefined ? undefined : { ...stated, quotaUs: stated.quotaUs };
}
