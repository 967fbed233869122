// The preemption model: `preempt=` of the kernel's command line, /sys/kernel/debug/sched/preempt
// with the active model in brackets, or the boot log's "Dynamic Preempt: full".
import type { RealCommand } from "../write/real-command.ts";
import { listed, refused, type Reading } from "./understood.ts";

const LANGUAGE = "preempt=";
const MODELS = ["none", "voluntary", "full", "lazy"] as const;
type Model = (typeof MODELS)[number] | "rt";

/** What each is set beside. */
const BESIDE: Readonly<Record<Model, Model>> = {
  none: "full",
  voluntary: "full",
  full: "lazy",
  lazy: "full",
  rt: "full",
};

const SAYS: Readonly<Record<Model, string>> = {
  none: "a running task keeps the CPU inside the kernel until it returns to user mode or calls cond_resched()",
  voluntary: "a running task also gives way inside the kernel where it might sleep",
  full: "a running task gives way as soon as preemption is enabled",
  lazy: "a fair task gives way on its return to user mode or at the next tick, and at once to an RT task",
  rt: "most locks of the kernel and its interrupt threads can be preempted too",
};

/** A command that writes the running kernel's file. */
const WRITTEN =
  /^\s*(?:[$#]\s+)?echo\s+["']?([a-z]{1,20})["']?\s*(?:>|\|\s*(?:sudo\s+)?tee\b)[^\n]*sched\/preempt\s*$/m;

/** A model, and how it was stated. */
interface Stated {
  readonly model: string;
  /** Chosen at boot or in the running kernel, or built in. */
  readonly how: "told" | "built";
  /** The model that PREEMPT_RT is built with beside it. */
  readonly beside?: string | undefined;
  /** Whether another may be chosen at boot. */
  readonly dynamic?: boolean;
}

export function readPreempt(text: string): Reading | undefined {
  const told =
    /(?:^|\s)preempt=([a-z]{1,20})(?:\s|$)/.exec(text)?.[1] ??
    /Dynamic Preempt:\s*([a-z]{1,20})/.exec(text)?.[1] ??
    WRITTEN.exec(text)?.[1] ??
    bracketed(text);
  const stated: Stated | undefined =
    told === undefined ? (built(text) ?? running(text)) : { model: told, how: "told" };
  if (stated === undefined) return undecided(text);
  const model = [...MODELS, "rt" as const].find((each) => each === stated.model);
  if (model === undefined || (model === "rt" && stated.how === "told"))
    return refused(
      LANGUAGE,
      `There is no model “${stated.model}” of preempt=; expected none, voluntary, full or lazy.`,
    );
  const other = BESIDE[model];
  const is = stated.how === "told" ? "is told to preempt" : "is built to preempt";
  return {
    kind: "understood",
    language: LANGUAGE,
    what: `The kernel ${is} by the model “${model}”: ${SAYS[model]}.`,
    follows:
      model === "none" || model === "voluntary"
        ? ["From 7.0 on x86, arm64 and others offer only full and lazy."]
        : [],
    unknown: [
      ...besideWords(stated),
      `What runs. A shipped scenario on kernel 6.13 opens, with “${model}” on side A and “${other}” on side B.`,
    ],
    opens: {
      kind: "preset",
      slug: "lazy-or-now",
      a: [["kernel.preempt", model]],
      b: [["kernel.preempt", other]],
    },
    commands: linesFor(model, stated),
  };
}

/** What is built in beside the model, a sentence each. */
function besideWords({ model, how, beside, dynamic }: Stated): readonly string[] {
  return [
    ...(model === "rt" && beside === "lazy"
      ? [
          "PREEMPT_RT is built with the lazy model beside it, which kernels allow from 6.13 on. The simulated “rt” has no lazy model: a fair wake-up asks for the CPU at once.",
        ]
      : []),
    ...(how === "built" && dynamic === true
      ? [
          "PREEMPT_DYNAMIC: preempt= at boot may choose another model than the one that is built in.",
        ]
      : []),
  ];
}

/** PREEMPT_RT is built in; the file of the others is there with PREEMPT_DYNAMIC only. */
function linesFor(model: Model, { how, dynamic }: Stated): readonly RealCommand[] {
  if (model === "rt") return [{ line: "CONFIG_PREEMPT_RT=y", needs: "build" }];
  return how === "built" && dynamic !== true
    ? [
        {
          line: `CONFIG_PREEMPT${model === "full" ? "" : `_${model.toUpperCase()}`}=y`,
          needs: "build",
        },
      ]
    : [
        { line: "sudo cat /sys/kernel/debug/sched/preempt", needs: "root" },
        { line: `echo ${model} | sudo tee /sys/kernel/debug/sched/preempt`, needs: "root" },
      ];
}

/**
 * What a kernel's configuration builds in: CONFIG_PREEMPT_LAZY=y; CONFIG_PREEMPT=y is full. From
 * 6.13 on, a configuration has PREEMPT_RT beside full or lazy.
 */
function built(text: string): Stated | undefined {
  const names = namesIn(text);
  const model = [...names].flatMap((name) => BUILT[name] ?? []).at(0);
  const isRt = names.has("_RT") || names.has("_RT_FULL");
  const dynamic = names.has("_DYNAMIC");
  if (isRt) return { model: "rt", how: "built", beside: model, dynamic: false };
  return model === undefined ? undefined : { model, how: "built", dynamic };
}

/**
 * Options whose name says the model. From 5.16 on, a configuration has a name in _BUILD beside the
 * model's own, except where PREEMPT_DYNAMIC is set.
 */
const BUILT: Readonly<Record<string, string>> = {
  _NONE: "none",
  _VOLUNTARY: "voluntary",
  "": "full",
  __LL: "full",
  _LAZY: "lazy",
  _NONE_BUILD: "none",
  _VOLUNTARY_BUILD: "voluntary",
};

/** The rest of the name behind CONFIG_PREEMPT, for each option that is on. */
function namesIn(text: string): ReadonlySet<string> {
  return new Set(
    [...text.matchAll(/(?:^|\n)\s*CONFIG_PREEMPT(\w{0,30})=y\s*(?=\n|$)/g)].map(
      ([, name = ""]) => name,
    ),
  );
}

/** Options that are on with several models. */
function undecided(text: string): Reading | undefined {
  const names = [...namesIn(text)]
    .filter((name) => /^(?:_DYNAMIC|_BUILD|ION)$/.test(name))
    .map((name) => `CONFIG_PREEMPT${name}`);
  if (/\bSMP PREEMPT_DYNAMIC\b/.test(text)) names.push("PREEMPT_DYNAMIC");
  return names.length === 0
    ? undefined
    : refused(
        LANGUAGE,
        `${listed(names)} ${names.length === 1 ? "is" : "are"} on with several models. Add the line that names one, such as CONFIG_PREEMPT_LAZY=y, or paste what /sys/kernel/debug/sched/preempt says.`,
      );
}

/**
 * What `uname -v` says: "#1 SMP PREEMPT_RT Thu …"; newer kernels also name the model,
 * "PREEMPT(lazy)" or "PREEMPT_{RT,(lazy)}".
 */
function running(text: string): Stated | undefined {
  const [, rt, beside] = /\bSMP PREEMPT(_RT\b|_\{RT,)?(?:\(([a-z]{1,20})\))?/.exec(text) ?? [];
  if (rt !== undefined) return { model: "rt", how: "built", beside };
  if (beside !== undefined) return { model: beside, how: "told" };
  return /\bSMP PREEMPT(?:\s|$)/.test(text) ? { model: "full", how: "built" } : undefined;
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
