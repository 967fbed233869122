// `docker run` (also podman and nerdctl): --cpus, or --cpu-quota with --cpu-period; --cpu-shares
// beside them. Other options say nothing about CPU time.

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
} from "./quota-scenario.ts";
import type { RealCommand } from "../write/real-command.ts";
import { dockerWords, type DockerWords } from "./docker-options.ts";
import { wordsAfter } from "./shell-words.ts";
import { listed, quoted, refused, someOf, type Reading } from "./understood.ts";

const LANGUAGE = "docker run";

const TOOL = /^(?:.*\/)?(?:docker|podman|nerdctl)$/;

export function readDocker(text: string): Reading | undefined {
  const words = dockerWords(wordsAfter(text, TOOL) ?? []);
  if (words === undefined) return undefined;
  const limit = limitOf(words.stated);
  if (limit === undefined) {
    if (words.command === "update" || words.image === undefined)
      return refused(
        LANGUAGE,
        "The command has no --cpus and no --cpu-quota: it sets no CPU limit. Add --cpus=1.5, or name the image that runs.",
      );
    return withoutLimit(
      LANGUAGE,
      "The command has no --cpus and no --cpu-quota: the container has no CPU limit and is never throttled.",
      [...behindWords(words), ...leftOut(words.stated, undefined)],
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
    unknown: [...behindWords(words), ...leftOut(words.stated, limit), ...assumedWith(limit)],
    opens: limitScenario(
      "container",
      limit,
      `docker run with a limit of ${limit.quotaUs} us in every ${limit.periodUs} us`,
    ),
    commands: [dockerCommand(limit), cpuMaxCommand(limit)],
  };
}

/** A container with this limit. */
export function dockerCommand({ quotaUs, periodUs }: Limit): RealCommand {
  return {
    line: `docker run --cpu-quota=${quotaUs} --cpu-period=${periodUs} IMAGE`,
    needs: "root",
  };
}

/** Which options are not docker's, and of which that is not known, a sentence each. */
function behindWords({ image, behind, unsure }: DockerWords): readonly string[] {
  const cpu = behind.filter((word) => /^--cpu/.test(word)).map(quoted);
  const which = image === undefined ? "no image follows" : `the image is ${quoted(image)}`;
  return [
    ...(cpu.length === 0
      ? []
      : [
          `${someOf(cpu)} ${cpu.length === 1 ? "stands" : "stand"} behind the image ${quoted(image ?? "")}: options there belong to the program in the container, and docker sets no limit from them.`,
        ]),
    ...(unsure.length === 0
      ? []
      : [
          `The box does not know whether ${someOf(unsure.map(quoted))} takes a value. Assumed: it takes the next word, and ${which}.`,
        ]),
  ];
}

/** CPU options that are read. */
const READ = ["cpus", "cpu-quota", "cpu-period", "cpu-shares", "cpuset-cpus"];

/** What the options say beside the limit, a sentence each. */
function leftOut(stated: DockerWords["stated"], limit: Limit | undefined): readonly string[] {
  const [cpuset, shares] = [stated.get("cpuset-cpus"), stated.get("cpu-shares")];
  const others = [...stated.keys()]
    .filter((name) => name.startsWith("cpu") && !READ.includes(name))
    .map((name) => `--${name}`);
  return [
    ...(cpuset === undefined
      ? []
      : [`--cpuset-cpus ${quoted(cpuset)} is left out: the threads may run on every CPU.`]),
    ...(shares === undefined
      ? []
      : [`--cpu-shares ${quoted(shares)} ${sharesWords(limit?.weight)}`]),
    ...(others.length === 0
      ? []
      : [`Left out, since the scenario has nothing like it: ${listed(others)}.`]),
  ];
}

/** What becomes of shares, behind their name. */
export function sharesWords(weight: number | undefined): string {
  return `${weight === undefined ? "is left out" : `sets cpu.weight ${weight}`}: shares count only where groups compete for a CPU.`;
}

/** The limit alone, for texts that hold more. */
export function limitOfDocker(text: string): Limit | undefined {
  const words = dockerWords(wordsAfter(text, TOOL) ?? []);
  const limit = words === undefined ? undefined : limitOf(words.stated);
  return typeof limit === "object" ? limit : undefined;
}

/** A sentence where docker would refuse it. */
function limitOf(stated: DockerWords["stated"]): Limit | string | undefined {
  const cpus = stated.get("cpus");
  const quota = stated.get("cpu-quota");
  const period = stated.get("cpu-period");
  const weight = weightOfShares(stated.get("cpu-shares"));
  if (cpus !== undefined) {
    if (quota !== undefined || period !== undefined)
      return "docker takes --cpus or --cpu-quota with --cpu-period, not both.";
    const number = /^(?:\d{1,6}(?:\.\d{0,9})?|\.\d{1,9})$/.test(cpus) ? Number(cpus) : -1;
    // docker takes 0 as no limit.
    if (number === 0) return undefined;
    if (number < 0) return `--cpus is ${quoted(cpus)}; expected a number of CPUs such as 1.5.`;
    return { quotaUs: Math.round(number * PERIOD_US), periodUs: PERIOD_US, burstUs: 0, weight };
  }
  if (quota === undefined || quota === "0" || quota === "-1") return undefined;
  if (!/^\d{1,12}$/.test(quota))
    return `--cpu-quota is ${quoted(quota)}; expected microseconds such as 150000.`;
  if (period !== undefined && !/^\d{1,9}$/.test(period))
    return `--cpu-period is ${quoted(period)}; expected microseconds such as 100000.`;
  return {
    quotaUs: Number(quota),
    periodUs: period === undefined || period === "0" ? PERIOD_US : Number(period),
    burstUs: 0,
    weight,
  };
}

/**
 * --cpu-shares, 1024 by default, as cpu.weight of cgroup v2, by the rule that runtimes used until
 * 2025.
 */
export function weightOfShares(shares: string | undefined): number | undefined {
  if (shares === undefined || !/^\d{1,6}$/.test(shares) || shares === "0") return undefined;
  return 1 + Math.floor(((Math.min(262_144, Math.max(2, Number(shares))) - 2) * 9_999) / 262_142);
}
