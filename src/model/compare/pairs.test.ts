import fc from "fast-check";
import { expect, test } from "vitest";
import { shapeOf, traceChunk, wakeChunk } from "../trace/trace-text.ts";
import { TraceStore } from "../trace/trace-store.ts";
import { pairIndex, partnerOf } from "./pairs.ts";

/** Dues with gaps of any kind: none, a period, jitter, a hole. */
const gap = fc.oneof(
  fc.constant(0),
  fc.constant(100),
  fc.integer({ min: 80, max: 120 }),
  fc.integer({ min: 1, max: 1000 }),
);
const dues = fc.array(gap, { maxLength: 30 }).map((gaps) => {
  let at = 0;
  return gaps.map((step) => (at += step));
});

const partners = (mine: readonly number[], theirs: readonly number[]): (number | undefined)[] =>
  mine.map((_, index) => pairIndex(mine, index, theirs));

/** The rule as its sentence says it, by looking at everything. */
function nearestOf(list: readonly number[], ns: number): number | undefined {
  const distance = Math.min(...list.map((due) => Math.abs(due - ns)));
  const near = [...new Set(list.filter((due) => Math.abs(due - ns) === distance))];
  return near.length === 1 ? near[0] : undefined;
}

test("pairing is symmetric and one to one", () => {
  fc.assert(
    fc.property(dues, dues, (mine, theirs) => {
      const there = partners(mine, theirs);
      const back = partners(theirs, mine);
      there.forEach((other, index) => {
        if (other !== undefined) expect(back[other]).toBe(index);
      });
      const taken = there.filter((other) => other !== undefined);
      expect(new Set(taken).size).toBe(taken.length);
      expect(back.filter((other) => other !== undefined).length).toBe(taken.length);
    }),
  );
});

test("pairs keep the order, and each is the nearest of the other", () => {
  fc.assert(
    fc.property(dues, dues, (mine, theirs) => {
      const found = partners(mine, theirs).flatMap((other, index) =>
        other === undefined ? [] : [{ index, other }],
      );
      expect(found.map(({ other }) => other)).toEqual(
        found.map(({ other }) => other).sort((one, two) => one - two),
      );
      for (const { index, other } of found) {
        expect(nearestOf(theirs, mine[index] ?? NaN)).toBe(theirs[other]);
        expect(nearestOf(mine, theirs[other] ?? NaN)).toBe(mine[index]);
      }
    }),
  );
});

test("runs with the same due times pair every wake-up with itself", () => {
  fc.assert(
    fc.property(dues, (mine) => {
      expect(partners(mine, mine)).toEqual(mine.map((_, index) => index));
    }),
  );
});

test("with jitter below half of the period every wake-up of a periodic task finds its own", () => {
  const jitter = fc.array(fc.integer({ min: -12, max: 12 }), { minLength: 2, maxLength: 40 });
  fc.assert(
    fc.property(jitter, jitter, (one, other) => {
      const count = Math.min(one.length, other.length);
      const at = (moved: readonly number[]): number[] =>
        moved.slice(0, count).map((by, index) => 100 * (index + 1) + by);
      expect(partners(at(one), at(other))).toEqual(
        Array.from({ length: count }, (_, index) => index),
      );
    }),
  );
});

test("a wake-up that the other run does not have stays alone, and shifts none after it", () => {
  expect(partners([0, 10, 20, 40], [0, 11, 29, 40])).toEqual([0, 1, undefined, 3]);
  expect(partners([0, 10, 20, 30], [0, 10, 30])).toEqual([0, 1, undefined, 2]);
});

test("half of a period away is nobody's, past the end of the other run too", () => {
  expect(partners([5, 15, 25], [0, 10, 20])).toEqual([undefined, undefined, undefined]);
  expect(partners([0, 10, 20, 30, 40], [0, 10])).toEqual([0, 1, undefined, undefined, undefined]);
  expect(partners([0, 10, 24], [0, 10, 20])).toEqual([0, 1, 2]);
});

test("wake-ups due at one instant pair in their order, the one too many stays alone", () => {
  expect(partners([0, 10, 10, 10, 20], [0, 10, 10, 20])).toEqual([0, 1, 2, undefined, 3]);
});

test("tasks pair by name, whatever their numbers are", () => {
  const wakes = (task: number, ...at: readonly number[]): ReturnType<typeof wakeChunk> =>
    wakeChunk(at.map((due, nth) => ({ task, nth, cpu: 0, due, segments: [[1, 3]] })));
  const one = new TraceStore(shapeOf(1, 3));
  one.append(100, traceChunk([]), wakes(2, 0, 10, 20));
  const shape = shapeOf(1, 3);
  const renamed = {
    ...shape,
    tasks: shape.tasks.map((task, id) => ({ ...task, name: `t${String(2 - id)}` })),
  };
  const other = new TraceStore(renamed);
  other.append(100, traceChunk([]), wakes(0, 0, 21));
  expect([0, 1, 2].map((row) => partnerOf(one.wakes, row, other.wakes))).toEqual([0, undefined, 1]);
  expect(partnerOf(other.wakes, 1, one.wakes)).toBe(2);
});
