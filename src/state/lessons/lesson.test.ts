// Every lesson that ships can be shown: its scenarios, steps, knobs and figures exist, and its
// puzzles can be solved.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { KNOBS } from "../../engine/gen/knobs.ts";
import { SCENARIOS } from "../../engine/gen/scenarios.ts";
import type { RunReport } from "../../engine/gen/types.ts";
import { DriverOnBench, loadEngine } from "../../engine/testing.ts";
import { headlineValue, isPerSecond } from "../figures/headline.ts";
import { scoreWords } from "../figures/score-words.ts";
import { metricAt } from "../../scenario/metric-path.ts";
import { findKnob } from "../../scenario/knob-values.ts";
import { readLink } from "../../links/link.ts";
import { openContent } from "../link/link-state.ts";
import { requestFor } from "../select/selectors.ts";
import { SIDES, type Side } from "../../scenario/sides.ts";
import { initialState, type State } from "../shape/state.ts";
import { reduce } from "../reduce/reducer.ts";
import { captionWith } from "../steps/caption.ts";
import { isRecorded } from "../steps/step-moments.ts";
import { cpuList, stepsOf } from "../../scenario/step.ts";
import { lessonWords, rowOf } from "./figures.ts";
import {
  faultsOf,
  reaches,
  sceneAddress,
  type Lesson,
  type Puzzle,
  type Scene,
  type Way,
} from "./lesson.ts";
import { openingOf, solvedBy, turnedSince } from "./puzzle.ts";
import { partsOf, plainWords } from "./words.ts";

const FOLDER = join(import.meta.dirname, "../../../lessons");
/**
 * Pupils get seeds of their own: a puzzle has to hold for each of them. The long tests play the
 * thirty of a class.
 */
const SEEDS = Array.from(
  { length: Number(process.env["LESSON_SEEDS"] ?? 3) },
  (_, index) => index + 1,
);
const LESSONS = readdirSync(FOLDER).map(
  (file) => [file, JSON.parse(readFileSync(join(FOLDER, file), "utf8")) as Lesson] as const,
);

beforeAll(loadEngine);

function entryOf(slug: string): State["entry"] {
  const entry = SCENARIOS.find((each) => each.slug === slug);
  if (entry === undefined) throw new Error(`no scenario ${slug}`);
  return entry;
}

/** How many CPUs the scene's scenario states. */
function cpusOf({ scenario }: Scene): number {
  const { machine } = JSON.parse(entryOf(scenario).text) as {
    readonly machine: { readonly cpus: number };
  };
  return machine.cpus;
}

/**
 * The page's state once it has gone to a scene, for a pupil with this seed or with the scenario's
 * own.
 */
function stateOf(scene: Scene, seed?: number): State {
  const link = readLink(sceneAddress(scene));
  if (!link.ok) throw new Error(link.problem.code);
  const entry = entryOf(scene.scenario);
  const start = initialState(entry, "dark");
  const opened = reduce(start, {
    type: "opened",
    route: "preset",
    opened: openContent(link.content, entry, KNOBS),
  });
  return seed === undefined
    ? opened
    : reduce(opened, { type: "knob_set", where: "both", path: "seed", value: seed, settled: true });
}

/** Whether the page says that the goal is reached. */
function isReached(state: State, puzzle: Puzzle): boolean {
  return reaches(
    puzzle,
    headlineValue(reportOf(state, puzzle.side), lessonWords(state.entry, puzzle.metric)) ?? 0,
  );
}

/** The ways that do not do with this seed what the lesson says of them. */
function brokenWays(scene: Scene, puzzle: Puzzle, seed?: number): readonly Way[] {
  const opened = stateOf(scene, seed);
  const { solution, ways = [], fails = [] } = puzzle;
  const goes = (way: Way): boolean => isReached(turned(opened, puzzle, way), puzzle);
  return [...[solution, ...ways].filter((way) => !goes(way)), ...[{}, ...fails].filter(goes)];
}

