// Marks what a class handed in: a file of addresses, one a line, perhaps a name before it. The
// addresses come from anybody, so each is judged; the engine judges a way out of a puzzle that the
// lesson does not name. Who runs the engine, and where the table goes, the caller decides.

import { headlineValue } from "../../src/state/figures/headline.ts";
import { lessonWords } from "../../src/state/lessons/figures.ts";
import { reaches, type Lesson, type Puzzle, type Scene } from "../../src/state/lessons/lesson.ts";
import { readHandIn, type HandIn } from "../../src/links/hand-in.ts";
import { findKnob, parseValue, sameValue } from "../../src/scenario/knob-values.ts";
import { KNOBS } from "../../src/engine/gen/knobs.ts";
import { SCENARIOS } from "../../src/engine/gen/scenarios.ts";
import type { KnobValue, RunReport } from "../../src/engine/gen/types.ts";
import { csvOf } from "./csv.ts";

export interface Pupil {
  /** From 1. */
  readonly line: number;
  readonly name: string;
  readonly handIn: HandIn;
  readonly lesson: Lesson;
}

interface BadLine {
  readonly line: number;
  readonly why: string;
}

/** `none`: nothing was bet or solved; `shown`: the page gave the answer. */
type Mark = "right" | "wrong" | "shown" | "none";

interface Marked {
  readonly pupil: Pupil;
  /** One for each bet and puzzle, in the order of `tasksOf`. */
  readonly marks: readonly Mark[];
}

/** The report of a side of a scene; undefined is the seed of the scenario. */
export type RunWith = (scene: Scene, side: "a" | "b", seed: number | undefined) => RunReport;

const LINES_MAX = 2_000;
const NAME_MAX = 40;

/** Reads a class. Empty lines, and those that begin with #, say nothing. */
export function readClass(
  text: string,
  lessonOf: (id: string) => Lesson | undefined,
): { readonly pupils: readonly Pupil[]; readonly bad: readonly BadLine[] } {
  const pupils: Pupil[] = [];
  const bad: BadLine[] = [];
  const lines = text.split(/\r?\n/);
  for (const [index, each] of lines.slice(0, LINES_MAX).entries()) {
    if (each.trim() === "" || each.trimStart().startsWith("#")) continue;
    const read = pupilOf(each, index + 1, lessonOf);
    if ("why" in read) bad.push(read);
    else pupils.push(read);
  }
  if (lines.length > LINES_MAX)
    bad.push({ line: LINES_MAX + 1, why: `expected at most ${LINES_MAX} lines` });
  return { pupils, bad };
}

