import { expect, test } from "vitest";
import { MARKS } from "../../timeline/marks/registry.ts";
import { MARK_IDS } from "./subject.ts";

test("the marks that a step can turn off are those that there are", () => {
  expect([...MARK_IDS].sort()).toEqual(MARKS.map(({ id }) => id).sort());
});
