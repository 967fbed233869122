import { expect, test } from "vitest";
import type { BisectAnswer } from "../../scenario/bisect.ts";
import { answerWords } from "./answer-words.ts";

const words = (answer: BisectAnswer): string =>
  answerWords(
    { question: { from: 1, to: 400, bound: 50, seeds: 5, step: 1, period: "100ms" }, answer },
    (value) => `${value} ms`,
    (value) => (value === undefined ? "no figure" : `${value} µs`),
  );

const edge = { value: 40, next: { value: 39, worst: 51 }, past: undefined } as const;

test("a search whose ends both fail says what they reach, or why a run gave no figure, and nothing of what lies between", () => {
  expect(
    words({ kind: "neither", from: { value: 1, worst: 60 }, to: { value: 400, worst: 90 } }),
  ).toBe(
    "Neither end of the range keeps the metric at or under 50 µs on 5 seeds. With 1 ms it reaches 60 µs. With 400 ms it reaches 90 µs. Nothing between them was tried.",
  );
  const refused = {
    value: 400,
    worst: undefined,
    why: "a run was refused: machine.cpus is too large.",
  };
  expect(words({ kind: "neither", from: { value: 1, worst: undefined }, to: refused })).toContain(
    "With 1 ms there is no answer: its runs have no such figure. With 400 ms there is no answer: a run was refused: machine.cpus is too large. Nothing",
  );
});

test("a value that was found stands with the one beside it that fails, and with what halving takes for granted", () => {
  expect(words({ kind: "smallest", ...edge })).toMatch(
    /^40 ms\. 39 ms goes above\. It is the edge if the metric only falls .* The bound held in 5 of 5 runs with different random numbers/,
  );
  expect(
    words({
      kind: "smallest",
      ...edge,
      next: { value: 39, worst: undefined, why: "a run met its limit (records)" },
    }),
  ).toMatch(/^40 ms\. With 39 ms there is no answer: a run met its limit \(records\)\./);
});

test("where a greater value goes above, no value is called the smallest: the one that goes above is named, and where all that were tried keep the bound from", () => {
  expect(words({ kind: "smallest", ...edge, past: 10 })).toMatch(
    /^The metric goes up and down: 10 ms keeps the bound\. 39 ms goes above\. Look at the whole sweep\. 40 ms is the smallest value from which on all that were tried keep the bound\. The bound held/,
  );
  expect(words({ kind: "greatest", ...edge, next: { value: 41, worst: 51 }, past: 90 })).toContain(
    "90 ms keeps the bound. 41 ms goes above. Look at the whole sweep. 40 ms is the greatest value up to which",
  );
});

test("a metric that rises has a greatest value, and one that stays under the bound at both ends its least", () => {
  expect(words({ kind: "greatest", ...edge, next: { value: 41, worst: 51 } })).toMatch(
    /^There is no smallest value to look for: 1 ms keeps the metric at or under 50 µs, 400 ms does not\. The greatest that does is 40 ms\. 41 ms goes above\./,
  );
  expect(words({ kind: "both", value: 1 })).toMatch(
    /^1 ms\. It is the smallest value of the range, and the greatest, 400 ms, holds too; nothing between them was tried\./,
  );
});
