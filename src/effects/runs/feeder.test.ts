import { expect, test } from "vitest";
import { rowsFrom, shapeOf, traceChunk, wakeChunk } from "../../model/trace/trace-text.ts";
import { TraceStore } from "../../model/index.ts";
import { Feeder, type Turns } from "./feeder.ts";

/** A clock that a test moves: every look at it costs `lookMs`. */
function turns(lookMs: number): Turns & { run(): boolean; readonly waiting: number } {
  const queue: (() => void)[] = [];
  let now = 0;
  return {
    now: () => (now += lookMs),
    later: (work) => queue.push(work),
    idle: (work) => queue.push(work),
    run: () => {
      const work = queue.shift();
      work?.();
      return work !== undefined;
    },
    get waiting() {
      return queue.length;
    },
  };
}

const ROWS = 10_000;

function chunk(from: number): Parameters<Feeder["add"]>[0] {
  const text = Array.from({ length: ROWS }, (_, row) => `${String(from + row)} cpu0 tick`).join(
    "\n",
  );
  return {
    reached: { simulatedNs: from + ROWS, shareDone: 0 },
    trace: traceChunk(rowsFrom(text)),
    wakes: wakeChunk([]),
    taken: () => undefined,
  };
}

test("a big chunk is taken in several turns; the end is told after every row, and once told it has grown", () => {
  const clock = turns(5);
  const store = new TraceStore(shapeOf(1, 1));
  const told: string[] = [];
  const feeder = new Feeder(store, clock, () => told.push(`grew ${String(store.rows)}`));
  let taken = 0;
  feeder.add({ ...chunk(0), taken: () => (taken += 1) });
  feeder.add({ ...chunk(ROWS), taken: () => (taken += 1) });
  feeder.end(() => told.push("end"));
  let count = 0;
  while (clock.run()) count += 1;
  expect(count).toBeGreaterThan(5);
  expect(store.rows).toBe(2 * ROWS);
  expect(taken).toBe(2);
  expect(told.slice(-2)).toEqual([`grew ${String(2 * ROWS)}`, "end"]);
});

test("what is stopped takes nothing more and tells no end", () => {
  const clock = turns(5);
  const store = new TraceStore(shapeOf(1, 1));
  const feeder = new Feeder(store, clock, () => undefined);
  feeder.add(chunk(0));
  feeder.end(() => {
    throw new Error("told");
  });
  clock.run();
  const rows = store.rows;
  expect(rows).toBeLessThan(ROWS);
  feeder.stop();
  while (clock.run());
  expect(store.rows).toBe(rows);
});

test("the longer a run takes, the less often it is told that it grew", () => {
  const clock = turns(5);
  const store = new TraceStore(shapeOf(1, 1));
  const told: number[] = [];
  const feeder = new Feeder(store, clock, () => told.push(clock.now()));
  for (let part = 0; part < 40; part += 1) feeder.add(chunk(part * ROWS));
  while (clock.run());
  const gaps = told.slice(1).map((ms, index) => ms - (told[index] ?? 0));
  expect(gaps.length).toBeGreaterThan(4);
  expect(gaps.at(-1)).toBeGreaterThan(4 * (gaps[0] ?? Infinity));
  expect(Math.max(...gaps)).toBeLessThan(1_200);
});

test("where another picture stands, a run that is through in a moment is told of once, with its last row; where none does, its first rows are", () => {
  const told = [false, true].map((replaces) => {
    const clock = turns(0.001);
    let count = 0;
    const feeder = new Feeder(new TraceStore(shapeOf(1, 1)), clock, () => (count += 1), replaces);
    const reached = (at: number): Parameters<Feeder["add"]>[0] => ({
      ...chunk(at * ROWS),
      reached: { simulatedNs: (at + 1) * ROWS, shareDone: 2_000 * (at + 1) },
    });
    for (let at = 0; at < 5; at += 1) {
      feeder.add(reached(at));
      while (clock.run());
    }
    feeder.end(() => undefined);
    while (clock.run());
    return count;
  });
  expect(told).toEqual([2, 1]);
});
