// What tiles say, of the scenarios as they are.

import { expect, test } from "vitest";
import { shippedFigures } from "../../../scripts/site/shipped-figures.ts";
import { KNOBS } from "../../engine/gen/knobs.ts";
import { SCENARIOS } from "../../engine/gen/scenarios.ts";
import { tilePair, tileTags, tileYear } from "./tile-words.ts";

const FIGURES = shippedFigures(new URL("../../..", import.meta.url).pathname);

test("every tile has the number that answers its question on both sides, and those of the herd are 276 µs and 6.65 µs", () => {
  for (const entry of SCENARIOS)
    expect(tilePair(entry, FIGURES[entry.slug])?.figures, entry.slug).toMatch(/^\d.* → \d/);
  const herd = SCENARIOS.find(({ slug }) => slug === "rt-pull-herd");
  expect(herd && tilePair(herd, FIGURES["rt-pull-herd"])).toMatchObject({
    figures: "276 µs → 6.65 µs",
    of: "cyclictest: maximum latency",
  });
});

test("a tile shows that there is no difference, where that is the answer, and the task that the question is about", () => {
  const pairOf = (wanted: string): string | undefined => {
    const entry = SCENARIOS.find(({ slug }) => slug === wanted);
    const pair = entry && tilePair(entry, FIGURES[wanted]);
    return pair && `${pair.of}: ${pair.figures}`;
  };
  expect(pairOf("kernbench-switches")).toMatch(
    /^compiler: involuntary context switches: (\d+) → \1$/,
  );
  expect(pairOf("half-the-throughput")).toMatch(/^transaction: completed: /);
  expect(pairOf("rt-fifo-preempt")).toMatch(/^worker: maximum latency: /);
  expect(pairOf("quota-32-threads")).toMatch(/^app: used of its limit: 110\.\d % → 110\.\d %$/);
  expect(pairOf("eevdf-slices")).toMatch(/^task with a short slice: 90th percentile latency: /);
  expect(pairOf("rt-migrate")).toMatch(/^test task 1: time ready but not running, per second: /);
  expect(pairOf("hackbench")).toMatch(/^Context switches: /);
});

test("a tile names the year of its source, else the kernel that a source names", () => {
  const yearOf = (wanted: string): string | undefined =>
    SCENARIOS.filter(({ slug }) => slug === wanted).map(tileYear)[0];
  expect([
    yearOf("rt-pull-herd"),
    yearOf("half-the-throughput"),
    yearOf("quota-unthrottle-storm"),
  ]).toEqual(["2015", "2026", "Linux 6.3"]);
  const herd = SCENARIOS.find(({ slug }) => slug === "rt-pull-herd");
  expect(herd && tileTags(herd, KNOBS)).toBe("pull against push by IPI · RT_PUSH_IPI · 2015");
});
