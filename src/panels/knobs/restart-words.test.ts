// The words under a knob after the viewer turned it.

import { expect, test } from "vitest";
import { page, setKnob } from "../../testing/page-state.ts";
import { restartWords } from "./restart-words.ts";

test("a knob says “same seed” where both sides have one, and never of the seed itself or of sides with two", () => {
  const { store } = page();
  const words = (path: string): string => restartWords(store.getState(), path);
  setKnob(store, "both", "machine.cpus", 80);
  expect(words("machine.cpus")).toBe("restarts from 0, same seed");
  setKnob(store, "both", "seed", 9);
  expect([words("machine.cpus"), words("seed")]).toEqual([
    "restarts from 0, same seed",
    "restarts from 0, with this seed",
  ]);
  setKnob(store, "b", "seed", 10);
  for (const path of ["machine.cpus", "seed"])
    expect(words(path)).toBe("restarts from 0, each side with its own seed");
});
