// What a picture holds of the page's state: the runs and the view, the words over them, and where
// the picture comes from.

import { plainText } from "../../engine/plain.ts";
import { aboutLocks } from "../../state/steps/first-look.ts";
import { perSide, type Side } from "../../scenario/sides.ts";
import { figureOf } from "../../state/figures/figure.ts";
import { isPerSecond } from "../../state/figures/headline.ts";
import { scoreWords, sideValue } from "../../state/figures/score-words.ts";
import { questionOf, shownViewport, sideCalled, sideLabel } from "../../state/select/selectors.ts";
import { isGuided } from "../../state/select/guided.ts";
import type { State } from "../../state/shape/state.ts";
import { heroOf, quietSide } from "../../state/steps/subject.ts";
import {
  captionOf,
  currentStep,
  focusedLock,
  isAsWritten,
  isMissing,
  stepCpus,
  subjectLanes,
} from "../../state/steps/resolve.ts";
import type { PictureHead, PictureOf } from "../../timeline/picture/picture.ts";
import type { TimelineSide } from "../../timeline/index.ts";
import { comesFrom, shortLink } from "./comes-from.ts";
import type { Chosen } from "./writers/writer.ts";

/** The first is what is offered: 16:9, two dots to a CSS px. */
export const SIZES = ["2560x1440", "1920x1080", "3840x2160", "screen"] as const;
export type Size = (typeof SIZES)[number];
/** `paper`: black on white. */
export const LOOKS = ["screen", "paper"] as const;
export type Look = (typeof LOOKS)[number];

export interface Choice {
  readonly size: Size;
  readonly look: Look;
}

/** What is drawn in: CSS px, and dots to one of them. */
interface Frame extends Pick<PictureOf, "width" | "height" | "lanesPx"> {
  readonly ratio: number;
}

/** Films have even sizes: codecs halve the colours. */
function even(px: number): number {
  return Math.max(2, Math.round(px / 2) * 2);
}

/** Slides have one frame: a larger one has finer dots, and its words are as easy to read. */
const SLIDE = { width: 1280, height: 720 } as const;
const SLIDE_DOTS: Readonly<Record<Exclude<Size, "screen">, number>> = {
  "1920x1080": 1.5,
  "2560x1440": 2,
  "3840x2160": 3,
};

function frameOf(size: Size): Frame {
  if (size !== "screen") return { ...SLIDE, ratio: SLIDE_DOTS[size] };
  const width = even(document.querySelector(".stage-box")?.getBoundingClientRect().width ?? 1280);
  // The rows are as high as on screen; title, legend and corner come on top of them.
  const lanesPx = document.querySelector(".tl-room")?.clientHeight;
  return { width, height: 0, lanesPx, ratio: Math.max(1, window.devicePixelRatio) };
}

/** Lanes that scroll are shown from where they are scrolled to. */
function scrolledPx(): number {
  return document.querySelector(".tl-lanes")?.scrollTop ?? 0;
}

/** `origin`: of the site with its root, "https://example.org/schedscope/". */
export function chosenOf(
  state: State,
  sides: readonly TimelineSide[],
  choice: Choice,
  origin: string,
): Chosen {
  const { ratio, ...frame } = frameOf(choice.size);
  const viewport = shownViewport(state);
  const [runs, address] = comesFrom(state, origin);
  const picture: PictureOf = {
    ...frame,
    sides,
    viewport,
    playheadNs: state.playheadNs,
    layout: state.layout,
    lock: focusedLock(state) ?? "deepest",
    aboutLocks: aboutLocks(state.entry.headline),
    lanes: state.lanes,
    stepCpus: stepCpus(state),
    subject: isGuided(state) ? subjectLanes(state) : undefined,
    hero: heroOf(state),
    area: state.area,
    markers: state.markers,
    theme: choice.look === "paper" ? "light" : state.theme,
    scrollTop: choice.size === "screen" ? scrolledPx() : 0,
    ...wordsOf(state),
    quiet: isGuided(state) ? quietSide(state) : undefined,
    heads: perSide((side) => headOf(state, side)),
    corner: [runs, shortLink(state, origin)],
  };
  return {
    picture,
    ratio,
    about: [runs, address].map((line) => plainText(line)).join("\n"),
    name: state.route === "own" ? "scenario" : state.entry.slug,
  };
}

/**
 * The caption of the current step under the question; the question alone in a view that no step
 * shows, and with knobs other than the step's.
 */
function wordsOf(state: State): Pick<PictureOf, "question" | "title"> {
  const step = currentStep(state);
  const applies = step !== undefined && isAsWritten(state, step) && !isMissing(state, step);
  const question = plainText(questionOf(state));
  return applies ? { question, title: plainText(captionOf(state, step)) } : { title: question };
}

/** Figures that a side's head has room for. */
const FIGURES = 2;

function headOf(state: State, side: Side): PictureHead {
  const label = sideLabel(state, side);
  const called = sideCalled(state, side);
  const figures = scoreWords(state.entry)
    .slice(0, FIGURES)
    .flatMap((words) => {
      const value = sideValue(state, side, words);
      if (value === undefined) return [];
      const label = isPerSecond(words) ? `${words.label}, per second` : words.label;
      return [{ ...figureOf(value, words.unit), label: plainText(label) }];
    });
  return {
    name: plainText(called ?? label),
    value: called === undefined ? "" : plainText(label),
    figures,
  };
}
