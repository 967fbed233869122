import { expect, test } from "vitest";
import { limitSentences, type LimitFound } from "./limit-words.ts";

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

test("two searches are told as the smallest limit, the burst that does it too, and how sure that is", () => {
  expect(limitSentences(found({}))).toEqual([
    "The smallest limit that is enough for request: p99 at or under 50 ms: 45 ms in every 100 ms.",
    "With the limit as it is, a burst of 20 ms does it too.",
    "Tried on 5 seeds: with 95 % confidence, at most 45.1 % of all seeds go above.",
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
    "Tried on 5 seeds: with 95 % confidence, at most 45.1 % of all seeds go above.",
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