function turned(opened: State, { side }: Puzzle, way: Way): State {
  return Object.entries(way).reduce<State>(
    (state, [path, value]) =>
      reduce(state, { type: "knob_set", where: side, path, value, settled: true }),
    opened,
  );
}

const reports = new Map<string, RunReport>();

function reportOf(state: State, side: Side): RunReport {
  const request = requestFor(state, side);
  const key = JSON.stringify(request);
  const known = reports.get(key);
  if (known !== undefined) return known;
  const bench = new DriverOnBench();
  bench.start(1, request);
  const told = bench
    .finish()
    .flatMap((message) => (message.type === "finished" ? [message.report] : []));
  const [report] = told;
  if (report === undefined) throw new Error("the run did not finish");
  reports.set(key, report);
  return report;
}

test("what is wrong with named words is said with its place", () => {
  const scene: Scene = {
    scenario: "rt-migrate",
    step: 1,
    title: "[[cpu:0|CPU 0]]",
    text: ["On [[cpus:0|CPU 0]].", "On [[cpu:0|CPU 0]]."],
  };
  const lesson: Lesson = { title: "", about: "", minutes: 1, closing: "Do this.", scenes: [scene] };
  expect(faultsOf(lesson, () => 5, KNOBS)).toEqual([
    'scene 1: only text and a bet\'s why name things of the picture, not "[[cpu:0|CPU 0]]"',
    'scene 1: expected [[cpu:0-3|words]], or task, lock, group or at, in "On [[cpus:0|CPU 0]]."',
  ]);
});

test.each(["", "Do this. And that.", `${"word ".repeat(25)}word.`, "Do this"])(
  "%j is no sentence that closes a lesson",
  (closing) => {
    const scene: Scene = { scenario: "rt-migrate", step: 1, title: "t", text: ["One."] };
    expect(
      faultsOf({ title: "", about: "", minutes: 1, closing, scenes: [scene] }, () => 5, KNOBS),
    ).toEqual(['it has no "closing": one sentence of at most 25 words that says what to do']);
  },
);

