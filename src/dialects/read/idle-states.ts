// How idle CPUs wait, as the kernel's command line says it: idle=poll or idle=halt.

import { refused, type Reading } from "./understood.ts";

const LANGUAGE = "idle=";

const SAYS: Readonly<Record<string, string>> = {
  poll: "idle CPUs never sleep: they watch a flag in memory, and a wake-up needs no IPI",
  halt: "idle CPUs halt, and a wake-up from another CPU takes an IPI",
};

export function readIdle(text: string): Reading | undefined {
  const stated = /(?:^|\s)idle=([a-z]{1,20})(?:\s|$)/.exec(text)?.[1];
  if (stated === undefined) return undefined;
  const says = SAYS[stated];
  if (says === undefined)
    return refused(LANGUAGE, `There is no “${stated}” of idle= here; expected poll or halt.`);
  return {
    kind: "understood",
    language: LANGUAGE,
    what: `With idle=${stated} ${says}.`,
    follows: [],
    unknown: [
      `What runs, and how the idle states of your machine's driver behave. A shipped scenario opens, with “${stated}” on side A and mwait on side B.`,
    ],
    opens: {
      kind: "preset",
      slug: "polling-or-halt",
      a: [["machine.idle", stated]],
      b: [["machine.idle", "mwait"]],
    },
    commands: [{ line: `idle=${stated}`, needs: "boot" }],
  };
}
