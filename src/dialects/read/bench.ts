// The scheduler's own benchmarks as command lines: hackbench of rt-tests, `perf bench sched
// messaging`, which is the same program, and `perf bench sched pipe`.

import { counted } from "../../lib/count.ts";
import type { RealCommand } from "../write/real-command.ts";
import { wordsAfter } from "./shell-words.ts";
import { quoted, refused, scenarioText, someOf, type Reading } from "./understood.ts";

/**
 * Options with a number, each with its name in a scenario, default and range; and those without.
 */
interface Tool {
  readonly language: string;
  readonly numbers: Readonly<Record<string, readonly [key: string, own: number, most: number]>>;
  readonly flags: Readonly<Record<string, string>>;
  readonly long: Readonly<Record<string, string>>;
  /** Threads instead of processes. */
  readonly threads: string;
}

/** The options and defaults that hackbench's help prints. */
const HACKBENCH: Tool = {
  language: "hackbench",
  numbers: {
    g: ["groups", 10, 400],
    f: ["fds", 20, 200],
    l: ["loops", 100, 1_000_000],
    s: ["datasize", 100, 65_536],
  },
  flags: { p: "pipe", F: "fifo" },
  long: {
    groups: "g",
    fds: "f",
    loops: "l",
    datasize: "s",
    pipe: "p",
    fifo: "F",
    threads: "T",
    process: "P",
  },
  threads: "T",
};
/** What a run holds; each sender and receiver has a step for every one of the other side. */
const TASKS_MAX = 16_384;
const OPS_MAX = 190_000;
/** From tools/perf/Documentation/perf-bench.txt: 20 senders and receivers a group. */
const MESSAGING_FDS = 20;
const MESSAGING: Tool = {
  language: "perf bench sched messaging",
  numbers: { g: ["groups", 10, 400], l: ["loops", 100, 1_000_000] },
  flags: { p: "pipe" },
  long: { group: "g", loop: "l", pipe: "p", thread: "t", nr_loops: "l" },
  threads: "t",
};
const PIPE: Tool = {
  language: "perf bench sched pipe",
  numbers: { l: ["loops", 1_000_000, 100_000_000] },
  flags: { T: "threaded" },
  long: { loop: "l", threaded: "T" },
  threads: "T",
};
/** Without any effect here: threads and processes are tasks. */
const SAME = "TPt";
const CPUS = 8;

export function readBench(text: string): Reading | undefined {
  const perf = wordsAfter(text, /^(?:.*\/)?perf$/);
  const suite = perf?.indexOf("sched") ?? -1;
  if (perf?.includes("bench") === true && suite >= 0) {
    const tool = { messaging: MESSAGING, pipe: PIPE }[perf[suite + 1] ?? ""];
    if (tool === undefined)
      return refused(
        "perf bench",
        "Of perf bench only “sched messaging” and “sched pipe” are simulated.",
      );
    return readingOf(tool, perf.slice(suite + 2), text);
  }
  const words = wordsAfter(text, /^(?:.*\/)?hackbench$/);
  return words === undefined ? undefined : readingOf(HACKBENCH, words, text);
}

function readingOf(tool: Tool, words: readonly string[], text: string): Reading {
  const options = optionsOf(tool, words);
  if (typeof options === "string") return refused(tool.language, options);
  const { values, left, threads } = options;
  if (tool !== PIPE) {
    const [groups, fds] = [Number(values["groups"]), Number(values["fds"] ?? MESSAGING_FDS)];
    if (2 * groups * fds >= TASKS_MAX || 2 * groups * fds * fds > OPS_MAX)
      return refused(
        tool.language,
        `The line asks for ${2 * groups * fds} tasks in ${counted(groups, "group")}, more than a run here can hold. Take fewer groups or smaller ones.`,
      );
  }
  const pinned =
    tool === PIPE && /\btaskset\b/.test(text)
      ? ["Where taskset puts the two is left out: set the knob “pipe CPUs”."]
      : [];
  return {
    kind: "understood",
    language: tool.language,
    what: whatOf(tool, values),
    follows: [],
    unknown: [
      `How many CPUs the machine has (assumed: ${CPUS}), and which kernel (assumed: 6.13, with preempt=full on side A and preempt=lazy on side B).`,
      ...(tool === PIPE
        ? ["The scenario runs 200 ms of it."]
        : ["The scenario runs 500 ms of it, or less where it is done before."]),
      ...pinned,
      ...(threads === undefined
        ? []
        : [
            `${threads} makes threads of one process instead of processes: no figure here differs, because switching an address space costs nothing in this model.`,
          ]),
      ...(left.length === 0
        ? []
        : [`Left out, since the scenario has nothing like it: ${someOf(left.map(quoted))}.`]),
    ],
    opens: { kind: "scenario", text: scenarioOf(tool, values), search: undefined },
    commands: [commandOf(tool, values, threads)],
  };
}

