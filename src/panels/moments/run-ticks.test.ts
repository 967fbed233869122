import { expect, test } from "vitest";
import type { MomentKind, RunMoment } from "../../state/play/run-moments.ts";
import { ticksOf } from "./run-ticks.ts";

function moment(kind: MomentKind, side: "a" | "b", ns: number): RunMoment {
  return { kind, side, ns, words: `${kind} ${String(ns)}` };
}

/** 1000 ns on 1000 px. */
const onAxis = (ns: number): number | undefined => (ns > 1000 ? undefined : ns);

test("moments too near share a tick, the most telling first; sides keep theirs apart", () => {
  const moments = [
    moment("step", "a", 500),
    moment("herd", "a", 505),
    moment("wake", "b", 500),
    moment("refill", "a", 600),
  ];
  const ticks = ticksOf(moments, ["a", "b"], onAxis);
  expect(
    ticks.map(({ side, x, moments: of }) => [side, x, of.map(({ kind }) => kind).join(" ")]),
  ).toEqual([
    ["a", 505, "herd step"],
    ["b", 500, "wake"],
    ["a", 600, "refill"],
  ]);
});

test("a side that is not shown has no ticks, and nothing stands beyond the axis", () => {
  expect(ticksOf([moment("wake", "b", 500), moment("herd", "a", 2000)], ["a"], onAxis)).toEqual([]);
});

test("on one row both sides share a tick, and what is near is a matter of the row", () => {
  const moments = [moment("wake", "b", 500), moment("herd", "a", 520), moment("refill", "a", 530)];
  const kinds = ticksOf(moments, ["a", "b"], onAxis, { apart: 24, oneRow: true }).map(
    ({ moments: of }) => of.map(({ kind }) => kind).join(" "),
  );
  expect(kinds).toEqual(["herd wake refill"]);
});
