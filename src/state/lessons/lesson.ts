// Lessons: data over the scenarios' steps. A lesson is one file in lessons/; a scene shows a step
// of a scenario, perhaps with other knobs, and says something about it, asks for a bet first, or
// sets a puzzle that the engine judges.

import { parseValue } from "../../scenario/knob-values.ts";
import type { Knob, KnobValue } from "../../engine/gen/types.ts";
import { findKnob, valueText } from "../../scenario/knob-values.ts";
import { writeAddress } from "../../links/link.ts";
import type { RawSet } from "../../links/link-types.ts";
import { plainWords } from "./words.ts";

/** What is asked before the picture is shown. */
export interface Bet {
  readonly question: string;
  readonly choices: readonly string[];
  /** The index of the choice that the run confirms. */
  readonly right: number;
  /** Why, with figures and named words as in a scene's text. */
  readonly why: string;
}

/** Values of knobs, by path. */
export type Way = Readonly<Record<string, KnobValue>>;

/** A goal to be reached by turning few knobs; the engine judges. */
export interface Puzzle {
  readonly goal: string;
  /** A metric's path, on this side. */
  readonly metric: string;
  readonly side: "a" | "b";
  /** In the unit of the score's row of the metric, a total of time per second; one of the two. */
  readonly atMost?: number;
  readonly atLeast?: number;
  /** Paths of the knobs that may be turned. */
  readonly knobs: readonly string[];
  readonly hint: string;
  /**
   * A way that reaches it, which the test that plays the lesson takes: values on the puzzle's side.
   */
  readonly solution: Way;
  /** What the hint or the plan of a class names as reaching it too; the test takes each. */
  readonly ways?: readonly Way[];
  /** What they name as not reaching it. */
  readonly fails?: readonly Way[];
}

export interface Scene {
  readonly scenario: string;
  /** From 1. */
  readonly step: number;
  readonly title: string;
  /**
   * Paragraphs, with figures in braces as in captions, and words that name something in the picture
   * (words.ts).
   */
  readonly text: readonly string[];
  /** On both sides, besides what the variants say. */
  readonly set?: Readonly<Record<string, KnobValue>>;
  readonly a?: Readonly<Record<string, KnobValue>>;
  readonly b?: Readonly<Record<string, KnobValue>>;
  readonly bet?: Bet;
  readonly puzzle?: Puzzle;
}

export interface Lesson {
  readonly title: string;
  /** One sentence: what one knows afterwards. */
  readonly about: string;
  readonly minutes: number;
  /** One sentence that says what to do on a real machine; the last scene ends with it. */
  readonly closing: string;
  /** The lesson to take after this one, by its file's name. */
  readonly next?: string;
  readonly scenes: readonly Scene[];
}

/** The lab's address of a scene, below the site's root. */
export function sceneAddress({ scenario, step, set, a, b }: Scene): string {
  const raw = (knobs: Readonly<Record<string, KnobValue>> = {}): RawSet =>
    Object.entries(knobs).map(([path, value]) => [path, valueText(value)]);
  const address = writeAddress({
    slug: scenario,
    scenario: undefined,
    both: raw(set),
    a: raw(a),
    b: raw(b),
    view: { step: String(step) },
    unknown: [],
  });
  return address ?? `s/${scenario}/`;
}

/** Whether a figure reaches the goal. */
export function reaches({ atMost, atLeast }: Puzzle, value: number | undefined): boolean {
  return value !== undefined && value <= (atMost ?? Infinity) && value >= (atLeast ?? -Infinity);
}

const CLOSING_WORDS = 25;

/** One sentence, with a full stop at its end only. */
function isClosing(words: string): boolean {
  return (
    /^\S.*\.$/.test(words) && !/[.?!] /.test(words) && words.split(" ").length <= CLOSING_WORDS
  );
}

/** All that a puzzle's file says of values of its knobs. */
function waysOf(puzzle: Puzzle | undefined): readonly Way[] {
  return puzzle === undefined
    ? []
    : [puzzle.solution, ...(puzzle.ways ?? []), ...(puzzle.fails ?? [])];
}

/** What is wrong with a lesson's file, one sentence each; none if it can be shown. */
export function faultsOf(
  lesson: Lesson,
  steps: (slug: string) => number | undefined,
  knobs: readonly Knob[],
): readonly string[] {
  if (lesson.scenes.length === 0) return ["it has no scene"];
  if (!isClosing(lesson.closing))
    return [
      `it has no "closing": one sentence of at most ${CLOSING_WORDS} words that says what to do`,
    ];
  return lesson.scenes.flatMap((scene, index) => {
    const here = `scene ${index + 1}`;
    const count = steps(scene.scenario);
    if (count === undefined) return [`${here}: there is no scenario ${scene.scenario}`];
    const turned = [scene.set, scene.a, scene.b, ...waysOf(scene.puzzle)].flatMap((set) =>
      Object.entries(set ?? {}),
    );
    return [
      ...(scene.step >= 1 && scene.step <= count
        ? []
        : [`${here}: ${scene.scenario} has ${count} steps, not ${scene.step}`]),
      ...(scene.bet === undefined || scene.bet.right < scene.bet.choices.length
        ? []
        : [`${here}: the right choice is none of the choices`]),
      ...(scene.puzzle === undefined ||
      (scene.puzzle.atMost === undefined) !== (scene.puzzle.atLeast === undefined)
        ? []
        : [`${here}: a puzzle has either atMost or atLeast`]),
      ...[scene.title, scene.bet?.question ?? "", ...(scene.bet?.choices ?? [])]
        .filter((words) => plainWords(words) !== words)
        .map(
          (words) =>
            `${here}: only text and a bet's why name things of the picture, not ${JSON.stringify(words)}`,
        ),
      ...[...scene.text, scene.bet?.why ?? ""]
        .filter((words) => /\[\[|\]\]/.test(plainWords(words)))
        .map(
          (words) =>
            `${here}: expected [[cpu:0-3|words]], or task, lock, group or at, in ${JSON.stringify(words)}`,
        ),
      ...[...turned.map(([path]) => path), ...(scene.puzzle?.knobs ?? [])]
        .filter((path) => findKnob(knobs, path) === undefined)
        .map((path) => `${here}: there is no knob ${path}`),
      ...turned.flatMap(([path, value]) => {
        const knob = findKnob(knobs, path);
        const read = knob === undefined ? undefined : parseValue(knob, valueText(value));
        return read?.ok === false ? [`${here}: ${path} cannot be ${valueText(value)}`] : [];
      }),
    ];
  });
}
