import fc from "fast-check";
import { expect, test } from "vitest";
import { KIND } from "../../engine/gen/catalogue.ts";
import { EventTable } from "./events.ts";
import { LockIndex } from "./kernel-locks.ts";
import type { LockTrack } from "./kernel-locks.ts";
import { rowsFrom, traceChunk } from "./trace-text.ts";
import type { Row } from "./trace-text.ts";

function locksOf(rows: readonly Row[]): LockIndex {
  const events = new EventTable();
  const locks = new LockIndex(events);
  for (const [at, row] of rows.entries()) {
    events.take(traceChunk([row]), 0, 1, KIND.CpuState);
    locks.append(at, row.a);
  }
  return locks;
}

function lockZero(rows: readonly Row[]): LockTrack {
  const track = locksOf(rows).lock(0);
  if (track === undefined) throw new Error("lock 0 was never touched");
  return track;
}

const HERD = rowsFrom(`
  10  cpu7  acq   0
  20  cpu3  wait  0
  22  cpu9  wait  0
  30  cpu7  rel   0
  31  cpu3  acq   0 11
  35  cpu5  wait  0
  40  cpu3  rel   0
  41  cpu9  acq   0 19
  50  cpu9  rel   0
  51  cpu5  acq   0 16
  60  cpu5  rel   0`);

test("the queue holds the waiting CPUs in the order they came", () => {
  const lock = lockZero(HERD);
  expect(lock.at(25)).toEqual({ holder: 7, queue: [3, 9] });
  expect(lock.at(30)).toEqual({ holder: undefined, queue: [3, 9] });
  expect(lock.at(36)).toEqual({ holder: 3, queue: [9, 5] });
  expect(lock.at(9)).toEqual({ holder: undefined, queue: [] });
  expect(lock.at(99)).toEqual({ holder: undefined, queue: [] });
});

test("the peak is the first moment of the longest queue, the holder not counted", () => {
  expect(lockZero(HERD).peak).toEqual({ depth: 2, atNs: 22 });
});

test("a hold is one stretch, however many come to wait meanwhile, and is cut where the window ends", () => {
  expect(lockZero(HERD).holds(0, 55)).toEqual([
    { holder: 7, fromNs: 10, toNs: 30 },
    { holder: 3, fromNs: 31, toNs: 40 },
    { holder: 9, fromNs: 41, toNs: 50 },
    { holder: 5, fromNs: 51, toNs: 55 },
  ]);
  expect(lockZero(HERD).holds(15, 21)).toEqual([{ holder: 7, fromNs: 15, toNs: 21 }]);
  expect(lockZero(HERD).holds(60, 99)).toEqual([]);
});

test("steps cover the window without gaps", () => {
  const steps = lockZero(HERD).steps(21, 45);
  expect(
    steps.map(({ fromNs, toNs, holder, queue }) => [fromNs, toNs, holder, queue.join(" ")]),
  ).toEqual([
    [21, 22, 7, "3"],
    [22, 30, 7, "3 9"],
    [30, 31, undefined, "3 9"],
    [31, 35, 3, "9"],
    [35, 40, 3, "9 5"],
    [40, 41, undefined, "9 5"],
    [41, 45, 9, "5"],
  ]);
});

test("the deepest lock is the one with the longest queue, the lowest id among equals", () => {
  const other = rowsFrom("70 cpu1 acq 2\n71 cpu2 wait 2\n72 cpu3 wait 2");
  expect(locksOf([...HERD, ...other]).deepest()).toBe(0);
  expect(locksOf(other).deepest()).toBe(2);
  expect(locksOf(rowsFrom("1 cpu1 acq 1\n2 cpu1 rel 1")).deepest()).toBeUndefined();
});

