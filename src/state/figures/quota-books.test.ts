import fc from "fast-check";
import { expect, test } from "vitest";
import type { GroupMetrics } from "../../engine/gen/types.ts";
import { booksOf, cpuStat, usedShare } from "./quota-books.ts";

const GROUP: GroupMetrics = {
  entitled_ns: 500_000_000,
  usage_ns: 80_000_000,
  nr_periods: 50,
  nr_throttled: 50,
  throttled_ns: 4_500_000_999,
  throttled_local_ns: 4_600_000_001,
  granted_ns: 510_000_000,
  pool_ns: 400_000_000,
  silo_ns: -2_000_000,
  in_walk_ns: 0,
  adjusted_ns: 0,
  expired_ns: 35_000_000,
  dropped_ns: 0,
  double_spent_ns: 3_000_000,
  nr_bursts: 1,
  burst_ns: 7_000_001,
  lock_acquisitions: 9,
  max_period_usage_ns: 10_000_000,
};

test("debts and copies change sides, so that both sides are sums of lengths and equal", () => {
  const books = booksOf(GROUP);
  expect(books.came.map(({ kind, ns }) => [kind, ns / 1e6])).toEqual([
    ["granted", 510],
    ["double", 3],
    ["owed", 2],
  ]);
  expect(books.went.map(({ kind, ns }) => [kind, ns / 1e6])).toEqual([
    ["used", 80],
    ["pool", 400],
    ["silo", 0],
    ["expired", 35],
  ]);
  expect([books.cameNs, books.wentNs]).toEqual([515_000_000, 515_000_000]);
});

test("whatever signs the terms have, books that balance balance on screen, and shares add to the whole", () => {
  const ns = fc.nat(1e9);
  const signed = fc.integer({ min: -1e9, max: 1e9 });
  fc.assert(
    fc.property(
      ns,
      ns,
      ns,
      ns,
      ns,
      signed,
      signed,
      signed,
      (usage, pool, expired, dropped, double, silo, walk, adjusted) => {
        const granted = pool + silo + walk + usage + expired + dropped - double - adjusted;
        fc.pre(granted >= 0);
        const books = booksOf({
          ...GROUP,
          usage_ns: usage,
          pool_ns: pool,
          expired_ns: expired,
          dropped_ns: dropped,
          double_spent_ns: double,
          silo_ns: silo,
          in_walk_ns: walk,
          adjusted_ns: adjusted,
          granted_ns: granted,
        });
        expect(books.cameNs).toBe(books.wentNs);
        for (const side of [books.came, books.went]) {
          expect(side.every((entry) => entry.ns >= 0)).toBe(true);
          expect([0, 10_000]).toContain(side.reduce((sum, entry) => sum + entry.basisPoints, 0));
        }
      },
    ),
  );
});

test("used of entitled tells the sick case where nr_throttled does not", () => {
  expect(usedShare(80_000_000, 500_000_000)).toBe(1600);
  expect(usedShare(5, 0)).toBeUndefined();
});

test("cpu.stat counts in us under v2 and in ns under v1", () => {
  expect(Object.fromEntries(cpuStat(GROUP, 2))).toEqual({
    usage_usec: 80_000,
    nr_periods: 50,
    nr_throttled: 50,
    throttled_usec: 4_500_000,
    nr_bursts: 1,
    burst_usec: 7000,
    "local throttled_usec": 4_600_000,
  });
  expect(Object.fromEntries(cpuStat(GROUP, 1))).toEqual({
    nr_periods: 50,
    nr_throttled: 50,
    throttled_time: 4_500_000_999,
    nr_bursts: 1,
    burst_time: 7_000_001,
    "local throttled_time": 4_600_000_001,
  });
});
