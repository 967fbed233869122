// The command has this example too, in crates/scenario/src/text.rs.

import { expect, test } from "vitest";
import { plainText } from "./plain.ts";

test("what would not be seen is written out as the command writes it, and every script stays", () => {
  const nasty = "a\u001B[31m\u009B2J\u202Eb\r\n\u007F\u200Fü日";
  expect(plainText(nasty)).toBe("a\\u{1b}[31m\\u{9b}2J\\u{202e}b\\r\\n\\u{7f}\\u{200f}ü日");
  expect(plainText("\uFEFF\u200B\u2028\u2060\u{E0041}\u{1D173}")).toBe(
    "\\u{feff}\\u{200b}\\u{2028}\\u{2060}\\u{e0041}\\u{1d173}",
  );
  expect(plainText("👩\u200D👧 ❤\uFE0F שלום مرحبا")).toBe("👩\u200D👧 ❤\uFE0F שלום مرحبا");
});
