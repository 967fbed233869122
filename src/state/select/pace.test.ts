import fc from "fast-check";
import { expect, test } from "vitest";
import { TraceStore } from "../../model/index.ts";
import { shapeOf, traceChunk, rowsFrom, wakeChunk } from "../../model/trace/trace-text.ts";
import { onward, paceOf, paceToAnswer, speedIn } from "./pace.ts";

const END_NS = 100_000;

/** A run whose rows lie at these instants. */
function runAt(instants: readonly number[]): TraceStore {
  const trace = new TraceStore(shapeOf(2, 2, END_NS));
  const rows = [...instants].sort((one, other) => one - other).map((ns) => `${ns} cpu0 tick`);
  trace.append(END_NS, traceChunk(rowsFrom(rows.join("\n"))), wakeChunk([]));
  return trace;
}

const view = { fromNs: 10_000, toNs: 90_000 };

test("a crossing ends at the end of the view, whatever happens in it and however it is cut up", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: END_NS }), { maxLength: 200 }),
      fc.integer({ min: 1, max: 500 }),
      (instants, frames) => {
        const pace = paceOf([runAt(instants)], view);
        let ns = view.fromNs;
        for (let frame = 0; frame < frames; frame += 1) {
          const next = onward(pace, ns, 1 / frames);
          expect(next).toBeGreaterThanOrEqual(ns);
          ns = next;
        }
        expect(ns).toBeCloseTo(view.toNs, 2);
      },
    ),
  );
});

test("where much happens the playhead is slow, and nowhere does it stand still or jump", () => {
  const herd = Array.from({ length: 300 }, (_, at) => 50_000 + at);
  const pace = paceOf([runAt(herd)], view);
  const calm = speedIn(pace, 20_000);
  expect(speedIn(pace, 50_100)).toBeLessThan(calm / 20);
  expect(calm).toBeLessThan(4 * (view.toNs - view.fromNs));
  expect(onward(pace, 20_000, 0.001)).toBeGreaterThan(20_000);
});

test("without events it is even", () => {
  const pace = paceOf([], view);
  expect(speedIn(pace, 30_000)).toBeCloseTo(80_000, 3);
  expect(onward(pace, view.fromNs, 0.5)).toBeCloseTo(50_000, 3);
});

/** How long the playhead takes from one instant to another, s. */
function secondsFrom(pace: ReturnType<typeof paceOf>, fromNs: number, toNs: number): number {
  let ns = fromNs;
  let frames = 0;
  while (ns < toNs && frames < 10_000) {
    ns = onward(pace, ns, 0.01 / pace.seconds);
    frames += 1;
  }
  return frames / 100;
}

test("a silence of the subject passes in half a second at most, and the whole takes 4 s at least", () => {
  const busy = Array.from({ length: 400 }, (_, at) => at * 250);
  const subject = [
    { fromNs: 11_000, toNs: 13_000 },
    { fromNs: 80_000, toNs: 82_000 },
  ];
  const pace = paceToAnswer([runAt(busy)], view, [], subject);
  expect(secondsFrom(pace, 14_000, 79_500)).toBeLessThanOrEqual(0.52);
  expect(secondsFrom(pace, view.fromNs, view.toNs)).toBeGreaterThanOrEqual(3.95);
  const told = secondsFrom(pace, 11_000, 13_000);
  expect(told).toBeGreaterThan(1);
  expect(paceToAnswer([runAt(busy)], view, []).seconds).toBeCloseTo(7, 9);
});

test("where nothing of the subject is in view, all of the view is played", () => {
  expect(paceToAnswer([runAt([20_000])], view, [], []).seconds).toBeCloseTo(7, 9);
});
