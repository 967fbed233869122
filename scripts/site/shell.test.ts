// What is written into the pages before any script runs.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Lesson } from "../../src/state/lessons/lesson.ts";
import { lessonHtml, openingSentence } from "./shell.ts";

const ROOT = join(import.meta.dirname, "../..");
const LESSONS = readdirSync(join(ROOT, "lessons")).map(
  (file) =>
    [file, JSON.parse(readFileSync(join(ROOT, "lessons", file), "utf8")) as Lesson] as const,
);

test.each(LESSONS)("the text of %s has all its figures", (_file, lesson) => {
  expect(lessonHtml(ROOT, lesson, undefined)).not.toContain("…");
});

test("a lesson's text says a quantity as the score does", () => {
  const [, lesson] = LESSONS.find(([file]) => file === "stranded-quota.json") ?? [];
  const html = lesson === undefined ? "" : lessonHtml(ROOT, lesson, undefined);
  expect(html).toMatch(/A uses [\d.]+ % of its limit/);
  expect(html).toMatch(/In A [\d.]+ ms of quota expire per second/);
});

test("an opening sentence ends before a figure that only a run can tell", () => {
  expect(openingSentence(ROOT, "cyclictest-anatomy")).toMatch(
    /^A's maximum is [\d.]+ µs: a higher-priority task kept CPU 3\. In B cyclictest's priority is higher\.$/,
  );
});
