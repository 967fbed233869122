// What is drawn of one scenario. Built into one file by scripts/pictures/pictures.mjs, whose cache this code
// is part of.

import type { ScenarioEntry } from "../../src/engine/gen/types.ts";
import { timeSigns } from "../../src/lib/format.ts";
import { FIRST_SLUG } from "../../src/links/place.ts";
import type { Ruler } from "../../src/timeline/picture/recorder.ts";
import { cardOf, tileOf } from "./card.ts";
import { faceRuler } from "./font.ts";
import { loadModules, openedState } from "./opened.ts";
import { pngOf } from "./png.ts";
import { stageOf } from "./stage.ts";
import { altOf } from "./words.ts";

/** A scenario, and the lessons that open with it. */
export interface Job {
  readonly entry: ScenarioEntry;
  readonly lessons: readonly { readonly id: string; readonly title: string }[];
}

export interface Pictures {
  /** By file name. */
  readonly files: Readonly<Record<string, Buffer>>;
  /** What they say, in a sentence. */
  readonly alt: string;
}

/** `modules`: folder of the built engine; `fonts`: of the faces. */
export function painter(modules: string, fonts: string): (job: Job) => Pictures {
  loadModules(modules);
  const ruler: Ruler = faceRuler(fonts);
  return ({ entry, lessons }) => {
    const state = openedState(entry);
    const card = (kicker: string, title: string): Buffer =>
      pngOf(cardOf(state, { kicker, title: timeSigns(title) }, ruler), fonts);
    const tile = (theme: "dark" | "light"): Buffer => pngOf(tileOf(state, theme, ruler), fonts);
    const ofLessons = lessons.map(
      ({ id, title }) =>
        [`learn-${id}.png`, card("A lesson with bets and a puzzle", title)] as const,
    );
    const stage = (theme: "dark" | "light") =>
      [`stage-${entry.slug}-${theme}.svg`, Buffer.from(stageOf(state, theme, ruler))] as const;
    return {
      files: {
        [`s-${entry.slug}.png`]: card("The Linux scheduler, event by event", entry.title),
        [`tile-${entry.slug}-dark.png`]: tile("dark"),
        [`tile-${entry.slug}-light.png`]: tile("light"),
        ...Object.fromEntries(ofLessons),
        // Before any script the front page shows its stage.
        ...(entry.slug === FIRST_SLUG ? Object.fromEntries([stage("dark"), stage("light")]) : {}),
      },
      alt: altOf(state),
    };
  };
}
