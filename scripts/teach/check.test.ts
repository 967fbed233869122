// A class that handed in, as a teacher marks it.

import { expect, test } from "vitest";
import { writeHandIn, type HandIn } from "../../src/links/hand-in.ts";
import type { RunReport } from "../../src/engine/gen/types.ts";
import { valueText } from "../../src/scenario/knob-values.ts";
import { report } from "../../src/testing/page-state.ts";
import { lessonsOf, marksOfClass } from "../teach.mjs";
import * as check from "./check.ts";

const DONE: HandIn = {
  lesson: "herd",
  seed: 5,
  bets: { 0: 2, 3: 1 },
  ways: { 5: "kernel.rt_push_ipi=on" },
  shown: [],
};
const address = (handIn: Partial<HandIn>): string => {
  const all = { ...DONE, ...handIn };
  return `https://example.org/deep/learn/${all.lesson}/?seed=5#${writeHandIn(all)}`;
};
const noRun = (): RunReport => {
  throw new Error("the lesson names this way: nothing is run");
};

test("a class of 60 is marked, one line a pupil, with the engine asked only for ways that the lesson does not name", () => {
  const file = Array.from({ length: 60 }, (_, at) => `Pupil ${at + 1}, ${address({ seed: at })}`);
  const { taken, pupils, bad } = marksOfClass(file.join("\n"), check, noRun);
  expect([pupils, bad]).toEqual([60, []]);
  expect(taken).toHaveLength(1);
  const lines = taken[0]?.table.split("\n") ?? [];
  expect(lines).toHaveLength(61);
  expect(lines[0]).toMatch(/^line +pupil +seed +1 bet +4 bet +6 puzzle +points$/);
  expect(lines[60]).toMatch(/^60 +Pupil 60 +59 +✓ +✓ +✓ +3 of 3$/);
  expect(taken[0]?.csv.split("\r\n")[1]).toBe("1,Pupil 1,0,3,3,right,right,right");
});

test("what was wrong, shown or left is marked so; the engine judges other ways, with the pupil's seed", () => {
  const asked: unknown[] = [];
  const run: check.RunWith = (scene, side, seed) => {
    asked.push([scene.scenario, scene[side], seed]);
    return report(3);
  };
  const file = [
    `Ann: ${address({ bets: { 0: 0 }, shown: [3, 5], ways: {} })}`,
    address({ bets: {}, ways: {} }),
    `Ben ${address({ ways: { 5: "machine.cpus=9" } })}`,
    `Eve ${address({ ways: { 5: "seed=9" } })}`,
    `Kim ${address({ shown: [5] })}`,
  ].join("\n");
  const { taken } = marksOfClass(file, check, run);
  const rows = taken[0]?.csv.trim().split("\r\n").slice(1);
  expect(rows).toEqual([
    "1,Ann,5,0,3,wrong,shown,shown",
    "2,line 2,5,0,3,none,none,none",
    `3,Ben,5,3,3,right,right,right`,
    "4,Eve,5,2,3,right,right,wrong",
    "5,Kim,5,2,3,right,right,shown",
  ]);
  expect(asked).toEqual([["rt-pull-herd", { "machine.cpus": 9 }, 5]]);
});

test("a line that is no pupil's work is named by its number, with what was expected", () => {
  const file = [
    "# class 7b",
    "",
    "Ann https://example.org/learn/herd/#3",
    "Ben no address",
    `Cid ${address({}).slice(0, -4)}`,
    `Dan ${address({}).replace("/learn/herd/", "/learn/lazy/")}`,
    `Eve ${address({ lesson: "no-such-lesson" })}`,
    `=HYPERLINK("x") ${address({})}`,
    `\u001b[31mRed ${address({})}`,
  ].join("\n");
  const { taken, pupils, bad } = marksOfClass(file, check, noRun);
  expect(pupils).toBe(2);
  expect(bad).toHaveLength(5);
  for (const [at, line] of [3, 4, 5, 6, 7].entries())
    expect(bad[at]).toMatch(new RegExp(`^line ${line}: expected `));
  expect(bad[2]).toContain("copy the whole address");
  expect(taken[0]?.csv, "a spreadsheet computes nothing").toContain(`"'=HYPERLINK(""x"")"`);
  expect(taken[0]?.table, "no name moves the cursor").not.toContain("\u001b");
});

test("every lesson's own solution is marked as right", () => {
  for (const [id, lesson] of lessonsOf(undefined)) {
    const ways = Object.fromEntries(
      lesson.scenes.flatMap(({ puzzle }, at) =>
        puzzle === undefined
          ? []
          : [
              [
                at,
                Object.entries(puzzle.solution).map(
                  ([path, value]) => `${path}=${valueText(value)}`,
                )[0],
              ],
            ],
      ),
    ) as Record<number, string>;
    const bets = Object.fromEntries(
      lesson.scenes.flatMap(({ bet }, at) => (bet === undefined ? [] : [[at, bet.right]])),
    );
    const { taken } = marksOfClass(address({ lesson: id, ways, bets }), check, noRun);
    expect(taken[0]?.table, id).not.toMatch(/✗|-$/);
    expect(taken[0]?.csv, id).not.toMatch(/wrong|none|shown/);
  }
});
