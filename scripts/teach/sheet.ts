// A lesson as sheets to print: a worksheet for each seed, and the key with the answers. It knows
// lessons and figures; who runs the engine, and where the sheets go, its caller decides.

import { headlineValue, isPerSecond, type MetricWords } from "../../src/state/figures/headline.ts";
import { figureText } from "../../src/state/figures/figure.ts";
import { findKnob, followsVersion, knobName, valueWords } from "../../src/scenario/knob-values.ts";
import { captionWith } from "../../src/state/steps/caption.ts";
import { lessonWords, rowOf } from "../../src/state/lessons/figures.ts";
import type { Bet, Lesson, Puzzle, Scene, Way } from "../../src/state/lessons/lesson.ts";
import { plainWords } from "../../src/state/lessons/words.ts";
import { KNOBS } from "../../src/engine/gen/knobs.ts";
import { SCENARIOS } from "../../src/engine/gen/scenarios.ts";
import type { KnobValue, RunReport, ScenarioEntry } from "../../src/engine/gen/types.ts";
import { escapeHtml } from "../lib/escape.ts";
import { csvOf } from "./csv.ts";

type Side = "a" | "b";

/** The report of a side of a scene, with this seed. */
export type RunScene = (scene: Scene, side: Side, seed: number) => RunReport;

/**
 * The value of a knob as the scene's scenario, with what the scene and its side's variant change,
 * states it; undefined where they do not.
 */
export type Stated = (scene: Scene, path: string, side: Side) => KnobValue | undefined;

/** A figure that a pupil reads off the page. */
interface Reading {
  readonly scene: Scene;
  readonly path: string;
  readonly side: Side;
}

const PAGE = `<style>
body { max-width: 42rem; margin: 2rem auto; font: 12pt/1.45 system-ui, sans-serif; color: #000; background: #fff }
h1 { font-size: 1.4rem } h2 { font-size: 1.05rem; margin: 1.4rem 0 .3rem } .sheet { break-after: page }
.line { border-bottom: 1px solid #000; display: inline-block; width: 9rem } .long { width: 100% } li { margin: .3rem 0 } a { color: #000; overflow-wrap: anywhere; font-size: .8rem }
ul { list-style: none; padding-inline-start: 1rem }
td, th { border: 1px solid #888; padding: .2rem .5rem; text-align: start } table { border-collapse: collapse } .wide { font-size: 8pt; line-height: 1.2 }
</style>`;

const BLANK = '<span class="line"></span>';
const LINE = '<span class="line long"></span>';

/**
 * What the page shows for a knob's name in a sentence: as stated, else the knob's default; none for
 * one that the kernel's version decides.
 */
function knobText(scene: Scene, path: string, side: Side, stated: Stated): string | undefined {
  const value =
    stated(scene, path, side) ??
    (followsVersion(path) ? undefined : findKnob(KNOBS, path)?.default);
  return value === undefined ? undefined : valueWords(value);
}

/** The page's name of the knob. */
function nameOf(path: string): string {
  const knob = findKnob(KNOBS, path);
  return knob === undefined ? path : knobName(knob);
}

/**
 * A sentence with a blank for each figure of a run; a knob's value is written as the page shows it.
 */
function blanked(text: string, scene: Scene, stated: Stated): string {
  const mark = "\u0000";
  const open = captionWith(
    plainWords(text),
    (name, side) => knobText(scene, name, side, stated) ?? mark,
  );
  return escapeHtml(open).replaceAll(mark, BLANK);
}

/**
 * What is to be read in a scene: the metrics that its bet and its text name, each once, A before B.
 */
function readingsOf(scene: Scene): readonly Reading[] {
  const named = [scene.bet?.why ?? "", ...scene.text]
    .join(" ")
    .matchAll(/\{((?:[a-z_]+)\.[^{}]+?)(?: ([ab]))?\}/g);
  const found = new Map<string, Reading>();
  for (const [, path = "", side = "a"] of named) {
    const isKnob = /^(machine|kernel|workload|cgroups)\./.test(path);
    if (!isKnob) found.set(`${path} ${side}`, { scene, path, side: side as Side });
  }
  const paths = [...new Set([...found.values()].map(({ path }) => path))];
  return paths.flatMap((path) =>
    (["a", "b"] as const).flatMap((side) => found.get(`${path} ${side}`) ?? []),
  );
}

