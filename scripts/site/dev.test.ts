// The dev server and the built site present the same lessons.

import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { lessonTag } from "./dev.ts";

const ROOT = new URL("../..", import.meta.url).pathname;

test("a talk of each lesson names it and the scenario of its first scene; no other address does", () => {
  for (const file of readdirSync("lessons")) {
    const id = file.replace(/\.json$/, "");
    for (const address of [`/present/${id}/`, `/present/${id}`, `/present/${id}/?theme=light`]) {
      const { attrs = {} } = lessonTag(ROOT, address) ?? {};
      expect(attrs["data-lesson"], address).toBe(id);
      expect(attrs["data-slug"], address).toMatch(/^[a-z]/);
    }
  }
  for (const address of [
    "/",
    "/present/lab/",
    "/present/rt-pull-herd/",
    "/learn/herd/",
    "/present/../package/",
  ])
    expect(lessonTag(ROOT, address), address).toBeUndefined();
});
