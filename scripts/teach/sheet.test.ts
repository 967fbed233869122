// Sheets of the lessons as a teacher prints them.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { RunReport } from "../../src/engine/gen/types.ts";
import type { Lesson } from "../../src/state/lessons/lesson.ts";
import { readLink } from "../../src/state/links/link.ts";
import { report } from "../../src/state/testing.ts";
import { lessonsOf, seedsOf } from "../teach.mjs";
import { answerKey, worksheets } from "./sheet.ts";

const HERD = JSON.parse(readFileSync(join(import.meta.dirname, "../../lessons/herd.json"), "utf8")) as Lesson;
/** A deeper queue with each seed, deepest in A. */
const run = (_scene: unknown, side: "a" | "b", seed: number): RunReport => report(side === "a" ? 30 + seed : seed);

test("each seed has a worksheet of its own, whose links open the scenes with that seed, and no answer stands in it", () => {
  const html = worksheets(HERD, [5, 6], "https://example.org/");
  expect(html.match(/class="sheet"/g)).toHaveLength(2);
  const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, link = ""]) => readLink(link.replaceAll("&amp;", "&")));
  expect(links).toHaveLength(2 * HERD.scenes.length);
  for (const [index, link] of links.entries()) {
    if (!link.ok) throw new Error(link.problem.code);
    expect(link.content.slug).toBe(HERD.scenes[index % HERD.scenes.length]?.scenario);
    expect(link.content.both).toContainEqual(["seed", index < HERD.scenes.length ? "5" : "6"]);
  }
  expect(html).not.toContain(HERD.scenes[0]?.bet?.why.split("{")[1] ?? "?");
});

test("the key has the right choice, a column of figures for each seed, and a way to solve the puzzle", () => {
  const html = answerKey(HERD, [5, 6], run);
  expect(html).toContain("<strong>Nearly all of them</strong>");
  expect(html).toContain("<td>35</td><td>36</td>");
  expect(html).toContain("In A 35 CPUs wait for one lock");
  expect(html).toContain("kernel.rt_push_ipi = on");
});

test("a lesson's words are no markup in a sheet", () => {
  const hostile = { ...HERD, title: "<script>alert(1)</script>", scenes: [{ ...HERD.scenes[0], title: "<b>", text: ["<i>"] }] } as Lesson;
  for (const html of [worksheets(hostile, [1], "https://example.org/"), answerKey(hostile, [1], run)]) {
    expect(html).not.toMatch(/<script|<b>|<i>/);
  }
});

test("seeds and lessons that are none are refused with what was expected", () => {
  expect(seedsOf("1..3,9")).toEqual([1, 2, 3, 9]);
  for (const wrong of ["", "x", "3..1", "1..900", "-1"]) expect(() => seedsOf(wrong), wrong).toThrow("--seeds: expected");
  expect(() => lessonsOf("nothing")).toThrow("expected one of");
});
