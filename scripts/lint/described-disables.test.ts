import { Linter } from "eslint";
import { expect, test } from "vitest";
import { describedDisables } from "./described-disables.mjs";

function complaints(code: string): number {
  const rules = { "described-disables": describedDisables };
  return new Linter().verify(code, {
    plugins: { schedscope: { rules } },
    rules: { "schedscope/described-disables": "error", "no-var": "error" },
  }).length;
}

test("a rule may be switched off with a reason only", () => {
  const next = "// eslint-disable-next-line no-var";
  expect(complaints(`${next} -- a script of old browsers\nvar x;`)).toBe(0);
  expect(complaints(`${next}\nvar x;`)).toBe(1);
  expect(complaints("var x; // eslint-disable-line no-var")).toBe(1);
  expect(complaints("/* eslint-disable no-var */ var x;")).toBe(1);
});
