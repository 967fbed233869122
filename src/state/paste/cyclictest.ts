// A `cyclictest` command line of rt-tests, read as getopt reads it: short options in one word, values with or without a space.

import { counted } from "../../lib/count.ts";
import { formatNs } from "../../lib/format.ts";
import { writeTime } from "../knobs/knob-values.ts";
import { parseCpuList } from "./cpulist.ts";
import { wordsAfter } from "./shell-words.ts";
import { CPUS_MAX, quoted, refused, scenarioText, someOf, type Reading } from "./understood.ts";

const LANGUAGE = "cyclictest";
/** Options without a value, with one, and with one that may be left out, as in the tool's getopt string. */
const PLAIN = "mnqNMrRsSuvxwCeEgkQU";
const VALUED = "bcdDFhHijlLopTyO";
const MAYBE = "aAt";
const LONG: Readonly<Record<string, string>> = {
  affinity: "a",
  aligned: "A",
  breaktrace: "b",
  clock: "c",
  distance: "d",
  duration: "D",
  fifo: "F",
  histogram: "h",
  histofall: "H",
  interval: "i",
  latency: "L",
  loops: "l",
  mlockall: "m",
  nanosleep: "n",
  nsecs: "N",
  refresh_on_max: "M",
  oscope: "o",
  priority: "p",
  policy: "y",
  quiet: "q",
  relative: "r",
  resolution: "R",
  system: "s",
  smp: "S",
  threads: "t",
  unbuffered: "u",
  verbose: "v",
  posix_timers: "x",
  json: "j",
  histfile: "j",
};
/** Options that change what is printed or how it is measured, not what runs. */
const PRINTING = "mnqNMuvhHjFRoc";
/** Options the scenario has. */
const TAKEN = "abdDilLpStyA";
/** A run's rounds of the shortest interval. */
const ROUNDS = 5_000;
const RANGE_US = [200_000, 10_000_000] as const;
const CPUS = 8;

export function readCyclictest(text: string): Reading | undefined {
  const words = wordsAfter(text, /^(?:.*\/)?cyclictest$/);
  if (words === undefined) return undefined;
  const options = optionsOf(words);
  const asked = askedOf(options.values);
  if (typeof asked === "string") return refused(LANGUAGE, asked);
  const cpus = Math.max(CPUS, (asked.affinity?.at(-1) ?? 0) + 1);
  const runUs = runOf(asked);
  return {
    kind: "understood",
    language: LANGUAGE,
    what: whatOf(asked),
    follows:
      asked.priority === 0 && asked.policy === "auto"
        ? [
            `${options.values.has("p") ? "With -p 0" : "Without -p"} the threads are SCHED_OTHER, and each wake-up is late by a timer slack of 50 µs.`,
          ]
        : [],
    unknown: [
      `The line does not say what else runs: assumed is a build on all CPUs (kernbench), with preempt=voluntary on side A and preempt=full on side B.`,
      `It does not say how many CPUs the machine has (assumed: ${cpus}), its hardware or its kernel (assumed: 6.12): no microsecond of it is measured on yours.`,
      `The scenario runs ${formatNs(runUs * 1_000)} of it.`,
      ...remarksOf(options, asked),
    ],
    opens: { kind: "scenario", text: scenarioOf(asked, cpus, runUs), search: undefined },
    commands: [{ line: `sudo ${lineOf(asked)}`, needs: "root" }],
  };
}

interface Options {
  /** By their short letter; "" for no value. The last counts. */
  readonly values: ReadonlyMap<string, string>;
  readonly strange: readonly string[];
}

function optionsOf(words: readonly string[]): Options {
  const values = new Map<string, string>();
  const strange: string[] = [];
  let at = 0;
  const next = (): string => words[(at += 1)] ?? "";
  // As the tool does it: the next word is the value of -a and -t where it begins with a digit, or with the ! that excludes CPUs.
  const maybe = (): string => (/^[\d!]/.test(words[at + 1] ?? "") ? next() : "");
  for (; at < words.length; at += 1) {
    const word = words[at] ?? "";
    const [, name = "", , stated] = /^--([a-zA-Z_-]+)(=(.*))?$/.exec(word) ?? [];
    const letter = LONG[name.replaceAll("-", "_")];
    if (name !== "" && letter === undefined) strange.push(word);
    else if (letter !== undefined) values.set(letter, stated ?? (VALUED.includes(letter) ? next() : MAYBE.includes(letter) ? maybe() : ""));
    else if (/^-[a-zA-Z]/.test(word)) readShort(word, { values, strange, next, maybe });
    else strange.push(word);
  }
  return { values, strange };
}

