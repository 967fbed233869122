// What a page of the built site shows before any script has run, and without scripts: the question,
// what is compared, the numbers that are known, the first step's sentence. It is where the app puts
// the same, and the app takes its place.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Marked, type Token, type Tokens } from "marked";
import { KNOBS } from "../../src/engine/gen/knobs.ts";
import type { KnobValue, Source } from "../../src/engine/gen/types.ts";
import { figureText } from "../../src/state/figures/figure.ts";
import {
  headlineWords,
  isPerSecond,
  knownValue,
  type MetricWords,
} from "../../src/state/figures/headline.ts";
import type { Labels } from "../../src/scenario/labels.ts";
import type { KnownRun } from "../../src/state/shape/known-run.ts";
import { findKnob, followsVersion, valueText } from "../../src/scenario/knob-values.ts";
import { perSide, SIDES, type PerSide, type Side } from "../../src/scenario/sides.ts";
import { timeSigns } from "../../src/lib/format.ts";
import { storyPlaceOf } from "../../src/lib/site-place.ts";
import { captionWith, knownPart, metricText } from "../../src/state/steps/caption.ts";
import type { Lesson } from "../../src/state/lessons/lesson.ts";
import { plainWords } from "../../src/state/lessons/words.ts";
import { escapeHtml } from "../lib/escape.ts";
import { shippedFigures } from "./shipped-figures.ts";

interface Scenario {
  readonly title: string;
  readonly source?: readonly Source[];
  readonly headline?: readonly string[];
  readonly labels?: Labels;
  readonly steps?: readonly { readonly caption: string }[];
  readonly variants?: readonly {
    readonly name: string;
    readonly called?: string;
    readonly set: Readonly<Record<string, KnobValue>>;
  }[];
}

/** What one side opens with. */
interface Opening {
  readonly name: string;
  readonly called?: string;
  readonly set: Readonly<Record<string, KnobValue>>;
  readonly run: KnownRun | undefined;
}

/**
 * The first step's sentence with its figures, as far as it can be said without a run; without
 * steps, nothing.
 */
export function openingSentence(root: string, slug: string): string {
  const scenario = scenarioOf(root, slug);
  return knownPart(
    captionOf(scenario.steps?.[0]?.caption ?? "", scenario, openingOf(root, slug, scenario)),
  );
}

function scenarioOf(root: string, slug: string): Scenario {
  return JSON.parse(
    readFileSync(join(root, "scenarios", slug, "scenario.json"), "utf8"),
  ) as Scenario;
}

function openingOf(
  root: string,
  slug: string,
  scenario: Scenario,
  more: readonly string[] = [],
): PerSide<Opening> {
  const known = shippedFigures(root, more)[slug] ?? {};
  const written = { name: "as written", set: {} };
  const { 0: first = written, 1: second } = scenario.variants ?? [];
  const pair = second === undefined ? { a: written, b: first } : { a: first, b: second };
  return perSide((side) => ({ ...pair[side], run: known[pair[side].name] }));
}

/** A place of the site to go to. */
export interface Way {
  /** Relative to the site's root: `s/quota-tree/`. */
  readonly folder: string;
  readonly title: string;
}

/** The stage as it was drawn when the site was built. */
export interface DrawnStage {
  /** By theme, below the site's root. */
  readonly files: { readonly dark: string; readonly light: string };
  readonly alt: string;
}

/** The picture of a page's preview. */
export interface Card {
  /** Below the site's root. */
  readonly file: string;
  readonly alt: string;
}

/** What the front page has besides. */
export interface Front {
  /** What schedscope is, in a sentence. */
  readonly about?: string;
  /** What it leads to without scripts. */
  readonly ways?: readonly Way[];
  readonly stage?: DrawnStage | undefined;
}

/** Markup of the page of a shipped scenario. */
export function shellHtml(
  root: string,
  slug: string,
  card: Card | undefined,
  { about = "", ways = [], stage }: Front = {},
): string {
  const scenario = scenarioOf(root, slug);
  const opening = openingOf(root, slug, scenario);
  const rows = headlineWords(scenario.headline ?? [], scenario.labels).slice(0, NUMBERS);
  const sides = SIDES.map((side) => sideHtml(side, opening[side], rows)).join("");
  return `<div class="page shell" data-guided="true">
      <header class="guided-head">
        <span class="brand">schedscope</span>
        <div class="guided-question"><h1 class="guided-title">${escapeHtml(scenario.title)}</h1><p class="guided-setup">${escapeHtml(about)}</p></div>
      </header>
      <main class="guided">
        <div class="guided-stage">${stage === undefined ? "" : stageHtml(stage)}<section class="shell-sides" aria-label="Results">${sides}</section><article class="shell-story">${cardHtml(card)}${storyHtml(root, slug)}${waysHtml(ways)}</article></div>
        <div class="guided-words"><p class="story-caption">${escapeHtml(openingSentence(root, slug))}</p></div>
        <div class="guided-bar"></div>
      </main>
    </div>`;
}

/** Numbers a side has room for, as on the page (GuidedSide.tsx). */
const NUMBERS = 2;

