// What people ask, in their words, against the lessons as they are.

import { expect, test } from "vitest";
import { KNOBS } from "../../engine/gen/knobs.ts";
import { LESSONS } from "../../state/lessons/all.ts";
import { findLessons } from "./find-lessons.ts";

const found = (query: string): readonly string[] =>
  findLessons(LESSONS, KNOBS, query).map(({ id }) => id);

test.each([
  ["RT_PUSH_IPI", "push-ipi"],
  ["nr_throttled", "container-limit"],
  ["nr_throttled", "stranded-quota"],
  ["throttled", "container-limit"],
  ["limits.cpu", "container-limit"],
  ["p99", "container-limit"],
  ["GOMAXPROCS", "container-limit"],
  ["idle IPI", "idle-kick"],
  ["quota-stranded", "stranded-quota"],
  ["timerlat", "cyclictest"],
])("%s finds %s", (query, id) => {
  expect(found(query)).toContain(id);
});

test("no word finds all lessons, and what no lesson speaks of finds none", () => {
  expect(found(" ")).toHaveLength(LESSONS.length);
  expect(found("bicycle")).toEqual([]);
});
