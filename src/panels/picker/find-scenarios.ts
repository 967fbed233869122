// Scenarios by what a person types: words of the question weigh most, then those of its summary, of
// its story, of its knobs and variants.

import type { Knob, ScenarioEntry } from "../../engine/gen/types.ts";
import { folded } from "../../lib/match.ts";
import { IDLE_WORDS, MEANT } from "./picker-words.ts";
import { plainName } from "./tool-words.ts";

/** What each text of a thing weighs; `names` are those of knobs, variants and the like. */
const WEIGHTS = { title: 8, summary: 4, story: 2, names: 1 } as const;
/** A name of the kernel's or of a tool's in the scenario's file, as among its figures. */
const FILE_WEIGHT = 0.5;
/**
 * A name of the kernel's or of a tool's, such as `nr_throttled`, `cpu.max` or `RT_PUSH_IPI`: files
 * hold it only where it is meant.
 */
const NAME = /^[\p{L}][\p{L}\d]*(?:[_.][\p{L}\d]+)+$/u;
/** A version: a figure with a unit is not meant. */
const VERSION = /^\d+\.\d+(?:\.\d+)*$/;
const NO_UNIT = "(?![\\d.]*\\s?(?:[mµun]?s|%|times)(?!\\p{L}))";
/** The weight of a word that was meant but not typed, as a share of a typed word's weight. */
const MEANT_SHARE = 0.75;
/** What is meant first comes first among equals. */
const LATER_SHARE = 0.99;
/** Scenarios shown for a query of which none has every word. */
const NEAREST_MAX = 8;

/** A thing with the texts that speak of it. */
export interface Searched<Item> {
  readonly entry: Item;
  readonly fields: readonly Field[];
  /** The entry's file: searched for names, and for words that no field of any scenario has. */
  readonly file: string;
}

interface Field {
  readonly text: string;
  readonly weight: number;
}

/** The texts of a thing, as they are looked into. */
export function fieldsOf(texts: Readonly<Record<keyof typeof WEIGHTS, string>>): readonly Field[] {
  return (Object.keys(WEIGHTS) as (keyof typeof WEIGHTS)[]).map((name) => ({
    text: folded(texts[name]),
    weight: WEIGHTS[name],
  }));
}

/**
 * Those that speak of every word of the query, the nearest first; else the nearest. All of them, as
 * they come, for no word.
 */
export function findScenarios(
  scenarios: readonly ScenarioEntry[],
  knobs: readonly Knob[],
  query: string,
  stories: Readonly<Record<string, string>>,
): readonly ScenarioEntry[] {
  return findAmong(searchedScenarios(scenarios, knobs, stories), query, NEAREST_MAX);
}

/** The scenarios with their texts, which many queries are looked for in. */
export function searchedScenarios(
  scenarios: readonly ScenarioEntry[],
  knobs: readonly Knob[],
  stories: Readonly<Record<string, string>>,
): readonly Searched<ScenarioEntry>[] {
  return scenarios.map((entry) => searchedOf(entry, knobs, stories[entry.slug] ?? ""));
}

/**
 * Those that speak of every word of the query, the nearest first; else the nearest, `most` of them.
 * All, as they come, for no word.
 */
export function findAmong<Item>(
  searched: readonly Searched<Item>[],
  query: string,
  most: number,
): readonly Item[] {
  const words = tellingWords(query);
  if (words.length === 0) return searched.map(({ entry }) => entry);
  const scored = scoredAmong(searched, words);
  const all = scored.filter(({ whole }) => whole);
  const near = all.length > 0 || words.length < 2 ? all : scored.filter(({ score }) => score > 0);
  const sorted = near.toSorted((one, other) => other.score - one.score);
  return sorted.slice(0, all.length > 0 ? all.length : most).map(({ entry }) => entry);
}

