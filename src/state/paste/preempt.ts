// The preemption model: `preempt=` of the kernel's command line, /sys/kernel/debug/sched/preempt with the active model in brackets, or the boot
// log's "Dynamic Preempt: full".

import { refused, type Reading } from "./understood.ts";

const LANGUAGE = "preempt=";
const MODELS = ["none", "voluntary", "full", "lazy"] as const;
type Model = (typeof MODELS)[number];

/** What each is set beside. */
const BESIDE: Readonly<Record<Model, Model>> = { none: "full", voluntary: "full", full: "lazy", lazy: "full" };

const SAYS: Readonly<Record<Model, string>> = {
  none: "a running task keeps the CPU inside the kernel until it returns to user mode or calls cond_resched()",
  voluntary: "a running task also gives way inside the kernel where it might sleep",
  full: "a running task gives way as soon as preemption is enabled",
  lazy: "a fair task gives way on its return to user mode or at the next tick, and at once to an RT task",
};

export function readPreempt(text: string): Reading | undefined {
  const stated =
    /(?:^|\s)preempt=([a-z]{1,20})(?:\s|$)/.exec(text)?.[1] ??
    /Dynamic Preempt:\s*([a-z]{1,20})/.exec(text)?.[1] ??
    bracketed(text) ??
    built(text);
  if (stated === undefined) return undefined;
  const model = MODELS.find((each) => each === stated);
  if (model === undefined) return refused(LANGUAGE, `There is no model “${stated}” of preempt=; expected none, voluntary, full or lazy.`);
  const other = BESIDE[model];
  return {
    kind: "understood",
    language: LANGUAGE,
    what: `The kernel is told to preempt by the model “${model}”: ${SAYS[model]}.`,
    follows: model === "none" || model === "voluntary" ? ["From 7.0 on x86, arm64 and others offer only full and lazy."] : [],
    unknown: [`What runs. A shipped scenario on kernel 6.13 opens, with “${model}” on side A and “${other}” on side B.`],
    opens: { kind: "preset", slug: "lazy-or-now", a: [["kernel.preempt", model]], b: [["kernel.preempt", other]] },
    commands: [
      { line: "sudo cat /sys/kernel/debug/sched/preempt", needs: "root" },
      { line: `echo ${model} | sudo tee /sys/kernel/debug/sched/preempt`, needs: "root" },
    ],
  };
}

/** The model that a kernel's configuration builds in: CONFIG_PREEMPT_LAZY=y; CONFIG_PREEMPT=y is full. */
function built(text: string): string | undefined {
  const [, model] = /(?:^|\n)CONFIG_PREEMPT(_NONE|_VOLUNTARY|_LAZY|)=y\s*(?:\n|$)/.exec(text) ?? [];
  return model === "" ? "full" : model?.slice(1).toLowerCase();
}

/** The file: every model it offers, one of them in brackets. */
function bracketed(text: string): string | undefined {
  const words = text.trim().split(/\s+/);
  const isFile =
    words.length > 1 &&
    words.length <= MODELS.length &&
    words.every((word) => MODELS.some((model) => word === model || word === `(${model})`));
  return isFile ? words.find((word) => word.startsWith("("))?.slice(1, -1) : undefined;
}
