import fc from "fast-check";
import { expect, test } from "vitest";
import { CPU_STATE, FIELD, NONE } from "../../engine/gen/catalogue.ts";
import { fieldPut } from "../../lib/bit-field.ts";
import { CpuLane } from "./lane.ts";
import { CHANNELS, IRQ_OFF_CHANNEL, NO_PREEMPT_CHANNEL } from "./pyramid.ts";

interface Step {
  readonly ns: number;
  readonly state: number;
  readonly off: boolean;
  readonly held: boolean;
}

/**
 * Runs with short and long slices mixed, so that several levels and the dropping of level 0 are
 * exercised.
 */
const steps = fc.array(
  fc.record({
    ns: fc.oneof(
      fc.integer({ min: 0, max: 3 }),
      fc.integer({ min: 1, max: 900 }),
      fc.integer({ min: 1, max: 3_000_000 }),
    ),
    state: fc.integer({ min: 0, max: 6 }),
    off: fc.boolean(),
    held: fc.boolean(),
  }),
  { minLength: 1, maxLength: 600 },
);

function laneOf(list: readonly Step[]): { lane: CpuLane; endNs: number } {
  const lane = new CpuLane(0);
  let at = 0;
  for (const step of list) {
    lane.append(
      at,
      step.state +
        fieldPut(FIELD.IrqOff, step.off ? 1 : 0) +
        fieldPut(FIELD.NoPreempt, step.held ? 1 : 0),
      NONE,
    );
    at += step.ns;
  }
  return { lane, endNs: at + 500 };
}

function bruteForce(list: readonly Step[], fromNs: number, toNs: number, endNs: number): number[] {
  const sums = new Array<number>(CHANNELS).fill(0);
  let at = 0;
  list.forEach((step, index) => {
    const end = index === list.length - 1 ? endNs : at + step.ns;
    const ns = Math.max(0, Math.min(end, toNs) - Math.max(at, fromNs));
    sums[step.state] = (sums[step.state] ?? 0) + ns;
    if (step.off) sums[IRQ_OFF_CHANNEL] = (sums[IRQ_OFF_CHANNEL] ?? 0) + ns;
    if (step.held) sums[NO_PREEMPT_CHANNEL] = (sums[NO_PREEMPT_CHANNEL] ?? 0) + ns;
    at = end;
  });
  return sums;
}

const share = fc.double({ min: 0, max: 1, noNaN: true });

test("the sums of any window equal a walk over every slice, to the nanosecond", () => {
  fc.assert(
    fc.property(steps, share, share, (list, one, other) => {
      const { lane, endNs } = laneOf(list);
      const fromNs = Math.floor(Math.min(one, other) * endNs);
      const toNs = Math.floor(Math.max(one, other) * endNs);
      expect(lane.windowNs(fromNs, toNs, endNs)).toEqual(bruteForce(list, fromNs, toNs, endNs));
    }),
  );
});

test("pixels of a whole run conserve the ns of every channel, at any zoom", () => {
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 300 }), (list, pixels) => {
      const { lane, endNs } = laneOf(list);
      const out = new Float32Array(pixels * CHANNELS);
      lane.sample(0, endNs, pixels, endNs, out);
      const exact = bruteForce(list, 0, endNs, endNs);
      for (let channel = 0; channel < CHANNELS; channel += 1) {
        let sum = 0;
        for (let pixel = 0; pixel < pixels; pixel += 1) sum += out[pixel * CHANNELS + channel] ?? 0;
        expect(Math.abs(sum - (exact[channel] ?? 0))).toBeLessThanOrEqual(
          1e-4 * Math.max(1, endNs),
        );
      }
    }),
  );
});

test("a pixel never holds more time than it is wide", () => {
  fc.assert(
    fc.property(
      steps,
      share,
      share,
      fc.integer({ min: 1, max: 200 }),
      (list, one, other, pixels) => {
        const { lane, endNs } = laneOf(list);
        const fromNs = Math.min(one, other) * endNs;
        const toNs = Math.max(one, other) * endNs + 1;
        const out = new Float32Array(pixels * CHANNELS);
        lane.sample(fromNs, toNs, pixels, endNs, out);
        const wide = (toNs - fromNs) / pixels;
        for (let pixel = 0; pixel < pixels; pixel += 1) {
          const sum = out
            .slice(pixel * CHANNELS, pixel * CHANNELS + IRQ_OFF_CHANNEL)
            .reduce((total, ns) => total + ns, 0);
          expect(sum).toBeLessThanOrEqual(wide * (1 + 1e-3) + 1e-6);
        }
      },
    ),
  );
});

test("an open slice in the bucket that closed slices fill in part is counted once", () => {
  const lane = new CpuLane(0);
  // Four closed slices of 16 402 ns in all, then an open one: it starts 18 ns into the second
  // bucket.
  for (const at of [0, 1, 2, 3, 16_402]) lane.append(at, CPU_STATE.User, NONE);
  const endNs = 32_802;
  const out = new Float32Array(2 * CHANNELS);
  lane.sample(0, endNs, 2, endNs, out);
  expect(out[CPU_STATE.User]).toBeCloseTo(endNs / 2, 1);
  expect(out[CHANNELS + CPU_STATE.User]).toBeCloseTo(endNs / 2, 1);
});

test("one slice of 5 ns in ten seconds of sleep still shows in its pixel", () => {
  const lane = new CpuLane(0);
  lane.append(0, CPU_STATE.Idle, NONE);
  lane.append(7_300_000_000, CPU_STATE.Hardirq + fieldPut(FIELD.IrqOff, 1), NONE);
  lane.append(7_300_000_005, CPU_STATE.Idle, NONE);
  for (let index = 0; index < 20_000; index += 1)
    lane.append(
      8_000_000_000 + index * 50_000,
      index % 2 === 0 ? CPU_STATE.User : CPU_STATE.Idle,
      1,
    );
  const out = new Float32Array(1000 * CHANNELS);
  lane.sample(0, 10_000_000_000, 1000, 10_000_000_000, out);
  expect(out[730 * CHANNELS + CPU_STATE.Hardirq]).toBeCloseTo(5, 4);
  expect(out[730 * CHANNELS + IRQ_OFF_CHANNEL]).toBeCloseTo(5, 4);
});

test("two rows at one instant: the later one is what the CPU does", () => {
  const lane = new CpuLane(3);
  lane.append(10, CPU_STATE.Kernel, 1);
  lane.append(20, CPU_STATE.Kernel, 1);
  lane.append(20, CPU_STATE.User, 2);
  expect(lane.count).toBe(3);
  expect(lane.slice(2, 100)).toEqual({
    cpu: 3,
    state: CPU_STATE.User,
    irqOff: false,
    noPreempt: false,
    task: 2,
    fromNs: 20,
    toNs: 100,
  });
});

test("a CPU is idle until its first row, and one without a row for the whole run", () => {
  const [lane, still] = [new CpuLane(3), new CpuLane(4)];
  lane.append(10, CPU_STATE.Kernel, 1);
  expect(lane.slice(lane.indexAt(9), 100)).toMatchObject({
    state: CPU_STATE.Idle,
    task: undefined,
    fromNs: 0,
    toNs: 10,
  });
  expect(still.windowNs(20, 70, 100)[CPU_STATE.Idle]).toBe(50);
  const first = new CpuLane(5);
  first.append(0, CPU_STATE.User, 2);
  expect([first.count, first.slice(0, 100).state]).toEqual([1, CPU_STATE.User]);
});
