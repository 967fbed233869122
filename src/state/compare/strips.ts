// The third and fourth variant below A and B: which they are, what a strip runs, what is known of
// it. Strip 0 is C, strip 1 is D. A strip is a variant with what A and B have in common; what one
// side has of its own is no part of it. One whose variant the scenario does not have runs nothing
// and says so: it holds its letter's place, so that the other one keeps its own.

import type { KnobValue, Variant } from "../../engine/gen/types.ts";
import type { RunRequest } from "../../engine/protocol.ts";
import {
  effectiveSet,
  lookUp,
  sideVariant,
  type KnobSet,
  type KnobSets,
} from "../../scenario/knob-sets.ts";
import { sameValue } from "../../scenario/knob-values.ts";
import { baseValue, chosenVariant, nameWith, variantsOf } from "../../scenario/variants.ts";
import { MAX_RECORDS, sameRequest } from "../select/selectors.ts";
import { SIDES, type Side } from "../../scenario/sides.ts";
import type { State } from "../shape/state.ts";
import type { Strip } from "../shape/strip.ts";

/** Fewer variants are both on screen as A and B. */
export const TILES_FROM = 3;
const LETTERS = ["c", "d"] as const;
export type StripLetter = (typeof LETTERS)[number];
/** More than four runs are not kept at a time. */
export const STRIPS_MAX = LETTERS.length;

export function stripLetter(index: number): StripLetter {
  return LETTERS[index] ?? "c";
}

/** The variant a strip shows; undefined if the scenario does not have it. */
export function stripVariant(
  { entry }: Pick<State, "entry">,
  { variant }: Pick<Strip, "variant">,
): Variant | undefined {
  return variantsOf(entry).find(({ name }) => name === variant);
}

/**
 * What computes a strip: the variant as the command line runs it, under the knobs and changes that
 * both sides share, to where both sides end. Undefined if the scenario does not have the variant.
 */
export function stripRequest(
  state: Pick<State, "entry" | "knobs" | "sides">,
  strip: Pick<Strip, "variant">,
): RunRequest | undefined {
  const variant = stripVariant(state, strip);
  if (variant === undefined) return undefined;
  const { slug, text } = state.entry;
  const untilNs = sharedEnd(state);
  return {
    slug,
    text,
    set: variantSet(state, variant.set),
    changes: state.knobs.live.flatMap(({ where, atNs, path, value }) =>
      where === "both" ? [[atNs, path, value] as const] : [],
    ),
    maxRecords: MAX_RECORDS,
    ...(untilNs === undefined ? {} : { untilNs }),
  };
}

/**
 * The name of a variant's strip or tile: the variant's name, then what both sides share and the
 * variant does not set.
 */
export function stripName(
  state: Pick<State, "entry" | "knobs">,
  variant: string,
  whole = false,
): string {
  const { set } = stripVariant(state, { variant }) ?? {};
  return set === undefined
    ? variant
    : nameWith(state.entry, variantSet(state, set), variant, set, whole);
}

/**
 * A variant's knobs over those that both sides share; a knob that the variant names is the
 * variant's.
 */
export function variantSet({ knobs }: Pick<State, "knobs">, set: Variant["set"]): KnobSet {
  const shared = knobs.both.filter(([path]) => !(path in set));
  return [...Object.entries(set), ...shared];
}

/**
 * The variant a side runs, under what both sides share, by the name the side has elsewhere;
 * undefined if the side has something of its own.
 */
export function variantOn(state: Pick<State, "entry" | "knobs">, side: Side): string | undefined {
  const names = variantsOn(state, side);
  const chosen = chosenVariant(state.entry, state.knobs, side)?.name;
  return names.find((name) => name === chosen) ?? names[0];
}

/**
 * All variants that come to what a side runs, the side's own first: what both sides share can make
 * two variants the same.
 */
function variantsOn(state: Pick<State, "entry" | "knobs">, side: Side): readonly string[] {
  const { entry, knobs } = state;
  const own = effectiveSet(entry, knobs, side);
  const alike = ({ set }: Variant): boolean => {
    const other = variantSet(state, set);
    return [...own, ...other].every(([path]) =>
      sameValue(valueIn(entry, own, path), valueIn(entry, other, path)),
    );
  };
  if (knobs.live.some(({ where }) => where === side)) return [];
  return [sideVariant(entry, side), ...variantsOf(entry)].filter(alike).map(({ name }) => name);
}

