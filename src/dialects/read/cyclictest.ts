// A `cyclictest` command line of rt-tests, read as getopt reads it: short options in one word,
// values with or without a space.

import { counted } from "../../lib/count.ts";
import { formatNs } from "../../lib/format.ts";
import { writeTime } from "../../scenario/knob-values.ts";
import { parseCpuList } from "./cpulist.ts";
import { wordsAfter } from "./shell-words.ts";
import {
  CPUS_MAX,
  listed,
  quoted,
  refused,
  scenarioText,
  someOf,
  type Reading,
} from "./understood.ts";

const LANGUAGE = "cyclictest";
/**
 * Options without a value, with one, and with one that may be left out, as in the getopt strings of
 * rt-tests 0.83 to 2.1 (`-e` is --latency).
 */
const PLAIN = "mnqNMrRsSuvxwWCEfBIPQU";
const VALUED = "bcdDeFhHijlopTyO";
const MAYBE = ["a", "A", "t", "secaligned"];
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
  latency: "e",
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
  numa: "U",
  priospread: "priospread",
  secaligned: "secaligned",
};
/** Options that change what is printed or how it is measured, not what runs. */
const PRINTING = "mnqNMuvhHjFRoc";
/** Options the scenario has. */
const TAKEN = [
  "a",
  "b",
  "d",
  "D",
  "e",
  "i",
  "l",
  "p",
  "S",
  "t",
  "U",
  "y",
  "A",
  "priospread",
  "secaligned",
];
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
      asked.priority === 0 && asked.policy === "auto" && !asked.spread
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
  // The tool takes the next word as the value of -a and -t only if it begins with a digit, or with
  // the ! that excludes CPUs.
  const maybe = (): string => (/^[\d!]/.test(words[at + 1] ?? "") ? next() : "");
  for (; at < words.length; at += 1) {
    const word = words[at] ?? "";
    const [, name = "", , stated] = /^--([a-zA-Z_-]+)(=(.*))?$/.exec(word) ?? [];
    const letter = LONG[name.replaceAll("-", "_")];
    if (name !== "" && letter === undefined) strange.push(word);
    else if (letter !== undefined)
      values.set(
        letter,
        stated ?? (VALUED.includes(letter) ? next() : MAYBE.includes(letter) ? maybe() : ""),
      );
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
  /** Each next thread is one weaker. */
  readonly spread: boolean;
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
    wrongs.push(
      `${letter === "e" ? "--latency" : `-${letter}`} is ${quoted(text)}; expected a whole number from ${least} to ${most}.`,
    );
    return otherwise;
  };
  if (values.has("S") && values.has("U"))
    wrongs.push("-S and --numa exclude each other: the tool refuses both together.");
  if (values.has("A") && values.has("secaligned"))
    wrongs.push("-A and --secaligned exclude each other: the tool refuses both together.");
  // With -S and --numa the tool ignores -a and -t.
  const each = values.has("S") || values.has("U");
  const affinity = each ? undefined : affinityOf(values.get("a"), wrongs);
  const threads = each
    ? "all"
    : values.get("t") === ""
      ? (affinity?.length ?? "all")
      : number("t", 1, 1, CPUS_MAX);
  const intervalUs = number("i", 1_000, 50, 1_000_000);
  const asked: Asked = {
    threads,
    affinity,
    pinned: each || values.has("a"),
    intervalUs,
    // With a histogram all threads share one interval, whatever -d says.
    distanceUs: hasHistogram(values) ? 0 : number("d", 500, 0, 1_000_000),
    priority: number("p", 0, 0, 99),
    policy: policyOf(values.get("y"), wrongs),
    spread: values.has("priospread"),
    loops: number("l", 0, 0, 4_294_967_295),
    durationUs: durationOf(values.get("D"), wrongs),
    breakUs: number("b", 0, 0, 1_000_000),
    alignedUs: values.has("A")
      ? number("A", 0, 0, 1_000_000)
      : values.has("secaligned")
        ? 0
        : undefined,
    latencyUs: number("e", 0, 0, 2_000_000_000),
  };
  return wrongs[0] ?? asked;
}

function hasHistogram(values: ReadonlyMap<string, string>): boolean {
  return ["h", "H"].some((letter) => Number.parseInt(values.get(letter) ?? "0", 10) > 0);
}

function affinityOf(text: string | undefined, wrongs: string[]): readonly number[] | undefined {
  if (text === undefined || text === "") return undefined;
  const cpus = parseCpuList(text);
  if (cpus === undefined)
    wrongs.push(
      `-a is ${quoted(text)}; expected CPUs such as 0-3,8 (CPUs taken out with ! are not read here).`,
    );
  return cpus;
}