interface Taking {
  readonly values: Map<string, string>;
  readonly strange: string[];
  readonly next: () => string;
  readonly maybe: () => string;
}

/** `-Smp95`: letters up to the first that takes a value, which is the rest of the word. */
function readShort(word: string, { values, strange, next, maybe }: Taking): void {
  for (let place = 1; place < word.length; place += 1) {
    const letter = word.charAt(place);
    const rest = word.slice(place + 1);
    if (VALUED.includes(letter)) values.set(letter, rest === "" ? next() : rest);
    else if (MAYBE.includes(letter)) values.set(letter, rest === "" ? maybe() : rest);
    else if (PLAIN.includes(letter)) {
      values.set(letter, "");
      continue;
    } else strange.push(`-${letter}`);
    return;
  }
}

/** What the line asks for, with the tool's own defaults. */
interface Asked {
  readonly threads: number | "all";
  /** undefined: every CPU in turn. */
  readonly affinity: readonly number[] | undefined;
  readonly pinned: boolean;
  readonly intervalUs: number;
  readonly distanceUs: number;
  readonly priority: number;
  readonly policy: "auto" | "fifo" | "rr" | "idle";
  readonly loops: number;
  readonly durationUs: number | undefined;
  readonly breakUs: number;
  readonly alignedUs: number | undefined;
  readonly latencyUs: number;
}

/** A sentence where the tool would refuse it, or where it does not fit here. */
function askedOf(values: ReadonlyMap<string, string>): Asked | string {
  const wrongs: string[] = [];
  const number = (letter: string, otherwise: number, least: number, most: number): number => {
    const text = values.get(letter);
    if (text === undefined || (text === "" && MAYBE.includes(letter))) return otherwise;
    const value = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    wrongs.push(`-${letter} is ${quoted(text)}; expected a whole number from ${least} to ${most}.`);
    return otherwise;
  };
  const smp = values.has("S");
  const affinity = affinityOf(values.get("a"), wrongs);
  const threads = smp || values.get("t") === "" ? "all" : number("t", 1, 1, CPUS_MAX);
  const intervalUs = number("i", 1_000, 50, 1_000_000);
  const asked: Asked = {
    threads,
    affinity,
    pinned: smp || values.has("a"),
    intervalUs,
    // With -h all threads share one interval.
    distanceUs: values.has("h") || smp ? 0 : number("d", 500, 0, 1_000_000),
    priority: number("p", 0, 0, 99),
    policy: policyOf(values.get("y"), wrongs),
    loops: number("l", 0, 0, 4_294_967_295),
    durationUs: durationOf(values.get("D"), wrongs),
    breakUs: number("b", 0, 0, 1_000_000),
    alignedUs: values.has("A") ? number("A", 0, 0, 1_000_000) : undefined,
    latencyUs: number("L", 0, 0, 2_000_000_000),
  };
  return wrongs[0] ?? asked;
}

function affinityOf(text: string | undefined, wrongs: string[]): readonly number[] | undefined {
  if (text === undefined || text === "") return undefined;
  const cpus = parseCpuList(text);
  if (cpus === undefined) wrongs.push(`-a is ${quoted(text)}; expected CPUs such as 0-3,8 (CPUs taken out with ! are not read here).`);
  return cpus;
}

function policyOf(text: string | undefined, wrongs: string[]): Asked["policy"] {
  switch (text) {
    case undefined:
    case "other":
    case "normal":
      return "auto";
    case "fifo":
    case "rr":
    case "idle":
      return text;
    default:
      wrongs.push(`--policy is ${quoted(text)}; expected fifo, rr, other or idle, which are simulated here.`);
      return "auto";
  }
}

/** -D: seconds, or with m, h or d behind. */
function durationOf(text: string | undefined, wrongs: string[]): number | undefined {
  if (text === undefined) return undefined;
  const [, number = "", unit = ""] = /^(\d{1,9})([smhd]?)$/.exec(text) ?? [];
  const seconds = { s: 1, m: 60, h: 3_600, d: 86_400, "": 1 }[unit] ?? 1;
  if (number !== "" && Number(number) > 0) return Number(number) * seconds * 1_000_000;
  wrongs.push(`-D is ${quoted(text)}; expected a time such as 60 or 1h.`);
  return undefined;
}

function runOf({ intervalUs, loops, durationUs = Infinity }: Asked): number {
  const [least, most] = RANGE_US;
  const wanted = Math.min(durationUs, loops === 0 ? Infinity : (loops + 2) * intervalUs, ROUNDS * intervalUs);
  return Math.min(most, Math.max(least, wanted));
}

