import { expect, test } from "vitest";
import { KNOBS } from "../engine/gen/knobs.ts";
import { SCENARIOS } from "../engine/gen/scenarios.ts";
import { timeSigns } from "../lib/format.ts";
import { knobDoc } from "./knob-sentences.ts";
import { valueWords } from "./knob-values.ts";
import { statedValue } from "./viewer-scenario.ts";
import { captionWith } from "../state/steps/caption.ts";
import { stepsOf } from "./step.ts";
import { entryInWords } from "./engine-texts.ts";

test("microseconds get the one sign; names and what is set by a name stay", () => {
  expect(
    timeSigns(
      "20 to 100 us late, see cfs_bandwidth_slice_us=500, slice=5us and under_100us; 50us, it tells us",
    ),
  ).toBe(
    "20 to 100 µs late, see cfs_bandwidth_slice_us=500, slice=5us and under_100us; 50 µs, it tells us",
  );
  expect(timeSigns("The pool, us. Both in us: 5. A time (ns, us, ms, s) or a time (us)")).toBe(
    "The pool, µs. Both in µs: 5. A time (ns, µs, ms, s) or a time (µs)",
  );
});

test("no text of a knob or a scenario's references says us on the page", () => {
  const texts = [
    ...KNOBS.map(({ path }) => knobDoc(path)).flatMap((docs) => [
      docs?.doc ?? "0 us",
      ...(docs?.choices ?? []),
    ]),
    ...SCENARIOS.map(entryInWords).flatMap(({ title, references }) => [
      title,
      ...references.map(({ label }) => label),
    ]),
  ];
  expect(texts.filter((text) => /(?<![_=\w])\d* ?us\b/.test(text))).toEqual([]);
});

test("a time has a space before its unit, and years, names, switches and what a space stands in already stay", () => {
  expect(timeSigns("4s of 50ms, each 1.5ms or 300ns; 2\u00a0s")).toBe(
    "4 s of 50 ms, each 1.5 ms or 300 ns; 2\u00a0s",
  );
  const same = "the 1990s, keep1ms, p999-x8s, --period=10ms, --live 10ms=kernel.hz=250";
  expect(timeSigns(same)).toBe(same);
});

test("no title, caption or reference of a scenario has a time without a space, its figures filled in or not", () => {
  const texts = SCENARIOS.map(entryInWords).flatMap((entry) => [
    entry.title,
    ...entry.variants.map(({ name }) => name),
    ...entry.references.map(({ label }) => label),
    ...stepsOf(entry).flatMap(({ caption, bet = "", note = "" }) => [
      captionWith(caption, (name) => {
        const value = statedValue(entry, name);
        return value === undefined ? undefined : valueWords(value);
      }),
      bet,
      note,
    ]),
  ]);
  expect(texts.filter((text) => timeSigns(text) !== text)).toEqual([]);
});
