// A group's sum from afar: of the same time as close up, for a quarter of the looks at what is
// kept.

import { expect, test, vi } from "vitest";
import { GroupLane } from "./group-lane.ts";
import { CHANNELS } from "./pyramid.ts";
import { syntheticRun } from "./synthetic-run.ts";
import { TraceStore } from "./trace-store.ts";

const { shape, trace, wakes, endNs } = syntheticRun(8, 20, 50);
const store = new TraceStore(shape);
store.append(endNs, trace, wakes);

/**
 * Ns per channel over the whole run as `pixels` columns have them, and how many numbers were read
 * for it.
 */
function sampled(pixels: number): { readonly sums: readonly number[]; readonly reads: number } {
  const group = new GroupLane(store.lanes, endNs, 1);
  const out = new Float32Array(pixels * CHANNELS);
  group.sample(0, endNs, pixels, endNs, out);
  let reads = 0;
  const counting = (data: Float32Array): Float32Array =>
    new Proxy(data, {
      get: (target, key) => {
        reads += 1;
        return Reflect.get(target, key, target) as unknown;
      },
    });
  const kept = group as unknown as { sums: Float32Array; coarse: Float32Array };
  [kept.sums, kept.coarse] = [counting(kept.sums), counting(kept.coarse)];
  group.sample(0, endNs, pixels, endNs, out);
  const sums = Array.from({ length: CHANNELS }, (_, channel) =>
    out.filter((__, at) => at % CHANNELS === channel).reduce((sum, ns) => sum + ns, 0),
  );
  return { sums, reads };
}

test("a picture of an eighth of the buckets reads a quarter of what one of each bucket reads, and has the same time in it", () => {
  const near = sampled(8_000);
  const far = sampled(1_000);
  far.sums.forEach((ns, channel) =>
    expect(ns / (8 * endNs)).toBeCloseTo((near.sums[channel] ?? 0) / (8 * endNs), 3),
  );
  expect(far.reads).toBeLessThan(0.4 * near.reads);
  expect(far.reads).toBeGreaterThan(0);
});

test("a strip that comes into sight reads the slices of its CPUs, where these are fewer than what is kept of it", () => {
  const idle = new TraceStore({ ...shape, cpus: 64 });
  idle.append(endNs, trace, wakes);
  const read = idle.lanes.map((lane) => vi.spyOn(lane, "sample"));
  const out = new Float32Array(1_000 * CHANNELS);
  new GroupLane(idle.lanes, endNs, 1).sample(0, endNs, 1_000, endNs, out);
  expect(read.map((each) => each.mock.calls.length)).toEqual(read.map(() => 0));
  const near = new GroupLane(store.lanes, endNs, 1);
  const same = new Float32Array(1_000 * CHANNELS);
  near.sample(0, endNs, 1_000, endNs, same);
  for (let at = 1; at < out.length; at += 1)
    if (at % CHANNELS !== 0) expect(out[at]).toBeCloseTo(same[at] ?? 0, 0);
});