function entryOf({ scenario }: Scene): ScenarioEntry {
  const entry = SCENARIOS.find(({ slug }) => slug === scenario);
  if (entry === undefined) throw new Error(`no scenario ${scenario}`);
  return entry;
}

function wordsOf({ scene, path }: Reading): MetricWords {
  return lessonWords(entryOf(scene), path);
}

/** The score's name of it; where the score does not show it, the sentence of the page does. */
function label(reading: Reading): string {
  const words = wordsOf(reading);
  const place = rowOf(entryOf(reading.scene), reading.path) === undefined ? " (in the text)" : "";
  return `${reading.side.toUpperCase()}: ${words.label}${isPerSecond(words) ? ", per second" : ""}${place}`;
}

/** The figure's text on the page; undefined where the run has no such figure. */
function shown(reading: Reading, run: RunScene, seed: number): string | undefined {
  const words = wordsOf(reading);
  const figure = headlineValue(run(reading.scene, reading.side, seed), words);
  return figure === undefined ? undefined : figureText(figure, words.unit);
}

/** A sentence of the key, with the figures of one seed. */
function filled(text: string, scene: Scene, run: RunScene, stated: Stated, seed: number): string {
  return escapeHtml(
    captionWith(
      plainWords(text),
      (name, side) =>
        shown({ scene, path: name, side }, run, seed) ?? knobText(scene, name, side, stated),
    ),
  );
}

/** Where the sheet is made for. */
export interface Course {
  /** The lesson's id. */
  readonly id: string;
  readonly lesson: Lesson;
  readonly seeds: readonly number[];
  /** The address of the site with its closing slash. */
  readonly site: string;
}

/** Worksheets for all seeds, a page each. */
export function worksheets(course: Course, stated: Stated): string {
  return page(
    course.lesson.title,
    course.seeds.map((seed) => worksheet(course, seed, stated)).join("\n"),
  );
}

function worksheet({ id, lesson, site }: Course, seed: number, stated: Stated): string {
  // The lesson covers its pictures until a bet is made; the lab would not.
  const link = escapeHtml(`${site}learn/${id}/?seed=${seed}`);
  return `<section class="sheet">
<h1>${escapeHtml(lesson.title)}</h1>
<p>Name ${BLANK} Seed <strong>${seed}</strong></p>
<p>Open <a href="${link}">${link}</a> and go from scene to scene. Fill in what your runs show.</p>
${lesson.scenes.map((scene, index) => exercise(scene, index, stated)).join("\n")}
<p>What would you do on a machine of your own? <span class="line long"></span></p>
</section>`;
}

/**
 * What is asked. What explains it is in the key alone, but for the sentence that sets a puzzle
 * up.
 */
function exercise(scene: Scene, index: number, stated: Stated): string {
  const { bet, puzzle, text } = scene;
  const told = (sentence: string): string => blanked(sentence, scene, stated);
  const set = bet === undefined && puzzle !== undefined ? text : [];
  return [
    `<h2>${index + 1}. ${escapeHtml(scene.title)}</h2>`,
    ...(bet === undefined ? [] : [betOf(bet, told)]),
    ...set.map((sentence) => `<p>${told(sentence)}</p>`),
    ...readingsOf(scene).map((reading) => `<p>${escapeHtml(label(reading))}: ${BLANK}</p>`),
    ...(puzzle === undefined ? [] : [puzzleOf(puzzle)]),
    ...(bet === undefined && puzzle === undefined
      ? [`<p>In your own words: what happens here? ${LINE}</p>`]
      : []),
  ].join("\n");
}

function betOf(bet: Bet, told: (text: string) => string): string {
  const choices = bet.choices.map((choice) => `<li>☐ ${escapeHtml(choice)}</li>`).join("");
  return `<p>Before you look: ${told(bet.question)}</p><ul>${choices}</ul><p>Why is it so? ${LINE}</p>`;
}

function puzzleOf({ goal, knobs }: Puzzle): string {
  return `<p>${escapeHtml(goal)} Turn one of: ${escapeHtml(knobs.map(nameOf).join(", "))}.</p><p>Knob and value: ${BLANK}</p><p>Why does it help? ${LINE}</p>`;
}

