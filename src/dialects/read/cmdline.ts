// The kernel's command line, as in /proc/cmdline or a boot loader's file: several words, each with
// a reader of its own. The answer follows one of them and names every other.

import { readCpuList } from "./cpulist.ts";
import { readIdle } from "./idle-states.ts";
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
const WORDS_MAX = 200;
/** Prose has them, the kernel's words do not. */
const PROSE = /[a-z)][.,;:!?]$/i;
/** What precedes the kernel's own words: prompts, names of variables, a boot loader's options. */
const BEFORE =
  /^\s*(?:[$#]\s|.*\bcat\s+\/proc\/cmdline\s*$|GRUB_CMDLINE_LINUX(?:_DEFAULT)?=|.*--(?:args|append|command-line)=|.*\b(?:C|Kernel c)ommand line:)/gm;
/** A longer word is cut where it is followed. */
const WORD_MAX = 80;
/** Words that are named one by one. */
const NAMED_MAX = 20;

export function readCmdline(text: string): Reading | undefined {
  const words = wordsIn(text);
  // A word alone has a reader of its own, but not with a boot loader's command around it.
  if (
    words.length < 1 ||
    (words.length === 1 && text.trim() === words[0]) ||
    words.length > WORDS_MAX ||
    words.some((word) => PROSE.test(word))
  )
    return undefined;
  // The words behind -- are init's.
  const end = words.indexOf("--");
  const kernels = end < 0 ? words : words.slice(0, end);
  // The last of each counts, as in the kernel.
  const known = new Map(
    kernels
      .filter((word) => word.includes("=") && keyOf(word) in FOLLOWED)
      .map((word) => [keyOf(word), word]),
  );
  const key = Object.keys(FOLLOWED).find((each) => known.has(each));
  const word = known.get(key ?? "");
  const reading =
    key === undefined || word === undefined
      ? undefined
      : FOLLOWED[key]?.(word.replace(/^[^=]*/, key));
  if (
    word === undefined &&
    words.length > 1 &&
    words.some((each) => BOOTS.includes(keyOf(each)) && each.includes("="))
  )
    return refused(
      LANGUAGE,
      `None of its words sets what is simulated here; those that do are ${listed(Object.keys(FOLLOWED).map((each) => `${each}=`))}.`,
    );
  if (word === undefined || reading?.kind !== "understood") return reading;
  const others = [...known.values()].filter((each) => each !== word);
  const earlier = kernels.filter(
    (each) => known.has(keyOf(each)) && known.get(keyOf(each)) !== each,
  );
  const strange = [
    ...kernels.filter((each) => !known.has(keyOf(each))),
    ...words.slice(kernels.length + 1),
  ];
  const first = word.length > WORD_MAX ? quoted(word) : word;
  const set =
    others.length === 0
      ? first
      : `${listed([...known.values()].map(quoted))}; the answer follows ${quoted(word)}`;
  const named = (part: readonly string[]): string =>
    someOf([...new Set(part)].map(quoted), NAMED_MAX);
  return {
    ...reading,
    language: LANGUAGE,
    what: `The command line sets ${set}. ${reading.what}`,
    unknown: [
      ...(others.length === 0
        ? []
        : [`Not followed, paste it alone to see what it does: ${named(others)}.`]),
      ...(earlier.length === 0
        ? []
        : [`Left out, because a later word sets the same: ${named(earlier)}.`]),
      ...(strange.length === 0
        ? []
        : [`Left out, because no reader here knows it: ${named(strange)}.`]),
      ...reading.unknown,
    ],
  };
}

function wordsIn(text: string): readonly string[] {
  return text
    .replaceAll(BEFORE, "")
    .split(/[\s"'`\\]+/)
    .filter((word) => word !== "");
}

/** The kernel takes - for _ in names. */
function keyOf(word: string): string {
  return (word.split("=", 1)[0] ?? "").replaceAll("-", "_");
}
