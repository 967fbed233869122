import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { loadEngine } from "../../engine/testing.ts";
import { taskSpans, trackSpans, type TaskSpan, type TaskState } from "./task-track.ts";
import { run } from "../testing.ts";

beforeAll(loadEngine);

const STATES: readonly TaskState[] = [
  "running",
  "ready",
  "sleeping",
  "waking",
  "blocked",
  "preempted",
];

/** Spans end to end from 0, of these lengths. */
function laidOut(lengths: readonly (readonly [number, TaskState])[]): readonly TaskSpan[] {
  let at = 0;
  return lengths.map(([ns, state]) => ({ state, fromNs: at, toNs: (at += ns), cpu: 0 }));
}

test("a track covers all of its spans, end to end, loses no time of any state, and has few parts for each pixel", () => {
  const spans = fc.array(fc.tuple(fc.integer({ min: 1, max: 30 }), fc.constantFrom(...STATES)), {
    minLength: 1,
    maxLength: 300,
  });
  fc.assert(
    fc.property(spans, fc.integer({ min: 1, max: 40 }), (lengths, leastNs) => {
      const whole = laidOut(lengths);
      const track = trackSpans(whole, leastNs);
      const endNs = whole.at(-1)?.toNs ?? 0;
      expect(track.map(({ fromNs }) => fromNs)).toEqual([
        0,
        ...track.slice(0, -1).map(({ toNs }) => toNs),
      ]);
      expect(track.at(-1)?.toNs).toBe(endNs);
      const runNs = (of: readonly TaskSpan[]): number =>
        of.reduce(
          (sum, { state, fromNs, toNs }) => sum + (state === "running" ? toNs - fromNs : 0),
          0,
        );
      expect(track.reduce((sum, span) => sum + (span.mixed?.runNs ?? runNs([span])), 0)).toBe(
        runNs(whole),
      );
      expect(track.length).toBeLessThanOrEqual(2 + (3 * endNs) / leastNs);
    }),
  );
});

test("rt-pull-herd, the whole run in a thousand pixels: the track of a thread goes to the end", () => {
  const [store] = run("rt-pull-herd", 0);
  const spans = taskSpans(store, 0, 0, store.endNs);
  expect(spans.length).toBeGreaterThan(2_000);
  const track = trackSpans(spans, store.endNs / 1_000);
  expect(track.at(-1)?.toNs).toBe(store.endNs);
  expect(track.length).toBeLessThan(3_000);
});

test("priority-inheritance: a task that waits for a mutex is blocked there, not asleep", () => {
  const [store] = run("priority-inheritance", 0);
  const told = store.shape.tasks.flatMap((_, task) =>
    taskSpans(store, task, 0, store.endNs).filter(({ state }) => state === "blocked"),
  );
  expect(told.length).toBeGreaterThan(0);
  expect(new Set(told.map(({ asleep }) => asleep?.at))).toEqual(new Set(["mutex shared"]));
  const longest = told.reduce((one, other) =>
    other.toNs - other.fromNs > one.toNs - one.fromNs ? other : one,
  );
  expect(longest.toNs - longest.fromNs).toBeGreaterThan(1_000_000);
});
