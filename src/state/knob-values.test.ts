// Values as text and back.

import fc from "fast-check";
import { expect, test } from "vitest";
import { KNOBS } from "../engine/gen/knobs.ts";
import type { Knob } from "../engine/gen/types.ts";
import { parseTime, parseValue, valueText, writeTime } from "./knob-values.ts";
import { applyFix, ownEntry } from "./own-scenario.ts";

test("every whole number of ns comes back from its shortest text", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 86_400_000_000_000 }), (ns) => {
      expect(parseTime(writeTime(ns))).toBe(ns);
    }),
  );
});

test("a time has a unit and is whole in ns", () => {
  expect(["3us", "1.5ms", "0.5us", "2 s", "7µs"].map(parseTime)).toEqual([3_000, 1_500_000, 500, 2_000_000_000, 7_000]);
  expect(["3", "us", "-1us", "1.0001ns", "1h"].map(parseTime)).toEqual([undefined, undefined, undefined, undefined, undefined]);
});

test("every knob's own default is a value it takes", () => {
  for (const knob of KNOBS)
    expect([knob.path, parseValue(knob, valueText(knob.default))]).toEqual([knob.path, { ok: true, value: knob.default }]);
});

test("a value is typed by its knob: 5.10 is a version, not a number", () => {
  const version: Knob = {
    path: "kernel.version",
    label: "version",
    doc: "",
    type: "enum",
    choices: [
      { value: "5.1", doc: "" },
      { value: "5.10", doc: "" },
    ],
    default: "5.1",
    source: "",
    applies: "boot",
  };
  expect(parseValue(version, "5.10")).toEqual({ ok: true, value: "5.10" });
  expect(parseValue({ ...version, type: "integer", min: 1, max: 9 }, "12")).toEqual({ ok: false, expected: "a whole number from 1 to 9" });
});

test("a fix replaces what stands at the error's place, and nothing else", () => {
  const text = '{\n  "machine": { "cpus": 40, "costz": "x" }\n}';
  expect(applyFix(text, { message: "", path: "", line: 2, column: 28, suggestion: "costs" })).toBe(text.replace("costz", "costs"));
  expect(applyFix('{ "version": 5.10 }', { message: "", path: "", line: 1, column: 14, suggestion: '"5.10"' })).toBe(
    '{ "version": "5.10" }',
  );
  expect(applyFix(text, { message: "", path: "", line: 2, column: 28 })).toBeUndefined();
});

test("a broken text of one's own still makes a page, with nothing made up", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      const entry = ownEntry(text);
      expect(entry.text).toBe(text);
      expect(entry.variants.every((variant) => typeof variant.name === "string")).toBe(true);
    }),
  );
});
