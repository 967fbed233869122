// What is on screen as a shell command, for people who go on natively.

import type { KnobValue } from "../engine/gen/types.ts";
import { effectiveSet, type KnobSet } from "./knob-sets.ts";
import { valueText } from "./knob-values.ts";
import type { Side } from "./sides.ts";
import type { State } from "./state.ts";

/** One word of a POSIX shell. */
function quoted(word: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function words(flag: string, set: KnobSet): readonly string[] {
  return set.flatMap(([path, value]: readonly [string, KnobValue]) => [flag, quoted(`${path}=${valueText(value)}`)]);
}

function scenarioWord(state: State): string {
  return state.route === "own" ? "./scenario.json" : state.entry.slug;
}

/** Both sides. Nothing turned needs no flags: the command takes the same two variants. */
export function compareCommand(state: State): string {
  const { both, a, b } = state.knobs;
  const plain = both.length + a.length + b.length === 0;
  const flags = plain
    ? []
    : [...words("--a", effectiveSet(state.entry, state.knobs, "a")), ...words("--b", effectiveSet(state.entry, state.knobs, "b"))];
  return ["schedscope", "compare", scenarioWord(state), ...flags].join(" ");
}

/** One side alone. */
export function runCommand(state: State, side: Side): string {
  return ["schedscope", "run", scenarioWord(state), ...words("--set", effectiveSet(state.entry, state.knobs, side))].join(" ");
}
