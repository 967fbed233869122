// Sheets of the lessons as a teacher prints them.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SCENARIOS } from "../../src/engine/gen/scenarios.ts";
import type { RunReport } from "../../src/engine/gen/types.ts";
import { isPerSecond } from "../../src/state/figures/headline.ts";
import { scoreWords } from "../../src/state/figures/score-words.ts";
import type { Lesson } from "../../src/state/lessons/lesson.ts";
import { plainWords } from "../../src/state/lessons/words.ts";
import { HERD as HERD_ENTRY, report } from "../../src/testing/page-state.ts";
import { lessonsOf, seedsOf, sheetsOf, siteOf, statedBy } from "../teach.mjs";
import { answerKey, keyCsv, worksheets } from "./sheet.ts";

const HERD = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../lessons/herd.json"), "utf8"),
) as Lesson;
/** A deeper queue with each seed, deepest in A. */
const run = (_scene: unknown, side: "a" | "b", seed: number): RunReport =>
  report(side === "a" ? 30 + seed : seed);

const COURSE = { id: "herd", lesson: HERD, seeds: [5, 6], site: "https://example.org/" };

test("each seed has a worksheet that opens the lesson with that seed; its sentences have blanks for figures, and no answer", () => {
  const html = worksheets(COURSE, statedBy());
  expect(html.match(/class="sheet"/g)).toHaveLength(2);
  expect([...html.matchAll(/href="([^"]*)"/g)].map(([, link]) => link)).toEqual([
    "https://example.org/learn/herd/?seed=5",
    "https://example.org/learn/herd/?seed=6",
  ]);
  expect(html, "what the scenario states is told").toContain("40 CPUs run cyclictest");
  expect(html, "what a run shows is to be filled in").toContain(
    'A: Deepest queue on one run-queue lock: <span class="line"></span>',
  );
  expect(html, "the puzzle names knobs as the page does").toContain("Turn one of: RT_PUSH_IPI, ");
  expect(html).not.toContain("…");
});

