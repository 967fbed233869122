// Lessons by what a person types: their scenes, the scenarios and knobs they use, and the
// glossary's words in them.

import type { Knob } from "../../engine/gen/types.ts";
import { folded } from "../../lib/match.ts";
import { slugOf } from "../../lib/slug.ts";
import { findKnob } from "../../scenario/knob-values.ts";
import type { Listed } from "../../state/lessons/all.ts";
import { plainWords } from "../../state/lessons/words.ts";
import { NAMES } from "../glossary/names.ts";
import { partsOf } from "../glossary/parts.ts";
import { fieldsOf, findAmong, type Searched } from "./find-scenarios.ts";

/** Those that speak of every word of the query, the nearest first; all of them for no word. */
export function findLessons(
  lessons: readonly Listed[],
  knobs: readonly Knob[],
  query: string,
): readonly Listed[] {
  const searched = lessons.map((lesson) => searchedOf(lesson, knobs));
  return findAmong(searched, query, 0);
}

function searchedOf(lesson: Listed, knobs: readonly Knob[]): Searched<Listed> {
  const { id, title, about, scenes } = lesson;
  const told = scenes.flatMap(({ text, bet, puzzle }) => [
    ...text,
    ...(bet === undefined ? [] : [bet.question, ...bet.choices, bet.why]),
    ...(puzzle === undefined ? [] : [puzzle.goal, puzzle.hint]),
  ]);
  const words = plainWords(told.join("\n"));
  const labels = scenes
    .flatMap(({ puzzle }) => puzzle?.knobs ?? [])
    .map((path) => `${path} ${findKnob(knobs, path)?.label ?? ""}`);
  const names = scenes.map(({ scenario }) => scenario);
  const fields = fieldsOf({
    title: `${title} ${id}`,
    summary: [about, ...scenes.map((scene) => scene.title)].join("\n"),
    story: words,
    names: [...labels, ...names, ...termsIn(words)].join("\n"),
  });
  return { entry: lesson, fields, file: folded(JSON.stringify(scenes)) };
}

/** Every form of the glossary's words that a text has in any form. */
function termsIn(text: string): readonly string[] {
  const anchors = new Set(
    partsOf(text, { seen: new Set(), quota: true }).flatMap(({ anchor }) => anchor ?? []),
  );
  return Object.entries(NAMES).flatMap(([name, forms]) =>
    anchors.has(slugOf(name)) ? [name, ...forms] : [],
  );
}
