// The first sentences of an answer to "Which change did it?".

import { expect, test } from "vitest";
import type { BisectObject, Effect, RankedChange } from "../../engine/bisect-object.ts";
import { otherWords, verdictWords } from "./words.ts";

function effect(mean: number, reach = 0): Effect {
  return {
    mean_thousandths: mean,
    low_thousandths: mean - reach,
    high_thousandths: mean + reach,
    seeds: 8,
  };
}

function ranked(name: string, mean: number, share: number | null, clear = true): RankedChange {
  return {
    changes: [name],
    clear,
    share_thousandths: share,
    effect: effect(mean),
    alone: effect(mean),
    without: effect(mean),
    from_with_it: null,
    to_without_it: null,
  };
}

/** Changes that are ranked, between releases whose figures differ by `whole`. */
function answer(ranking: readonly RankedChange[], whole: Effect): BisectObject {
  const series = (of: Effect) => ({ of_seeds: [], effect: of });
  return {
    schema: "schedscope.bisect/1",
    scenario: "herd",
    complete: true,
    from: "4.0",
    to: "4.9",
    metric: "sched.ticks",
    seeds: [1, 2, 3],
    runs: 12,
    differs: ranking.some(({ share_thousandths: share }) => share !== null),
    cancels: false,
    same_schedule: false,
    one_schedule: [false, false],
    figures: { from: series(effect(1)), to: series(effect(1)), difference: series(whole) },
    ranking,
    unexplained: effect(0),
    together: null,
    pairs_tried: 0,
    changes: [],
    figure_unchanged: [],
    unfinished: [],
    no_effect: [],
    refused: {},
    stated: [],
    alike: [],
    not_stated_by_themselves: [],
    not_modelled: 0,
  };
}

const PLUS = ranked("kernel.fair", 8_000, null);
const MINUS = ranked("kernel.hrtick", -8_000, null);

test("changes that cancel to no difference are named as such", () => {
  const cancelled = { ...answer([PLUS, MINUS], effect(0)), cancels: true };
  expect(verdictWords(cancelled)).toBe(
    "With every seed the figure is the same in 4.0 and 4.9, but 2 changes move it, and cancel. They are kernel.fair, kernel.hrtick.",
  );
  expect(otherWords(cancelled), "they are in the table").toEqual([]);
});

test("a change whose opposite is not found does not pass for the answer", () => {
  expect(verdictWords(answer([PLUS], effect(100, 500)))).toBe(
    "The figure does not differ between 4.0 and 4.9 beyond its error, but 1 change moves it: kernel.fair. What works against that was not found.",
  );
});

test("where nothing moves the figure clearly, no change is named", () => {
  const unsure = answer([ranked("kernel.fair", 40, null, false)], effect(100, 500));
  expect(verdictWords(unsure)).toBe(
    "The figure does not differ between 4.0 and 4.9 beyond its error, and no change alone moves it clearly. More seeds may find a small effect.",
  );
  expect(otherWords(unsure)).toEqual(["Not beyond the error: kernel.fair (+0)."]);
  const same = { ...unsure, ranking: [], same_schedule: true };
  expect(verdictWords(same)).toBe("With every seed both releases run this scenario the same.");
  const stopped = { ...unsure, ranking: [], complete: false };
  expect(verdictWords(stopped)).toBe("It was stopped before a difference was found.");
});

test("a change of a difference has its share of it", () => {
  const whole = answer([ranked("kernel.fair", 8_000, 1_000)], effect(8_000));
  expect(verdictWords(whole)).toBe("kernel.fair makes 100 % of the difference.");
});
