// `rtla timerlat` and `rtla osnoise` of the kernel's tools/tracing/rtla. timerlat asks what
// cyclictest asks, osnoise what a list of CPUs asks; each opens what those open. Options as in
// Documentation/tools/rtla.

import { parseCpuList, readCpuList } from "./cpulist.ts";
import { readCyclictest } from "./cyclictest.ts";
import { wordsAfter } from "./shell-words.ts";
import { quoted, refused, someOf, type Reading } from "./understood.ts";

/**
 * timerlat's threads are SCHED_FIFO 95, and wake every 1000 us, the tracer's default (recalled).
 */
const PRIORITY = "f:95";
const PERIOD_US = "1000";
const LONG: Readonly<Record<string, string>> = {
  "--cpus": "-c",
  "--priority": "-P",
  "--period": "-p",
  "--duration": "-d",
};

export function readRtla(text: string): Reading | undefined {
  const words = wordsAfter(text, /^(?:.*\/)?(?:rtla|timerlat|osnoise|hwnoise)$/);
  if (words === undefined) return undefined;
  const called = /(?:^|[\s/])(timerlat|osnoise|hwnoise)(?:\s|$)/.exec(text)?.[1];
  if (called === undefined || (!/\brtla\b/.test(text) && !/^(?:hist|top)$/.test(words[0] ?? "")))
    return undefined;
  const { values, left } = optionsOf(
    words.filter((word) => !/^(?:timerlat|osnoise|hwnoise|hist|top)$/.test(word)),
  );
  return called === "timerlat" ? timerlat(values, left) : noise(called, values);
}

interface Options {
  readonly values: ReadonlyMap<string, string>;
  /** What only changes the output, or has nothing like it here. */
  readonly left: readonly string[];
}

function optionsOf(words: readonly string[]): Options {
  const values = new Map<string, string>();
  const left: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    const [, long = "", stated] = /^(--[a-z-]+)=(.*)$/.exec(word) ?? [];
    const short = /^(-[cPpd])(.+)$/.exec(word);
    const option = LONG[long === "" ? word : long] ?? (/^-[cPpd]$/.test(word) ? word : short?.[1]);
    if (option === undefined || (short !== null && word.startsWith("--"))) {
      if (word.startsWith("-")) left.push(word);
    } else if (long !== "") values.set(option, stated ?? "");
    else if (short !== null) values.set(option, short[2] ?? "");
    else values.set(option, words[(at += 1)] ?? "");
  }
  return { values, left };
}

function timerlat(values: ReadonlyMap<string, string>, left: readonly string[]): Reading {
  const language = "rtla timerlat";
  const stated = values.get("-P") ?? PRIORITY;
  const [, policy = "", priority = ""] = /^([ofr]):(\d{1,2})$/.exec(stated) ?? [];
  if (policy === "")
    return refused(
      language,
      `-P is ${quoted(stated)}; expected f:95, r:95 or o:0. SCHED_DEADLINE (d:) is not simulated.`,
    );
  const cpus = values.get("-c");
  const period = values.get("-p") ?? PERIOD_US;
  const duration = values.get("-d");
  const chosen = cpus === undefined ? undefined : parseCpuList(cpus);
  const line = [
    // One thread for each CPU, all with one period.
    "cyclictest -m -d 0",
    cpus === undefined ? "-S" : `-t ${chosen?.length ?? 1} -a ${cpus}`,
    policy === "o" ? "-p 0" : `-p ${priority} --policy=${policy === "f" ? "fifo" : "rr"}`,
    `-i ${period}`,
    ...(duration === undefined ? [] : [`-D ${duration}`]),
  ].join(" ");
  const reading = readCyclictest(line);
  // A refusal names the value by its option in cyclictest: put rtla's option there.
  if (reading?.kind !== "understood")
    return refused(
      language,
      (reading?.wrong ?? "").replace(/^-i /, "-p ").replace(/^-a /, "-c ").replace(/^-D /, "-d "),
    );
  return {
    ...reading,
    language,
    follows: reading.follows.map((sentence) =>
      sentence.replace("With -p 0", `With -P ${quoted(stated)}`),
    ),
    what: reading.what.replace("cyclictest runs", "timerlat is read as cyclictest, which runs"),
    unknown: [
      "timerlat also measures how late its interrupt is. Here only the thread is: by how much it wakes up late.",
      ...(left.length === 0
        ? []
        : [
            `Left out, because it changes only the output or has nothing like it here: ${someOf(left.map(quoted))}.`,
          ]),
      ...reading.unknown,
    ],
  };
}

function noise(called: string, values: ReadonlyMap<string, string>): Reading {
  const language = `rtla ${called}`;
  const cpus = values.get("-c");
  if (cpus === undefined)
    return refused(
      language,
      "Without -c the tool watches every CPU. Add the CPUs that should be quiet, such as -c 2-7: a task polls on each of them here.",
    );
  const reading = readCpuList(/^\d+$/.test(cpus) ? `${cpus}-${cpus}` : cpus);
  if (reading?.kind !== "understood")
    return refused(language, `-c is ${quoted(cpus)}; expected CPUs such as 2-7.`);
  return {
    ...reading,
    language,
    unknown: [
      "The tool counts what takes the CPU away, here a task's time on the CPU tells it.",
      ...reading.unknown,
    ],
  };
}