/**
 * The answers: the right choices and the ways, and a table with a line for each pupil's seed; the
 * sentences have the figures of the first.
 */
export function answerKey(course: Course, run: RunScene, stated: Stated): string {
  const { lesson, seeds } = course;
  const [first = 1] = seeds;
  const told = (text: string, scene: Scene): string => filled(text, scene, run, stated, first);
  const parts = lesson.scenes.map((scene, index) => answers(scene, index, told));
  const head = `<h1>Key: ${escapeHtml(lesson.title)}</h1>\n<p>${escapeHtml(lesson.about)}</p>\n<p>The sentences have the figures of seed ${first}; the table has a line for each seed, with the figures as the page shows them.</p>`;
  const closing = `<p>What to do: ${escapeHtml(lesson.closing)}</p>`;
  return page(
    `Key: ${lesson.title}`,
    `${head}\n${parts.join("\n")}\n${closing}\n${table(keyRows(course, run))}`,
  );
}

/** The answer key as CSV, with the right choices of the bets. */
export function keyCsv(course: Course, run: RunScene): string {
  const bets = course.lesson.scenes.flatMap(({ bet }, index) =>
    bet === undefined ? [] : [[`${index + 1}. bet`, bet.choices[bet.right] ?? ""] as const],
  );
  const [head = [], ...rows] = keyRows(course, run);
  return csvOf([
    [...head, ...bets.map(([name]) => name)],
    ...rows.map((row) => [...row, ...bets.map(([, right]) => right)]),
  ]);
}

/** A head, then a row for each seed: what that pupil reads off the page, scene by scene. */
function keyRows({ lesson, seeds }: Course, run: RunScene): readonly (readonly string[])[] {
  const readings = lesson.scenes.flatMap((scene, index) =>
    readingsOf(scene).map((reading) => ({ reading, name: `${index + 1}. ${label(reading)}` })),
  );
  return [
    ["seed", ...readings.map(({ name }) => name)],
    ...seeds.map((seed) => [
      String(seed),
      ...readings.map(({ reading }) => shown(reading, run, seed) ?? "none"),
    ]),
  ];
}

function table([head = [], ...rows]: readonly (readonly string[])[]): string {
  const cells = (row: readonly string[], tag: "td" | "th"): string =>
    `<tr>${row.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join("")}</tr>`;
  return `<table class="wide">${cells(head, "th")}${rows.map((row) => cells(row, "td")).join("")}</table>`;
}

type Told = (text: string, scene: Scene) => string;

function answers(scene: Scene, index: number, told: Told): string {
  const { bet, puzzle } = scene;
  return [
    `<h2>${index + 1}. ${escapeHtml(scene.title)}</h2>`,
    ...(bet === undefined
      ? []
      : [
          `<p>Bet: <strong>${escapeHtml(bet.choices[bet.right] ?? "")}</strong>. ${told(bet.why, scene)}</p>`,
        ]),
    ...scene.text.map((text) => `<p>${told(text, scene)}</p>`),
    ...(puzzle === undefined
      ? []
      : [
          `<p>${escapeHtml(puzzle.goal)} One way: <strong>${escapeHtml(wayText(puzzle.solution))}</strong>. ${othersOf(puzzle)}</p>`,
        ]),
  ].join("\n");
}

function wayText(way: Way): string {
  return Object.entries(way)
    .map(([path, to]) => `${nameOf(path)} = ${valueWords(to)}`)
    .join(", ");
}

/** What a teacher is asked: what else reaches the goal, and what does not. */
function othersOf({ ways = [], fails = [], hint }: Puzzle): string {
  const list = (words: string, all: readonly Way[]): readonly string[] =>
    all.length === 0 ? [] : [`${words}: ${all.map(wayText).join("; ")}.`];
  return escapeHtml(
    [...list("Other ways", ways), ...list("Not enough", fails), `Hint on the page: ${hint}`].join(
      " ",
    ),
  );
}

function page(title: string, body: string): string {
  return `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>\n${PAGE}</head>\n<body>\n${body}\n</body></html>\n`;
}