/** A random but lawful life of one lock: FIFO grants, gaps of 0 to 9 ns. */
const lives = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.boolean()), { maxLength: 400 })
  .map((choices) => {
    const rows: Row[] = [];
    const queue: number[] = [];
    let holder: number | undefined;
    let ns = 0;
    let next = 0;
    for (const [gap, arrive] of choices) {
      ns += gap;
      if (arrive || holder === undefined) {
        const cpu = next % 50;
        if (queue.includes(cpu) || cpu === holder) continue;
        next += 1;
        rows.push({
          ns,
          kind: holder === undefined ? KIND.LockAcq : KIND.LockWait,
          cpu,
          a: 0,
          b: 0,
        });
        if (holder === undefined) holder = cpu;
        else queue.push(cpu);
      } else {
        rows.push({ ns, kind: KIND.LockRel, cpu: holder, a: 0, b: queue.length });
        holder = queue.shift();
        if (holder !== undefined) rows.push({ ns, kind: KIND.LockAcq, cpu: holder, a: 0, b: 1 });
      }
    }
    return rows;
  });

function replay(rows: readonly Row[], ns: number): number[] {
  const queue: number[] = [];
  for (const row of rows.filter((each) => each.ns <= ns)) {
    if (row.kind === KIND.LockWait) queue.push(row.cpu);
    if (row.kind === KIND.LockAcq && queue.includes(row.cpu))
      queue.splice(queue.indexOf(row.cpu), 1);
  }
  return queue;
}

test("any instant of a long life equals a replay from the start", () => {
  fc.assert(
    fc.property(lives, fc.nat(4000), (rows, ns) => {
      fc.pre(rows.length > 0);
      const lock = lockZero(rows);
      const queue = replay(rows, ns);
      expect(lock.at(ns).queue).toEqual(queue);
      expect(lock.depthAt(ns)).toBe(queue.length);
    }),
  );
});

test("the depth profile shows every peak, whatever the zoom", () => {
  fc.assert(
    fc.property(lives, fc.integer({ min: 1, max: 40 }), (rows, pixels) => {
      fc.pre(rows.length > 0);
      const lock = lockZero(rows);
      const endNs = (rows.at(-1)?.ns ?? 0) + 1;
      const profile = lock.depthProfile(-1, endNs, pixels);
      expect(Math.max(...profile)).toBe(lock.peak.depth);
      const steps = lock.steps(-1, endNs);
      profile.forEach((depth, pixel) => {
        const width = (endNs + 1) / pixels;
        const held = steps.filter(
          (step) => step.toNs > -1 + pixel * width && step.fromNs < -1 + (pixel + 1) * width,
        );
        expect(depth).toBeGreaterThanOrEqual(Math.max(...held.map((step) => step.queue.length)));
      });
    }),
  );
});

test("the deepest of all locks is the greatest of each", () => {
  const two = fc
    .tuple(lives, lives)
    .map(([one, other]) =>
      [...one, ...other.map((row) => ({ ...row, cpu: row.cpu + 50, a: 1 }))].sort(
        (a, b) => a.ns - b.ns,
      ),
    );
  fc.assert(
    fc.property(two, fc.integer({ min: 1, max: 30 }), (rows, pixels) => {
      fc.pre(rows.length > 0);
      const locks = locksOf(rows);
      const endNs = (rows.at(-1)?.ns ?? 0) + 1;
      const each = [0, 1].map(
        (id) => locks.lock(id)?.depthProfile(-1, endNs, pixels) ?? new Float64Array(pixels),
      );
      expect(Array.from(locks.depthProfile(-1, endNs, pixels))).toEqual(
        Array.from({ length: pixels }, (_, pixel) =>
          Math.max(...each.map((profile) => profile[pixel] ?? 0)),
        ),
      );
    }),
  );
});

test("the deepest lock of a window need not be the deepest of the run", () => {
  const later = rowsFrom("70 cpu1 acq 2\n71 cpu2 wait 2\n80 cpu1 rel 2");
  const locks = locksOf([...HERD, ...later]);
  expect([locks.deepestIn(0, 65), locks.deepestIn(65, 75), locks.deepestIn(0, 100)]).toEqual([
    0, 2, 0,
  ]);
});
