import fc from "fast-check";
import { expect, test } from "vitest";
import { CPU_STATE } from "../../engine/gen/catalogue.ts";
import { CHANNELS, TraceStore } from "../../model/index.ts";
import { GroupLane } from "../../model/trace/group-lane.ts";
import { syntheticRun } from "../../model/trace/synthetic-run.ts";
import { shapeOf } from "../../model/trace/trace-text.ts";
import { arrange, groupsOf } from "./arrange.ts";
import { movePin, pinAt, readChoice, toggleGroup, togglePin, writeChoice } from "./choice.ts";
import { cpusOf, rowsInView, stuck } from "../plot/lane-rows.ts";

function machine(cpus: number, packageSize = cpus): TraceStore {
  return new TraceStore({ ...shapeOf(cpus, 1), package_size: packageSize });
}

const texts = fc
  .record({
    pins: fc.uniqueArray(fc.integer({ min: 0, max: 1023 }), { maxLength: 6 }),
    open: fc
      .uniqueArray(fc.integer({ min: 0, max: 1023 }), { maxLength: 6 })
      .map((groups) => groups.sort((one, other) => one - other)),
    grouped: fc.constantFrom(true, false, undefined),
    sort: fc.constantFrom("number" as const, "busy" as const, "late" as const),
    counters: fc.boolean(),
    ring: fc.boolean(),
    instead: fc.boolean(),
  })
  .map(writeChoice);

test("what is chosen of the lanes is read back from its text, and hostile text says no more than it may", () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(writeChoice(readChoice(text))).toBe(text);
    }),
  );
  fc.assert(
    fc.property(fc.string(), (text) => {
      const { pins, open } = readChoice(text);
      expect(pins.length).toBeLessThanOrEqual(16);
      expect([...pins, ...open].every((each) => Number.isInteger(each) && each >= 0)).toBe(true);
    }),
  );
});

test("lanes are kept on top in the order they were put there, and moved among each other", () => {
  const three = [7, 90, 3].reduce(togglePin, "");
  expect(three).toBe("p7.90.3");
  expect(togglePin(three, 90)).toBe("p7.3");
  expect(movePin(three, 3, -1)).toBe("p7.3.90");
  expect(movePin(three, 3, 1), "below the last it is let go").toBe("p7.90");
  expect(movePin(three, 5, -1), "one that is not there comes in at the end").toBe("p7.90.3.5");
  expect(pinAt(three, 3, 0)).toBe("p3.7.90");
  expect(toggleGroup(toggleGroup("p7", 3), 3)).toBe("p7");
});

test("groups are packages; a machine of one package has blocks of 32 CPUs", () => {
  expect(groupsOf(40, 10).map(({ label }) => label)).toEqual(["p0", "p1", "p2", "p3"]);
  expect(groupsOf(70).map(({ cpus }) => cpus.length)).toEqual([32, 32, 6]);
});

test("up to 128 CPUs each has its lane; above, each group is a strip and unfolds", () => {
  const flat = arrange("", [machine(128, 32)], true, []);
  expect([flat.grouped, flat.lay(128, 300).rows.length]).toEqual([false, 128]);
  const folded = arrange("", [machine(256, 32)], true, []).lay(256, 300);
  expect(folded.rows.map((row) => row.fold?.cpus.length)).toEqual(new Array(8).fill(32));
  expect(folded.rowOfCpu[40], "a folded CPU has no row").toBeUndefined();
  expect(folded.stripOfCpu?.[40]).toBe(folded.rows[1]);
  const open = arrange("o1", [machine(256, 32)], true, []).lay(256, 300);
  expect(open.rows).toHaveLength(8 + 32);
  expect(open.rows.slice(1, 4).map(({ cpu, fold }) => [cpu, fold?.open])).toEqual([
    [32, true],
    [32, undefined],
    [33, undefined],
  ]);
  expect(arrange("flat", [machine(256, 32)], true, []).lay(256, 300).rows).toHaveLength(256);
});

test("every CPU is in exactly one row below the pinned ones, however lanes are arranged, and rows lie end to end", () => {
  const sizes = fc.constantFrom([40, 10], [256, 32], [256, 256], [130, 10], [1024, 32]);
  fc.assert(
    fc.property(
      texts,
      sizes,
      fc.integer({ min: 60, max: 1200 }),
      (text, [cpus = 1, size = 1], room) => {
        const rows = arrange(text, [machine(cpus, size)], true, [1, 2]).lay(cpus, room);
        const below = rows.rows.filter(({ pinned }) => !pinned);
        const shown = below.filter(({ fold }) => fold === undefined || !fold.open).flatMap(cpusOf);
        expect([...shown].sort((one, other) => one - other)).toEqual(
          Array.from({ length: cpus }, (_, cpu) => cpu),
        );
        let top = rows.pinnedPx;
        for (const row of below) {
          expect(row.top).toBe(top);
          top += row.height;
        }
        expect(rows.height).toBe(top);
      },
    ),
    { numRuns: 60 },
  );
});

test("both sides are level: rows on top keep their places on a machine that lacks their CPU", () => {
  const { lay } = arrange("p50.3", [machine(64), machine(40)], true, []);
  expect(lay(64, 300).pinnedPx).toBe(lay(40, 300).pinnedPx);
  expect(lay(40, 300).rowOfCpu[3]?.top).toBe(lay(64, 300).rowOfCpu[3]?.top);
});

