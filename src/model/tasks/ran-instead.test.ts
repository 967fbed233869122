import { beforeAll, expect, test } from "vitest";
import { loadEngine } from "../../engine/testing.ts";
import { KIND } from "../../engine/gen/catalogue.ts";
import { run } from "../testing.ts";
import { rowsFrom, shapeOf, traceChunk, wakeChunk, wakesFrom } from "../trace/trace-text.ts";
import { TraceStore } from "../trace/trace-store.ts";
import { type Instead, ranInstead, topRows, upTo } from "./ran-instead.ts";

beforeAll(loadEngine);

const ROWS = `
  0    cpu1  state  user t2
  100  cpu1  waking  t1 cpu1
  110  cpu1  wakeup  t1 cpu1
  150  cpu1  state  hardirq t2
  200  cpu1  state  user t2
  500  cpu1  state  kernel t3
  580  cpu1  state  kernel
  600  cpu1  switch t3 t1
  600  cpu1  state  kernel t1`;
const WAKES = "t1 0 cpu1 due 90: irq 20, same_class 490, switch 40";

function late(rows = ROWS, wakes = WAKES): TraceStore {
  const store = new TraceStore(shapeOf(4, 4));
  store.append(1_000_000, traceChunk(rowsFrom(rows)), wakeChunk(wakesFrom(wakes)));
  return store;
}

function told(rows: readonly Instead[]): readonly string[] {
  return rows.map(({ name, ns }) => `${name} ${String(ns)}`);
}

test("each nanosecond of a wait is by the name of what its CPU did, the largest first", () => {
  const store = late();
  const { fromNs, toNs, rows } = ranInstead(store, store.wakes.record(0));
  expect([fromNs, toNs]).toEqual([90, 600]);
  expect(told(rows)).toEqual(["t2 360", "t3 80", "interrupts 50", "kernel 20"]);
});

test("a sum grows with the playhead up to the whole", () => {
  const store = late();
  const [most] = ranInstead(store, store.wakes.record(0)).rows;
  expect([0, 120, 175, 300, 1000].map((ns) => most && upTo(most, ns))).toEqual([
    0, 30, 60, 160, 360,
  ]);
});

test("more rows than there is room for end with one that sums the others", () => {
  const store = late();
  const all = ranInstead(store, store.wakes.record(0));
  expect(told(topRows(all, 3))).toEqual(["t2 360", "t3 80", "2 others 70"]);
  expect(topRows(all, 4)).toEqual(all.rows);
});

test("a task that moves while it waits is told of the CPU on which it waits", () => {
  const store = late(
    `
    0    cpu1  state  user t2
    0    cpu2  state  user t3
    100  cpu0  waking  t1 cpu1
    110  cpu0  wakeup  t1 cpu1
    300  cpu2  migrate t1 cpu2
    500  cpu2  switch t3 t1`,
    "t1 0 cpu2 due 100: same_class 400",
  );
  expect(told(ranInstead(store, store.wakes.record(0)).rows)).toEqual(["t2 200", "t3 200"]);
});

/** Wake-ups looked at of a run, spread over it. */
const LOOKED_AT = 400;

test.each([
  ["eevdf-slices", 0],
  ["cyclictest-anatomy", 0],
  ["cron-burst", 0],
  ["rt-migrate", 0],
] as const)(
  "%s: the rows of a wake-up add to the time from its due to its switch, without overlaps",
  (slug, variant) => {
    const [store] = run(slug, variant);
    const { wakes, events } = store;
    const every = Math.max(1, Math.floor(wakes.count / LOOKED_AT));
    const rows = [
      ...wakes.worst(20),
      ...Array.from({ length: Math.floor(wakes.count / every) }, (_, at) => at * every),
    ];
    for (const row of rows) {
      const wake = wakes.record(row);
      const { fromNs, toNs, rows: names } = ranInstead(store, wake);
      const stretches = names
        .flatMap((each) => each.stretches)
        .sort(([one], [other]) => one - other);
      const at = `${wake.task} ${String(wake.nth)}`;
      expect(
        names.reduce((sum, { ns }) => sum + ns, 0),
        at,
      ).toBe(toNs - fromNs);
      expect(fromNs, at).toBe(wake.dueNs);
      expect(toNs, at).toBeLessThanOrEqual(wake.dueNs + wake.latencyNs);
      expect(
        stretches.every(([from], index) => from === (stretches[index - 1]?.[1] ?? fromNs)),
        at,
      ).toBe(true);
      expect(
        names.map(({ name }) => name),
        at,
      ).not.toContain("on no CPU");
      const switches = events.rowsOf([KIND.SchedSwitch]);
      const here = switches.listIn(toNs, toNs + 1);
      const isSwitch = here.some((each) => events.b.at(each) === wake.taskId);
      expect(isSwitch || toNs === wake.dueNs + wake.latencyNs, at).toBe(true);
    }
  },
  120_000,
);

test("rt-migrate: the longest wait of a task that passive balancing leaves behind is with tasks of its CPU", () => {
  const [store] = run("rt-migrate", 0);
  const [worst = 0] = store.wakes.worst(1);
  const [most] = ranInstead(store, store.wakes.record(worst)).rows;
  expect(most?.name).toMatch(/^rt_migrate_test/);
});
