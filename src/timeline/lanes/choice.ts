// What a viewer chose of the lanes, and its text in links: `p7.90_o0.3`. A function of texts: state
// holds the text, and this reads and writes it.

import { SORTS } from "./sorts.ts";
import type { Sort } from "./sorts.ts";

export interface Choice {
  /** CPUs kept on top, in their order. */
  readonly pins: readonly number[];
  /** Groups that are unfolded, ascending. */
  readonly open: readonly number[];
  /** Undefined: groups where there are too many lanes to see each. */
  readonly grouped: boolean | undefined;
  readonly sort: Sort;
  /** Whether the counters are shown over the lanes. */
  readonly counters: boolean;
  /** Whether the ring of IPIs is. */
  readonly ring: boolean;
  /** Whether there is a row for each that ran instead of the selected wake-up's task. */
  readonly instead: boolean;
}

/** Pinned rows at most, so that others have room. */
export const PINS_MAX = 16;
const OPEN_MAX = 64;
const COUNTERS = "counters";
const RING = "ring";
const INSTEAD = "instead";

/** A text that `LANES_FORM` of the link lets through; anything else says nothing. */
export function readChoice(text: string): Choice {
  const parts = text.split("_");
  const list = (letter: string): readonly number[] =>
    [
      ...new Set(
        parts.flatMap((part) =>
          new RegExp(`^${letter}\\d`).test(part) ? part.slice(1).split(".").map(Number) : [],
        ),
      ),
    ].filter(Number.isInteger);
  return {
    pins: list("p").slice(0, PINS_MAX),
    open: [...list("o")].sort((one, other) => one - other).slice(0, OPEN_MAX),
    grouped: parts.includes("groups") ? true : parts.includes("flat") ? false : undefined,
    sort: SORTS.find((sort) => parts.includes(sort)) ?? "number",
    counters: parts.includes(COUNTERS),
    ring: parts.includes(RING),
    instead: parts.includes(INSTEAD),
  };
}

/** "" where nothing is chosen. */
export function writeChoice(choice: Choice): string {
  const { pins, open, grouped, sort, counters, ring, instead } = choice;
  return [
    ...(pins.length === 0 ? [] : [`p${pins.slice(0, PINS_MAX).join(".")}`]),
    ...(open.length === 0 ? [] : [`o${open.slice(0, OPEN_MAX).join(".")}`]),
    ...(grouped === undefined ? [] : [grouped ? "groups" : "flat"]),
    ...(sort === "number" ? [] : [sort]),
    ...(counters ? [COUNTERS] : []),
    ...(ring ? [RING] : []),
    ...(instead ? [INSTEAD] : []),
  ].join("_");
}

/** Pins a CPU behind those there are, or takes it off. */
export function togglePin(text: string, cpu: number): string {
  const choice = readChoice(text);
  const pins = choice.pins.includes(cpu)
    ? choice.pins.filter((each) => each !== cpu)
    : [...choice.pins, cpu].slice(-PINS_MAX);
  return writeChoice({ ...choice, pins });
}

/** Pins a CPU at a place among those there are, counted without itself. */
export function pinAt(text: string, cpu: number, place: number): string {
  const choice = readChoice(text);
  const others = choice.pins.filter((each) => each !== cpu);
  const at = Math.max(0, Math.min(others.length, place));
  return writeChoice({
    ...choice,
    pins: [...others.slice(0, at), cpu, ...others.slice(at)].slice(0, PINS_MAX),
  });
}

/**
 * One place up (-1) or down among the pinned lanes; a lane that is not pinned is pinned by the way
 * up.
 */
export function movePin(text: string, cpu: number, by: 1 | -1): string {
  const { pins } = readChoice(text);
  const at = pins.indexOf(cpu);
  if (at < 0) return by === -1 ? pinAt(text, cpu, pins.length) : text;
  return at + by >= pins.length ? togglePin(text, cpu) : pinAt(text, cpu, at + by);
}

export function toggleGroup(text: string, group: number): string {
  const choice = readChoice(text);
  const open = choice.open.includes(group)
    ? choice.open.filter((each) => each !== group)
    : [...choice.open, group];
  return writeChoice({ ...choice, open: open.sort((one, other) => one - other) });
}

export function changeChoice(text: string, change: Partial<Choice>): string {
  return writeChoice({ ...readChoice(text), ...change });
}
