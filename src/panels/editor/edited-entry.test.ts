import { expect, test } from "vitest";
import { ownEntry, statedValue } from "../../scenario/viewer-scenario.ts";
import { editedEntry } from "./edited-entry.ts";

test("a text that is no JSON keeps all that the page shows of the text before", () => {
  const before = ownEntry(
    `{"title": "t", "variants": [{"name": "one", "set": {"seed": 2}}], "headline": ["sched.ticks"], "machine": {"cpus": 3}}`,
  );
  const broken = `BROKEN ${before.text}`;
  const entry = editedEntry(before, broken);
  expect(entry).toEqual({ ...before, text: broken });
  expect(statedValue(entry, "machine.cpus")).toBe(3);
  expect(editedEntry(entry, "null")).toEqual({ ...before, text: "null" });
  expect(editedEntry(entry, `{"title": "mended"}`)).toMatchObject({
    title: "mended",
    variants: [],
  });
});
