// Where a viewer's own scenario says it comes from, in every form that was ever written.

import { expect, test } from "vitest";
import { ownEntry } from "./viewer-scenario.ts";

const sourceOf = (source: unknown): unknown =>
  ownEntry(JSON.stringify({ title: "t", source })).source;

test("a text of before is the title of one source; nothing is none", () => {
  expect(sourceOf("Steven Rostedt, linux-kernel, February 2015")).toEqual([
    { title: "Steven Rostedt, linux-kernel, February 2015" },
  ]);
  expect(sourceOf("")).toEqual([]);
  expect(sourceOf(undefined)).toEqual([]);
});

test("one source and a list of them keep their names and addresses", () => {
  const one = { id: "Rostedt 2015", title: "a patch", url: "https://host/x" };
  expect(sourceOf(one)).toEqual([one]);
  expect(sourceOf([one, { title: "an idea" }])).toEqual([one, { title: "an idea" }]);
});

test("an address that no browser should open is left out", () => {
  expect(sourceOf([{ title: "x", url: "javascript:alert(1)" }])).toEqual([{ title: "x" }]);
  expect(sourceOf([{ title: "x", url: "https://a b" }, { id: "y" }, 7])).toEqual([{ title: "x" }]);
});
