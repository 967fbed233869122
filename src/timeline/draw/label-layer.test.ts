// One layer of words: none overlap, the most important come first, and the layer is the same in
// every frame.

import fc from "fast-check";
import { expect, test } from "vitest";
import { sceneOf } from "../marks/story.ts";
import { inked } from "../marks/testing.ts";
import type { Rank } from "./label-layer.ts";
import { LabelLayer, RANK } from "./label-layer.ts";
import { THEMES } from "../plot/timeline-theme.ts";

const { plot } = sceneOf(THEMES.dark);

interface Asked {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly rank: Rank;
}

/** The words that were written, frame by frame. */
function written(asked: readonly Asked[], frames = 1): string[] {
  const layer = new LabelLayer();
  let words: readonly string[] = [];
  for (let frame = 0; frame < frames; frame += 1) {
    ({ words } = inked((context) => {
      layer.begin(context, plot);
      for (const { text, x, y, rank } of asked) layer.add(text, x, y, "#FFFFFF", rank);
      layer.write(context, plot);
    }));
  }
  return [...words];
}

test("of words at one place the more telling is written there, the next one a line above or below, the others not", () => {
  const here = { x: 300, y: 50 };
  const asked = [
    { text: "task", ...here, rank: RANK.Task },
    { text: "flag", ...here, rank: RANK.Flag },
    { text: "pull", ...here, rank: RANK.Move },
    { text: "chosen", ...here, rank: RANK.Selection },
  ];
  expect(written(asked)).toEqual(["chosen", "pull", "flag"]);
});

test("a count that finds no room stays away instead of covering another lane", () => {
  const here = { x: 300, y: 50 };
  const asked = [
    { text: "kick", ...here, rank: RANK.Kick },
    { text: "12 IPIs", ...here, rank: RANK.Count },
  ];
  expect(written(asked)).toEqual(["kick"]);
});

test("a word is not written over or under the same word beside it, and stays where it has room", () => {
  const beside = { text: "refill", y: 50, rank: RANK.Throttle };
  expect(
    written([
      { ...beside, x: 300 },
      { ...beside, x: 312 },
    ]),
  ).toEqual(["refill"]);
  expect(
    written([
      { ...beside, x: 300 },
      { ...beside, x: 600 },
    ]),
  ).toEqual(["refill", "refill"]);
  expect(
    written([
      { ...beside, x: 300 },
      { ...beside, text: "throttle", x: 312 },
    ]),
  ).toEqual(["refill", "throttle"]);
});

test("every frame writes the same words, wherever they stand", () => {
  const asked = fc.array(
    fc.record({
      text: fc.string({ minLength: 1, maxLength: 12 }),
      x: fc.integer({ min: 0, max: 1300 }),
      y: fc.integer({ min: -20, max: 140 }),
      rank: fc.constantFrom(...Object.values(RANK)),
    }),
    { maxLength: 40 },
  );
  fc.assert(
    fc.property(asked, (list) => {
      expect(written(list, 2)).toEqual(written(list, 1));
    }),
  );
});

/** Where words lie, CSS px. */
interface Stands {
  readonly left: number;
  readonly right: number;
  readonly y: number;
}

/** A layer that has placed `asked`, and where the words lie. */
function placed(asked: readonly Asked[]): {
  readonly layer: LabelLayer;
  readonly words: readonly Stands[];
} {
  const layer = new LabelLayer();
  const words: Stands[] = [];
  const width = (text: string): number => text.length * 6;
  const context = {
    measureText: (text: string) => ({ width: width(text) }),
    fillRect: () => undefined,
    fillText: (text: string, x: number, y: number) =>
      words.push({ left: x, right: x + width(text), y }),
  } as unknown as CanvasRenderingContext2D;
  layer.begin(context, plot);
  for (const { text, x, y, rank } of asked) layer.add(text, x, y, "#FFFFFF", rank);
  layer.write(context, plot);
  return { layer, words };
}

test("no two words lie over each other, and what lies over the lanes is told where words stand", () => {
  const asked = fc.array(
    fc.record({
      text: fc.string({ minLength: 1, maxLength: 12 }),
      x: fc.integer({ min: 0, max: 1300 }),
      y: fc.integer({ min: -20, max: 140 }),
      rank: fc.constantFrom(...Object.values(RANK)),
    }),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(asked, (list) => {
      const { layer, words } = placed(list);
      words.forEach(({ left, right, y }, at) => {
        expect(layer.isFree(left, right, y - 1, y + 1)).toBe(false);
        for (const other of words.slice(at + 1))
          expect(
            right < other.left || other.right < left || Math.abs(y - other.y) >= plot.theme.fontPx,
          ).toBe(true);
      });
    }),
  );
});

test("words of marks that nobody speaks of are left out", () => {
  const layer = new LabelLayer();
  const { words } = inked((context) => {
    layer.begin(context, plot);
    layer.hush(true);
    layer.add("9 kicks", 300, 50, "#FFFFFF", RANK.Count);
    layer.hush(false);
    layer.add("refill", 300, 90, "#FFFFFF", RANK.Throttle);
    layer.write(context, plot);
  });
  expect(words).toEqual(["refill"]);
});

test("a word that dozens of marks ask for is written at three of them, nearest to the middle of the view", () => {
  const asked = Array.from({ length: 24 }, (_, nth) => ({
    text: nth % 2 === 0 ? "push" : `${nth} IPIs`,
    x: plot.gutter + nth * 60,
    y: 10 + (nth % 8) * 30,
    rank: nth % 2 === 0 ? RANK.Move : RANK.Count,
  }));
  const words = written(asked);
  expect(words.filter((word) => word === "push")).toHaveLength(3);
  expect(words.filter((word) => word.endsWith(" IPIs"))).toHaveLength(3);
  const names = asked.map((each) => ({ ...each, rank: RANK.Task }));
  expect(written(names).length, "names of tasks are no words of marks").toBeGreaterThan(6);
});
