// The check value of links is that of zip, of the command and of any library.

import crc32 from "crc-32";
import { expect, test } from "vitest";
import { crc32Hex } from "./crc32.ts";

test("the check value of a text is that of zip, in eight digits", () => {
  expect(crc32Hex("123456789")).toBe("cbf43926");
  expect(crc32Hex("")).toBe("00000000");
  for (const text of ["v=3.24&seed=9", "é 16 CPUs, pull 🐧", "x".repeat(70_000)])
    expect(parseInt(crc32Hex(text), 16)).toBe(crc32.str(text) >>> 0);
});
