import { expect, test } from "vitest";
import { leastOf, limitSentences, limitUnits, type LimitFound } from "./limit-words.ts";

const found = (own: Partial<LimitFound>): LimitFound => ({
  goal: "request: p99 at or under 50 ms",
  seeds: 20,
  phases: true,
  limit: { kind: "smallest", value: 45, next: { value: 44, worst: 51 }, past: undefined },
  burst: { kind: "smallest", value: 20, next: { value: 19, worst: 51 }, past: undefined },
  hasBurst: true,
  limitText: (value) => `${value} ms in every 100 ms`,
  burstText: (value) => `${value} ms`,
  leastLimit: 5,
  mostLimit: 400,
  metricText: (value) => `${value} ms`,
  ...own,
});

const SURE =
  "The bound held in 20 of 20 runs, in which the quota’s period began at 20 different instants. Of all runs, up to 14 % may still go above the bound (95 % confidence).";

test("two searches are told as the smallest limit, the burst that does it too, and how sure that is", () => {
  expect(limitSentences(found({}))).toEqual([
    "The smallest limit that is enough for request: p99 at or under 50 ms: 45 ms in every 100 ms.",
    "With the limit as it is, a burst of 20 ms does it too.",
    SURE,
  ]);
});

test("a search that found nothing, needs nothing or contradicts itself says so; one under way says nothing yet", () => {
  const neither = {
    kind: "neither",
    from: { value: 5, worst: 300 },
    to: { value: 400, worst: 90 },
  } as const;
  expect(limitSentences(found({ limit: neither, burst: neither }))).toEqual([
    "Neither the least limit that was tried, 5 ms in every 100 ms, nor the greatest, 400 ms in every 100 ms, is enough for request: p99 at or under 50 ms: it is 300 ms with the one and 90 ms with the other. Something else may hold it back, or it needs more than the greatest; nothing between them was tried.",
    "With the limit as it is, neither no burst nor the greatest is enough: 300 ms and 90 ms. The kernel takes none above the quota.",
  ]);
  const cut = { value: 400, worst: undefined, why: "a run met its limit (records)" };
  expect(limitSentences(found({ limit: { ...neither, to: cut } }))).toEqual([
    "With a limit of 400 ms in every 100 ms there is no answer: a run met its limit (records).",
    "With the limit as it is, a burst of 20 ms does it.",
    SURE,
  ]);
  expect(limitSentences(found({ burst: { kind: "both", value: 0 } }))[1]).toBe(
    "The limit as it is needs no burst for it.",
  );
  expect(
    limitSentences(
      found({
        limit: { kind: "smallest", value: 45, next: { value: 44, worst: 51 }, past: 20 },
      }),
    )[0],
  ).toBe(
    "A limit of 45 ms in every 100 ms is enough for request: p99 at or under 50 ms, and so is every greater one that was tried. 20 ms in every 100 ms is enough, too, but the greater 44 ms in every 100 ms is not: look at the whole sweep.",
  );
  expect(limitSentences(found({ limit: { kind: "both", value: 25 } }))[0]).toBe(
    "A limit of 25 ms in every 100 ms is enough for request: p99 at or under 50 ms; no smaller one was tried.",
  );
  expect(limitSentences(found({ limit: { kind: "probe", value: 1 }, burst: undefined }))).toEqual(
    [],
  );
  expect(limitSentences(found({ burst: undefined, hasBurst: false }))[1]).toBe(
    "This kernel has no cpu.max.burst, which came with 5.14.",
  );
});

test("where a greater limit or burst makes it worse, that is said, and no least one is named", () => {
  const rises = {
    kind: "greatest",
    value: 7,
    next: { value: 8, worst: 60 },
    past: undefined,
  } as const;
  expect(limitSentences(found({ limit: rises, burst: rises }))).toEqual([
    "A limit of 5 ms in every 100 ms is enough for request: p99 at or under 50 ms, and one of 400 ms in every 100 ms is not: it gets worse with the limit. The greatest that is enough: 7 ms in every 100 ms. Look at the whole sweep.",
    "The limit as it is needs no burst for it: a burst above 7 ms makes it worse.",
    SURE,
  ]);
  expect(leastOf(rises)).toBeUndefined();
});

test("what was found comes in the units of a Pod and of the cgroup's files, rounded up", () => {
  expect(limitUnits(530_000_000, 100_000_000, 212_290)).toEqual({
    cpus: "5.3 CPUs",
    lines: [
      { name: "limits.cpu", text: "5300m" },
      { name: "cpu.max", text: "530000 100000" },
      { name: "cpu.max.burst", text: "212290" },
    ],
  });
  expect(limitUnits(45_050_001, 100_000_000, 0)).toEqual({
    cpus: "0.451 CPUs",
    lines: [
      { name: "limits.cpu", text: "451m" },
      { name: "cpu.max", text: "45051 100000" },
    ],
  });
  expect(limitUnits(29_000_000, 100_000_000, undefined).lines[0]?.text).toBe("290m");
});

test("a Pod has no field for a limit with another period, nor for a burst", () => {
  expect(limitUnits(10_000_000, 10_000_000, 500)).toEqual({
    cpus: "1 CPU",
    lines: [
      { name: "cpu.max", text: "10000 10000" },
      { name: "cpu.max.burst", text: "500" },
    ],
  });
  expect(limitUnits(undefined, 100_000_000, undefined)).toEqual({ cpus: undefined, lines: [] });
});

test("one run is one run, and runs under a stated phase differ in their random numbers only", () => {
  expect(limitSentences(found({ seeds: 1 }))[2]).toBe(
    "The bound held in the one run that was made. Of all runs, up to 95 % may still go above the bound (95 % confidence).",
  );
  expect(limitSentences(found({ phases: false }))[2]).toBe(
    "The bound held in 20 of 20 runs with different random numbers. Of all runs, up to 14 % may still go above the bound (95 % confidence).",
  );
});
