// The page says what another kernel version moves; the answers come from the engine.

import { beforeAll, expect, test } from "vitest";
import { loadEngine } from "../../engine/testing.ts";
import { page, setKnob } from "../../testing/page-state.ts";
import { SIDES } from "../../scenario/sides.ts";
import { movedByVersion } from "./moved-by-version.ts";
import { answer, type Page } from "../../testing/knob-changes.ts";

beforeAll(loadEngine);

/** The herd, 1 ms of it, under its own kernel. */
function herd(): Page {
  const shown = page();
  setKnob(shown.store, "both", "duration", "1ms");
  for (const side of SIDES) answer(shown, side);
  return shown;
}

test("another version tells each switch that moved with it, from what to what, once for both sides", () => {
  const shown = herd();
  const { store } = shown;
  const before = store.getState().sides.b.shown?.meta;
  setKnob(store, "both", "kernel.version", "6.6");
  expect(movedByVersion(store.getState()), "nothing is known before the run is there").toEqual([]);
  const [, after] = SIDES.map((side) => answer(shown, side));
  const moved = movedByVersion(store.getState());
  const paths = [
    "rt_balance",
    "ttwu_queue",
    "lowest_pick",
    "rt_throttle",
    "nohz_ilb",
    "bandwidth",
  ].map((name) => `kernel.${name}`);
  expect(moved.map(({ path }) => path)).toEqual(expect.arrayContaining(paths));
  for (const { path, where, from, to } of moved) {
    const [was, is] = [before, after].map(
      (meta) => meta?.knobs.find((knob) => knob.path === path)?.value,
    );
    expect([path, where, from, to]).toEqual([path, "both", was, is]);
    expect(was).not.toEqual(is);
  }
});

test("a version of one side moves that side's switches, and one that is stated is not among them", () => {
  const shown = herd();
  const { store } = shown;
  setKnob(store, "b", "kernel.rt_balance", "ipi_4_15");
  answer(shown, "b");
  setKnob(store, "b", "kernel.version", "6.6");
  answer(shown, "b");
  const moved = movedByVersion(store.getState());
  expect(new Set(moved.map(({ where }) => where))).toEqual(new Set(["b"]));
  expect(moved.map(({ path }) => path)).toContain("kernel.ttwu_queue");
  expect(moved.map(({ path }) => path)).not.toContain("kernel.rt_balance");
});

test("the next change of another knob, undo and a swap take the list away", () => {
  const newer = (): Page => {
    const shown = herd();
    setKnob(shown.store, "a", "kernel.version", "6.6");
    answer(shown, "a");
    expect(movedByVersion(shown.store.getState())).not.toEqual([]);
    return shown;
  };
  const turned = newer();
  setKnob(turned.store, "a", "machine.cpus", 20);
  answer(turned, "a");
  const [undone, swapped] = [newer(), newer()];
  undone.store.dispatch({ type: "undone" });
  swapped.store.dispatch({ type: "sides_swapped" });
  for (const shown of [undone, swapped]) for (const side of SIDES) answer(shown, side);
  expect([turned, undone, swapped].map(({ store }) => movedByVersion(store.getState()))).toEqual([
    [],
    [],
    [],
  ]);
});
