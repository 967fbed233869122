import fc from "fast-check";
import { expect, test } from "vitest";
import { syntheticRun } from "../trace/synthetic-run.ts";
import { rowsFrom, shapeOf, traceChunk, wakeChunk, wakesFrom } from "../trace/trace-text.ts";
import { TraceStore } from "../trace/trace-store.ts";
import { Timehist, type TimehistRow } from "./timehist.ts";

function timehist(text: string, wakes = ""): Timehist {
  const store = new TraceStore(shapeOf(2, 3));
  store.append(1000, traceChunk(rowsFrom(text)), wakeChunk(wakesFrom(wakes)));
  return new Timehist(store);
}

const rowsOf = (hist: Timehist): TimehistRow[] =>
  Array.from({ length: hist.count }, (_, row) => hist.at(row));

const LIFE = `
  100  cpu0  waking  t1 cpu0
  110  cpu0  wakeup  t1 cpu0
  130  cpu0  switch  idle t1
  200  cpu0  switch  t1 t2
  260  cpu0  switch  t2 t1
  300  cpu0  switch  t1 idle
  400  cpu0  wakeup  t1 cpu1
  450  cpu1  switch  idle t1
  500  cpu1  switch  t1 idle`;

test("a row a switch out: wait since the last switch out, delay since the wake-up, run since the switch in", () => {
  const rows = rowsOf(timehist(LIFE));
  expect(
    rows.map(({ ns, cpu, task, waitNs, delayNs, runNs }) => [
      ns,
      cpu,
      task,
      waitNs,
      delayNs,
      runNs,
    ]),
  ).toEqual([
    [200, 0, 1, 0, 20, 70],
    [260, 0, 2, 0, 0, 60],
    [300, 0, 1, 60, 0, 40],
    [500, 1, 1, 150, 50, 50],
  ]);
});

test("a window holds the rows whose run touches it", () => {
  const hist = timehist(LIFE);
  const outs = (from: number, to: number, wanted = (): boolean => true): number[] =>
    hist.rowsIn(from, to, wanted).map((row) => hist.at(row).ns);
  expect([outs(0, 130), outs(0, 131), outs(200, 260), outs(199, 261), outs(460, 470)]).toEqual([
    [],
    [200],
    [260],
    [200, 260, 300],
    [500],
  ]);
  expect(hist.rowsIn(0, 1000, (task) => task === 2).map((row) => hist.at(row).ns)).toEqual([260]);
});

test("a row belongs to the wake-up that made its task run, a continuation to the same one", () => {
  const hist = timehist(LIFE, "t1 0 cpu0 due 95: ipi 40\n t1 1 cpu1 due 400: ipi 55");
  expect([0, 1, 2, 3].map((row) => hist.wakeOf(row))).toEqual([0, undefined, 0, 1]);
});

test("rows come out the same however the run comes in", () => {
  const run = syntheticRun(4, 10, 50);
  const whole = new TraceStore(run.shape);
  whole.append(run.endNs, run.trace, run.wakes);
  const all = rowsOf(new Timehist(whole));
  expect(all.length).toBe(4 * 10);
  fc.assert(
    fc.property(fc.array(fc.nat(run.trace.time.length), { maxLength: 5 }), (cuts) => {
      const store = new TraceStore(run.shape);
      const hist = new Timehist(store);
      let from = 0;
      for (const to of [...cuts.sort((one, other) => one - other), run.trace.time.length]) {
        store.appendRows(run.trace, from, to);
        from = to;
        expect(rowsOf(hist)).toEqual(all.slice(0, hist.count));
      }
      expect(hist.count).toBe(all.length);
    }),
  );
});
