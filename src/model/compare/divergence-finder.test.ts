import fc from "fast-check";
import { expect, test } from "vitest";
import { KIND, KIND_NAMES } from "../../engine/gen/catalogue.ts";
import { syntheticRun } from "../trace/synthetic-run.ts";
import { rowsFrom, shapeOf, traceChunk, wakeChunk, type Row } from "../trace/trace-text.ts";
import { TraceStore } from "../trace/trace-store.ts";
import { DivergenceFinder } from "./divergence-finder.ts";
import { SAYING, sayRow } from "../words/say-row.ts";

const NOTHING = wakeChunk([]);

function storeOf(text: string, endNs = 1000): TraceStore {
  const store = new TraceStore(shapeOf(4, 4));
  store.append(endNs, traceChunk(rowsFrom(text)), NOTHING);
  return store;
}

const SAME = `
  0    cpu0  state   idle
  100  cpu1  waking  t2 cpu0
  130  cpu1  acq     0 20`;

test("two runs part at the first row that differs, and each side says what it does there", () => {
  const one = storeOf(`${SAME}\n 200 cpu3 wait 0 2`);
  const other = storeOf(`${SAME}\n 200 cpu3 acq 0 0`);
  const found = new DivergenceFinder(one, other, SAYING).before(1000);
  expect(found?.atNs).toBe(200);
  expect(found?.steps.map(({ words }) => words)).toEqual([
    "CPU 3 starts to spin for the rq 0 lock, 2 in the queue",
    "CPU 3 takes the rq 0 lock",
  ]);
});

test("a row that one run lacks parts them at its instant; the other side says what comes later", () => {
  const one = storeOf(`${SAME}\n 200 cpu3 tick\n 300 cpu2 tick`);
  const other = storeOf(`${SAME}\n 300 cpu2 tick`);
  const found = new DivergenceFinder(one, other, SAYING).before(1000);
  expect(found?.atNs).toBe(200);
  expect(found?.steps.map(({ ns }) => ns)).toEqual([200, 300]);
});

test("a CPU that does something else parts them, without any other row", () => {
  const one = storeOf(`${SAME}\n 150 cpu2 state user t1\n 400 cpu3 tick`);
  const other = storeOf(`${SAME}\n 150 cpu2 state user! t1\n 500 cpu3 tick`);
  const found = new DivergenceFinder(one, other, SAYING).before(1000);
  expect(found?.atNs).toBe(150);
  expect(found?.steps.map(({ words }) => words)).toEqual([
    "CPU 2 runs user code for t1",
    "CPU 2 runs user code for t1, interrupts off",
  ]);
});

test("while both runs grow only what lies before the shorter end is told, and what was found stays", () => {
  const [one, other] = [storeOf(SAME, 130), storeOf(SAME, 130)];
  const finder = new DivergenceFinder(one, other, SAYING);
  one.append(300, traceChunk(rowsFrom("200 cpu1 rel 0")), NOTHING);
  expect(finder.before(130)).toBeUndefined();
  other.append(400, traceChunk(rowsFrom("350 cpu1 rel 0")), NOTHING);
  expect(finder.before(300)).toMatchObject({ atNs: 200, steps: [{ ns: 200 }, { ns: 350 }] });
  one.append(500, traceChunk([]), NOTHING);
  expect(finder.before(400)?.atNs).toBe(200);
});

test("however a pair of runs comes in, the answer is that of walking both from the start", () => {
  const run = syntheticRun(4, 12, 60);
  const rows: Row[] = Array.from(run.trace.time, (ns, row) => ({
    ns,
    kind: run.trace.kind[row] ?? 0,
    cpu: run.trace.cpu[row] ?? 0,
    a: run.trace.a[row] ?? 0,
    b: run.trace.b[row] ?? 0,
  }));
  const changed = fc.record({
    row: fc.nat(rows.length - 1),
    cuts: fc.array(fc.nat(rows.length), { maxLength: 6 }),
    drop: fc.boolean(),
  });
  fc.assert(
    fc.property(changed, ({ row, cuts, drop }) => {
      const other = rows.flatMap((each, index) =>
        index !== row ? [each] : drop ? [] : [{ ...each, cpu: (each.cpu + 1) % 4 }],
      );
      const grown = [new TraceStore(run.shape), new TraceStore(run.shape)] as const;
      const finder = new DivergenceFinder(...grown, SAYING);
      const steps = [...cuts.sort((a, b) => a - b), rows.length];
      let from = 0;
      for (const to of steps) {
        grown[0].appendRows(traceChunk(rows), from, to);
        const others = traceChunk(other);
        grown[1].appendRows(others, Math.min(from, other.length), Math.min(to, other.length));
        from = to;
        const limit = Math.min(grown[0].endNs, grown[1].endNs);
        const found = finder.before(limit);
        if (found !== undefined) expect(found.atNs).toBeLessThan(limit);
      }
      const whole = [rows, other].map((all) => {
        const store = new TraceStore(run.shape);
        store.append(run.endNs, traceChunk(all), NOTHING);
        return store;
      });
      const [one, two] = whole;
      if (one === undefined || two === undefined) throw new Error("two runs");
      const fresh = new DivergenceFinder(one, two, SAYING).before(run.endNs);
      expect(finder.before(run.endNs)?.atNs).toBe(fresh?.atNs);
      // A changed CPU state can be one that nothing shows, where another row of its instant takes
      // its place.
      if ((rows[row]?.kind ?? 0) !== KIND.CpuState) expect(fresh?.atNs).toBe(rows[row]?.ns);
    }),
  );
});

test("identical runs never part", () => {
  const run = syntheticRun(8, 10, 50);
  const [one, other] = [new TraceStore(run.shape), new TraceStore(run.shape)];
  for (const store of [one, other]) store.append(run.endNs, run.trace, run.wakes);
  expect(new DivergenceFinder(one, other, SAYING).before(Infinity)).toBeUndefined();
});

test("different machines part before their first row", () => {
  const [one, other] = [new TraceStore(shapeOf(4, 4)), new TraceStore(shapeOf(8, 4))];
  expect(
    new DivergenceFinder(one, other, SAYING).before(0)?.steps.map(({ words }) => words),
  ).toEqual(["the machine has 4 CPUs", "the machine has 8 CPUs"]);
});

test("every kind of row has a sentence that names its CPU", () => {
  const store = storeOf(SAME);
  KIND_NAMES.forEach((_, kind) => {
    const words = sayRow(store, { kind, cpu: 3, a: 1, b: 2 });
    expect(words).toMatch(/^CPU 3 [a-z]/);
    expect(words).not.toMatch(/records|undefined|NaN/);
  });
});
