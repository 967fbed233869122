// What a mark is: one thing that happens on the lanes, with all that the timeline asks of it.
// Each has a file; registry.ts lists them, and drawing, hit test, legend, spoken rows and stepping
// iterate that list. Must not know which marks there are.

import type { LockTrack, TraceStore } from "../../model/index.ts";
import type { About } from "../../model/rules/rules.ts";
import type { LegendEntry } from "../draw/legend-entry.ts";
import type { LabelLayer } from "../draw/label-layer.ts";
import type { Plot } from "../plot/plot.ts";
import type { TimelineTheme } from "../plot/timeline-theme.ts";

/** A switch written to the running kernel. */
export interface Change {
  readonly ns: number;
  readonly words: string;
}

/** All that a mark may know of one run. A TimelineSide is one. */
export interface Run {
  readonly trace: TraceStore;
  readonly changes?: readonly Change[];
  /** Ids of marks that the scenario never speaks of: they are drawn thin and without words. */
  readonly asides?: readonly string[];
  /** Ids of marks that are not drawn: what is shown is not about them. */
  readonly off?: readonly string[];
}

/** A run in a window: what is drawn and pointed at. */
export interface Scene extends Run {
  readonly plot: Plot;
  /** The lock of the lock lane. */
  readonly lock: LockTrack | undefined;
}

/** A point of the lanes, CSS px from their left upper corner, and what lies there. */
export interface Pointer {
  readonly x: number;
  readonly y: number;
  readonly cpu: number;
  readonly ns: number;
}

/** What a mark has under the pointer. */
export interface Found {
  /** From the pointer to the drawn shape, CSS px: at most REACH_PX. */
  readonly away: number;
  /** The nearest one, the heading first. */
  readonly lines: readonly string[];
  /** How many lie within reach, the nearest included. */
  readonly count: number;
  /** What the nearest one is, for the rule of the kernel behind it. */
  readonly about: About;
}

/** A colour of the theme by its name. */
export type ColourKey = {
  [key in keyof TimelineTheme]: TimelineTheme[key] extends string ? key : never;
}[keyof TimelineTheme];

/** How a mark is drawn where there are many. */
export interface Detail {
  /** Up to so many in sight, each is drawn in full. */
  readonly most: number;
  /** What becomes of more. A hidden mark is still found, counted and spoken. */
  readonly beyond: "bundled" | "shares" | "smaller" | "one a pixel" | "hidden";
}

export interface Mark {
  /** Names the mark in tests and links: "ipi". */
  readonly id: string;
  /** Several of them: "IPIs". */
  readonly plural: string;
  /** The plural on a chip, beside its number: at most SHORT_MAX letters. */
  readonly short: string;
  /** The word beside the number 1. */
  readonly shortOne: string;
  /**
   * The index: kinds of the trace rows that the model keeps for it. Empty for what is no part of
   * the trace.
   */
  readonly kinds: readonly number[];
  /** The theme's colours that it is drawn in, the most important first. */
  readonly colours: readonly ColourKey[];
  readonly legend: readonly LegendEntry[];
  readonly detail: Detail;
  /** How many show in [fromNs, toNs]: an upper bound, cheap. */
  readonly countIn: (run: Run, fromNs: number, toNs: number) => number;
  /**
   * How many are in [fromNs, toNs): exact up to COUNTED_MAX. Above it, or where more than
   * LOOKED_FOR_MAX may be in view, some number greater than COUNTED_MAX.
   */
  readonly count: (run: Run, fromNs: number, toNs: number) => number;
  readonly draw: (context: CanvasRenderingContext2D, scene: Scene, labels: LabelLayer) => void;
  /**
   * Draws the marks that are on their way at `ns`. A flight shorter than `leastNs` is drawn as if
   * it took `leastNs`, up to its end.
   */
  readonly fly?: (
    context: CanvasRenderingContext2D,
    scene: Scene,
    ns: number,
    leastNs: number,
  ) => void;
  /** The nearest one no further than REACH_PX from the pointer, at any zoom. */
  readonly hit: (scene: Scene, at: Pointer) => Found | undefined;
  /** Says in words what holds, or happens, on each CPU at `ns`. */
  readonly speak: (run: Run, ns: number, say: (cpu: number, words: string) => void) => void;
  /** The next instant after `ns` at which it happens on `cpu`, or the last one before. */
  readonly step: (run: Run, cpu: number, ns: number, later: boolean) => number | undefined;
}

/** Letters of a chip's name. */
export const SHORT_MAX = 12;

/** Above this number, marks are not counted one by one. */
export const COUNTED_MAX = 5000;
/** Above this number of rows in view, marks are not looked for. */
export const LOOKED_FOR_MAX = 40_000;

/** Marks are wider than a pixel: a point up to this far beside a mark hits it, CSS px. */
export const REACH_PX = 4;

/** `42`, `CPU 42`: how every mark names a CPU. */
export function cpuWords(cpu: number): string {
  return `CPU ${String(cpu)}`;
}

/** Whether a run's scenario speaks of no such marks. */
export function isAside({ asides = [] }: Run, id: string): boolean {
  return asides.includes(id);
}
