import fc from "fast-check";
import { expect, test } from "vitest";
import { syntheticRun } from "./synthetic-run.ts";
import { TraceStore } from "./trace-store.ts";
import { sayOnCpu } from "../words/say-row.ts";
import { stepOnCpu } from "./track-events.ts";

const run = syntheticRun(4, 10, 50);
const store = new TraceStore(run.shape);
store.append(run.endNs, run.trace, run.wakes);

/** All instants of a CPU, by looking at everything. */
function instantsOf(cpu: number): readonly number[] {
  const { events, lanes, endNs } = store;
  const own = Array.from({ length: events.count }, (_, row) => row).filter(
    (row) => events.cpu.at(row) === cpu,
  );
  const lane = lanes[cpu];
  const slices = Array.from(
    { length: lane?.count ?? 0 },
    (_, index) => lane?.slice(index, endNs).fromNs ?? 0,
  );
  return [...new Set([...own.map((row) => events.time.at(row)), ...slices])].sort(
    (one, other) => one - other,
  );
}

test("steps along a CPU come to each of its instants once, in order, and back the same way", () => {
  for (let cpu = 0; cpu < 4; cpu += 1) {
    const all = instantsOf(cpu);
    const walked: number[] = [];
    for (let ns = stepOnCpu(store, cpu, -1, 1); ns !== undefined; ns = stepOnCpu(store, cpu, ns, 1))
      walked.push(ns);
    expect(walked).toEqual(all);
    const back: number[] = [];
    for (
      let ns = stepOnCpu(store, cpu, run.endNs + 1, -1);
      ns !== undefined;
      ns = stepOnCpu(store, cpu, ns, -1)
    )
      back.push(ns);
    expect(back).toEqual([...all].reverse());
  }
});

test("from any instant a step is the nearest one of that CPU, and something is said there", () => {
  fc.assert(
    fc.property(fc.nat(3), fc.nat(run.endNs), (cpu, ns) => {
      const all = instantsOf(cpu);
      expect(stepOnCpu(store, cpu, ns, 1)).toBe(all.find((at) => at > ns));
      expect(stepOnCpu(store, cpu, ns, -1)).toBe(all.findLast((at) => at < ns));
      const next = stepOnCpu(store, cpu, ns, 1);
      if (next === undefined) return;
      const sentences = sayOnCpu(store, cpu, next);
      expect(sentences.length).toBeGreaterThan(0);
      for (const sentence of sentences) expect(sentence).toContain(`CPU ${String(cpu)} `);
    }),
    { numRuns: 60 },
  );
});
