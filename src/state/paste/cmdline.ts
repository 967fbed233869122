// The kernel's command line, as in /proc/cmdline or a boot loader's file: several words, each told by its own reader. The answer follows one of
// them and names every other.

import { readCpuList } from "./cpulist.ts";
import { readIdle } from "./idle.ts";
import { readPreempt } from "./preempt.ts";
import { listed, quoted, refused, someOf, type Reader, type Reading } from "./understood.ts";

const LANGUAGE = "kernel command line";
/** Words that have a reader, the one to be followed first. */
const FOLLOWED: Readonly<Record<string, Reader>> = {
  preempt: readPreempt,
  nohz_full: readCpuList,
  isolcpus: readCpuList,
  rcu_nocbs: readCpuList,
  irqaffinity: readCpuList,
  idle: readIdle,
};
/** With one of these it is a command line, whatever else it says. */
const BOOTS = ["BOOT_IMAGE", "root"];
const WORD = /^[a-z][\w.-]{0,60}(?:=.*)?$/i;

export function readCmdline(text: string): Reading | undefined {
  const words = text
    .replaceAll(/^\s*(?:[$#]\s|.*\bcat\s+\/proc\/cmdline\s*$|GRUB_CMDLINE_LINUX(?:_DEFAULT)?=|.*\b(?:C|Kernel c)ommand line:)/gm, "")
    .split(/[\s"']+/)
    .filter((word) => word !== "");
  // With one such word the line is that word's, whatever stands beside it; prose has no other words with a value.
  if (words.filter((word) => word.includes("=")).length < 2 || words.length > 200 || !words.every((word) => WORD.test(word)))
    return undefined;
  const keyOf = (word: string): string => word.split("=", 1)[0] ?? "";
  // The last of each counts, as in the kernel.
  const known = new Map(words.filter((word) => word.includes("=") && keyOf(word) in FOLLOWED).map((word) => [keyOf(word), word]));
  const key = Object.keys(FOLLOWED).find((each) => known.has(each));
  const word = known.get(key ?? "");
  const reading = key === undefined || word === undefined ? undefined : FOLLOWED[key]?.(word);
  if (word === undefined && words.some((each) => BOOTS.includes(keyOf(each))))
    return refused(
      LANGUAGE,
      `None of its words sets what is simulated here; those that do are ${listed(Object.keys(FOLLOWED).map((each) => `${each}=`))}.`,
    );
  if (word === undefined || reading?.kind !== "understood") return reading;
  const others = [...known.values()].filter((each) => each !== word);
  const strange = [...new Set(words.filter((each) => !known.has(keyOf(each))))];
  const set = others.length === 0 ? word : `${listed([...known.values()].map(quoted))}; the answer follows ${quoted(word)}`;
  return {
    ...reading,
    language: LANGUAGE,
    what: `The command line sets ${set}. ${reading.what}`,
    unknown: [
      ...(others.length === 0 ? [] : [`Not followed, paste it alone to see what it does: ${someOf(others.map(quoted))}.`]),
      ...(strange.length === 0 ? [] : [`Left out, because no reader here knows it: ${someOf(strange.map(quoted))}.`]),
      ...reading.unknown,
    ],
  };
}
