// How far one has come in a lesson: kept by the browser as a short text.

import type { Lesson } from "../../state/lessons/lesson.ts";

export interface Progress {
  /** The scene one stands at, from 0. */
  readonly at: number;
  /** By scene: the choice that was bet on. */
  readonly bets: Readonly<Record<number, number>>;
  /** By scene: its puzzle was solved. */
  readonly solved: Readonly<Record<number, true>>;
}

export type ProgressAction =
  | { readonly type: "went"; readonly at: number; readonly scenes: number }
  | { readonly type: "bet"; readonly choice: number }
  | { readonly type: "solved" };

export function reduceProgress(progress: Progress, action: ProgressAction): Progress {
  switch (action.type) {
    case "went":
      return action.at >= 0 && action.at < action.scenes ? { ...progress, at: action.at } : progress;
    case "bet":
      return { ...progress, bets: { ...progress.bets, [progress.at]: action.choice } };
    case "solved":
      return { ...progress, solved: { ...progress.solved, [progress.at]: true } };
  }
}

/** `scene;0:2,3:1;4`: where one stands, which bets were made, which puzzles were solved. */
export function writeProgress({ at, bets, solved }: Progress): string {
  const made = Object.entries(bets).map(([scene, choice]) => `${scene}:${choice}`);
  return `${at};${made.join(",")};${Object.keys(solved).join(",")}`;
}

/** What was kept; the start, where that does not fit the lesson as it is now. */
export function progressOf(text: string | null, { scenes }: Pick<Lesson, "scenes">): Progress {
  const [at, bets, solved] = (text ?? "").split(";");
  const known = (scene: number): boolean => Number.isInteger(scene) && scene >= 0 && scene < scenes.length;
  const made = (bets ?? "").split(",").flatMap((each) => {
    const [scene = NaN, choice = NaN] = each.split(":").map(Number);
    const choices = scenes[scene]?.bet?.choices.length ?? 0;
    return known(scene) && Number.isInteger(choice) && choice >= 0 && choice < choices ? [[scene, choice] as const] : [];
  });
  const done = (solved ?? "")
    .split(",")
    .flatMap((each) => (each !== "" && scenes[Number(each)]?.puzzle !== undefined ? [Number(each)] : []));
  return {
    at: at !== undefined && at !== "" && known(Number(at)) ? Number(at) : 0,
    bets: Object.fromEntries(made),
    solved: Object.fromEntries(done.map((scene) => [scene, true as const])),
  };
}