function pupilOf(
  text: string,
  line: number,
  lessonOf: (id: string) => Lesson | undefined,
): Pupil | BadLine {
  const [, before = "", path = "", fragment = ""] =
    /^(.*?)https?:\/\/[^\s#]*\/learn\/([a-z0-9-]+)\/[^\s#]*#(\S+)\s*$/.exec(text) ?? [];
  if (fragment === "")
    return { line, why: `expected the address of a handed-in lesson, found "${printable(text)}"` };
  const read = readHandIn(fragment);
  if (!read.ok) return { line, why: `expected the address of a handed-in lesson: ${read.why}` };
  const lesson = lessonOf(read.handIn.lesson);
  if (lesson === undefined || path !== read.handIn.lesson)
    return { line, why: `expected a lesson of this site, found "${printable(path)}"` };
  const name = printable(before.replace(/[\s,;:=|-]+$/, "")) || `line ${line}`;
  return { line, name, handIn: read.handIn, lesson };
}

/** Names come from a file: no sign of them moves a terminal's cursor or sets its colours. */
function printable(text: string): string {
  return text.replace(/\p{C}/gu, "").trim().slice(0, NAME_MAX);
}

interface Task {
  readonly scene: Scene;
  readonly at: number;
  readonly kind: "bet" | "puzzle";
}

/** What a lesson asks. */
function tasksOf({ scenes }: Lesson): readonly Task[] {
  return scenes.flatMap((scene, at) => [
    ...(scene.bet === undefined ? [] : [{ scene, at, kind: "bet" } as const]),
    ...(scene.puzzle === undefined ? [] : [{ scene, at, kind: "puzzle" } as const]),
  ]);
}

/** Marks a pupil; the engine runs for a way that the lesson does not name. */
export function marksOf(pupil: Pupil, run: RunWith): Marked {
  const marks = tasksOf(pupil.lesson).map((task) =>
    task.kind === "bet" ? betMark(pupil.handIn, task) : puzzleMark(pupil.handIn, task, run),
  );
  return { pupil, marks };
}

function betMark({ bets, shown }: HandIn, { scene: { bet }, at }: Task): Mark {
  const choice = bets[at];
  if (choice === undefined || bet === undefined) return shown.includes(at) ? "shown" : "none";
  return choice === bet.right ? "right" : "wrong";
}

function puzzleMark({ ways, shown, seed }: HandIn, { scene, at }: Task, run: RunWith): Mark {
  const { puzzle } = scene;
  const [, path = "", text = ""] = /^([^=]+)=(.+)$/.exec(ways[at] ?? "") ?? [];
  if (puzzle === undefined || path === "") return shown.includes(at) ? "shown" : "none";
  const knob = puzzle.knobs.includes(path) ? findKnob(KNOBS, path) : undefined;
  const read = knob === undefined ? undefined : parseValue(knob, text);
  if (read?.ok !== true) return "wrong";
  // The page counts the way that it has shown as no solution.
  if (shown.includes(at) && path in puzzle.solution) return "shown";
  return solves(puzzle, scene, path, read.value, seed, run) ? "right" : "wrong";
}

function solves(
  puzzle: Puzzle,
  scene: Scene,
  path: string,
  value: KnobValue,
  seed: number | undefined,
  run: RunWith,
): boolean {
  const named = [puzzle.solution, ...(puzzle.ways ?? [])].some(
    (way) => Object.keys(way).length === 1 && path in way && sameValue(way[path] ?? "", value),
  );
  if (named) return true;
  const entry = SCENARIOS.find(({ slug }) => slug === scene.scenario);
  if (entry === undefined) return false;
  const { side, metric } = puzzle;
  const turned = { ...scene, [side]: { ...scene[side], [path]: value } };
  const report = run(turned, side, seed);
  return reaches(puzzle, headlineValue(report, lessonWords(entry, metric)) ?? 0);
}

const SIGNS: Readonly<Record<Mark, string>> = { right: "✓", wrong: "✗", shown: "s", none: "-" };

const headsOf = (lesson: Lesson): readonly string[] =>
  tasksOf(lesson).map(({ at, kind }) => `${at + 1} ${kind}`);

const points = (marks: readonly Mark[]): number => marks.filter((mark) => mark === "right").length;

/** One line a pupil, for a terminal. All pupils took this lesson. */
export function tableOf(lesson: Lesson, marked: readonly Marked[]): string {
  const rows = [
    ["line", "pupil", "seed", ...headsOf(lesson), "points"],
    ...marked.map(({ pupil: { line, name, handIn }, marks }) => [
      String(line),
      name,
      String(handIn.seed ?? "-"),
      ...marks.map((mark) => SIGNS[mark]),
      `${points(marks)} of ${marks.length}`,
    ]),
  ];
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const padded = rows.map((row) => row.map((cell, at) => cell.padEnd(widths?.[at] ?? 0)));
  return padded.map((row) => row.join("  ").trimEnd()).join("\n");
}

/** The marks as CSV, with what was bet and solved in words. */
export function marksCsv(lesson: Lesson, marked: readonly Marked[]): string {
  return csvOf([
    ["line", "pupil", "seed", "points", "of", ...headsOf(lesson)],
    ...marked.map(({ pupil: { line, name, handIn }, marks }) => [
      line,
      name,
      handIn.seed ?? "",
      points(marks),
      marks.length,
      ...marks,
    ]),
  ]);
}
