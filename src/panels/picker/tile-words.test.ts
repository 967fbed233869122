// What tiles say, of the scenarios as they are.

import { expect, test } from "vitest";
import { shippedFigures } from "../../../scripts/site/shipped-figures.ts";
import { KNOBS } from "../../engine/gen/knobs.ts";
import { SCENARIOS } from "../../engine/gen/scenarios.ts";
import { sideWords, tilePair, tileTags, tileYear } from "./tile-words.ts";

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

test("a tile says what A and B are in people's words, on every scenario", () => {
  for (const entry of SCENARIOS) expect(sideWords(entry), entry.slug).toMatch(/^.+ → .+$/);
  expect(sideWords(entryOf("rt-pull-herd"))).toBe("before the 2015 fix → with the 2015 fix");
  expect(sideWords(entryOf("priority-inheritance"))).toBe("without inheritance → with inheritance");
});

test("a tile says of what the year is: a mail or a commit; else the kernel that a source names, else nothing", () => {
  const yearOf = (slug: string): string => tileYear(entryOf(slug));
  expect([
    yearOf("rt-pull-herd"),
    yearOf("half-the-throughput"),
    yearOf("quota-burst"),
    yearOf("quota-unthrottle-storm"),
    yearOf("quota-average-lies"),
  ]).toEqual(["linux-kernel, 2015", "linux-kernel, 2026", "a commit of 2021", "Linux 6.3", ""]);
  expect(tileTags(entryOf("half-the-throughput"), KNOBS)).toMatch(/ · linux-kernel, 2026$/);
  // The sides' words have the year.
  expect(tileTags(entryOf("rt-pull-herd"), KNOBS)).toBe("RT_PUSH_IPI");
});

test("the year of a tile is one that the scenario's own file says", () => {
  for (const entry of SCENARIOS) {
    const year = /\d{4}/.exec(`${sideWords(entry)} ${tileYear(entry)}`)?.[0];
    if (year !== undefined) expect(entry.text, entry.slug).toContain(year);
  }
});

function entryOf(slug: string): (typeof SCENARIOS)[number] {
  const entry = SCENARIOS.find((each) => each.slug === slug);
  if (entry === undefined) throw new Error(`no scenario ${slug}`);
  return entry;
}
