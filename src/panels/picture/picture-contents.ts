// What a picture holds of the page's state: the runs and the view, the words over them, and where
// the picture comes from.

import { plainText } from "../../engine/plain.ts";
import { aboutLocks } from "../../state/steps/first-look.ts";
import { questionOf, shownViewport } from "../../state/select/selectors.ts";
import type { State } from "../../state/shape/state.ts";
import { heroOf } from "../../state/steps/subject.ts";
import {
  captionOf,
  currentStep,
  focusedLock,
  isAsWritten,
  isMissing,
  stepCpus,
} from "../../state/steps/resolve.ts";
import type { PictureOf } from "../../timeline/picture/picture.ts";
import type { TimelineSide } from "../../timeline/index.ts";
import { comesFrom } from "./comes-from.ts";
import type { Chosen } from "./writers/writer.ts";

export const SIZES = ["screen", "1920x1080", "2560x1440"] as const;
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

/** The larger size is the smaller one with finer dots: its words are as easy to read. */
function frameOf(size: Size): Frame {
  if (size === "1920x1080") return { width: 1920, height: 1080, ratio: 1 };
  if (size === "2560x1440") return { width: 1920, height: 1080, ratio: 4 / 3 };
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
  const corner = comesFrom(state, origin);
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
    hero: heroOf(state),
    area: state.area,
    markers: state.markers,
    theme: choice.look === "paper" ? "light" : state.theme,
    scrollTop: choice.size === "screen" ? scrolledPx() : 0,
    title: plainText(titleOf(state)),
    corner,
  };
  return {
    picture,
    ratio,
    about: corner.map((line) => plainText(line)).join("\n"),
    name: state.route === "own" ? "scenario" : state.entry.slug,
  };
}

/**
 * The caption of the current step; the question in a view that no step shows, and with knobs other
 * than the step's.
 */
function titleOf(state: State): string {
  const step = currentStep(state);
  const applies = step !== undefined && isAsWritten(state, step) && !isMissing(state, step);
  return applies ? captionOf(state, step) : questionOf(state);
}
