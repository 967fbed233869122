// Sizes of a machine: what is asked of each, and what is marked.

import { expect, test } from "vitest";
import { SCENARIOS } from "../../engine/gen/scenarios.ts";
import { HERD, report } from "../../testing/page-state.ts";
import { NO_KNOBS, setKnob } from "../../scenario/knob-sets.ts";
import { scoreWords } from "../figures/score-words.ts";
import { initialState } from "../shape/state.ts";
import { reduce } from "../reduce/reducer.ts";
import {
  canSize,
  CPUS,
  isApart,
  sizeRatio,
  sizeRequests,
  sizesOf,
  thresholdOf,
  whyNone,
  withSize,
  type SizeRun,
} from "./sizes.ts";

const STATE = initialState(HERD, "dark");
const DEPTH = scoreWords(HERD).find(({ path }) => path === "rq_lock.max_waiters");
if (DEPTH === undefined) throw new Error("the herd has no depth");
const WORDS = DEPTH;
const SIZES = [4, 8, 16, 40];

const sized = (cpus: number, a: number, b: number): readonly [number, SizeRun] => [
  cpus,
  {
    cpus,
    outcomes: {
      a: { kind: "report", report: report(a) },
      b: { kind: "report", report: report(b) },
    },
  },
];
const refused: readonly [number, SizeRun] = [
  4,
  {
    cpus: 4,
    outcomes: {
      a: { kind: "none", why: "cpus: expected a CPU of 0-3" },
      b: { kind: "none", why: "" },
    },
  },
];

test("sizes are 4 to 160 and what the sides have now, in order, each once", () => {
  expect(sizesOf(STATE)).toEqual([4, 8, 16, 40, 80, 160]);
  const turned = { ...STATE, knobs: setKnob(NO_KNOBS, "b", CPUS, 24) };
  expect(sizesOf(turned)).toEqual([4, 8, 16, 24, 40, 80, 160]);
});

test("a size is asked with both sides' own knobs, and without a trace", () => {
  const [a, b] = sizeRequests(STATE, 80);
  expect(a).toMatchObject({ slug: "rt-pull-herd", trace: "none" });
  expect([a, b].map((request) => request?.set.at(-1))).toEqual([
    [CPUS, 80],
    [CPUS, 80],
  ]);
  expect(b?.set).toContainEqual(["kernel.rt_push_ipi", "on"]);
  expect(a?.set).not.toContainEqual(["kernel.rt_push_ipi", "on"]);
});

test("a press on a size is what the runs of its tile were asked, and one undo takes it back", () => {
  const action = { type: "knob_set", where: "both", path: CPUS, value: 80, settled: true } as const;
  const pressed = reduce(STATE, action);
  expect(pressed.knobs).toEqual(withSize(STATE.knobs, 80));
  expect(reduce(pressed, { type: "undone" }).knobs).toEqual(STATE.knobs);
});

test("two figures are apart from a factor of two on; one beside none is, none beside none is not", () => {
  expect([isApart(2, 1), isApart(1, 2), isApart(3, 2), isApart(5, 0), isApart(0, 0)]).toEqual([
    true,
    true,
    false,
    true,
    false,
  ]);
  expect(isApart(undefined, 4)).toBe(false);
});

test("the first size at which A and B differ by the factor is marked, and the words say what is marked", () => {
  const runs = new Map([sized(4, 3, 3), sized(8, 7, 4), sized(16, 15, 4), sized(40, 39, 4)]);
  const { cpus, words } = thresholdOf(SIZES, runs, WORDS);
  expect(cpus).toBe(16);
  expect(words).toMatch(
    /^16 CPUs: the first size where deepest queue .* differs by a factor of at least 2\.$/,
  );
});

test("nothing is marked before all smaller sizes are known; a size that cannot be is known", () => {
  const later = [sized(8, 7, 7), sized(16, 15, 4)] as const;
  expect(thresholdOf(SIZES, new Map(later), WORDS).cpus).toBeUndefined();
  expect(thresholdOf(SIZES, new Map([refused, ...later]), WORDS).cpus).toBe(16);
  expect(whyNone(refused[1])).toBe("cpus: expected a CPU of 0-3");
});

test("a larger size without the factor is named", () => {
  const runs = new Map([sized(4, 3, 3), sized(8, 9, 4), sized(16, 5, 4), sized(40, 39, 4)]);
  expect(thresholdOf(SIZES, runs, WORDS)).toMatchObject({
    cpus: 8,
    lasts: false,
    words: expect.stringMatching(/ Not with 16\.$/) as string,
  });
});

test("where both sides are alike at every size, the mark is against the smallest size", () => {
  const runs = new Map([sized(4, 3, 3), sized(8, 5, 5), sized(16, 15, 15), sized(40, 39, 39)]);
  expect(thresholdOf(SIZES, runs, WORDS)).toMatchObject({
    cpus: 16,
    words: expect.stringContaining("A and B are alike") as string,
  });
});

test("where no size has the factor, the words say so", () => {
  const runs = new Map(SIZES.map((cpus) => sized(cpus, 3, 4)));
  expect(thresholdOf(SIZES, runs, WORDS)).toMatchObject({
    cpus: undefined,
    words: expect.stringMatching(/^No size here/) as string,
  });
  expect(sizeRatio(runs.get(8), WORDS)).toBe("1.3 times more");
});

test("the scenarios whose list of knobs has the size are those that offer it", () => {
  const offered = SCENARIOS.filter(canSize).map(({ slug }) => slug);
  expect(offered).toEqual(expect.arrayContaining(["rt-pull-herd", "quota-stranded", "schbench"]));
  expect(offered).not.toContain("cyclictest-anatomy");
});
