import { expect, test } from "vitest";
import { KNOBS } from "../engine/gen/knobs.ts";
import { SCENARIOS } from "../engine/gen/scenarios.ts";
import { microSigns } from "../lib/format.ts";
import { knobDoc } from "./knobs/knob-docs.ts";
import { entryInWords } from "./words.ts";

test("microseconds get the one sign; names and what is set by a name stay", () => {
  expect(microSigns("20 to 100 us late, see cfs_bandwidth_slice_us=500, slice=5us and under_100us; 50us, it tells us")).toBe(
    "20 to 100 µs late, see cfs_bandwidth_slice_us=500, slice=5us and under_100us; 50µs, it tells us",
  );
  expect(microSigns("The pool, us. Both in us: 5. A time (ns, us, ms, s) or a time (us)")).toBe(
    "The pool, µs. Both in µs: 5. A time (ns, µs, ms, s) or a time (µs)",
  );
});

test("no text of a knob or a scenario's references says us on the page", () => {
  const texts = [
    ...KNOBS.map(({ path }) => knobDoc(path)).flatMap((docs) => [docs?.doc ?? "0 us", ...(docs?.choices ?? [])]),
    ...SCENARIOS.map(entryInWords).flatMap(({ title, references }) => [title, ...references.map(({ label }) => label)]),
  ];
  expect(texts.filter((text) => /(?<![_=\w])\d* ?us\b/.test(text))).toEqual([]);
});
