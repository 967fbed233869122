import { beforeAll, expect, test } from "vitest";
import { SCENARIOS } from "../engine/gen/scenarios.ts";
import type { Handover, KnobValue, ScenarioEntry } from "../engine/gen/types.ts";
import { loadEngine } from "../engine/testing.ts";
import { prepare } from "../engine/wasm/reader.js";
import { SIDES, otherSide, type Side } from "./sides.ts";
import { initialState } from "../state/shape/state.ts";
import { makeStore } from "../state/store.ts";
import { effectiveSet, NO_KNOBS, setKnob, setLive, type KnobSets } from "./knob-sets.ts";
import { swapped } from "./swap-sides.ts";
import { chosenVariant, withVariant } from "./variants.ts";

const prepareRun: (slug: string, text: string, setJson: string, writesTasks: boolean) => string =
  prepare;

beforeAll(loadEngine);

/** What a side runs, as the engine takes it, and what it makes of its knobs. */
function prepared(entry: ScenarioEntry, sets: KnobSets, side: Side): Handover {
  return JSON.parse(
    prepareRun(entry.slug, entry.text, JSON.stringify(effectiveSet(entry, sets, side)), false),
  ) as Handover;
}

function resolvedIn(
  entry: ScenarioEntry,
  sets: KnobSets,
): (side: Side, path: string) => KnobValue | undefined {
  return (side, path) =>
    prepared(entry, sets, side).meta.knobs.find((knob) => knob.path === path)?.value;
}

test.each(SCENARIOS.map((entry) => [entry.slug, entry] as const))(
  "%s: after a swap each side runs what the other one ran, to the byte, whatever variants are compared",
  (_, entry) => {
    const [first, ...others] = entry.variants;
    const pairs = others.map((variant) => withVariant(entry, NO_KNOBS, "b", variant));
    for (const shown of [NO_KNOBS, setKnob(NO_KNOBS, "both", "seed", 7), ...pairs]) {
      const turned = swapped(entry, shown, resolvedIn(entry, shown));
      for (const side of SIDES) {
        const other = otherSide(side);
        const words = `${first?.name ?? ""} and ${chosenVariant(entry, shown, "b")?.name ?? ""}, side ${side}`;
        expect(prepared(entry, turned, side).setup, words).toBe(
          prepared(entry, shown, other).setup,
        );
        // A switch that only the version decides is stated after a swap; then no variant's name is
        // claimed.
        expect([chosenVariant(entry, shown, other)?.name, undefined], words).toContain(
          chosenVariant(entry, turned, side)?.name,
        );
      }
    }
  },
);

const [herd] = SCENARIOS.filter(({ slug }) => slug === "rt-pull-herd") as [ScenarioEntry];
const nothing = (): undefined => undefined;

test("a knob for both sides stays one, a side's own goes with its run, and so does what was written in mid-run", () => {
  const change = { path: "kernel.rt_push_ipi", value: true, atNs: 5 };
  let sets = setKnob(setKnob(NO_KNOBS, "both", "machine.cpus", 8), "a", "seed", 3);
  sets = setLive(setLive(sets, { ...change, where: "a" }), { ...change, where: "both", atNs: 9 });
  const turned = swapped(herd, sets, nothing);
  expect(turned.both).toEqual([["machine.cpus", 8]]);
  expect(turned.b).toContainEqual(["seed", 3]);
  expect(turned.live.map(({ where, atNs }) => [where, atNs])).toEqual([
    ["b", 5],
    ["both", 9],
  ]);
});

test("two swaps are none, and a swap is one step of undo", () => {
  expect(swapped(herd, swapped(herd, NO_KNOBS, nothing), nothing)).toEqual(NO_KNOBS);
  const { dispatch, getState } = makeStore(initialState(herd, "dark"));
  dispatch({ type: "sides_swapped" });
  const { knobs, entry } = getState();
  expect(SIDES.map((side) => chosenVariant(entry, knobs, side)?.name)).toEqual([
    "push by IPI",
    "pull",
  ]);
  expect(getState().selectedOn).toBe("b");
  dispatch({ type: "undone" });
  expect(getState().knobs).toEqual(NO_KNOBS);
});