/**
 * Puts a variant on a side so that it runs what a strip of it runs: what the side has of its own
 * goes.
 */
export function withStripOn(
  { entry, knobs }: Pick<State, "entry" | "knobs">,
  side: Side,
  set: Variant["set"],
): KnobSets {
  const bare = { ...knobs, [side]: [], live: knobs.live.filter(({ where }) => where !== side) };
  const has = effectiveSet(entry, bare, side);
  const wanted = variantSet({ knobs }, set);
  const left = has.flatMap(([path]): KnobSet => {
    const value = lookUp(wanted, path) === undefined ? baseValue(entry, path) : undefined;
    return value === undefined ? [] : [[path, value]];
  });
  return {
    ...bare,
    [side]: [...left, ...wanted].filter(([path, value]) => !sameValue(lookUp(has, path), value)),
  };
}

function valueIn(entry: State["entry"], set: KnobSet, path: string): KnobValue | undefined {
  return lookUp(set, path) ?? baseValue(entry, path);
}

/**
 * Where a limit ended A and B, ns: strips cover no more, since figures of unequal stretches are not
 * to be compared.
 */
export function sharedEnd({ sides }: Pick<State, "sides">): number | undefined {
  const ends = SIDES.flatMap((side) =>
    sides[side].status.kind === "limit" ? [sides[side].shown?.simulatedNs ?? Infinity] : [],
  );
  const least = Math.min(...ends);
  return Number.isFinite(least) ? least : undefined;
}

/** Whether a strip shows, or says, something else than its rail row says now. */
export function isPending(state: Pick<State, "entry" | "knobs" | "sides">, strip: Strip): boolean {
  return (
    stripVariant(state, strip) !== undefined &&
    (strip.asked === undefined || !wants(state, strip, strip.asked))
  );
}

/** Whether a strip would show the answer to this request, with the knobs as they are now. */
export function wants(
  state: Pick<State, "entry" | "knobs" | "sides">,
  strip: Pick<Strip, "variant">,
  asked: RunRequest,
): boolean {
  const wanted = stripRequest(state, strip);
  return wanted !== undefined && wanted.untilNs === asked.untilNs && sameRequest(wanted, asked);
}

/** Whether a strip is being computed or will be. */
export function stripsBusy(state: Pick<State, "entry" | "knobs" | "sides" | "strips">): boolean {
  return state.strips.some((strip) => strip.status.kind === "computing" || isPending(state, strip));
}

/**
 * Whether a strip's run covers less than A and B do: its figures are then not to be compared with
 * theirs.
 */
export function isShort({ sides }: Pick<State, "sides">, { run }: Strip): boolean {
  const ends = SIDES.flatMap((side) => sides[side].shown?.report?.simulated_ns ?? []);
  return run?.report?.complete === false && ends.some((ns) => ns > run.simulatedNs);
}

/** The variant "+ variant" adds: the first that neither side nor strip shows. */
export function nextVariant(state: Pick<State, "entry" | "knobs" | "strips">): string | undefined {
  const taken = [
    ...SIDES.flatMap((side) => variantsOn(state, side)),
    ...state.strips.map(({ variant }) => variant),
  ];
  return variantsOf(state.entry).find(({ name }) => !taken.includes(name))?.name;
}

/**
 * Strips by their variants' names, at most as many as there may be; a strip that is already open
 * keeps what it shows. A name that the scenario does not have is kept only before one that it has.
 */
export function stripsOf(
  state: Pick<State, "entry" | "strips">,
  names: readonly string[],
  open?: string,
): readonly Strip[] {
  const isKnown = (variant: string): boolean => stripVariant(state, { variant }) !== undefined;
  const some = names.slice(0, STRIPS_MAX);
  return some.slice(0, some.findLastIndex(isKnown) + 1).map((variant, index) => {
    const same = state.strips.find((strip) => strip.variant === variant);
    const stood = same !== undefined && isKnown(variant) ? same : freshStrip(variant, same?.open);
    return { ...stood, open: open?.includes(stripLetter(index)) ?? stood.open };
  });
}

/**
 * A strip about which nothing is known yet: it never shows the run of another variant under this
 * variant's name.
 */
export function freshStrip(variant: string, open = false): Strip {
  return { variant, open, status: { kind: "waiting" }, asked: undefined, run: undefined };
}