/**
 * The command with every number in it. hackbench's -F makes the main thread SCHED_FIFO, which
 * only root may do.
 */
function commandOf(tool: Tool, values: Values, threads: string | undefined): RealCommand {
  const numbers = Object.entries(tool.numbers).map(
    ([letter, [key]]) => `-${letter} ${values[key]}`,
  );
  const flags = Object.entries(tool.flags).flatMap(([letter, key]) =>
    values[key] === true && `-${letter}` !== threads ? [`-${letter}`] : [],
  );
  const line = [
    tool.language,
    ...numbers,
    ...flags,
    ...(threads === undefined ? [] : [threads]),
  ].join(" ");
  return values["fifo"] === true
    ? { line: `sudo ${line}`, needs: "root" }
    : { line, needs: undefined };
}

type Values = Readonly<Record<string, number | boolean>>;

interface Options {
  readonly values: Values;
  readonly left: readonly string[];
  /** The option that asks for threads, by its letter. */
  readonly threads: string | undefined;
}

/** A sentence where a value does not fit. */
function optionsOf(tool: Tool, words: readonly string[]): Options | string {
  let threads: string | undefined;
  const values: Record<string, number | boolean> = Object.fromEntries(
    Object.values(tool.numbers).map(([key, own]) => [key, own]),
  );
  const left: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    const [, name, stated] = /^--([a-z-]+)(?:=(.*))?$/.exec(word) ?? [];
    const letter =
      name === undefined
        ? (/^-([a-zA-Z])/.exec(word)?.[1] ?? "")
        : (tool.long[name.replaceAll("-", "_")] ?? "");
    if (letter === tool.threads) threads = `-${letter}`;
    const number = tool.numbers[letter];
    const flag = tool.flags[letter];
    if (number !== undefined) {
      const [key, , most] = number;
      const value =
        stated ??
        (name === undefined && word.length > 2 ? word.slice(2) : (words[(at += 1)] ?? ""));
      if (!/^\d{1,9}$/.test(value) || Number(value) < 1 || Number(value) > most)
        return `-${letter} is ${quoted(value)}; expected a whole number from 1 to ${most}.`;
      values[key] = Number(value);
    } else if (flag !== undefined) values[flag] = true;
    else if (letter === "" || !SAME.includes(letter)) left.push(word);
  }
  return { values, left, threads };
}

function whatOf(tool: Tool, values: Values): string {
  const number = (key: string): number => Number(values[key] ?? 0);
  if (tool === PIPE)
    return `Two tasks wake each other through a pipe, ${counted(number("loops"), "time")}.`;
  const fds = number("fds") || MESSAGING_FDS;
  const through = values["pipe"] === true ? "pipes" : "socket pairs";
  const tasks = 2 * fds * number("groups");
  return `${tool.language} runs ${tasks} tasks in ${counted(number("groups"), "group")}: ${fds} senders of each group write ${counted(number("loops"), "message")} to each of its ${fds} receivers, through ${through}.`;
}

function scenarioOf(tool: Tool, values: Values): string {
  const name = tool === PIPE ? "pipe" : "hackbench";
  const knobs =
    tool === PIPE
      ? ["pipe.cpus", "pipe.loops"]
      : ["hackbench.groups", "hackbench.buffer", "hackbench.pipe", "hackbench.fds"];
  return scenarioText({
    schema: 1,
    title:
      tool === PIPE
        ? "What does a wake-up through a pipe cost?"
        : "How many wake-ups do these writers and readers cost?",
    source: [{ title: `made from a command line of ${tool.language}` }],
    seed: 1,
    duration: tool === PIPE ? "200ms" : "500ms",
    machine: { cpus: CPUS, costs: "modern_2s_qspin" },
    kernel: { version: "6.13", hz: 1000 },
    workload: { [name]: values },
    variants: [
      { name: "full", set: { "kernel.preempt": "full" } },
      { name: "lazy", set: { "kernel.preempt": "lazy" } },
      { name: "none", set: { "kernel.preempt": "none" } },
    ],
    knobs: [
      "kernel.preempt",
      ...knobs.map((knob) => `workload.${knob}`),
      "machine.cpus",
      "kernel.version",
    ],
    labels:
      tool === PIPE
        ? { pipe: "task of the pipe", "pipe.elapsed": "time of all messages" }
        : {
            hackbench_sender: "sender",
            hackbench_receiver: "receiver",
            "hackbench_main.elapsed": "time of all messages",
          },
    headline:
      tool === PIPE
        ? ["latency.pipe.p50_ns", "tool_samples.pipe.elapsed.max_ns", "sched.context_switches"]
        : [
            "sched.context_switches",
            "tool_samples.hackbench_main.elapsed.max_ns",
            "latency.hackbench_receiver.p99_ns",
          ],
  });
}
