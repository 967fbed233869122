// "Which change did it?" of the two releases on screen: what the window opens with, what both sides
// have in common, and the question that a form asks or the reason why it asks none.

import { numbersOf } from "../../engine/versions.ts";
import { plainText } from "../../engine/plain.ts";
import type { WhichForm } from "../../links/which-form.ts";
import { effectiveSet, lookUp, type KnobSet } from "../../scenario/knob-sets.ts";
import { sameValue, VERSION } from "../../scenario/knob-values.ts";
import { SIDES } from "../../scenario/sides.ts";
import { knobValue } from "../select/selectors.ts";
import type { State } from "../shape/state.ts";
import type { WhichAsked } from "../shape/which.ts";

/** The command has these numbers, too. */
const SEEDS_MIN = 3;
const SEEDS_MAX = 256;
const SEEDS = "8";
const MOST = "32";

/** The releases of A and B, if they are two. */
export function twoReleases(state: State): readonly [from: string, to: string] | undefined {
  const [a, b] = SIDES.map((side) => knobValue(state, side, VERSION));
  return typeof a === "string" && typeof b === "string" && a !== b ? [a, b] : undefined;
}

/** What the window shows where nothing was typed for these two releases. */
export function firstWhich(state: State): WhichForm {
  const [from = "", to = ""] = twoReleases(state) ?? [];
  return { from, to, metric: firstMetric(state.entry.headline), seeds: SEEDS, most: MOST };
}

/** The worst latency of the task that the scenario watches; else what it shows first. */
function firstMetric(headline: readonly string[]): string {
  const latency = headline.find((path) => /^latency\..+\.(max_ns|p99\d*_ns)$/.test(path));
  return latency ?? headline[0] ?? "sched.context_switches";
}

/** Whether a form still asks about the two releases on screen. */
export function isOfReleases({ from, to }: WhichForm, state: State): boolean {
  const both = twoReleases(state);
  return both === undefined || (both[0] === from.trim() && both[1] === to.trim());
}

interface Shared {
  /** Settings that both sides have, the version aside. */
  readonly common: KnobSet;
  /** Knobs that one side sets, or both differently. */
  readonly apart: readonly string[];
}

export function sharedSettings({ entry, knobs }: State): Shared {
  const [a, b] = [effectiveSet(entry, knobs, "a"), effectiveSet(entry, knobs, "b")];
  const same = ([path, value]: KnobSet[number]): boolean => {
    const other = lookUp(b, path);
    return path !== VERSION && other !== undefined && sameValue(other, value);
  };
  const common = a.filter(same);
  const paths = new Set([...a, ...b].map(([path]) => path));
  const apart = [...paths].filter((path) => path !== VERSION && lookUp(common, path) === undefined);
  return { common, apart };
}

export type WhichQuestion =
  | { readonly ok: true; readonly asked: WhichAsked }
  | { readonly ok: false; readonly field: keyof WhichForm; readonly words: string };

export function whichQuestion(state: State, form: WhichForm): WhichQuestion {
  const wrong = (field: keyof WhichForm, words: string): WhichQuestion => ({
    ok: false,
    field,
    words,
  });
  const [from, to] = [form.from.trim(), form.to.trim()];
  for (const [field, text] of [
    ["from", from],
    ["to", to],
  ] as const)
    if (numbersOf(text) === undefined)
      return wrong(field, `expected a release as uname -r prints it, got “${plainText(text)}”`);
  if (from === to) return wrong("to", `expected another release than ${from}`);
  if (form.metric === "") return wrong("metric", "choose a figure");
  const seeds = whole(form.seeds, SEEDS_MIN);
  if (seeds === undefined) return wrong("seeds", range(SEEDS_MIN));
  const most = whole(form.most, seeds);
  if (most === undefined) return wrong("most", range(seeds));
  const { entry, knobs } = state;
  const live = knobs.live.filter(({ where }) => where === "both");
  const { common } = sharedSettings(state);
  const { metric } = form;
  return { ok: true, asked: { entry, common, live, from, to, metric, seeds, most } };
}

function whole(text: string, least: number): number | undefined {
  const value = /^\d{1,4}$/.test(text.trim()) ? Number(text) : Number.NaN;
  return value >= least && value <= SEEDS_MAX ? value : undefined;
}

function range(least: number): string {
  return `expected a whole number from ${least} to ${SEEDS_MAX}`;
}
