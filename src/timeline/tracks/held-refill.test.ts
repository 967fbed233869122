// A refill in the hand: the engine refills where it was dropped.

import { beforeAll, expect, test } from "vitest";
import { loadEngine } from "../../engine/testing.ts";
import type { GroupTrack, TraceStore } from "../../model/index.ts";
import { run } from "../../model/testing.ts";
import { periodTo, refillAt, type HeldRefill } from "./held-refill.ts";

beforeAll(loadEngine);

const MS = 1_000_000;
const SHORT: readonly (readonly [string, string])[] = [["duration", "500ms"]];
/** What the period timer's interrupt may take, ns. */
const TIMER_NS = 20_000;

function groupOf(trace: TraceStore): GroupTrack {
  const [track] = trace.quota.limited;
  if (track === undefined) throw new Error("no group has a limit");
  return track;
}

function refillsNs(trace: TraceStore): readonly number[] {
  return Array.from(groupOf(trace).refills.listIn(0, trace.endNs), (row) =>
    trace.events.time.at(row),
  );
}

/** The third refill of a run, held by a hand. */
function held(trace: TraceStore): { readonly atNs: number; readonly refill: HeldRefill } {
  const atNs = refillsNs(trace)[2] ?? 0;
  const refill = refillAt(trace, groupOf(trace), atNs + 3, 10);
  if (refill === undefined) throw new Error("there is no refill");
  return { atNs, refill };
}

test.each([-30, 40])(
  "a refill dragged by %i ms is where it was dropped, and so are the later ones",
  (byMs) => {
    const [before] = run("quota-stranded", 0, SHORT);
    const { atNs, refill } = held(before);
    const periodNs = periodTo(refill, atNs + byMs * MS);
    expect(periodNs).toBe((100 + byMs) * MS);
    const value = `10000 ${String(periodNs / 1_000)}`;
    const [after] = run("quota-stranded", 0, SHORT, undefined, [
      [refill.writeNs, "cgroups.fibtest.cpu_max", value],
    ]);
    const later = refillsNs(after).filter((ns) => ns > refill.fromNs + TIMER_NS);
    expect(later.length).toBeGreaterThan(1);
    later.forEach((ns, nth) =>
      expect(Math.abs(ns - refill.fromNs - (nth + 1) * periodNs)).toBeLessThan(TIMER_NS),
    );
  },
);

test("only a refill near the pointer whose period begins within the run can be held", () => {
  const [trace] = run("quota-stranded", 0, SHORT);
  const track = groupOf(trace);
  const [first = 0, second = 0] = refillsNs(trace);
  expect(refillAt(trace, track, first, 10)).toBeUndefined();
  expect(refillAt(trace, track, second - 1_000, 10)).toBeUndefined();
  expect(refillAt(trace, track, second, 10)?.fromNs).toBe(second - 100 * MS);
});

test("a period is whole milliseconds that cpu.max takes", () => {
  const refill = { fromNs: 500 * MS, writeNs: 499 * MS };
  expect(periodTo(refill, 400 * MS)).toBe(MS);
  expect(periodTo(refill, 510.4 * MS)).toBe(10 * MS);
  expect(periodTo(refill, 9_000 * MS)).toBe(1_000 * MS);
});
