// A puzzle is solved by one knob alone.

import { expect, test } from "vitest";
import { KNOBS } from "../../engine/gen/knobs.ts";
import { NO_KNOBS, setKnob, setLive, type KnobSets } from "../../scenario/knob-sets.ts";
import { HERD, PUSH } from "../../testing/page-state.ts";
import type { Puzzle, Scene } from "./lesson.ts";
import { openingOf, turnedSince, verdictOn } from "./puzzle.ts";

const SCENE: Scene = {
  scenario: HERD.slug,
  step: 1,
  title: "",
  text: [],
  a: { "kernel.hz": 1000 },
};
const PUZZLE = { solution: { [PUSH]: "on" } } as unknown as Puzzle;

test("a knob counts as turned where its value is another than the scene opened with, on either side", () => {
  const opening = openingOf(SCENE, HERD, KNOBS) ?? NO_KNOBS;
  const turned = (sets: KnobSets): readonly string[] => turnedSince(opening, sets, HERD, KNOBS);
  expect(turned(opening)).toEqual([]);
  expect(turned(setKnob(opening, "a", "kernel.hz", 1000)), "to what it was").toEqual([]);
  expect(turned(setKnob(opening, "a", "kernel.hz", 250))).toEqual(["kernel.hz"]);
  const two = setKnob(setKnob(opening, "a", PUSH, "on"), "both", "machine.cpus", 8);
  expect([...turned(two)].sort()).toEqual([PUSH, "machine.cpus"]);
  const live = setLive(opening, { where: "a", path: PUSH, value: "on", atNs: 1_000 });
  expect(turned(live), "from an instant on").toEqual([PUSH]);
});

test("several knobs solve nothing, nor does the way that was shown; another way does", () => {
  expect(verdictOn(PUZZLE, false, [PUSH], false)).toBe("short");
  expect(verdictOn(PUZZLE, true, [], false), "reached by nobody's doing").toBe("short");
  expect(verdictOn(PUZZLE, true, [PUSH], false)).toBe("solved");
  expect(verdictOn(PUZZLE, true, [PUSH, "machine.cpus"], false)).toBe("several");
  expect(verdictOn(PUZZLE, true, [PUSH], true)).toBe("given");
  expect(verdictOn(PUZZLE, true, ["machine.cpus"], true)).toBe("solved");
});

test("another scenario's knobs are not judged", () => {
  expect(openingOf({ ...SCENE, scenario: "rt-migrate" }, HERD, KNOBS)).toBeUndefined();
});
