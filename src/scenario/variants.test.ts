// What a side is called whose knobs are no variant of the scenario.

import { expect, test } from "vitest";
import { SCENARIOS } from "../engine/gen/scenarios.ts";
import type { ScenarioEntry } from "../engine/gen/types.ts";
import { SIDES } from "./sides.ts";
import { HERD, page, setKnob as turn } from "../testing/page-state.ts";
import { stripName } from "../state/compare/strips.ts";
import { effectiveSet, lookUp, NO_KNOBS, setKnob, type KnobSets } from "./knob-sets.ts";
import { calledOn, customWords, sideName } from "./variants.ts";

const nameOf = (knobs: KnobSets, side: "a" | "b" = "b", whole = false): string =>
  sideName(HERD, knobs, side, { whole });

test("a knob that leaves the variants of both sides keeps their names apart", () => {
  const sizes = SCENARIOS.find(({ slug }) => slug === "rt-pull-herd-sizes") as ScenarioEntry;
  const both = setKnob(NO_KNOBS, "both", "kernel.rt_push_ipi", "on");
  const [a, b] = SIDES.map((side) => customWords(sizes, both, side));
  expect(a).not.toBe(b);
  expect(
    [a, b].map((words) => /^CPUs \d+, RT_PUSH_IPI on$/.test(words ?? "")),
    "what differs comes first",
  ).toEqual([true, true]);
});

test("a knob that no variant sets stands behind the names of all that run it: sides, strips and tiles", () => {
  const passive = setKnob(NO_KNOBS, "both", "kernel.rt_balance", "passive_2624");
  expect(SIDES.map((side) => nameOf(passive, side))).toEqual([
    "pull, RT balancing passive_2624",
    "push by IPI, RT balancing passive_2624",
  ]);
  expect(stripName({ entry: HERD, knobs: passive }, "push by IPI")).toBe(
    "push by IPI, RT balancing passive_2624",
  );
  const ofA = setKnob(NO_KNOBS, "a", "machine.idle", "poll");
  expect([
    nameOf(ofA, "a"),
    nameOf(ofA, "b"),
    stripName({ entry: HERD, knobs: ofA }, "pull"),
  ]).toEqual(["pull, idle loop poll", "push by IPI", "pull"]);
});

test("a variant names no run whose kernel leaves its knobs without effect, and its year no run of another kernel", () => {
  const old = setKnob(NO_KNOBS, "b", "kernel.version", "2.6.24");
  const inert = ["kernel.rt_push_ipi"];
  expect(sideName(HERD, old, "b", { inert })).toBe("kernel version 2.6.24");
  expect(sideName(HERD, old, "a", { inert: [] }), "A is as shipped").toBe("pull");
  expect(sideName(HERD, NO_KNOBS, "b", { inert }), "the file's own name").toBe("push by IPI");
  expect(calledOn(HERD, old, "b", inert)).toBeUndefined();
  const newer = setKnob(NO_KNOBS, "b", "kernel.version", "6.6");
  expect(calledOn(HERD, newer, "b"), "another kernel").toBeUndefined();
  const seeded = setKnob(NO_KNOBS, "both", "seed", 99);
  expect(calledOn(HERD, seeded, "b")).toBe("with the 2015 fix");
});

test("a knob that a sibling sets stands behind the name of a strip that runs it", () => {
  const knobs = setKnob(NO_KNOBS, "both", "workload.rt_noise.tasks", 3);
  expect(stripName({ entry: HERD, knobs }, "pull")).toBe("pull, noise tasks 3");
});

test("another kernel version stands behind the name, and with it a switch of the file that was chosen for that version", () => {
  const newer = setKnob(NO_KNOBS, "both", "kernel.version", "6.6");
  expect(nameOf(newer)).toBe("push by IPI, kernel version 6.6");
  const chosen = setKnob(newer, "both", "kernel.cpupri", "heap");
  expect(nameOf(chosen, "b", true)).toBe("push by IPI, kernel version 6.6, cpupri heap");
});

test("many knobs are counted behind the name, and told one by one where there is room", () => {
  const many = ["machine.idle", "machine.topology", "kernel.spinlock"].reduce(
    (sets, path) => setKnob(sets, "b", path, "abcdefgh"),
    NO_KNOBS,
  );
  expect(nameOf(many)).toBe("push by IPI, 3 knobs changed");
  expect(nameOf(many, "b", true)).toBe(
    "push by IPI, idle loop abcdefgh, topology abcdefgh, spinlock abcdefgh",
  );
});

test("a side that is no variant tells the knobs that no variant sets too", () => {
  const sets = setKnob(
    setKnob(NO_KNOBS, "b", "kernel.rt_push_ipi", "auto_gt16"),
    "both",
    "machine.idle",
    "poll",
  );
  expect(nameOf(sets)).toBe("RT_PUSH_IPI auto_gt16, idle loop poll");
});

test("another seed or length, and a knob turned back, leave the name as it was", () => {
  const { store } = page();
  turn(store, "both", "seed", 99);
  turn(store, "both", "duration", "50ms");
  turn(store, "both", "machine.cpus", 80);
  turn(store, "both", "machine.cpus", 40);
  // The file leaves this one to its default.
  turn(store, "b", "machine.idle", "poll");
  turn(store, "b", "machine.idle", "auto");
  expect(nameOf(store.getState().knobs)).toBe("push by IPI");
});

test("what is laid over a side is worked out once for the same knobs, and anew for others and for another scenario", () => {
  const sets = setKnob(NO_KNOBS, "a", "seed", 9);
  const once = effectiveSet(HERD, sets, "a");
  expect(effectiveSet(HERD, sets, "b")).not.toEqual(once);
  expect(effectiveSet(HERD, sets, "a")).toBe(once);
  const other = { ...HERD, variants: [] };
  expect(effectiveSet(other, sets, "a")).toEqual([["seed", 9]]);
  expect(effectiveSet(HERD, sets, "a")).toEqual(once);
  expect(lookUp(effectiveSet(HERD, setKnob(sets, "a", "seed", 10), "a"), "seed")).toBe(10);
});
