import fc from "fast-check";
import { expect, test } from "vitest";
import { CAUSES } from "../../engine/gen/catalogue.ts";
import { LATENCY_BINS, latencyBinOf, latencyEdgeNs, LatencyIndex, nearestRank } from "./latency.ts";
import { shapeOf, wakeChunk, wakesFrom } from "./trace-text.ts";
import type { WakeText } from "./trace-text.ts";
import { WakeTable } from "./wakes.ts";

const SHAPE = shapeOf(4, 4);
const NAMES = SHAPE.tasks.map((task) => task.name);

function tableOf(wakes: readonly WakeText[]): WakeTable {
  const table = new WakeTable(NAMES);
  table.append(wakeChunk(wakes));
  return table;
}

const STORY = wakesFrom(`
  t1 0 cpu1 due 100: idle_exit 2000, irq 500, switch 1000
  t2 0 cpu2 due 100: rq_lock_spin 90000, switch 1000
  t1 1 cpu1 due 200000: irq 1000, switch 1000, return_to_user 1000
  t2 1 cpu2 due 200000: irq 3000`);

test("segments lie end to end from the due time and end when the task runs", () => {
  const record = tableOf(STORY).record(0);
  expect(record.segments.map((part) => [CAUSES[part.cause]?.name, part.fromNs, part.ns])).toEqual([
    ["idle_exit", 100, 2000],
    ["irq", 2100, 500],
    ["switch", 2600, 1000],
  ]);
  expect(record.latencyNs).toBe(3500);
});

test("printed percentages end in 100.00", () => {
  const { segments } = tableOf(STORY).record(2);
  expect(segments.map((part) => part.basisPoints)).toEqual([3334, 3333, 3333]);
});

test("worst first; the earlier due among equals", () => {
  const table = tableOf(STORY);
  expect(table.worst(10)).toEqual([1, 0, 2, 3]);
  expect(table.rank(3)).toBe(3);
  expect(table.rowAtRank(0)).toBe(1);
  expect(table.rowAtRank(4)).toBeUndefined();
});

test("a wake-up is found by the task's name and its number", () => {
  const table = tableOf(STORY);
  expect(table.find("t2", 1)).toBe(3);
  expect(table.find("t2", 2)).toBeUndefined();
  expect(table.find("nobody", 0)).toBeUndefined();
  expect(table.find(...nameOf(table, 2))).toBe(2);
});

function nameOf(table: WakeTable, row: number): [string, number] {
  const { task, nth } = table.selectionOf(row);
  return [task, nth];
}

test("numbers with gaps are still found", () => {
  const table = tableOf(wakesFrom("t1 3 cpu1 due 1: irq 1\nt1 7 cpu1 due 9: irq 1"));
  expect([
    table.find("t1", 7),
    table.find("t1", 3),
    table.find("t1", 0),
    table.find("t1", 1),
  ]).toEqual([1, 0, undefined, undefined]);
});

test("segments of a later chunk are counted from the run's first", () => {
  const table = tableOf(STORY.slice(0, 2));
  table.append(wakeChunk(STORY.slice(2), 5));
  expect(table.record(3).segments).toHaveLength(1);
  expect(table.record(2).latencyNs).toBe(3000);
});

test("pointing at a CPU finds the wake-up that covers the instant, else the last one before", () => {
  const table = tableOf(STORY);
  expect(table.at(2, 50_000)).toBe(1);
  expect(table.at(2, 150_000)).toBe(1);
  expect(table.at(2, 201_000)).toBe(3);
  expect(table.at(3, 50)).toBeUndefined();
  expect(table.onCpu(1, 0, 1e6, 10)).toEqual([0, 2]);
});

test("nearest rank is exact where floating point is not", () => {
  const ten = Float64Array.from({ length: 10 }, (_, index) => index + 1);
  expect([0, 500, 900, 990, 1000].map((perMille) => nearestRank(ten, perMille))).toEqual([
    1, 5, 9, 10, 10,
  ]);
});

test("percentiles without ten samples beyond them stay unsaid", () => {
  const index = new LatencyIndex(tableOf(STORY), SHAPE.tasks);
  expect(index.percentiles()).toEqual({
    count: 4,
    min: 3000,
    p50: undefined,
    p90: undefined,
    p99: undefined,
    p999: undefined,
    max: 91_000,
  });
  expect(index.percentiles("rt_noise")).toBeUndefined();
  expect(index.kinds()).toEqual(["cyclictest"]);
});