function sideHtml(
  side: Side,
  { name, called, run }: Opening,
  rows: readonly MetricWords[],
): string {
  const numbers = rows.map((words) => {
    const value = run === undefined ? undefined : knownValue(run, words);
    const label = `${words.label}${isPerSecond(words) ? ", per second" : ""}`;
    return `<p class="guided-number"><span class="guided-figure">${value === undefined ? "–" : figureText(value, words.unit)}</span><span class="guided-label">${escapeHtml(label)}</span></p>`;
  });
  const variant =
    called === undefined ? "" : `<span class="guided-variant"> ${escapeHtml(name)}</span>`;
  return `<div class="guided-side"><h2 class="guided-name">${badge(side)} ${escapeHtml(called ?? name)}${variant}</h2>${numbers.join("")}</div>`;
}

/**
 * The story, for those who read without scripts: the question is above it already; files that
 * the site has no page for are no links.
 */
function storyHtml(root: string, slug: string): string {
  const text = readFileSync(join(root, "scenarios", slug, "README.md"), "utf8");
  const { source = [] } = scenarioOf(root, slug);
  const plain = text.replace(/^#[^#].*\n/, "").replaceAll(/<!--.*?-->/gs, "");
  const walkTokens = (token: Token): void => {
    if (token.type === "link") {
      const place = storyPlaceOf(slug, (token as Tokens.Link).href);
      if (place !== undefined) (token as Tokens.Link).href = `./${place}`;
    }
    if (token.type === "text") (token as Tokens.Text).text = timeSigns((token as Tokens.Text).text);
  };
  const story = new Marked({ walkTokens })
    .parse(plain, { async: false })
    .replaceAll(/<a href="(?!https:|\.\/)[^"]*">(.*?)<\/a>/gs, "$1");
  return `${story}<h2>Where it comes from</h2><ul>${source.map(sourceHtml).join("")}</ul>`;
}

function sourceHtml({ id = "", title, url = "" }: Source): string {
  return `<li><a href="${escapeHtml(url)}">${escapeHtml(title)}</a> (${escapeHtml(id)})</li>`;
}

/**
 * One of the two is shown, and only that one is fetched: a lazy image that no style shows never is.
 */
function stageHtml({ files, alt }: DrawnStage): string {
  const image = (theme: "dark" | "light"): string =>
    `<img class="shell-picture in-${theme}" src="./${files[theme]}" width="1440" height="752" alt="${escapeHtml(alt)}" loading="lazy" />`;
  return image("dark") + image("light");
}

/**
 * Lazy: where scripts draw the live picture, no style shows it, and it is never fetched. A press
 * shows it in its own size.
 */
function cardHtml(card: Card | undefined): string {
  if (card === undefined) return "";
  const image = `<img src="./${card.file}" width="1200" height="630" alt="${escapeHtml(card.alt)}" loading="lazy" />`;
  return `<p class="shell-card"><a href="./${card.file}">${image}</a></p>`;
}

function waysHtml(ways: readonly Way[]): string {
  if (ways.length === 0) return "";
  const items = ways.map(
    ({ folder, title }) => `<li><a href="./${folder}/">${escapeHtml(title)}</a></li>`,
  );
  return `<h2>All questions and lessons</h2><ul>${items.join("")}</ul>`;
}

/**
 * Markup of a lesson's page, for those who read without scripts. All figures are those of the
 * shipped runs.
 */
export function lessonHtml(
  root: string,
  { title, about, closing, scenes }: Lesson,
  card: Card | undefined,
): string {
  const scene = ({
    scenario: slug,
    title: heading,
    text,
    bet,
  }: Lesson["scenes"][number]): string => {
    const scenario = scenarioOf(root, slug);
    const told = [...(bet === undefined ? [] : [bet.question, bet.why]), ...text];
    const named = [...told.join(" ").matchAll(/\{([^{} ]+)(?: [ab])?\}/g)].map(
      ([, path = ""]) => path,
    );
    const opening = openingOf(root, slug, scenario, named);
    const rows = headlineWords(scenario.headline ?? [], scenario.labels);
    return `<h2>${escapeHtml(heading)}</h2>${told.map((each) => `<p>${escapeHtml(plainWords(captionOf(each, scenario, opening, rows)))}</p>`).join("")}`;
  };
  const head = `<h1>${escapeHtml(title)}</h1><p>${escapeHtml(about)}</p>`;
  return `<article class="shell-story shell-lesson">${head}${cardHtml(card)}${scenes.map(scene).join("")}<h2>What to do</h2><p>${escapeHtml(closing)}</p></article>`;
}

/**
 * A knob in the sentence is what the side sets, what the file says at its path, or the default.
 * `rows`: metrics that are said as the score says them.
 */
function captionOf(
  caption: string,
  scenario: Scenario,
  opening: PerSide<Opening>,
  rows: readonly MetricWords[] = [],
): string {
  return captionWith(caption, (name, side) => {
    const { run, set } = opening[side];
    const words = rows.find(({ path }) => path === name);
    const shown = run && words && knownValue(run, words);
    if (shown !== undefined && words !== undefined) return figureText(shown, words.unit);
    const metric = run?.metrics[name];
    if (metric !== undefined) return metricText(name, metric);
    const value =
      set[name] ??
      statedAt(scenario, name.split(".")) ??
      (followsVersion(name) ? undefined : findKnob(KNOBS, name)?.default);
    return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
      ? valueText(value)
      : undefined;
  });
}

function statedAt(here: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return here;
  return typeof here === "object" && here !== null
    ? statedAt((here as Readonly<Record<string, unknown>>)[key], rest)
    : undefined;
}

function badge(side: Side): string {
  return `<span class="badge side-${side}">${side.toUpperCase()}</span>`;
}