test("both sides are level whatever their numbers of CPUs: a CPU has its row, or its group's strip, at one place on both", () => {
  const sizes = fc.constantFrom([64, 40], [4, 40], [128, 5], [256, 40], [256, 200], [130, 4]);
  fc.assert(
    fc.property(
      texts,
      sizes,
      fc.integer({ min: 60, max: 1200 }),
      (text, [one = 1, other = 1], room) => {
        const { lay } = arrange(text, [machine(one), machine(other)], false, [1, 2]);
        const [here, there] = [lay(one, room), lay(other, room)];
        expect(there.height, "they scroll together").toBe(here.height);
        const places = (rows: typeof here, cpu: number) => {
          const [row, strip] = [rows.rowOfCpu[cpu], rows.stripOfCpu?.[cpu]];
          return [row?.top, row?.height, strip?.top, strip?.height];
        };
        for (let cpu = 0; cpu < Math.min(one, other); cpu += 1)
          expect(places(there, cpu)).toEqual(places(here, cpu));
        for (const { top, height } of [...here.rows, ...there.rows])
          expect(top + height).toBeLessThanOrEqual(here.height);
      },
    ),
    { numRuns: 80 },
  );
});

test("sorted lanes are level too: what one side lacks leaves its place empty on that side", () => {
  const [large, small] = [ranMachine(), machine(5)];
  const { lay } = arrange("busy", [large, small], true, []);
  const [here, there] = [lay(64, 300), lay(5, 300)];
  for (const { cpu, top } of there.rows) expect(here.rowOfCpu[cpu]?.top).toBe(top);
  expect(there.rows).toHaveLength(5);
});

test("a strip speaks of the CPUs that its side has of the group, and counts no other as idle", () => {
  const [large, small] = [machine(256), machine(40)];
  const { lay } = arrange("", [large, small], true, []);
  const strips = lay(40, 300).rows.filter(({ fold }) => fold !== undefined);
  expect(strips.map(({ fold }) => fold?.cpus.length)).toEqual([32, 8]);
  expect(strips[1]?.fold?.say(small, 0)).toEqual([
    "CPUs 32–39: folded, a click unfolds",
    "8 of 8 idle",
  ]);
  expect(lay(256, 300).rows[1]?.fold?.say(large, 0)[1]).toBe("32 of 32 idle");
});

test("scrolled lanes go by under the pinned ones, and no row is in sight at a place that a pinned one has", () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 0, max: 3000 }), (text, scrollTop) => {
      const rows = stuck(arrange(text, [machine(256, 32)], true, [1, 2]).lay(256, 300), scrollTop);
      const seen = rowsInView(rows, scrollTop, 300);
      for (const { pinned, top } of seen) {
        if (pinned) expect(top - scrollTop).toBeLessThan(rows.pinnedPx);
        else expect(top - scrollTop).toBeGreaterThanOrEqual(rows.pinnedPx);
      }
    }),
    { numRuns: 60 },
  );
});

test("a CPU that is walked along is on top while its group is folded, and stays in its place where it is not", () => {
  const lay = (text: string): boolean | undefined =>
    arrange(text, [machine(256, 32)], true, [], [40]).lay(256, 300).rowOfCpu[40]?.pinned;
  expect(lay("")).toBe(true);
  expect(lay("o1")).toBe(false);
});

function ranMachine(): TraceStore {
  const run = syntheticRun(64, 40, 60);
  const store = new TraceStore(run.shape);
  store.append(run.endNs, run.trace, run.wakes);
  return store;
}

test("the busiest CPUs stand first, those with the worst wake-ups first, and runs that still go on keep the order of numbers", () => {
  const store = ranMachine();
  const order = (text: string, done: boolean): readonly number[] =>
    arrange(text, [store], done, [])
      .lay(64, 600)
      .rows.map(({ cpu }) => cpu);
  const idle = (cpu: number): number =>
    store.lanes[cpu]?.windowNs(0, store.endNs, store.endNs)[CPU_STATE.Idle] ?? 0;
  const busy = order("busy", true).map(idle);
  expect(busy).toEqual([...busy].sort((one, other) => one - other));
  expect(order("late", true)[0]).toBe(store.wakes.cpuOf(store.wakes.worst(1)[0] ?? 0));
  expect(order("busy", false)).toEqual(Array.from({ length: 64 }, (_, cpu) => cpu));
});

test("a group's strip holds what its lanes hold, near and far, whether it was read at once or while the run grew", () => {
  const store = ranMachine();
  const lanes = store.lanes.slice(8, 40);
  const { endNs } = store;
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: endNs - 2000 }),
      fc.integer({ min: 1000, max: endNs }),
      fc.boolean(),
      (fromNs, span, early) => {
        const pixels = 60;
        const toNs = Math.min(endNs, fromNs + span);
        const group = new GroupLane(lanes, endNs, 1);
        if (early) group.sample(0, endNs, 10, endNs / 3, new Float32Array(10 * CHANNELS));
        const got = new Float32Array(pixels * CHANNELS);
        group.sample(fromNs, toNs, pixels, endNs, got);
        const total = (of: Float32Array, state: number): number =>
          Array.from({ length: pixels }, (_, at) => of[at * CHANNELS + state] ?? 0).reduce(
            (sum, ns) => sum + ns,
            0,
          );
        for (const state of [CPU_STATE.Idle, CPU_STATE.User, CPU_STATE.Spin, CPU_STATE.Kernel]) {
          const truth = lanes.reduce(
            (sum, lane) => sum + (lane.windowNs(fromNs, toNs, endNs)[state] ?? 0),
            0,
          );
          // Inside one bucket time counts as evenly spread: at each end of the window up to one
          // bucket of all CPUs may be off.
          const slack = 2 * Math.ceil(endNs / 2 ** 13) * lanes.length + span * 1e-4;
          expect(Math.abs(total(got, state) - truth)).toBeLessThanOrEqual(slack);
        }
      },
    ),
    { numRuns: 40 },
  );
});
