import { expect, test } from "vitest";
import { FORMATS, TABLE_FORMATS } from "../../engine/gen/formats.ts";
import { TABLE_WRITERS } from "./table-writers.ts";

test("the registry's formats of tables are those that have a writer, and each has a row", () => {
  expect(Object.keys(TABLE_WRITERS).toSorted()).toEqual([...TABLE_FORMATS].toSorted());
  expect(Object.keys(FORMATS)).toEqual(expect.arrayContaining(Object.keys(TABLE_WRITERS)));
});

test("every format of tables keeps the columns' names, and a number with all its digits", () => {
  for (const format of TABLE_FORMATS) {
    const text = TABLE_WRITERS[format]({
      columns: ["task", "ns"],
      rows: [["serve.0", 4294967297]],
    });
    for (const part of ["task", "ns", "serve.0", "4294967297"])
      expect(text, format).toContain(part);
  }
});