function whatOf({ threads, affinity, pinned, intervalUs, distanceUs, priority, policy }: Asked): string {
  const where = affinity === undefined ? (pinned ? ", each on a CPU of its own" : "") : `, on ${counted(affinity.length, "chosen CPU")}`;
  const who = threads === "all" ? "one thread per CPU" : counted(threads, "thread");
  const class_ =
    policy !== "auto" && !(policy === "idle" && priority > 0)
      ? `SCHED_${policy.toUpperCase()}`
      : priority > 0
        ? "SCHED_FIFO"
        : "SCHED_OTHER";
  const wakes = `wakes every ${intervalUs} µs${distanceUs > 0 && threads !== 1 ? `, each further thread ${distanceUs} µs later than the one before` : ""}`;
  return `cyclictest runs ${who} of ${class_}${priority > 0 ? ` priority ${priority}` : ""}${where}; a thread ${wakes} and notes how late it is.`;
}

function remarksOf({ values, strange }: Options, { threads }: Asked): readonly string[] {
  const unread = [...values.keys()].filter((letter) => !TAKEN.includes(letter) && !PRINTING.includes(letter)).map((letter) => `-${letter}`);
  const left = [...unread, ...strange];
  return [
    ...(left.length === 0 ? [] : [`Left out, since the scenario has nothing like it: ${someOf(left.map(quoted))}.`]),
    ...(values.has("m") ? [] : ["-m is missing; memory is always locked here."]),
    ...(threads === 1 ? ["Without -t or -S the tool runs one thread."] : []),
  ];
}

function scenarioOf(asked: Asked, cpus: number, runUs: number): string {
  const { threads, affinity, intervalUs, distanceUs, priority, policy, loops, breakUs, alignedUs, latencyUs } = asked;
  const cyclictest = {
    threads,
    interval: `${intervalUs}us`,
    distance: `${distanceUs}us`,
    priority,
    pinned: asked.pinned,
    body: `${Math.min(7, Math.floor(intervalUs / 4))}us`,
    ...(policy === "auto" ? {} : { policy }),
    ...(affinity === undefined ? {} : { affinity: affinity.join(",") }),
    ...(alignedUs === undefined ? {} : { aligned: `${alignedUs}us` }),
    ...(loops === 0 ? {} : { loops }),
    ...(breakUs === 0 ? {} : { breaktrace: breakUs }),
    ...(latencyUs === 0 ? {} : { latency: latencyUs }),
  };
  return scenarioText({
    schema: 1,
    title: "How late does cyclictest wake up beside a build?",
    source: [{ title: "made from a cyclictest command; the load beside it is assumed" }],
    seed: 1,
    duration: writeTime(runUs * 1_000),
    machine: { cpus, costs: "modern_2s_qspin" },
    kernel: { version: "6.12", hz: 1000, preempt: "voluntary" },
    workload: { cyclictest, kernbench: { load: "optimal", files: 4_096 } },
    variants: [
      { name: "preempt=voluntary", set: { "kernel.preempt": "voluntary" } },
      { name: "preempt=full", set: { "kernel.preempt": "full" } },
      { name: "PREEMPT_RT", set: { "kernel.preempt": "rt" } },
      { name: "preempt=none", set: { "kernel.preempt": "none" } },
    ],
    knobs: [
      "kernel.preempt",
      "machine.cpus",
      "workload.cyclictest.priority",
      "workload.cyclictest.interval",
      "workload.cyclictest.threads",
      "workload.kernbench.load",
      "kernel.version",
      "machine.idle",
    ],
    headline: ["latency.cyclictest.max_ns", "latency.cyclictest.p99_ns", "latency.cyclictest.p50_ns"],
  });
}

/** The same command in its plainest form. */
function lineOf({
  threads,
  affinity,
  pinned,
  intervalUs,
  distanceUs,
  priority,
  policy,
  loops,
  durationUs,
  breakUs,
  alignedUs,
  latencyUs,
}: Asked): string {
  return [
    "cyclictest -m",
    threads === "all" ? (pinned ? "-S" : "-t") : `-t ${threads}`,
    ...(affinity !== undefined ? [`-a ${affinity.join(",")}`] : pinned && threads !== "all" ? ["-a"] : []),
    `-p ${priority} -i ${intervalUs} -d ${distanceUs}`,
    ...(policy === "auto" ? [] : [`--policy=${policy}`]),
    ...(alignedUs === undefined ? [] : [`-A ${alignedUs}`]),
    ...(loops > 0 ? [`-l ${loops}`] : []),
    ...(durationUs === undefined ? [] : [`-D ${durationUs / 1_000_000}`]),
    ...(breakUs > 0 ? [`-b ${breakUs}`] : []),
    ...(latencyUs > 0 ? [`--latency=${latencyUs}`] : []),
  ].join(" ");
}