test.each(lessonsOf(undefined))(
  "the worksheet of %s gives no answer away: neither why nor an explanation",
  (id, lesson) => {
    const html = worksheets({ ...COURSE, id, lesson }, statedBy());
    const told = lesson.scenes.flatMap(({ bet, puzzle, text }) => [
      ...(bet === undefined ? [] : [bet.why]),
      ...(bet === undefined && puzzle !== undefined ? [] : text),
      ...(puzzle === undefined ? [] : [puzzle.hint]),
    ]);
    // The longest stretch without a figure, a name or what markup escapes.
    for (const answer of [lesson.about, ...told]) {
      const [longest = ""] = plainWords(answer)
        .split(/\{[^}]*\}|["'&<>]/)
        .sort((one, other) => other.length - one.length);
      expect(longest.length).toBeGreaterThan(10);
      expect(html).not.toContain(longest);
    }
    for (const path of lesson.scenes.flatMap(({ puzzle }) => puzzle?.knobs ?? []))
      expect(html, path).not.toContain(path);
  },
);

test("a sentence has the value of a knob that the file does not state: the key shows it as the page does", () => {
  const [, lesson] = lessonsOf("container-limit")[0] as readonly [string, Lesson];
  const key = answerKey({ ...COURSE, id: "container-limit", lesson }, run, statedBy());
  expect(key).toContain("hands out run time in slices of 5000 µs");
  expect(key).toContain("One way: <strong>app: cpu.max.burst = 50000</strong>");
  expect(key).toContain("Other ways: app: cpu.max = 200000 100000; threads = 2.");
});

test("the key has the right choice, a line of figures for each seed, and a way to solve the puzzle", () => {
  const html = answerKey(COURSE, run, statedBy());
  expect(html).toContain("<strong>Nearly all of them</strong>");
  expect(html).toContain("<th>1. A: Deepest queue on one run-queue lock</th>");
  expect(html).toContain("<tr><td>5</td><td>35</td><td>5</td>");
  expect(html).toContain("<tr><td>6</td><td>36</td><td>6</td>");
  expect(html).toContain("In A 35 CPUs wait for one lock");
  expect(html).toContain("RT_PUSH_IPI = on");
  expect(html).toContain("Other ways: CPUs = 8. Not enough: noise tasks = 1.");
  expect(html).toContain(`What to do: ${HERD.closing}`);
});

test.each(lessonsOf(undefined))(
  "the worksheet of %s asks for rows of the score by their names, and says of all else that the text has it",
  (id, lesson) => {
    const html = worksheets({ ...COURSE, id, lesson }, statedBy());
    const rows = new Set(
      lesson.scenes.flatMap(({ scenario }) =>
        scoreWords(SCENARIOS.find(({ slug }) => slug === scenario) ?? HERD_ENTRY).map(
          (words) => words.label + (isPerSecond(words) ? ", per second" : ""),
        ),
      ),
    );
    const asked = [...html.matchAll(/<p>[AB]: (.*?): <span class="line"/g)].map(([, label = ""]) =>
      label.replaceAll("&#39;", "'"),
    );
    expect(asked.filter((label) => !label.endsWith(" (in the text)") && !rows.has(label))).toEqual(
      [],
    );
  },
);

test("the lines of one figure stand together, A's before B's", () => {
  const scene = {
    ...HERD.scenes[0],
    bet: undefined,
    text: ["{x.y_ns b} {rq_lock.max_waiters b} {x.y_ns a} {rq_lock.max_waiters a}"],
  };
  const html = worksheets(
    { ...COURSE, seeds: [1], lesson: { ...HERD, scenes: [scene] } as unknown as Lesson },
    statedBy(),
  );
  const label = "Deepest queue on one run-queue lock";
  expect([...html.matchAll(/<p>([AB]: .*?): <span class="line"/g)].map(([, each]) => each)).toEqual(
    [
      "A: y, per second (in the text)",
      "B: y, per second (in the text)",
      `A: ${label}`,
      `B: ${label}`,
    ],
  );
});

test("one worksheet is said in the singular", () => {
  expect([sheetsOf(1), sheetsOf(30)]).toEqual([
    "1 worksheet and its key",
    "30 worksheets and their key",
  ]);
});

test("a choice has a box and no bullet", () => {
  const html = worksheets(COURSE, statedBy());
  expect(html).toContain("<li>☐ ");
  expect(html).toContain("ul { list-style: none");
});

test("the key's sentence and its table have one figure, a share where the score has a share", () => {
  const [, lesson] = lessonsOf("stranded-quota")[0] as readonly [string, Lesson];
  const groups = {
    fibtest: {
      usage_ns: 271,
      entitled_ns: 500,
      expired_ns: 1_170_000_000,
      nr_throttled: 50,
      nr_periods: 50,
    },
  };
  const used = (): RunReport =>
    ({ simulated_ns: 5e9, metrics: { groups } }) as unknown as RunReport;
  const key = answerKey({ ...COURSE, id: "stranded-quota", lesson, seeds: [1] }, used, statedBy());
  expect(key).toContain("A uses 54.2 % of its limit");
  const csv = keyCsv({ ...COURSE, id: "stranded-quota", lesson, seeds: [1] }, used);
  const [head = "", row = ""] = csv.split("\r\n");
  const column = (name: string): string | undefined =>
    row.split(",")[head.split(",").findIndex((each) => each.includes(name))];
  expect(column("A: fibtest: used of its limit")).toBe("54.2 %");
  expect(key).toContain("In A 234 ms of quota expire per second");
  expect(csv).toContain("234 ms");
});

test("a lesson's words are no markup in a sheet", () => {
  const lesson = {
    ...HERD,
    title: "<script>alert(1)</script>",
    scenes: [{ ...HERD.scenes[0], title: "<b>", text: ["<i>"] }],
  } as Lesson;
  const hostile = { ...COURSE, lesson };
  for (const html of [worksheets(hostile, statedBy()), answerKey(hostile, run, statedBy())])
    expect(html).not.toMatch(/<script|<b>|<i>/);
});

test("seeds, lessons and addresses that are none are refused with what was expected", () => {
  expect(siteOf("http://10.0.0.1:8000//")).toBe("http://10.0.0.1:8000/");
  expect(() => siteOf("the-server")).toThrow(
    '--site: expected an address like http://the-server/, got "the-server"',
  );
  expect(seedsOf("1..3,9")).toEqual([1, 2, 3, 9]);
  for (const wrong of ["", "x", "3..1", "1..900", "-1"])
    expect(() => seedsOf(wrong), wrong).toThrow("--seeds: expected");
  expect(() => lessonsOf("nothing")).toThrow("expected one of");
});
