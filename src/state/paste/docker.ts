// `docker run` (also podman and nerdctl): --cpus, or --cpu-quota with --cpu-period; --cpu-shares beside them. Other options say nothing about
// CPU time.

import {
  assumedWith,
  cpuMaxCommand,
  followsOf,
  limitScenario,
  limitWords,
  PERIOD_US,
  withoutLimit,
  wrongLimit,
  type Limit,
} from "./quota.ts";
import { wordsAfter } from "./shell-words.ts";
import { quoted, refused, type Reading } from "./understood.ts";

const LANGUAGE = "docker run";

const OPTIONS = ["--cpus", "--cpu-quota", "--cpu-period", "--cpu-shares", "-c", "--cpuset-cpus"] as const;
type Option = (typeof OPTIONS)[number];

export function readDocker(text: string): Reading | undefined {
  const words = wordsAfter(text, /^(?:.*\/)?(?:docker|podman|nerdctl)$/);
  if (words === undefined || !words.some((word) => /^(?:run|create|update)$/.test(word))) return undefined;
  const stated = statedOptions(words);
  const limit = limitOf(stated);
  if (limit === undefined) {
    if (words.includes("update") || words.length < 2)
      return refused(
        LANGUAGE,
        "The command has no --cpus and no --cpu-quota: it sets no CPU limit. Add --cpus=1.5, or name the image that runs.",
      );
    return withoutLimit(
      LANGUAGE,
      "The command has no --cpus and no --cpu-quota: the container has no CPU limit and is never throttled.",
      leftOut(stated, undefined),
      [],
    );
  }
  if (typeof limit === "string") return refused(LANGUAGE, limit);
  const wrong = wrongLimit(limit);
  if (wrong !== undefined) return refused(LANGUAGE, wrong);
  return {
    kind: "understood",
    language: LANGUAGE,
    what: `The container may use ${limitWords(limit)}: cpu.max “${limit.quotaUs} ${limit.periodUs}”.`,
    follows: followsOf(limit),
    unknown: [...leftOut(stated, limit), ...assumedWith(limit)],
    opens: limitScenario("container", limit, `docker run with a limit of ${limit.quotaUs} us in every ${limit.periodUs} us`),
    commands: [
      { line: `docker run --cpu-quota=${limit.quotaUs} --cpu-period=${limit.periodUs} IMAGE`, needs: "root" },
      cpuMaxCommand(limit),
    ],
  };
}

/** What the options say beside the limit, a sentence each. */
function leftOut(stated: ReadonlyMap<Option, string>, limit: Limit | undefined): readonly string[] {
  const [cpuset, shares] = [stated.get("--cpuset-cpus"), stated.get("--cpu-shares") ?? stated.get("-c")];
  const weight = limit?.weight === undefined ? "is left out" : `sets cpu.weight ${limit.weight}`;
  return [
    ...(cpuset === undefined ? [] : [`--cpuset-cpus ${quoted(cpuset)} is left out: the threads may run on every CPU.`]),
    ...(shares === undefined ? [] : [`--cpu-shares ${quoted(shares)} ${weight}: shares count only where groups compete for a CPU.`]),
  ];
}

/** The limit alone, for texts that hold more. */
export function limitOfDocker(text: string): Limit | undefined {
  const words = wordsAfter(text, /^(?:.*\/)?(?:docker|podman|nerdctl)$/);
  const limit = words === undefined ? undefined : limitOf(statedOptions(words));
  return typeof limit === "object" ? limit : undefined;
}

/** The last of each option counts, as in docker. */
function statedOptions(words: readonly string[]): ReadonlyMap<Option, string> {
  const stated = new Map<Option, string>();
  words.forEach((word, at) => {
    const option = OPTIONS.find((each) => word === each || word.startsWith(`${each}=`));
    const value = word === option ? (words[at + 1] ?? "") : word.slice((option ?? "").length + 1);
    // Behind the image a `-c` is the program's: sh -c "…".
    if (option !== undefined && (option !== "-c" || /^\d+$/.test(value))) stated.set(option, value);
  });
  return stated;
}

/** A sentence where docker would refuse it. */
function limitOf(stated: ReadonlyMap<Option, string>): Limit | string | undefined {
  const cpus = stated.get("--cpus");
  const quota = stated.get("--cpu-quota");
  const period = stated.get("--cpu-period");
  const shares = stated.get("--cpu-shares") ?? stated.get("-c");
  const weight = shares !== undefined && /^\d{1,6}$/.test(shares) ? weightOf(Number(shares)) : undefined;
  if (cpus !== undefined) {
    if (quota !== undefined || period !== undefined) return "docker takes --cpus or --cpu-quota with --cpu-period, not both.";
    const number = /^(?:\d{1,6}(?:\.\d{0,9})?|\.\d{1,9})$/.test(cpus) ? Number(cpus) : 0;
    if (number <= 0) return `--cpus is ${quoted(cpus)}; expected a number of CPUs such as 1.5.`;
    return { quotaUs: Math.round(number * PERIOD_US), periodUs: PERIOD_US, burstUs: 0, weight };
  }
  if (quota === undefined || quota === "0" || quota === "-1") return undefined;
  if (!/^\d{1,12}$/.test(quota)) return `--cpu-quota is ${quoted(quota)}; expected microseconds such as 150000.`;
  if (period !== undefined && !/^\d{1,9}$/.test(period)) return `--cpu-period is ${quoted(period)}; expected microseconds such as 100000.`;
  return { quotaUs: Number(quota), periodUs: period === undefined || period === "0" ? PERIOD_US : Number(period), burstUs: 0, weight };
}

/** --cpu-shares, 1024 by default, as cpu.weight of cgroup v2, by the rule that runtimes used until 2025. */
function weightOf(shares: number): number {
  return 1 + Math.floor(((Math.min(262_144, Math.max(2, shares)) - 2) * 9_999) / 262_142);
}
