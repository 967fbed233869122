import { expect, test } from "vitest";
import { KNOBS } from "../engine/gen/knobs.ts";
import { SCENARIOS } from "../engine/gen/scenarios.ts";
import { microSigns } from "../lib/format.ts";
import { entryInWords, knobInWords } from "./words.ts";

test("a number of microseconds gets the one sign; what is typed into files and commands stays", () => {
  expect(microSigns("20 to 100 us late, see cfs_bandwidth_slice_us=500 and 50us, it tells us")).toBe(
    "20 to 100 µs late, see cfs_bandwidth_slice_us=500 and 50us, it tells us",
  );
});

test("no text of a knob or a scenario's references says us on the page", () => {
  const texts = [
    ...KNOBS.map(knobInWords).flatMap(({ doc, choices }) => [doc, ...(choices ?? []).map((choice) => choice.doc)]),
    ...SCENARIOS.map(entryInWords).flatMap(({ title, references }) => [title, ...references.map(({ label }) => label)]),
  ];
  expect(texts.filter((text) => /\d us\b/.test(text))).toEqual([]);
});
