// A version that moves thirteen knobs says so in a sentence that is read once.

import { beforeAll, expect, test } from "vitest";
import { KNOBS } from "../../engine/gen/knobs.ts";
import { loadEngine } from "../../engine/testing.ts";
import { answer } from "../../testing/knob-changes.ts";
import { SIDES } from "../../scenario/sides.ts";
import { page, setKnob } from "../../testing/page-state.ts";
import { movedKnobs, movedSentence, movedSpoken, type MovedKnob } from "./moved-words.ts";

beforeAll(loadEngine);

function movedTo(version: string): readonly MovedKnob[] {
  const shown = page();
  setKnob(shown.store, "both", "duration", "1ms");
  for (const side of SIDES) answer(shown, side);
  setKnob(shown.store, "both", "kernel.version", version);
  for (const side of SIDES) answer(shown, side);
  return movedKnobs(shown.store.getState(), KNOBS);
}

test("many moved knobs are a number and the first three, those of the rail before the others; the list has each once", () => {
  const all = movedTo("6.6");
  expect(all.length).toBeGreaterThan(3);
  const { words, whole } = movedSentence(all);
  expect(whole).toBe(false);
  expect(words.startsWith(`${String(all.length)} knobs moved with it: RT balancing ipi_`)).toBe(
    true,
  );
  expect(words.match(/→/g)).toHaveLength(3);
  expect(words.endsWith(` and ${String(all.length - 3)} others`)).toBe(true);
  expect(new Set(all.map(({ key }) => key)).size).toBe(all.length);
});

test("up to three moved knobs are all in the sentence", () => {
  const three = movedTo("6.6").slice(0, 3);
  const { words, whole } = movedSentence(three);
  expect(whole).toBe(true);
  for (const { name, change } of three) expect(words).toContain(`${name} ${change}`);
});

test("four moved knobs leave one other, in the singular", () => {
  expect(movedSentence(movedTo("6.6").slice(0, 4)).words).toMatch(/ and 1 other$/);
  expect(movedSpoken(movedTo("6.6").slice(0, 2))).toMatch(/ to .+ and 1 other knob\.$/);
});
