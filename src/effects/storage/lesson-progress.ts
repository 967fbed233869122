// How far one has come in a lesson: kept by the browser as a short text.

import { keptChoice } from "./stored-choice.ts";
import type { Lesson, Scene } from "../../state/lessons/lesson.ts";

export interface Progress {
  /** The open scene, from 0. */
  readonly at: number;
  /** By scene: the choice that was bet on. */
  readonly bets: Readonly<Record<number, number>>;
  /** By scene: its puzzle was solved. */
  readonly solved: Readonly<Record<number, true>>;
  /** By scene: the solution of its puzzle, or the answer of its bet, was shown. */
  readonly shown: Readonly<Record<number, true>>;
  /** By scene: the one knob that solved its puzzle, and its value: `machine.cpus=8`. */
  readonly ways?: Readonly<Record<number, string>>;
  /** The last scene one has been at. */
  readonly farthest: number;
}

export type ProgressAction =
  | { readonly type: "went"; readonly at: number; readonly scenes: number }
  | { readonly type: "bet"; readonly choice: number }
  | { readonly type: "solved"; readonly way?: string }
  | { readonly type: "shown" };

export function reduceProgress(progress: Progress, action: ProgressAction): Progress {
  switch (action.type) {
    case "went":
      return action.at >= 0 && action.at < action.scenes
        ? { ...progress, at: action.at, farthest: Math.max(progress.farthest, action.at) }
        : progress;
    case "bet":
      return { ...progress, bets: { ...progress.bets, [progress.at]: action.choice } };
    case "solved":
      return {
        ...progress,
        solved: { ...progress.solved, [progress.at]: true },
        ...(action.way === undefined
          ? {}
          : { ways: { ...progress.ways, [progress.at]: action.way } }),
      };
    case "shown":
      return { ...progress, shown: { ...progress.shown, [progress.at]: true } };
  }
}

/**
 * `scene;0:2,3:1;4;5;6;5:machine.cpus%3D8`: the open scene, the bets that were made, the puzzles
 * that were solved, those that were shown, the farthest scene, and how puzzles were solved.
 */
export function writeProgress({ at, bets, solved, shown, farthest, ways }: Progress): string {
  const made = Object.entries(bets).map(([scene, choice]) => `${scene}:${choice}`);
  return [
    at,
    made.join(","),
    Object.keys(solved).join(","),
    Object.keys(shown).join(","),
    farthest,
    ...(ways === undefined
      ? []
      : [
          Object.entries(ways)
            .map(([scene, way]) => `${scene}:${encodeURIComponent(way)}`)
            .join(","),
        ]),
  ].join(";");
}

/** What was kept; the start, where that does not fit the lesson as it is now. */
export function progressOf(text: string | null, scenes: readonly Scene[]): Progress {
  const [place, bets, solved, shown, far, ways] = (text ?? "").split(";");
  const known = (scene: number): boolean =>
    Number.isInteger(scene) && scene >= 0 && scene < scenes.length;
  const sceneOf = (word: string | undefined): number =>
    word !== undefined && word !== "" && known(Number(word)) ? Number(word) : 0;
  const made = (bets ?? "").split(",").flatMap((each) => {
    const [scene = NaN, choice = NaN] = each.split(":").map(Number);
    const choices = scenes[scene]?.bet?.choices.length ?? 0;
    return known(scene) && Number.isInteger(choice) && choice >= 0 && choice < choices
      ? [[scene, choice] as const]
      : [];
  });
  const marked = (
    words: string | undefined,
    asks: (scene: Scene) => boolean,
  ): Readonly<Record<number, true>> =>
    Object.fromEntries(
      (words ?? "").split(",").flatMap((each) => {
        const scene = each === "" ? undefined : scenes[Number(each)];
        return scene !== undefined && asks(scene) ? [[Number(each), true as const]] : [];
      }),
    );
  const at = sceneOf(place);
  return {
    at,
    bets: Object.fromEntries(made),
    solved: marked(solved, hasPuzzle),
    shown: marked(shown, (scene) => hasPuzzle(scene) || scene.bet !== undefined),
    farthest: Math.max(at, sceneOf(far)),
    ...(ways === undefined ? {} : { ways: keptWays(ways, scenes) }),
  };
}

function keptWays(text: string, scenes: readonly Scene[]): NonNullable<Progress["ways"]> {
  return Object.fromEntries(
    text.split(",").flatMap((each) => {
      const [, scene, way] = /^(\d{1,2}):([^,;:]{1,400})$/.exec(each) ?? [];
      const asks = scene !== undefined && scenes[Number(scene)]?.puzzle !== undefined;
      return asks ? [[Number(scene), decoded(way)] as const] : [];
    }),
  );
}

function decoded(text = ""): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

function hasPuzzle({ puzzle }: Scene): boolean {
  return puzzle !== undefined;
}

/** The name under which the browser keeps it. */
export function progressName(id: string): string {
  return `lesson:${id}`;
}

/** How far one has come in a lesson; undefined in one that was never opened. */
export function keptProgress(
  root: string,
  storage: () => Pick<Storage, "getItem">,
  id: string,
  { scenes }: Lesson,
): Progress | undefined {
  const kept = keptChoice(root, storage, progressName(id));
  return kept === null ? undefined : progressOf(kept, scenes);
}

/**
 * Whether the scene at hand asks nothing more: its bet is made, its puzzle solved or its solution
 * seen.
 */
export function isDecided(
  { at, bets, solved, shown }: Omit<Progress, "farthest">,
  { bet, puzzle }: Scene,
): boolean {
  return (
    (bet === undefined || bets[at] !== undefined || shown[at] === true) &&
    (puzzle === undefined || solved[at] === true || shown[at] === true)
  );
}

/**
 * Whether nothing of the lesson is left: its last scene was seen, each bet made, each puzzle solved
 * or its solution seen.
 */
export function isDone({ farthest, ...made }: Progress, scenes: readonly Scene[]): boolean {
  return (
    scenes.every((scene, at) => isDecided({ ...made, at }, scene)) && farthest >= scenes.length - 1
  );
}