function policyOf(text: string | undefined, wrongs: string[]): Asked["policy"] {
  switch (text?.toLowerCase()) {
    case undefined:
    case "other":
    case "normal":
      return "auto";
    case "fifo":
      return "fifo";
    case "rr":
      return "rr";
    case "idle":
      return "idle";
    default:
      wrongs.push(
        `--policy is ${quoted(text ?? "")}; expected fifo, rr, other or idle, which are simulated here.`,
      );
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
  const wanted = Math.min(
    durationUs,
    loops === 0 ? Infinity : (loops + 2) * intervalUs,
    ROUNDS * intervalUs,
  );
  return Math.min(most, Math.max(least, wanted));
}

function whatOf({
  threads,
  affinity,
  pinned,
  intervalUs,
  distanceUs,
  priority,
  policy,
  spread,
}: Asked): string {
  const where =
    affinity === undefined
      ? pinned
        ? ", each on a CPU of its own"
        : ""
      : `, on ${counted(affinity.length, "chosen CPU")}`;
  const who = threads === "all" ? "one thread per CPU" : counted(threads, "thread");
  const class_ =
    policy !== "auto" && !(policy === "idle" && priority > 0)
      ? `SCHED_${policy.toUpperCase()}`
      : priority > 0 || spread
        ? "SCHED_FIFO"
        : "SCHED_OTHER";
  const level =
    priority > 0
      ? ` priority ${priority}${spread ? " and one lower from thread to thread" : ""}`
      : "";
  const wakes =
    distanceUs > 0 && threads !== 1
      ? `the first thread wakes every ${intervalUs} µs, and the interval of each next thread is ${distanceUs} µs longer. A thread`
      : `a thread wakes every ${intervalUs} µs and`;
  return `cyclictest runs ${who} of ${class_}${level}${where}; ${wakes} notes how late it is.`;
}

function remarksOf({ values, strange }: Options, { threads, pinned }: Asked): readonly string[] {
  const unread = [...values.keys()]
    .filter((letter) => !TAKEN.includes(letter) && !PRINTING.includes(letter))
    .map((letter) => `-${letter}`);
  const ignored = ["S", "U"].some((letter) => values.has(letter))
    ? ["a", "t"].filter((letter) => values.has(letter))
    : [];
  const left = [...unread, ...strange];
  return [
    ...(left.length === 0
      ? []
      : [`Left out, since the scenario has nothing like it: ${someOf(left.map(quoted))}.`]),
    ...(values.has("m") ? [] : ["-m is missing; memory is always locked here."]),
    ...(threads === 1 && !values.has("t") ? ["Without -t or -S the tool runs one thread."] : []),
    ...(ignored.length === 0
      ? []
      : [
          `The tool ignores ${listed(ignored.map((letter) => `-${letter}`))} beside ${values.has("S") ? "-S" : "--numa"}.`,
        ]),
    ...(hasHistogram(values) && Number(values.get("d") ?? 0) > 0
      ? ["The tool ignores -d beside a histogram: all threads share one interval."]
      : []),
    ...(values.has("secaligned")
      ? [
          "--secaligned is read as -A 0: all threads start at one instant, wherever that is in its second.",
        ]
      : []),
    ...(values.has("U") ? ["rt-tests 1.4 and later refuse --numa: use -S there."] : []),
    ...(pinned
      ? []
      : [
          "Without -a the threads are not pinned, as in rt-tests up to 1.3. From 1.4 on the tool can pin each to its own CPU: then add -a.",
        ]),
  ];
}

function scenarioOf(asked: Asked, cpus: number, runUs: number): string {
  const {
    threads,
    affinity,
    intervalUs,
    distanceUs,
    priority,
    policy,
    spread,
    loops,
    breakUs,
    alignedUs,
    latencyUs,
  } = asked;
  const cyclictest = {
    threads,
    interval: `${intervalUs}us`,
    distance: `${distanceUs}us`,
    priority,
    pinned: asked.pinned,
    body: `${Math.min(7, Math.floor(intervalUs / 4))}us`,
    ...(policy === "auto" ? {} : { policy }),
    ...(spread ? { priospread: true } : {}),
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
    headline: [
      "latency.cyclictest.max_ns",
      "latency.cyclictest.p99_ns",
      "latency.cyclictest.p50_ns",
    ],
  });
}

/** The command in its plainest form. */
function lineOf({
  threads,
  affinity,
  pinned,
  intervalUs,
  distanceUs,
  priority,
  policy,
  spread,
  loops,
  durationUs,
  breakUs,
  alignedUs,
  latencyUs,
}: Asked): string {
  return [
    "cyclictest -m",
    threads === "all" ? (pinned ? "-S" : "-t") : `-t ${threads}`,
    ...(affinity !== undefined
      ? [`-a ${affinity.join(",")}`]
      : pinned && threads !== "all"
        ? ["-a"]
        : []),
    `-p ${priority} -i ${intervalUs} -d ${distanceUs}`,
    ...(policy === "auto" ? [] : [`--policy=${policy}`]),
    ...(spread ? ["--priospread"] : []),
    ...(alignedUs === undefined ? [] : [`-A ${alignedUs}`]),
    ...(loops > 0 ? [`-l ${loops}`] : []),
    ...(durationUs === undefined ? [] : [`-D ${durationUs / 1_000_000}`]),
    ...(breakUs > 0 ? [`-b ${breakUs}`] : []),
    ...(latencyUs > 0 ? [`--latency=${latencyUs}`] : []),
  ].join(" ");
}
