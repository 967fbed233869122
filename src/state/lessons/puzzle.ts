// A puzzle of a lesson as the engine judges it: the figure reaches its goal, and one knob alone was
// turned.

import type { Knob, KnobValue, ScenarioEntry } from "../../engine/gen/types.ts";
import { effectiveSet, lookUp, setKnob, type KnobSets } from "../../scenario/knob-sets.ts";
import { findKnob, followsVersion, sameValue } from "../../scenario/knob-values.ts";
import { openContent } from "../link/link-state.ts";
import { readLink } from "../../links/link.ts";
import { statedValue } from "../../scenario/viewer-scenario.ts";
import { SIDES, type Side } from "../../scenario/sides.ts";
import { sceneAddress, type Puzzle, type Scene } from "./lesson.ts";

/** The knobs as a scene opens with them; undefined while another scenario is open. */
export function openingOf(
  scene: Scene,
  entry: ScenarioEntry,
  knobs: readonly Knob[],
): KnobSets | undefined {
  const link = readLink(sceneAddress(scene));
  return link.ok && entry.slug === scene.scenario
    ? openContent(link.content, entry, knobs).knobs
    : undefined;
}

/** None for a knob that the kernel's version decides: whatever is set for it there is a turn. */
function defaultOf(path: string, knobs: readonly Knob[]): KnobValue | undefined {
  return followsVersion(path) ? undefined : findKnob(knobs, path)?.default;
}

/**
 * Paths of the knobs that have another value than the scene opened with, on either side or from an
 * instant on.
 */
export function turnedSince(
  opening: KnobSets,
  now: KnobSets,
  entry: ScenarioEntry,
  knobs: readonly Knob[],
): readonly string[] {
  const paths = SIDES.flatMap((side) =>
    [opening, now].flatMap((sets) => effectiveSet(entry, sets, side).map(([path]) => path)),
  );
  const valueOf = (sets: KnobSets, side: Side, path: string): KnobValue | undefined =>
    lookUp(effectiveSet(entry, sets, side), path) ??
    statedValue(entry, path) ??
    defaultOf(path, knobs);
  const differs = (path: string): boolean =>
    SIDES.some((side) => !sameValue(valueOf(opening, side, path), valueOf(now, side, path)));
  return [...new Set([...paths.filter(differs), ...now.live.map(({ path }) => path)])];
}

/** The way that the puzzle names, from where the scene opened. */
export function solvedBy({ solution, side }: Puzzle, opening: KnobSets): KnobSets {
  return Object.entries(solution).reduce<KnobSets>(
    (sets, [path, value]) => setKnob(sets, side, path, value),
    opening,
  );
}

/**
 * What the engine says: `several` reach the goal together, and `given` is the way that the reader
 * was shown.
 */
export type Verdict = "short" | "several" | "given" | "solved";

/** `turned`: as `turnedSince` says; `shown`: the reader has seen the solution. */
export function verdictOn(
  { solution }: Puzzle,
  reached: boolean,
  turned: readonly string[],
  shown: boolean,
): Verdict {
  const [only] = turned;
  if (!reached || only === undefined) return "short";
  if (turned.length > 1) return "several";
  return shown && only in solution ? "given" : "solved";
}
