// What is on screen as a shell command, for people who go on natively.

import type { KnobValue } from "../../engine/gen/types.ts";
import { writeAddress } from "../../links/link.ts";
import { contentOf } from "./link-state.ts";
import {
  effectiveSet,
  liveOn,
  lookUp,
  type KnobSet,
  type LiveChange,
} from "../../scenario/knob-sets.ts";
import { sameValue, valueText, writeTime } from "../../scenario/knob-values.ts";
import { SIDES, type Side } from "../../scenario/sides.ts";
import type { State } from "../shape/state.ts";
import { shellWord } from "../../lib/shell-word.ts";

function words(flag: string, set: KnobSet): readonly string[] {
  return set.flatMap(([path, value]: readonly [string, KnobValue]) => [
    flag,
    shellWord(`${path}=${valueText(value)}`),
  ]);
}

/** Writes in mid-run, as the command takes them. */
function liveWords(live: readonly LiveChange[]): readonly string[] {
  return live.flatMap(({ atNs, path, value }) => [
    "--live",
    shellWord(`${writeTime(Math.round(atNs))}=${path}=${valueText(value)}`),
  ]);
}

function scenarioWord(state: State): string {
  return state.route === "own" ? "./scenario.json" : state.entry.slug;
}

/**
 * What is on screen. Where only knobs of both sides were turned the command takes the scenario's
 * two variants and `--set`; where the sides do not differ it is one run. Writes in mid-run to one
 * side alone have no flag of compare: there the command takes the link, which says all of it, where
 * it has one.
 */
export function compareCommand(state: State): string {
  const { both, a, b } = state.knobs;
  const [ofA, ofB] = SIDES.map((side) => effectiveSet(state.entry, state.knobs, side)) as [
    KnobSet,
    KnobSet,
  ];
  const common = ofA.filter(([path, value]) => sameValue(lookUp(ofB, path), value));
  const own = (set: KnobSet): KnobSet => set.filter(([path]) => lookUp(common, path) === undefined);
  const { live } = state.knobs;
  const oneSided = live.some(({ where }) => where !== "both");
  if (own(ofA).length + own(ofB).length === 0 && !oneSided) return runCommand(state, "a");
  const link = oneSided ? writeAddress({ ...contentOf(state), view: {}, figures: [] }) : undefined;
  if (link !== undefined) return ["schedscope", "compare", shellWord(link)].join(" ");
  const byVariants = a.length + b.length === 0 && state.entry.variants.length > 1;
  const flags = byVariants
    ? words("--set", both)
    : [...words("--set", common), ...words("--a", own(ofA)), ...words("--b", own(ofB))];
  return ["schedscope", "compare", scenarioWord(state), ...flags, ...liveWords(live)].join(" ");
}

/**
 * The command that runs one side alone, for a reader who has nothing but this line: a scenario of
 * one's own travels in it as a link. One too big for a link has to be saved first.
 */
export function replayOf(state: State, side: Side): string {
  const own = {
    slug: undefined,
    scenario: state.entry.text,
    both: [],
    a: [],
    b: [],
    view: {},
    unknown: [],
  };
  const link = state.route === "own" ? writeAddress(own) : undefined;
  const scenario = link === undefined ? scenarioWord(state) : shellWord(link);
  return ["schedscope", "run", scenario, ...flagsOf(state, side)].join(" ");
}

/** One side alone. */
export function runCommand(state: State, side: Side): string {
  return ["schedscope", "run", scenarioWord(state), ...flagsOf(state, side)].join(" ");
}

function flagsOf({ entry, knobs }: State, side: Side): readonly string[] {
  return [...words("--set", effectiveSet(entry, knobs, side)), ...liveWords(liveOn(knobs, side))];
}
