import { expect, test } from "vitest";
import type { BisectAnswer } from "../../state/sweep/bisect.ts";
import { answerWords } from "./answer-words.ts";

const words = (answer: BisectAnswer): string =>
  answerWords(
    { question: { from: 1, to: 400, bound: 50, seeds: 5, step: 1, period: "100ms" }, answer },
    (value) => `${value} ms`,
    (value) => (value === undefined ? "no figure" : `${value} µs`),
  );

test("a search that found nothing says how near it came, or why a run gave no figure", () => {
  expect(words({ kind: "none", worst: 90 })).toBe(
    "No value up to 400 ms keeps the metric at or under 50 µs: there it reaches 90 µs on 5 seeds.",
  );
  expect(words({ kind: "none", worst: undefined, why: "a run met its limit (records)" })).toBe(
    "With 400 ms there is no answer: a run met its limit (records).",
  );
  expect(words({ kind: "none", worst: undefined, why: "a run was refused: machine.cpus is too large." })).toBe(
    "With 400 ms there is no answer: a run was refused: machine.cpus is too large.",
  );
  expect(words({ kind: "none", worst: undefined })).toBe("No value up to 400 ms keeps the metric at or under 50 µs.");
});

test("a value that was found stands with the greatest one that fails", () => {
  expect(words({ kind: "found", value: 40, below: 39, contradicted: false })).toMatch(
    /^40 ms\. 39 ms goes above\. It held in 5 of 5 runs with different random numbers/,
  );
});
