// `npm run teach -- --seeds 1..30`: worksheets and answer keys of the lessons, to be printed.
// `--lesson ID` makes those of one lesson, `--site ADDRESS` says where the page is, `--out FOLDER`
// where the sheets go. `--check FILE` marks a class from a file of handed-in addresses.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { nativeCommand, runNatively } from "./lib/engines.mjs";
import { Explained, ROOT, isMain, main, say } from "./lib/run.mjs";
import { shippedScenarios } from "./lib/scenarios.mjs";
import { setUp } from "./set-up/setup.mjs";

/** @typedef {import("../src/state/lessons/lesson.ts").Lesson} Lesson */

const LESSONS = join(ROOT, "lessons");
const SEEDS_MAX = 200;
const OPTIONS = { seeds: "1..30", lesson: "ID", site: "ADDRESS", out: "FOLDER", check: "FILE" };

/**
 * `"1..3,7"` -> 1, 2, 3, 7.
 * @param {string} text
 * @returns {readonly number[]}
 */
export function seedsOf(text) {
  const seeds = text.split(",").flatMap((part) => {
    const [, from, to = from] = /^(\d{1,9})(?:\.\.(\d{1,9}))?$/.exec(part.trim()) ?? [];
    if (from === undefined || Number(to) < Number(from))
      throw new Explained(`--seeds: expected numbers and ranges like 1..30, got "${part}"`);
    if (Number(to) - Number(from) >= SEEDS_MAX)
      throw new Explained(`--seeds: expected ${SEEDS_MAX} seeds at most, got "${part}"`);
    return Array.from(
      { length: Number(to) - Number(from) + 1 },
      (_, index) => Number(from) + index,
    );
  });
  if (seeds.length > SEEDS_MAX)
    throw new Explained(`--seeds: expected ${SEEDS_MAX} seeds at most, got ${seeds.length}`);
  return seeds;
}

/**
 * What is written of a lesson.
 * @param {number} seeds
 */
export function sheetsOf(seeds) {
  return seeds === 1 ? "1 worksheet and its key" : `${seeds} worksheets and their key`;
}

/**
 * The lessons asked for, by id.
 * @param {string | undefined} asked
 * @returns {readonly (readonly [id: string, lesson: Lesson])[]}
 */
export function lessonsOf(asked) {
  const ids = readdirSync(LESSONS).map((file) => file.replace(/\.json$/, ""));
  if (asked !== undefined && !ids.includes(asked))
    throw new Explained(`--lesson: expected one of ${ids.join(", ")}, got "${asked}"`);
  return ids
    .filter((id) => asked === undefined || id === asked)
    .map((id) => [id, JSON.parse(readFileSync(join(LESSONS, `${id}.json`), "utf8"))]);
}

/**
 * The address of the site with its closing slash.
 * @param {string} text
 */
export function siteOf(text) {
  if (!/^https?:\/\/[^\s/]/.test(text))
    throw new Explained(`--site: expected an address like http://the-server/, got "${text}"`);
  return `${text.replace(/\/+$/, "")}/`;
}

/**
 * What lies over a scenario's file on a side of a scene: the side's variant, then what the scene
 * changes.
 */
function laidOver({ variants }, scene, side) {
  // The unchanged file comes first; where there is one variant, A is the file.
  const opening = variants.length > 2 ? variants.slice(1) : variants;
  return {
    ...Object.fromEntries(opening[side === "a" ? 0 : 1]?.set ?? []),
    ...scene.set,
    ...scene[side],
  };
}

/**
 * The value of a knob as a side of a scene states it; undefined where neither the file nor what
 * lies over it does.
 * @returns {import("./teach/sheet.ts").Stated}
 */
export function statedBy(shipped = shippedScenarios()) {
  /** @type {Map<string, any>} */
  const scenarios = new Map(
    shipped.map((scenario) => [scenario.slug, { ...scenario, file: JSON.parse(scenario.text) }]),
  );
  return (scene, path, side) => {
    const scenario = scenarios.get(scene.scenario);
    const value =
      laidOver(scenario, scene, side)[path] ??
      path.split(".").reduce((here, key) => here?.[key], scenario.file);
    return typeof value === "object" ? undefined : value;
  };
}

