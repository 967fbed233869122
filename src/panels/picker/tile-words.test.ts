// What tiles say, of the scenarios as they are.

import { expect, test } from "vitest";
import { shippedFigures } from "../../../scripts/site/shipped-figures.ts";
import { KNOBS } from "../../engine/gen/knobs.ts";
import { SCENARIOS } from "../../engine/gen/scenarios.ts";
import { valueText } from "../../scenario/knob-values.ts";
import { RELEASE_YEARS } from "../../scenario/release-years.ts";
import { sideWords, tilePair, tileTags, tileYear } from "./tile-words.ts";

const FIGURES = shippedFigures(new URL("../../..", import.meta.url).pathname);

test("every tile has the number that answers its question on both sides, and those of the herd are 271 µs and 18.4 µs", () => {
  for (const entry of SCENARIOS)
    expect(tilePair(entry, FIGURES[entry.slug])?.figures, entry.slug).toMatch(/^\d.* → \d/);
  const herd = SCENARIOS.find(({ slug }) => slug === "rt-pull-herd");
  expect(herd && tilePair(herd, FIGURES["rt-pull-herd"])).toMatchObject({
    figures: "271 µs → 18.4 µs",
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

test("a tile says of what the year is: a mail or a commit; else the kernel that a source names or that runs", () => {
  const yearOf = (slug: string): string => tileYear(entryOf(slug));
  expect([
    yearOf("rt-pull-herd"),
    yearOf("half-the-throughput"),
    yearOf("quota-burst"),
    yearOf("quota-unthrottle-storm"),
    yearOf("quota-average-lies"),
  ]).toEqual([
    "linux-kernel, 2015",
    "linux-kernel, 2026",
    "a commit of 2021",
    "Linux 6.3, 2023",
    "Linux 5.10, 2020",
  ]);
  expect(tileTags(entryOf("half-the-throughput"), KNOBS)).toMatch(/ · linux-kernel, 2026$/);
  // The sides' words have the year.
  expect(tileTags(entryOf("rt-pull-herd"), KNOBS)).toBe("RT_PUSH_IPI");
});

test("every tile has a year: one that the scenario's own file says, or that of a kernel's release", () => {
  for (const entry of SCENARIOS) {
    const words = `${sideWords(entry)} ${tileYear(entry)}`;
    const year = /\b\d{4}\b/.exec(words)?.[0] ?? "none";
    if (!/Linux [\d.]+, \d{4}$/.test(words)) expect(entry.text, entry.slug).toContain(year);
  }
});

test("every version of the table of kernels has the year of its release, none before the one below", () => {
  const choices = KNOBS.find(({ path }) => path === "kernel.version")?.choices ?? [];
  const versions = choices.map(({ value }) => valueText(value));
  const years = versions.map((version) => RELEASE_YEARS[version] ?? 0);
  expect(Math.min(...years)).toBeGreaterThanOrEqual(2008);
  const mainline = years.filter((_, at) => !/\.1(92|17)$/.test(versions[at] ?? ""));
  expect(mainline).toEqual([...mainline].sort((one, other) => one - other));
});

function entryOf(slug: string): (typeof SCENARIOS)[number] {
  const entry = SCENARIOS.find((each) => each.slug === slug);
  if (entry === undefined) throw new Error(`no scenario ${slug}`);
  return entry;
}
