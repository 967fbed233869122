import { expect, test } from "vitest";
import type { MomentKind, RunMoment } from "../../state/play/run-moments.ts";
import { ticksOf } from "./run-ticks.ts";

function moment(kind: MomentKind, side: "a" | "b", ns: number): RunMoment {
  return { kind, side, ns, words: `${kind} ${String(ns)}` };
}

test("moments too near share a tick, the most telling first; sides keep theirs apart", () => {
  const moments = [moment("step", "a", 500), moment("herd", "a", 505), moment("wake", "b", 500), moment("refill", "a", 600)];
  const ticks = ticksOf(moments, ["a", "b"], 1000, 1000);
  expect(ticks.map(({ side, x, moments: of }) => [side, x, of.map(({ kind }) => kind).join(" ")])).toEqual([
    ["a", 505, "herd step"],
    ["b", 500, "wake"],
    ["a", 600, "refill"],
  ]);
});

test("a side that is not shown has no ticks, and nothing stands beyond the axis", () => {
  expect(ticksOf([moment("wake", "b", 500), moment("herd", "a", 2000)], ["a"], 1000, 1000)).toEqual([]);
});