/** The words of a query in small letters; those that say nothing only where there are no others. */
export function tellingWords(query: string): readonly string[] {
  const typed = folded(query)
    .split(/[\s,;:!?"“”()]+/)
    .filter((word) => word !== "")
    // A bit of sched_features that is off has the same name.
    .map((word) => word.replace(/^no_(?=\p{L})/u, ""));
  const telling = typed.filter((word) => !IDLE_WORDS.has(word));
  return telling.length > 0 ? telling : typed;
}

/** How near a thing is to a query; `whole`: it speaks of every word. */
export interface Scored<Item> {
  readonly entry: Item;
  readonly whole: boolean;
  readonly score: number;
}

/** Every thing with its nearness to the words, in the order given. */
export function scoredAmong<Item>(
  searched: readonly Searched<Item>[],
  words: readonly string[],
): readonly Scored<Item>[] {
  const found = words.map((word) => weighedAs(word, searched));
  return searched.map(({ entry }, at) => ({
    entry,
    whole: found.every((weights) => (weights[at] ?? 0) > 0),
    score: found.reduce((sum, weights) => sum + (weights[at] ?? 0) * rarity(weights), 0),
  }));
}

function searchedOf(
  entry: ScenarioEntry,
  knobs: readonly Knob[],
  story: string,
): Searched<ScenarioEntry> {
  const labels = entry.knobs.map(
    (path) => `${path} ${knobs.find((knob) => knob.path === path)?.label ?? ""}`,
  );
  // A story begins with its title; the question in full is below its first heading, the things to
  // look at are below the next.
  const [, summary = "", ...told] = story.split(/^## /m);
  const fields = fieldsOf({
    title: `${entry.title} ${entry.slug}`,
    summary: summary.replace(/^.*\n/, ""),
    story: told.join("\n"),
    names: [...labels, ...entry.variants.map(({ name }) => name)].join("\n"),
  });
  return { entry, fields, file: folded(entry.text) };
}

/**
 * Weighs the word as typed. If no scenario has the word, weighs its plain name: without CONFIG_, a
 * path or another part that only says where the option is set.
 */
function weighedAs(word: string, searched: readonly Searched<unknown>[]): readonly number[] {
  const typed = weighed(word, searched);
  const plain = plainName(word);
  return plain === word || plain === "" || typed.some((weight) => weight > 0)
    ? typed
    : weighed(plain, searched);
}

/** The weight of a word in each scenario; 0 for a scenario without it. */
function weighed(word: string, searched: readonly Searched<unknown>[]): readonly number[] {
  const own = beginning(stemOf(word));
  const meant = meantBy(word).map(beginning);
  const share = (text: string): number => {
    if (own.test(text)) return 1;
    const at = meant.findIndex((each) => each.test(text));
    return at < 0 ? 0 : MEANT_SHARE * (at === 0 ? 1 : LATER_SHARE);
  };
  const inFile = NAME.test(word) ? FILE_WEIGHT : 0;
  const weights = searched.map(({ fields, file }) =>
    Math.max(
      inFile > 0 ? inFile * share(file) : 0,
      ...fields.map(({ text, weight }) => weight * share(text)),
    ),
  );
  return weights.some((weight) => weight > 0)
    ? weights
    : searched.map(({ file }) => (own.test(file) ? 1 : 0));
}

/**
 * The words that a typed word means. Where two beginnings match, the longer one is more precise:
 * `container_cpu_cfs` is not a word about containers.
 */
function meantBy(word: string): readonly string[] {
  const fitting = (typed: readonly string[]): number =>
    Math.max(0, ...typed.map((start) => (fits(word, start) ? start.length : 0)));
  const longest = Math.max(...MEANT.map(([typed]) => fitting(typed)));
  return longest === 0
    ? []
    : MEANT.flatMap(([typed, means]) => (fitting(typed) === longest ? means : []));
}

/** Behind = the whole word is meant. */
function fits(word: string, start: string): boolean {
  return start.startsWith("=") ? word === start.slice(1) : word.startsWith(start);
}

/**
 * The weight of a word by its rarity: nearly 0 for a word that every scenario has, large for a word
 * that few have.
 */
function rarity(weights: readonly number[]): number {
  const having = weights.filter((weight) => weight > 0).length;
  return having === 0 ? 0 : Math.log(weights.length / having) + 0.05;
}

/** Without the ending that differs between `isolate`, `isolated` and `isolating`. */
function stemOf(word: string): string {
  return word.length > 4 ? word.replace(/(?:ing|ed|es|e|s)$/, "") : word;
}

/** Looks for a text where a word begins; a version where no unit follows. */
function beginning(text: string): Pick<RegExp, "test"> {
  const escaped = text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}])${escaped}${VERSION.test(text) ? NO_UNIT : ""}`,
    "u",
  );
  // A pattern that looks back at every letter takes ten times as long as a plain search.
  return { test: (within) => within.includes(text) && pattern.test(within) };
}
