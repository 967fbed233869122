// What a pupil hands in of a lesson, as the fragment of an address: the bets, the ways out of its
// puzzles, and what was shown before. Bounded and judged: whoever reads it trusts no byte of it.
// Whether a choice or a knob exists, the reader decides, who has the lesson.

import { readFrame, writeFrame, type Items } from "./link-frame.ts";

/** The version that this page writes. */
const VERSION = 1;
/** Most scenes and choices, and characters of a way and of a whole fragment. */
const SCENES_MAX = 40;
const CHOICES_MAX = 10;
const WAY_MAX = 120;
const FRAGMENT_MAX = 4_000;
const SEED_MAX = 999_999_999;

export interface HandIn {
  /** The lesson's name: that of its file. */
  readonly lesson: string;
  /** Undefined: the seed of the scenarios. */
  readonly seed: number | undefined;
  /** By scene, from 0: the choice that was bet on, from 0. */
  readonly bets: Readonly<Record<number, number>>;
  /** By scene: the one knob that solved its puzzle, and its value: `machine.cpus=8`. */
  readonly ways: Readonly<Record<number, string>>;
  /** Scenes whose answer or solution was shown. */
  readonly shown: readonly number[];
}

export function writeHandIn({ lesson, seed, bets, ways, shown }: HandIn): string {
  const items: Items = [
    ["lesson", lesson],
    ...(seed === undefined ? [] : [["seed", String(seed)] as const]),
    [
      "bets",
      Object.entries(bets)
        .map(([scene, choice]) => `${scene}:${choice}`)
        .join(","),
    ],
    ["shown", shown.join(",")],
    ...Object.entries(ways).map(([scene, way]) => [`way.${scene}`, way] as const),
  ];
  return writeFrame(VERSION, items);
}

export type HandInRead =
  | { readonly ok: true; readonly handIn: HandIn }
  /** `why`: what was expected and what was found, in words. */
  | { readonly ok: false; readonly why: string };

/** Reads a fragment without its `#`. Fields that this version does not know are ignored. */
export function readHandIn(fragment: string): HandInRead {
  if (fragment.length > FRAGMENT_MAX)
    return refused(`at most ${FRAGMENT_MAX} characters were expected after #`);
  const frame = readFrame(fragment, VERSION);
  if (!frame.ok) return refused(WHY[frame.problem.code] ?? "it is no handed-in lesson");
  const fields = new Map(frame.items);
  const lesson = fields.get("lesson") ?? "";
  if (!/^[a-z0-9-]{1,40}$/.test(lesson)) return refused("it names no lesson");
  const seed = fields.get("seed");
  if (seed !== undefined && !(/^\d{1,9}$/.test(seed) && Number(seed) <= SEED_MAX))
    return refused("its seed is no whole number");
  const bets = pairs(fields.get("bets") ?? "");
  const shown = listed(fields.get("shown") ?? "");
  const ways = waysOf(frame.items);
  if (bets === undefined || shown === undefined || ways === undefined)
    return refused("its bets or solutions are not as a page writes them");
  const number = seed === undefined ? undefined : Number(seed);
  return { ok: true, handIn: { lesson, seed: number, bets, ways, shown } };
}

const WHY: Readonly<Record<string, string>> = {
  cut: "its end is missing: copy the whole address",
  changed: "it was changed on its way",
  newer: "a newer page wrote it: update this copy",
};

function refused(why: string): HandInRead {
  return { ok: false, why };
}

function sceneOf(text: string | undefined): number | undefined {
  const scene = /^\d{1,2}$/.test(text ?? "") ? Number(text) : SCENES_MAX;
  return scene < SCENES_MAX ? scene : undefined;
}

function pairs(text: string): HandIn["bets"] | undefined {
  if (text === "") return {};
  const made: Record<number, number> = {};
  for (const each of text.split(",")) {
    const [, first, second] = /^(\d{1,2}):(\d)$/.exec(each) ?? [];
    const scene = sceneOf(first);
    if (scene === undefined || Number(second) >= CHOICES_MAX) return undefined;
    made[scene] = Number(second);
  }
  return made;
}

function listed(text: string): readonly number[] | undefined {
  if (text === "") return [];
  const scenes = text.split(",").map(sceneOf);
  return scenes.includes(undefined) ? undefined : (scenes as readonly number[]);
}

function waysOf(items: Items): HandIn["ways"] | undefined {
  const ways: Record<number, string> = {};
  for (const [key, way] of items) {
    if (!key.startsWith("way.")) continue;
    const scene = sceneOf(key.slice("way.".length));
    const isWay = way.length <= WAY_MAX && /^[a-z][\w./-]*=[\x20-\x7e]+$/.test(way);
    if (scene === undefined || !isWay) return undefined;
    ways[scene] = way;
  }
  return ways;
}