/** Runs a side of a scene natively, each once. */
export function runnerOf(command) {
  /** @type {Map<string, any>} */
  const scenarios = new Map(shippedScenarios().map((scenario) => [scenario.slug, scenario]));
  const known = new Map();
  return (scene, side, seed) => {
    const set = Object.entries(laidOver(scenarios.get(scene.scenario), scene, side));
    const key = JSON.stringify([scene.scenario, seed, set]);
    if (!known.has(key))
      known.set(key, runNatively(command, scene.scenario, set, seedFlag(seed)).report);
    return known.get(key);
  };
}

/** Without a seed a run has that of its scenario. */
const seedFlag = (seed) => (seed === undefined ? [] : ["--seed", String(seed)]);

/**
 * The table and the CSV of each lesson that a class took, and a line for each line of the file that
 * names no pupil's work.
 * @param {string} text
 * @param {import("./teach/check.ts")} check
 * @param {import("./teach/check.ts").RunWith} run
 */
export function marksOfClass(text, { readClass, marksOf, marksCsv, tableOf }, run) {
  const lessons = new Map(lessonsOf(undefined));
  const { pupils, bad } = readClass(text, (id) => lessons.get(id));
  const taken = [...lessons].flatMap(([id, lesson]) => {
    const own = pupils.filter(({ handIn }) => handIn.lesson === id);
    if (own.length === 0) return [];
    const marked = own.map((pupil) => marksOf(pupil, run));
    return [{ id, table: tableOf(lesson, marked), csv: marksCsv(lesson, marked) }];
  });
  return { taken, pupils: pupils.length, bad: bad.map(({ line, why }) => `line ${line}: ${why}`) };
}

/** Marks the class of a file; bad lines are named, and make the command end with a failure. */
async function checkClass(file, out) {
  if (!existsSync(file))
    throw new Explained(`--check: expected a file of addresses, found none at "${file}"`);
  const text = readFileSync(file, "utf8");
  const { runnerImport } = await import("vite");
  const check = (await runnerImport(join(ROOT, "scripts/teach/check.ts"))).module;
  const run = runnerOf(await nativeCommand());
  const { taken, pupils, bad } = marksOfClass(text, check, run);
  mkdirSync(out, { recursive: true });
  for (const { id, table, csv } of taken) {
    writeFileSync(join(out, `${id}-marks.csv`), csv);
    console.log(`${id}: ✓ right, ✗ wrong, s shown by the page, - not done\n${table}\n`);
  }
  for (const line of bad) console.log(line);
  say(`${pupils} handed in; CSV in ${out}`);
  if (bad.length > 0) throw new Explained(`${bad.length} of the lines could not be read`);
}

if (isMain(import.meta.url)) {
  await main(async (given) => {
    if (given.check !== undefined) {
      await setUp();
      return checkClass(given.check, resolve(given.out ?? "teach-sheets"));
    }
    const seeds = seedsOf(given.seeds ?? "1..3");
    const lessons = lessonsOf(given.lesson);
    const site = siteOf(given.site ?? "http://127.0.0.1:4173");
    const out = resolve(given.out ?? "teach-sheets");
    await setUp();
    // A fresh clone has it from here on.
    const { runnerImport } = await import("vite");
    const { worksheets, answerKey, keyCsv } = (
      await runnerImport(join(ROOT, "scripts/teach/sheet.ts"))
    ).module;
    const run = runnerOf(await nativeCommand());
    const stated = statedBy();
    mkdirSync(out, { recursive: true });
    for (const [id, lesson] of lessons) {
      const course = { id, lesson, seeds, site };
      writeFileSync(join(out, `${id}-worksheets.html`), worksheets(course, stated));
      writeFileSync(join(out, `${id}-key.html`), answerKey(course, run, stated));
      writeFileSync(join(out, `${id}-key.csv`), keyCsv(course, run));
      say(`${id}: ${sheetsOf(seeds.length)}`);
    }
    say(`in ${out}: open them in a browser and print`);
  }, OPTIONS);
}
