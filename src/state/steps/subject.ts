// What a step is about: which marks are drawn while it is shown. On the guided page all others are
// off, so that what is loudest is what the caption speaks of.

import type { ScenarioEntry } from "../../engine/gen/types.ts";
import type { Side } from "../../scenario/sides.ts";
import { type Hero, stepsOf, type Step } from "../../scenario/step.ts";
import { isGuided } from "../select/guided.ts";
import type { State } from "../shape/state.ts";
import { aboutMarks } from "./first-look.ts";
import { isAsWritten } from "./resolve.ts";

/** Every mark's id, as the timeline's registry has them (a test holds them together). */
export const MARK_IDS = [
  "tick",
  "tick-stop",
  "throttle",
  "rt-throttle",
  "interrupt",
  "overload",
  "tether",
  "user-lock",
  "softirq",
  "flag",
  "point",
  "refill",
  "drop",
  "ipi",
  "kick",
  "move",
  "change",
] as const;
type MarkId = (typeof MARK_IDS)[number];

const OF_WAKE_MOMENT = /^(wakeup|worst_wakeup|switch_in)/;
const OF_QUOTA: readonly MarkId[] = ["throttle", "refill", "drop"];

/** The marks of a moment, by its name. */
const OF_MOMENT: readonly (readonly [moment: RegExp, ...marks: MarkId[]])[] = [
  [/^(refill|take|return|slack|expiry|pool|drop|double|burst)/, "refill", "drop", "throttle"],
  [/throttle$/, "throttle", "refill"],
  [/^rt_/, "rt-throttle"],
  [/^(pull|push|migration|first_divergence)/, "move", "overload"],
  [/^push_ipi/, "ipi", "overload"],
  [OF_WAKE_MOMENT, "ipi", "flag"],
  [/^overload/, "overload", "tether", "move"],
  [/^deepest_queue/, "tether", "move"],
  [/^(flag|lazy|longest_lazy|slice)/, "flag", "point"],
  [/^(kick|idle_balance)/, "kick"],
  [/^tick/, "tick", "tick-stop"],
  [/^softirq/, "softirq", "interrupt"],
  [/^(block|boost|longest_holder)/, "user-lock"],
];

/** Figures of wake-ups, which any mark may explain. */
const OF_WAKES = /^(latency|tool_samples)\./;
const OF_GROUPS = /^groups\./;

/** The marks of a hero that is no track. */
const OF_HERO: Readonly<Partial<Record<Hero, readonly MarkId[]>>> = {
  ring: ["ipi"],
  pennant: ["flag", "point"],
  kick: ["kick", "tick"],
};

/** A moment that a hero carries without being named. */
const TOLD_BY: readonly (readonly [moment: RegExp, hero: Hero])[] = [
  [/^(kick|idle_balance)$/, "kick"],
  [/^(flag|lazy|longest_lazy)/, "pennant"],
];

/** What carries a step. */
export function heroOfStep({ hero, view }: Step): Hero | undefined {
  if (hero !== undefined || view.kind === "stretch") return hero;
  return TOLD_BY.find(([named]) => named.test(view.moment))?.[1];
}

/** What carries the open step on the guided page; in the lab the viewer chooses tracks. */
export function heroOf(state: State): Hero | undefined {
  const step = stepsOf(state.entry)[state.step.index ?? -1];
  return step === undefined || !isGuided(state) ? undefined : heroOfStep(step);
}

const NONE: readonly string[] = [];
const off = new WeakMap<Step, readonly string[]>();

/** Ids of the marks that are not drawn; none in the lab, and none without a step. */
export function marksOff(state: State): readonly string[] {
  const step = stepsOf(state.entry)[state.step.index ?? -1];
  if (step === undefined || !isGuided(state)) return NONE;
  let known = off.get(step);
  if (known === undefined) {
    const on = marksOf(step, state.entry);
    off.set(step, (known = MARK_IDS.filter((id) => !on.has(id))));
  }
  return known;
}

/** A caption that begins so speaks of one side alone. */
const ONE_SIDE = /^([AB]): (.*)/;
const SPOKEN_OF: Readonly<Record<Side, RegExp>> = { a: /\bA\b|\ba\}/, b: /\bB\b|\bb\}/ };

/**
 * The side that the open step says nothing of: it is dimmed; undefined where it compares, and where
 * the viewer's own switches make the sides others than those it speaks of.
 */
export function quietSide(state: State): Side | undefined {
  const step = stepsOf(state.entry)[state.step.index ?? -1];
  const [, spoken, rest = ""] = ONE_SIDE.exec(step?.caption ?? "") ?? [];
  if (step === undefined || spoken === undefined || !isAsWritten(state, step)) return undefined;
  const other = spoken === "A" ? "b" : "a";
  return SPOKEN_OF[other].test(rest) ? undefined : other;
}

/** The marks of a step's moment, and those that the scenario's figures are about. */
function marksOf(step: Step, { headline, text }: ScenarioEntry): ReadonlySet<string> {
  const { view } = step;
  const moment = view.kind === "moment" ? view.moment : "";
  // Where groups have a quota, it makes wake-ups late.
  const ofQuota = OF_WAKE_MOMENT.test(moment) && text.includes('"cpu_max"');
  const own = ofQuota
    ? OF_QUOTA
    : OF_MOMENT.flatMap(([named, ...marks]) => (named.test(moment) ? marks : []));
  // Anything can make a wake-up late: where a moment says what is looked at, it alone decides, and
  // where groups have figures, these do.
  const groups = headline.filter((path) => OF_GROUPS.test(path));
  const rest = own.length > 0 ? headline.filter((path) => !OF_WAKES.test(path)) : headline;
  const figures = groups.length > 0 ? groups : rest;
  // A change of the running kernel is the viewer's own.
  const told = OF_HERO[heroOfStep(step) ?? "queue"] ?? [];
  return new Set(["change", ...told, ...own, ...aboutMarks(figures)]);
}
