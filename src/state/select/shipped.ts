// The figures that every shipped scenario and variant is known to give: the page shows them at
// once, and the run that is being computed confirms them.

import { chosenVariant } from "../../scenario/variants.ts";
import { effectiveSet, liveOn, type KnobSets } from "../../scenario/knob-sets.ts";
import { SIDES, type Side } from "../../scenario/sides.ts";
import type { State } from "../shape/state.ts";
import type { RunStatus } from "../shape/run.ts";
import type { KnownRun } from "../shape/known-run.ts";

/**
 * The run that a side will come to, or would; undefined while it is there, and where the knobs are
 * no shipped variant's.
 */
export function knownRun(state: State, side: Side): KnownRun | undefined {
  const { status } = state.sides[side];
  const comes = status.kind === "waiting" || status.kind === "computing";
  return comes || hasNoSimulator(status) ? shippedRun(state, state.knobs, side) : undefined;
}

/** Whether nothing runs here because the browser cannot run the simulator, or it was not loaded. */
export function hasNoSimulator(status: RunStatus): boolean {
  return status.kind === "fault" && status.blame !== "engine" && status.blame !== "ended";
}

/** Whether the page has a picture of neither side, and computes none. */
export function isWithoutSimulator({ sides }: State): boolean {
  return SIDES.every(
    (side) => sides[side].shown === undefined && hasNoSimulator(sides[side].status),
  );
}

/** The shipped run that is nearest to what a side has: its variant's, whatever else was turned. */
export function nearestRun(
  { entry, figures, knobs, route }: State,
  side: Side,
): KnownRun | undefined {
  if (figures === undefined || route === "own" || !Object.hasOwn(figures, entry.slug))
    return undefined;
  const runs = figures[entry.slug];
  return runs?.[chosenVariant(entry, knobs, side)?.name ?? ""] ?? Object.values(runs ?? {})[0];
}

/**
 * What a side of the scenario comes to with these knobs, whatever its knobs are now; undefined
 * where they are no shipped variant's.
 */
export function shippedRun(
  { entry, figures, route }: State,
  knobs: KnobSets,
  side: Side,
): KnownRun | undefined {
  if (figures === undefined || route === "own" || !Object.hasOwn(figures, entry.slug))
    return undefined;
  const variant = chosenVariant(entry, knobs, side);
  if (variant === undefined || liveOn(knobs, side).length > 0) return undefined;
  // A knob that no variant names changes the figures and not the variant.
  const named = new Set(entry.variants.flatMap(({ set }) => Object.keys(set)));
  const plain = effectiveSet(entry, knobs, side).every(([path]) => named.has(path));
  return plain ? figures[entry.slug]?.[variant.name] : undefined;
}
