// The order of the list, of the scenarios as they are.

import { expect, test } from "vitest";
import { SCENARIOS } from "../../engine/gen/scenarios.ts";
import { HEADINGS, headingOf, inOrder } from "./tile-order.ts";

const under = (wanted: string): number =>
  SCENARIOS.filter(({ slug }) => slug === wanted).map((entry) =>
    HEADINGS.indexOf(headingOf(entry)),
  )[0] ?? -1;

test("every scenario has one heading, and each heading has some", () => {
  const listed = HEADINGS.map((heading) => inOrder(heading, SCENARIOS));
  expect(Math.min(...listed.map(({ length }) => length))).toBeGreaterThan(5);
  expect(listed.flat().toSorted(bySlug)).toEqual([...SCENARIOS].toSorted(bySlug));
  expect(
    ["quota-web-p95", "rt-pull-herd", "lazy-or-now", "nohz-sizes", "ipi-storm"].map(under),
  ).toEqual([0, 1, 2, 2, 3]);
});

test("headings are in the order of the issue threads that their scenarios cite; those with none, of mails", () => {
  const cited = (pattern: RegExp): readonly number[] =>
    HEADINGS.map(
      (heading) =>
        inOrder(heading, SCENARIOS)
          .flatMap(({ source }) => source)
          .filter(({ url }) => pattern.test(url ?? "")).length,
    );
  expect(cited(/github\.com\/.*\/(?:issues|pull)\//)).toEqual([11, 3, 0, 0]);
  const [, , upgrades = 0, realTime = 0] = cited(/lore\.kernel\.org/);
  expect(upgrades).toBeGreaterThan(realTime);
});

test("the alert that every cluster has comes first, the herd first of those with a worst case", () => {
  expect(HEADINGS.map((heading) => inOrder(heading, SCENARIOS)[0]?.slug)).toEqual([
    "quota-average-lies",
    "rt-pull-herd",
    "half-the-throughput",
    "rt-throttling",
  ]);
});

function bySlug(one: { readonly slug: string }, other: { readonly slug: string }): number {
  return one.slug < other.slug ? -1 : 1;
}
