// The steps of a scenario, out of its text: what the viewer is shown, one view after the other. The
// scenario crate judges them; here only what has their form is taken, for texts of others come in
// links.

import type { KnobValue, Moment, ScenarioEntry } from "../engine/gen/types.ts";
import { plainText } from "../engine/plain.ts";
import type { KnobSet } from "./knob-sets.ts";
import { parseTime } from "./knob-values.ts";
import type { Viewport } from "../model/trace/run-types.ts";
import { fileOf } from "./viewer-scenario.ts";
import type { Side } from "./sides.ts";

/** Most steps of a scenario, and most characters of one of their texts. */
const STEPS_MAX = 6;
const TEXT_MAX = 400;
const CPUS_MAX = 1_024;
const SLOW_MAX = 4;
const CHOICES_MAX = 4;

/** Tracks and marks that may carry a step. */
export const HEROES = ["queue", "tank", "ring", "instead", "pennant", "kick"] as const;
export type Hero = (typeof HEROES)[number];

/** Two instants, ns from the start of the run. */
export interface StretchView {
  readonly kind: "stretch";
  readonly fromNs: number;
  readonly toNs: number;
}

/** A stretch around a moment; what is undefined narrows nothing. */
export interface MomentView {
  readonly kind: "moment";
  readonly moment: Moment;
  readonly beforeNs: number;
  readonly afterNs: number;
  /**
   * The run it is looked for in; undefined is the side that has more of it, or the first that has
   * it.
   */
  readonly side: Side | undefined;
  readonly lock: string | undefined;
  /** A kind or a name. */
  readonly task: string | undefined;
  readonly group: string | undefined;
  readonly cpu: number | undefined;
  /** From 1. */
  readonly nth: number;
}

export interface Step {
  /** With its figures in braces; `captionOf` fills them in. */
  readonly caption: string;
  readonly view: StretchView | MomentView;
  readonly focus: {
    readonly lanes: readonly number[];
    readonly lock: string | undefined;
    readonly group: string | undefined;
    readonly wakeup: string | undefined;
  };
  readonly side: Side | undefined;
  /** Machine time per second, ns; undefined follows the view. */
  readonly nsPerSecond: number | undefined;
  /** What offers the step to a viewer who has seen the one before. */
  readonly question: string | undefined;
  /** Where playing stops, from the view's left edge, ns; undefined is by the moment. */
  readonly answerNs: number | undefined;
  /** The former form of it, which may be where playing began, ns. */
  readonly playheadNs: number | undefined;
  /** What plays slowly, from the view's left edge. */
  readonly slow: readonly Viewport[];
  /** What carries it; undefined: what its moment and its focus choose. */
  readonly hero: Hero | undefined;
  /** Flipped on both sides while the step is open. */
  readonly set: KnobSet;
  readonly bet: string | undefined;
  /** Answers to the bet, first what the shipped runs show; none where the file states none. */
  readonly choices: readonly string[];
  readonly note: string | undefined;
  /** No difference is the answer. */
  readonly same: boolean;
}

const steps = new WeakMap<ScenarioEntry, readonly Step[]>();

/** The steps of a scenario; none where it has none. */
export function stepsOf(entry: ScenarioEntry): readonly Step[] {
  let known = steps.get(entry);
  if (known === undefined) steps.set(entry, (known = readSteps(fileOf(entry)["steps"])));
  return known;
}

/** The side that a step speaks of; A where the step names none, and where no step is open. */
export function sideOfStep(entry: ScenarioEntry, index = -1): Side {
  return stepsOf(entry)[index]?.side ?? "a";
}

type Raw = Readonly<Record<string, unknown>>;

function readSteps(value: unknown): readonly Step[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, STEPS_MAX).flatMap((each: unknown) => readStep(record(each)) ?? []);
}

function readStep(raw: Raw): Step | undefined {
  const caption = words(raw["caption"]);
  const view = readView(record(raw["view"]));
  if (caption === undefined || view === undefined) return undefined;
  const focus = record(raw["focus"]);
  return {
    caption,
    view,
    focus: {
      lanes: cpuList(focus["lanes"]),
      lock: words(focus["lock"]),
      group: words(focus["group"]),
      wakeup: words(focus["wakeup"]),
    },
    side: sideOf(raw["side"]),
    nsPerSecond: time(raw["speed"]),
    question: words(raw["question"]),
    answerNs: time(raw["answer"]),
    playheadNs: time(raw["playhead"]),
    slow: readSlow(raw["slow"]),
    hero: HEROES.find((hero) => hero === raw["hero"]),
    // JSON has no other values.
    set: Object.entries(record(raw["set"])) as readonly (readonly [string, KnobValue])[],
    bet: words(raw["bet"]),
    choices: readChoices(raw["choices"]),
    note: words(raw["note"]),
    same: raw["same"] === true,
  };
}

function readView(raw: Raw): StretchView | MomentView | undefined {
  const { moment, nth, cpu } = raw;
  if (typeof moment !== "string") {
    const [fromNs, toNs] = [time(raw["from"]), time(raw["to"])];
    return fromNs === undefined || toNs === undefined || toNs <= fromNs
      ? undefined
      : { kind: "stretch", fromNs, toNs };
  }
  const [beforeNs, afterNs] = [time(raw["before"]), time(raw["after"])];
  if (beforeNs === undefined || afterNs === undefined || beforeNs + afterNs === 0) return undefined;
  return {
    kind: "moment",
    moment: moment as Moment, // One that is not known is found nowhere.
    beforeNs,
    afterNs,
    side: sideOf(raw["side"]),
    lock: words(raw["lock"]),
    task: words(raw["task"]),
    group: words(raw["group"]),
    cpu: typeof cpu === "number" ? cpu : undefined,
    nth: typeof nth === "number" && nth >= 1 ? Math.floor(nth) : 1,
  };
}

function readSlow(value: unknown): readonly Viewport[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, SLOW_MAX).flatMap((each: unknown) => {
    const [fromNs, toNs] = Array.isArray(each) ? each.map(time) : [];
    return fromNs === undefined || toNs === undefined || toNs <= fromNs ? [] : [{ fromNs, toNs }];
  });
}

function readChoices(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, CHOICES_MAX).flatMap((each: unknown) => words(each) ?? []);
}

function record(value: unknown): Raw {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Raw) : {};
}

function words(value: unknown): string | undefined {
  return typeof value === "string" && value !== ""
    ? plainText(value.slice(0, TEXT_MAX))
    : undefined;
}

function time(value: unknown): number | undefined {
  return typeof value === "string" ? parseTime(value) : undefined;
}

function sideOf(value: unknown): Side | undefined {
  return value === "a" || value === "b" ? value : undefined;
}

/** `"0-2,8"` -> 0, 1, 2, 8. */
export function cpuList(value: unknown): readonly number[] {
  if (typeof value !== "string") return [];
  return value.split(",").flatMap((part) => {
    const [first = NaN, last = first] = part.split("-").map(Number);
    if (
      !Number.isInteger(first) ||
      !Number.isInteger(last) ||
      first < 0 ||
      last >= CPUS_MAX ||
      last < first
    )
      return [];
    return Array.from({ length: last - first + 1 }, (_, at) => first + at);
  });
}
