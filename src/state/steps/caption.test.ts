// Figures in a sentence.

import { expect, test } from "vitest";
import { captionWith } from "./caption.ts";

test("two figures that read the same are said once, and figures that differ are both said", () => {
  const told = (caption: string, a: string, b: string): string =>
    captionWith(caption, (_name, side) => (side === "a" ? a : b));
  expect(told("B's pauses take {min a} to {max b}: same work.", "112 ms", "112 ms")).toBe(
    "B's pauses take 112 ms: same work.",
  );
  expect(told("They take {x a} in A and {x b} in B.", "6.36 µs", "6.36 µs")).toBe(
    "They take 6.36 µs in A and in B.",
  );
  expect(told("They take {x a} in A and {x b} in B.", "6.36 µs", "6.37 µs")).toBe(
    "They take 6.36 µs in A and 6.37 µs in B.",
  );
  expect(told("From {x a} to {x b}.", "12 ms", "112 ms")).toBe("From 12 ms to 112 ms.");
});
