// What of the runs a format can be made of: state and choice in, spans out.

import { expect, test } from "vitest";
import type { RunFormat } from "../../../engine/gen/run-formats.ts";
import { page } from "../../../testing/page-state.ts";
import { fileOf } from "./make-run.ts";
import { fittedTo, ranSides, sidesFor, spansOf, type RunChoice } from "./run-choice.ts";

const TRACE: RunFormat = { name: "ftrace", what: "trace", takesWindow: true, joins: false };
const JOINING: RunFormat = { ...TRACE, joins: true };
const PRINTOUT: RunFormat = { ...TRACE, what: "printout", takesWindow: false };

test("A and B in one file are offered, and first, only where the format joins and both ran", () => {
  expect(sidesFor(JOINING, ["a", "b"])).toEqual(["both", "a", "b"]);
  expect(sidesFor(JOINING, ["a"])).toEqual(["a"]);
  expect(sidesFor(TRACE, ["a", "b"])).toEqual(["a", "b"]);
});

test("a choice goes from format to format, each of which takes what it can of it", () => {
  const fits = (format: RunFormat, choice: RunChoice) => fittedTo(format, ["a", "b"], choice);
  expect(fits(JOINING, { sides: undefined, whole: false })).toEqual({
    sides: "both",
    whole: false,
  });
  expect(fits(TRACE, { sides: "both", whole: false })).toEqual({ sides: "a", whole: false });
  expect(fits(PRINTOUT, { sides: "b", whole: false })).toEqual({ sides: "b", whole: true });
  expect(fittedTo(TRACE, [], { sides: "a", whole: true })).toBeUndefined();
});

test("spans are A's before B's, of what is in view in whole nanoseconds, or of everything", () => {
  const { store, finish } = page();
  finish("a", 3);
  finish("b", 1);
  const viewport = { fromNs: 999.5, toNs: 2_000 };
  store.dispatch({ type: "viewport_set", viewport, settled: true });
  const spans = (whole: boolean) =>
    spansOf(store.getState(), { sides: "both", whole }).map(({ side, fromNs, toNs }) => [
      side,
      fromNs,
      toNs,
    ]);
  expect(ranSides(store.getState())).toEqual(["a", "b"]);
  expect(spans(false)).toEqual([
    ["a", 1_000, 2_000],
    ["b", 1_000, 2_000],
  ]);
  expect(spans(true)).toEqual([
    ["a", 0, Infinity],
    ["b", 0, Infinity],
  ]);
});

test("a side without a run, or with a run under way, is named in the refusal", () => {
  const { store } = page();
  expect(() => spansOf(store.getState(), { sides: "b", whole: true })).toThrow(
    /^side B (?:has no run yet\.|is computed up to .* Save again when the run is done\.)$/,
  );
});

test("a file's name says run, sides and format, and a format that ends like its file once", () => {
  expect(fileOf(TRACE, "a", "rt-migrate")).toBe("rt-migrate-a-ftrace.txt");
  expect(fileOf(TRACE, "both", "scenario")).toBe("scenario-ab-ftrace.txt");
});
