import fc from "fast-check";
import { expect, test } from "vitest";
import { csvOf, jsonOf } from "./csv.ts";

test("numbers stand as they are, texts are quoted where a comma, a quote or a line end is in them", () => {
  expect(
    csvOf({
      columns: ["task", "ns"],
      rows: [
        ['a,"b"', -5],
        ["two\nlines", undefined],
      ],
    }),
  ).toBe('task,ns\r\n"a,""b""",-5\r\n"two\nlines",\r\n');
});

test("no text begins like a formula, whatever it is", () => {
  expect(csvOf({ columns: ["x"], rows: [["=1+1"], ["@sum"], ["-2"], ["+3"], ["\tx"]] })).toBe(
    "x\r\n'=1+1\r\n'@sum\r\n'-2\r\n'+3\r\n'\tx\r\n",
  );
  fc.assert(
    fc.property(fc.string(), (text) => {
      const [, ...body] = csvOf({ columns: ["x"], rows: [[text]] }).split("x\r\n");
      expect(body.join("x\r\n").replace(/^"/, "")).not.toMatch(/^[=+\-@\t]/);
    }),
  );
});

test("JSON has the same cells by column", () => {
  expect(
    JSON.parse(
      jsonOf({
        columns: ["task", "ns"],
        rows: [
          ["=t", 5],
          ["u", undefined],
        ],
      }),
    ),
  ).toEqual([{ task: "=t", ns: 5 }, { task: "u" }]);
});