describe.each(LESSONS)("%s", (_file, lesson) => {
  test("names scenarios, steps and knobs that are there", () => {
    const steps = (slug: string): number | undefined => {
      const entry = SCENARIOS.find((each) => each.slug === slug);
      return entry === undefined ? undefined : stepsOf(entry).length;
    };
    expect(faultsOf(lesson, steps, KNOBS)).toEqual([]);
    if (lesson.next !== undefined)
      expect(LESSONS.map(([file]) => file)).toContain(`${lesson.next}.json`);
  });

  test("says one thing a scene, in few words", () => {
    for (const { text, title } of lesson.scenes) {
      // A figure is filled in as a number and a unit; counts have no unit.
      const told = text.map((each) =>
        captionWith(plainWords(each), (name) => (name.endsWith("_ns") ? "1 ms" : "1")).split(/\s+/),
      );
      expect(told.flat().length, title).toBeLessThanOrEqual(60);
    }
  });

  test("ends with a puzzle that the engine judges", () => {
    expect(lesson.scenes.at(-1)?.puzzle).toBeDefined();
  });

  test("has a figure for every name in its sentences", () => {
    for (const scene of lesson.scenes) {
      const state = stateOf(scene);
      const words = [...scene.text, scene.bet?.question ?? "", scene.bet?.why ?? ""].join(" ");
      captionWith(words, (name, side) => {
        const knob = findKnob(KNOBS, name);
        if (knob === undefined)
          expect(
            metricAt(reportOf(state, side), name),
            `${scene.title}: ${name} of ${side}`,
          ).toBeTypeOf("number");
        return "";
      });
    }
  });

  test("says a total of time per second and usage as a share, as the score beside the sentence does", () => {
    for (const scene of lesson.scenes) {
      const entry = entryOf(scene.scenario);
      const merged = new Set(scoreWords(entry).flatMap(({ whole = [] }) => whole));
      for (const text of [...scene.text, scene.bet?.question ?? "", scene.bet?.why ?? ""])
        for (const sentence of text.split(/(?<=[.?:]) /))
          for (const [, path = ""] of sentence.matchAll(/\{([a-z_]+\.[^{} ]+)(?: [ab])?\}/g)) {
            const words = lessonWords(entry, path);
            if (isPerSecond(words)) expect(sentence, path).toContain("per second");
            if (rowOf(entry, path)?.unit === "share") expect(sentence, path).toContain("limit");
            expect(
              merged.has(path),
              `${path} has no row of its own: the score shows a share of it`,
            ).toBe(false);
          }
      const { puzzle } = scene;
      if (puzzle === undefined) continue;
      expect(
        rowOf(entry, puzzle.metric) ?? "not in the score",
        "what a puzzle asks for stands in the score",
      ).toBeTypeOf("object");
      if (isPerSecond(lessonWords(entry, puzzle.metric)) && puzzle.atMost !== 0)
        expect(puzzle.goal).toContain("per second");
    }
  });

  test("names CPUs, tasks, locks, groups and moments that are in the runs", () => {
    for (const scene of lesson.scenes) {
      const words = [...scene.text, scene.bet?.why ?? ""]
        .flatMap(partsOf)
        .filter((part) => typeof part !== "string");
      if (words.length === 0) continue;
      const reports = SIDES.map((side) => reportOf(stateOf(scene), side));
      for (const { kind, name } of words) {
        const there = reports.some((report) => {
          if (kind === "cpu")
            return cpuList(name).length > 0 && cpuList(name).every((cpu) => cpu < cpusOf(scene));
          if (kind === "group") return metricAt(report, `groups.${name}.usage_ns`) !== undefined;
          if (kind === "at") return isRecorded(name);
          if (kind === "lock") return name === "deepest" || /^rq \d+$/.test(name);
          return [`tasks.${name}.0`, `tasks.${name}`].some(
            (task) => metricAt(report, `${task}.run_ns`) !== undefined,
          );
        });
        expect(there, `${scene.title}: ${kind} ${name}`).toBe(true);
      }
    }
  });

  test("has puzzles that are not solved from the start and are solved by every way that it names, and by none that it says fails", () => {
    for (const scene of lesson.scenes) {
      const { puzzle } = scene;
      if (puzzle === undefined) continue;
      const opened = stateOf(scene);
      const solved = turned(opened, puzzle, puzzle.solution);
      expect(brokenWays(scene, puzzle), "from the start, by its ways, by what fails").toEqual([]);
      for (const way of [puzzle.solution, ...(puzzle.ways ?? []), ...(puzzle.fails ?? [])]) {
        expect(Object.keys(way).filter((path) => !puzzle.knobs.includes(path))).toEqual([]);
        expect(Object.keys(way), "one knob alone").toHaveLength(1);
      }
      const opening = openingOf(scene, opened.entry, KNOBS);
      if (opening === undefined) throw new Error("another scenario");
      expect(
        turnedSince(opening, opened.knobs, opened.entry, KNOBS),
        "nothing is turned yet",
      ).toEqual([]);
      expect(turnedSince(opening, solved.knobs, solved.entry, KNOBS)).toEqual(
        Object.keys(puzzle.solution),
      );
      const given = reduce(opened, { type: "knobs_tried", knobs: solvedBy(puzzle, opening) });
      expect(
        requestFor(given, puzzle.side),
        "the solution shown is the one that was played",
      ).toEqual(requestFor(solved, puzzle.side));
      expect(SIDES).toContain(puzzle.side);
    }
  });

  test(
    `has puzzles that hold for seeds 1 to ${SEEDS.length}`,
    { timeout: SEEDS.length * 40_000 },
    () => {
      for (const scene of lesson.scenes) {
        const { puzzle } = scene;
        if (puzzle === undefined) continue;
        for (const seed of SEEDS)
          expect(brokenWays(scene, puzzle, seed), `seed ${seed}`).toEqual([]);
      }
    },
  );
});
