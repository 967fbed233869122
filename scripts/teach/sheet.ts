// A lesson as sheets to print: a worksheet for each seed, and the key with the answers. It knows lessons and figures; who runs the engine, and
// where the sheets go, its caller decides.

import { metricAt } from "../../src/state/figures/metric-path.ts";
import { headlineValue, isPerSecond, metricWords } from "../../src/state/figures/headline.ts";
import { figureText } from "../../src/state/figures/figure.ts";
import { valueText } from "../../src/state/knobs/knob-values.ts";
import { captionWith, metricText } from "../../src/state/steps/caption.ts";
import { sceneAddress, type Lesson, type Scene } from "../../src/state/lessons/lesson.ts";
import type { RunReport } from "../../src/engine/gen/types.ts";
import { escapeHtml } from "../site-shell.ts";

type Side = "a" | "b";

/** The report of a side of a scene, with this seed. */
export type RunScene = (scene: Scene, side: Side, seed: number) => RunReport;

/** A figure that a pupil reads off the page. */
interface Reading {
  readonly scene: Scene;
  readonly path: string;
  readonly side: Side;
}

const PAGE = `<style>
body { max-width: 42rem; margin: 2rem auto; font: 12pt/1.45 system-ui, sans-serif; color: #000; background: #fff }
h1 { font-size: 1.4rem } h2 { font-size: 1.05rem; margin: 1.4rem 0 .3rem } .sheet { break-after: page }
.line { border-bottom: 1px solid #000; display: inline-block; width: 12rem } li { margin: .3rem 0 } a { color: #000; overflow-wrap: anywhere; font-size: .8rem }
td, th { border: 1px solid #888; padding: .2rem .5rem; text-align: start } table { border-collapse: collapse }
</style>`;

/** The sentences without the figures that the sheet asks for. */
function blanked(text: string): string {
  return escapeHtml(text.replaceAll(/\{[^{}]*\}/g, "…"));
}

/** What is to be read in a scene: the metrics that its bet and its text name, each once. */
function readingsOf(scene: Scene): readonly Reading[] {
  const named = [scene.bet?.why ?? "", ...scene.text].join(" ").matchAll(/\{((?:[a-z_]+)\.[^{}]+?)(?: ([ab]))?\}/g);
  const found = new Map<string, Reading>();
  for (const [, path = "", side = "a"] of named) {
    const isKnob = /^(machine|kernel|workload|cgroups)\./.test(path);
    if (!isKnob) found.set(`${path} ${side}`, { scene, path, side: side as Side });
  }
  return [...found.values()];
}

/** As the score calls it. */
function label({ path, side }: Reading): string {
  const words = metricWords(path);
  return `${side.toUpperCase()}: ${words.label}${isPerSecond(words) ? ", per second" : ""}`;
}

function value({ scene, path, side }: Reading, run: RunScene, seed: number): string {
  const words = metricWords(path);
  const figure = headlineValue(run(scene, side, seed), words);
  return figure === undefined ? "none" : figureText(figure, words.unit);
}

/** A sentence of the key, with the figures of one seed. */
function filled(text: string, scene: Scene, run: RunScene, seed: number): string {
  return escapeHtml(
    captionWith(text, (name, side) => {
      const figure = metricAt(run(scene, side, seed), name);
      return figure === undefined ? undefined : metricText(name, figure);
    }),
  );
}

/** The address of a scene with a seed of its own. */
function address(scene: Scene, seed: number, site: string): string {
  return site + sceneAddress({ ...scene, set: { ...scene.set, seed } });
}

/** Worksheets for all seeds, a page each. */
export function worksheets(lesson: Lesson, seeds: readonly number[], site: string): string {
  return page(lesson.title, seeds.map((seed) => worksheet(lesson, seed, site)).join("\n"));
}

function worksheet(lesson: Lesson, seed: number, site: string): string {
  return `<section class="sheet">
<h1>${escapeHtml(lesson.title)}</h1>
<p>Name <span class="line"></span> Seed <strong>${seed}</strong></p>
<p>${escapeHtml(lesson.about)}</p>
${lesson.scenes.map((scene, index) => exercise(scene, index, seed, site)).join("\n")}
</section>`;
}

function exercise(scene: Scene, index: number, seed: number, site: string): string {
  const { bet, puzzle } = scene;
  const readings = readingsOf(scene);
  const link = address(scene, seed, site);
  return [
    `<h2>${index + 1}. ${escapeHtml(scene.title)}</h2>`,
    ...(bet === undefined
      ? []
      : [
          `<p>Before you look: ${blanked(bet.question)}</p><ul>${bet.choices.map((choice) => `<li>☐ ${escapeHtml(choice)}</li>`).join("")}</ul>`,
        ]),
    `<p><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p>`,
    ...(readings.length === 0
      ? []
      : [`<ul>${readings.map((each) => `<li>${escapeHtml(label(each))} <span class="line"></span></li>`).join("")}</ul>`]),
    ...(puzzle === undefined ? [] : [`<p>${escapeHtml(puzzle.goal)} Which knob, which value? <span class="line"></span></p>`]),
    `<p>In one sentence, why? <span class="line" style="width:100%"></span></p>`,
  ].join("\n");
}

/** The answers: a table of figures for each scene, a column for each seed; the sentences have the figures of the first. */
export function answerKey(lesson: Lesson, seeds: readonly number[], run: RunScene): string {
  const parts = lesson.scenes.map((scene, index) => answers(scene, index, seeds, run));
  return page(`Key: ${lesson.title}`, `<h1>Key: ${escapeHtml(lesson.title)}</h1>\n${parts.join("\n")}`);
}

function answers(scene: Scene, index: number, seeds: readonly number[], run: RunScene): string {
  const { bet, puzzle } = scene;
  const readings = readingsOf(scene);
  const head = `<tr><th>figure</th>${seeds.map((seed) => `<th>seed ${seed}</th>`).join("")}</tr>`;
  const rows = readings.map(
    (each) =>
      `<tr><td>${escapeHtml(label(each))}</td>${seeds.map((seed) => `<td>${escapeHtml(value(each, run, seed))}</td>`).join("")}</tr>`,
  );
  const [first = 1] = seeds;
  const told = (text: string): string => filled(text, scene, run, first);
  const way = Object.entries(puzzle?.solution ?? {}).map(([path, to]) => `${path} = ${valueText(to)}`);
  return [
    `<h2>${index + 1}. ${escapeHtml(scene.title)}</h2>`,
    ...(bet === undefined ? [] : [`<p>Bet: <strong>${escapeHtml(bet.choices[bet.right] ?? "")}</strong>. ${told(bet.why)}</p>`]),
    ...scene.text.map((text) => `<p>${told(text)}</p>`),
    ...(rows.length === 0 ? [] : [`<table>${head}${rows.join("")}</table>`]),
    ...(puzzle === undefined
      ? []
      : [`<p>${escapeHtml(puzzle.goal)} One way: <strong>${escapeHtml(way.join(", "))}</strong>. ${escapeHtml(puzzle.hint)}</p>`]),
  ].join("\n");
}

function page(title: string, body: string): string {
  return `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>\n${PAGE}</head>\n<body>\n${body}\n</body></html>\n`;
}
