import { expect, test } from "vitest";
import { limitSentences, limitUnits, type LimitFound } from "./limit-words.ts";

const found = (own: Partial<LimitFound>): LimitFound => ({
  goal: "request: p99 at or under 50 ms",
  seeds: 5,
  limit: { kind: "found", value: 45, below: 44, contradicted: false },
  burst: { kind: "found", value: 20, below: 19, contradicted: false },
  hasBurst: true,
  limitText: (value) => `${value} ms in every 100 ms`,
  burstText: (value) => `${value} ms`,
  mostLimit: 400,
  metricText: (value) => `${value} ms`,
  ...own,
});

const SURE =
  "It held in 5 of 5 runs with different random numbers; a sweep makes more. If 45.1 % of all runs went above, 5 of 5 would still hold once in 20 times.";

test("two searches are told as the smallest limit, the burst that does it too, and how sure that is", () => {
  expect(limitSentences(found({}))).toEqual([
    "The smallest limit that is enough for request: p99 at or under 50 ms: 45 ms in every 100 ms.",
    "With the limit as it is, a burst of 20 ms does it too.",
    SURE,
  ]);
});

test("a search that found nothing, needs nothing or contradicts itself says so; one under way says nothing yet", () => {
  const none = { kind: "none", worst: 90 } as const;
  expect(limitSentences(found({ limit: none, burst: none }))).toEqual([
    "No limit up to 400 ms in every 100 ms is enough for request: p99 at or under 50 ms; it is 90 ms even there: something else holds it back.",
    "With the limit as it is, no burst is enough; with the greatest it is 90 ms. The kernel takes none above the quota.",
  ]);
  expect(limitSentences(found({ limit: { ...none, why: "a run met its limit (records)" } }))).toEqual([
    "With a limit of 400 ms in every 100 ms there is no answer: a run met its limit (records).",
    "With the limit as it is, a burst of 20 ms does it.",
    SURE,
  ]);
  expect(limitSentences(found({ burst: { kind: "found", value: 0, below: undefined, contradicted: false } }))[1]).toBe(
    "The limit as it is needs no burst for it.",
  );
  expect(limitSentences(found({ limit: { kind: "found", value: 45, below: 44, contradicted: true } }))[0]).toContain(
    "look at the whole sweep",
  );
  expect(limitSentences(found({ limit: { kind: "found", value: 25, below: undefined, contradicted: false } }))[0]).toBe(
    "A limit of 25 ms in every 100 ms is enough for request: p99 at or under 50 ms; no smaller one was tried.",
  );
  expect(limitSentences(found({ limit: { kind: "probe", value: 1 }, burst: undefined }))).toEqual([]);
  expect(limitSentences(found({ burst: undefined, hasBurst: false }))[1]).toBe("This kernel has no cpu.max.burst, which came with 5.14.");
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

test("one run is one run", () => {
  expect(limitSentences(found({ seeds: 1 }))[2]).toBe(
    "It held in the one run that was made; a sweep makes more. If 95.0 % of all runs went above, one run would still hold once in 20 times.",
  );
});