const latencies = fc.array(fc.integer({ min: 0, max: 2_000_000_000 }), {
  minLength: 1,
  maxLength: 200,
});

function tableWith(values: readonly number[]): WakeTable {
  return tableOf(
    values.map((ns, nth) => ({
      task: 1,
      nth,
      cpu: 1,
      due: nth,
      segments: [
        [nth % CAUSES.length, Math.floor(ns / 2)],
        [0, ns - Math.floor(ns / 2)],
      ],
    })),
  );
}

test("the histogram conserves wake-ups and every cause's ns", () => {
  fc.assert(
    fc.property(latencies, (values) => {
      const bins = new LatencyIndex(tableWith(values), SHAPE.tasks).histogram("cyclictest");
      expect(bins.reduce((sum, bin) => sum + bin.count, 0)).toBe(values.length);
      const charged = bins.flatMap((bin) => bin.causeNs).reduce((sum, ns) => sum + ns, 0);
      expect(charged).toBe(values.reduce((sum, ns) => sum + ns, 0));
    }),
  );
});

test("every latency falls between the edges of its bin", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1000, max: 999_999_999 }), (ns) => {
      const bin = latencyBinOf(ns);
      expect(latencyEdgeNs(bin)).toBeLessThanOrEqual(ns);
      expect(latencyEdgeNs(bin + 1)).toBeGreaterThan(ns);
    }),
  );
  expect([latencyBinOf(1), latencyBinOf(5e9)]).toEqual([0, LATENCY_BINS - 1]);
});

test("edges of bins are whole nanoseconds, so that a file of bars has no broken ones, and the decades are exact", () => {
  const edges = Array.from({ length: LATENCY_BINS + 1 }, (_, bin) => latencyEdgeNs(bin));
  expect(edges.filter((edge) => !Number.isInteger(edge))).toEqual([]);
  expect(edges.filter((_, bin) => bin % 16 === 0)).toEqual([1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9]);
  for (const [bin, edge] of edges.entries()) {
    // The last whole latency below the edge on the log axis, and the first one not below it.
    const exact = 1e3 * 10 ** (bin / 16);
    expect([edge - 1 < exact, edge >= exact], String(bin)).toEqual([true, true]);
  }
});

test("worst is a sort by latency", () => {
  fc.assert(
    fc.property(latencies, (values) => {
      const table = tableWith(values);
      const worst = table.worst(values.length).map((row) => table.latencyNs(row));
      expect(worst).toEqual([...values].sort((one, other) => other - one));
    }),
  );
});

test("a bar lists its wake-ups, worst first", () => {
  const index = new LatencyIndex(tableOf(STORY), SHAPE.tasks);
  expect(index.rowsInBin(latencyBinOf(3000), 10)).toEqual([2, 3]);
});

test("the worst few are the head of the whole order, and every row knows its rank", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 400 }),
      fc.integer({ min: 1, max: 80 }),
      (values, count) => {
        const table = tableWith(values);
        const order = values
          .map((_, row) => row)
          .sort((one, other) => (values[other] ?? 0) - (values[one] ?? 0) || one - other);
        expect(table.worst(count)).toEqual(order.slice(0, count));
        expect(table.worst(count + 100)).toEqual(order.slice(0, count + 100));
        order.slice(0, 20).forEach((row, rank) => {
          expect(table.rank(row)).toBe(rank);
          expect(table.rowAtRank(rank)).toBe(row);
        });
      },
    ),
  );
});

test("figures asked for between chunks equal figures asked for once", () => {
  const once = new LatencyIndex(tableOf(STORY), SHAPE.tasks);
  const table = tableOf(STORY.slice(0, 2));
  const between = new LatencyIndex(table, SHAPE.tasks);
  expect(between.percentiles()?.count).toBe(2);
  expect(between.histogram("cyclictest").reduce((sum, bin) => sum + bin.count, 0)).toBe(2);
  expect(between.kinds()).toEqual(["cyclictest"]);
  table.append(wakeChunk(STORY.slice(2), 5));
  expect(between.histogram("cyclictest")).toEqual(once.histogram("cyclictest"));
  expect(between.percentiles()).toEqual(once.percentiles());
});
