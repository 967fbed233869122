// The one layer of words over the lanes. Whatever draws asks for words by place and rank; when all
// have asked, the most important are placed first and no two overlap: what finds no room at its
// place, above it or below it, is left to the tooltip. A count stays on its lane, and a word beside
// which the same word is written already is not written over or under it: the two would read as one
// pile.

import type { Plot } from "../plot/plot.ts";

/**
 * Order of placing: what the viewer chose, what was done to the run, then marks, those that explain
 * most first.
 */
export const RANK = {
  Selection: 0,
  Change: 1,
  Finding: 2,
  Move: 3,
  Kick: 4,
  Throttle: 5,
  Count: 6,
  Flag: 7,
  Point: 8,
  Interrupt: 9,
  Task: 10,
} as const;
export type Rank = (typeof RANK)[keyof typeof RANK];

interface Asked {
  text: string;
  x: number;
  y: number;
  width: number;
  colour: string;
  rank: Rank;
  /**
   * Colour behind words that may not leave their bar; empty for words that may move and lie on
   * the background.
   */
  plate: string;
}

/** Where words are to lie: from `left`, with their middle at `y`. */
interface Box {
  readonly left: number;
  readonly y: number;
  readonly width: number;
  readonly tall: number;
}

/** Heights of the strips that placed words are kept by, CSS px. */
const BAND_PX = 24;
/** Between words side by side, CSS px. */
const GAP_PX = 4;
/**
 * Words of marks that are alike but for their numbers ("push", "12 IPIs"): so many are written. The
 * legend names them all, and more would hide what they name.
 */
const ALIKE_MAX = 3;
/** Words kept with their width: names come back in every frame. */
const WIDTHS_MAX = 4000;

/** The part of the layer that words over its canvas need. */
export interface LabelRoom {
  /** Width of some words as the layer writes them, CSS px. */
  widthOf: (text: string) => number;
  /** Whether no word lies in a box, CSS px from the canvas' left upper corner. */
  isFree: (left: number, right: number, top: number, bottom: number) => boolean;
}

/** One per canvas: its lists are used again in each frame. */
export class LabelLayer implements LabelRoom {
  private readonly asked: Asked[] = [];
  private count = 0;
  /** By strip: left, right, top, bottom of the words there. */
  private readonly bands: number[][] = [];
  /** By word: left and middle of each that is written. */
  private readonly places = new Map<string, number[]>();
  private readonly widths = new Map<string, number>();
  private font = "";
  private context: CanvasRenderingContext2D | undefined;
  /** While true, words that are asked for are dropped. */
  private hushed = false;
  private readonly listeners = new Set<() => void>();
  private times = 0;

  /** Called each time that words were placed. */
  readonly listen = (heard: () => void): (() => void) => {
    this.listeners.add(heard);
    return () => this.listeners.delete(heard);
  };

  /** How many times words were placed. */
  readonly placings = (): number => this.times;

  /** Words asked for from now on are left out, or taken again. */
  hush(hushed: boolean): void {
    this.hushed = hushed;
  }

  /** Begins a frame: the words of the last frame are forgotten. */
  begin(context: CanvasRenderingContext2D, plot: Plot): void {
    this.count = 0;
    this.places.clear();
    // forEach leaves out strips in which no word ever lay.
    this.bands.forEach((band) => {
      band.length = 0;
    });
    const font = labelFont(plot.theme.fontPx);
    if (this.font !== font || this.widths.size > WIDTHS_MAX) this.widths.clear();
    this.font = context.font = font;
    this.context = context;
  }

  /** Width of some words as this layer writes them, CSS px. */
  widthOf(text: string): number {
    const known = this.widths.get(text);
    if (known !== undefined) return known;
    if (this.context === undefined) return 0;
    this.context.font = this.font;
    const { width } = this.context.measureText(text);
    this.widths.set(text, width);
    return width;
  }

  /** Asks for words that begin at `x` with their middle at `y`. */
  add(text: string, x: number, y: number, colour: string, rank: Rank, plate = ""): void {
    if (this.hushed) return;
    const slot = (this.asked[this.count] ??= { text, x, y, width: 0, colour, rank, plate });
    slot.text = text;
    slot.x = x;
    slot.y = y;
    slot.width = this.widthOf(text);
    slot.colour = colour;
    slot.rank = rank;
    slot.plate = plate;
    this.count += 1;
  }

  /**
   * Places and writes the words asked for, those in `faint` rows with less ink; returns how many
   * found room.
   */
  write(
    context: CanvasRenderingContext2D,
    plot: Plot,
    faint: readonly { readonly top: number; readonly bottom: number }[] = [],
  ): number {
    const { fontPx } = plot.theme;
    context.font = this.font;
    context.textBaseline = "middle";
    context.textAlign = "left";
    let written = 0;
    const asked = this.asked.slice(0, this.count);
    const repeated = repeats(asked, (plot.gutter + plot.width) / 2);
    for (const each of asked.sort(byRank)) {
      if (repeated.has(each)) continue;
      const left = Math.max(plot.gutter + 2, Math.min(each.x, plot.width - each.width - 3));
      if (each.plate !== "" && left !== each.x) continue;
      const moves = each.plate === "" && each.rank !== RANK.Count;
      const box = { left, y: each.y, width: each.width, tall: fontPx + 2 };
      const y = this.roomFor(
        box,
        moves ? plot.height : Infinity,
        moves && !this.isTwin(each.text, box),
      );
      if (y === undefined) continue;
      this.keepPlace(each.text, left, y);
      const isFaint =
        each.rank > RANK.Finding &&
        faint.some(({ top, bottom }) => top <= each.y && each.y < bottom);
      writePlate(context, plot, each, left, y, isFaint ? FAINT_INK : 1);
      written += 1;
    }
    this.times += 1;
    for (const heard of this.listeners) heard();
    return written;
  }

  /** Whether the same word lies beside, above or below the place that is asked for. */
  private isTwin(text: string, { left, y, width, tall }: Box): boolean {
    const places = this.places.get(text) ?? [];
    for (let at = 0; at < places.length; at += 2)
      if (
        Math.abs((places[at] ?? 0) - left) < width + GAP_PX &&
        Math.abs((places[at + 1] ?? 0) - y) < 2 * tall
      )
        return true;
    return false;
  }

  private keepPlace(text: string, left: number, y: number): void {
    const places = this.places.get(text);
    if (places === undefined) this.places.set(text, [left, y]);
    else places.push(left, y);
  }

  /**
   * The height at which words fit inside `height`: their own, else, if they may move, a line above
   * or below.
   */
  private roomFor(
    { left, y, width, tall }: Box,
    height: number,
    moves: boolean,
  ): number | undefined {
    const right = left + width;
    for (const at of moves ? [y, y - tall, y + tall] : [y]) {
      const inside = Math.min(Math.max(at, tall / 2), Math.max(tall / 2, height - tall / 2));
      if (this.isFree(left, right, inside - tall / 2, inside + tall / 2)) {
        this.take(left, right, inside - tall / 2, inside + tall / 2);
        return inside;
      }
    }
    return undefined;
  }

  isFree(left: number, right: number, top: number, bottom: number): boolean {
    for (let band = bandOf(top); band <= bandOf(bottom); band += 1) {
      const taken = this.bands[band] ?? [];
      for (let at = 0; at < taken.length; at += 4) {
        const apart = left >= (taken[at + 1] ?? 0) + GAP_PX || right + GAP_PX <= (taken[at] ?? 0);
        if (!apart && top < (taken[at + 3] ?? 0) && bottom > (taken[at + 2] ?? 0)) return false;
      }
    }
    return true;
  }

  private take(left: number, right: number, top: number, bottom: number): void {
    for (let band = bandOf(top); band <= bandOf(bottom); band += 1)
      (this.bands[band] ??= []).push(left, right, top, bottom);
  }
}

function bandOf(y: number): number {
  return Math.max(0, Math.floor(y / BAND_PX));
}

function byRank(one: Asked, other: Asked): number {
  return one.rank - other.rank || one.x - other.x;
}

export function labelFont(fontPx: number): string {
  return `600 ${String(fontPx - 1)}px ui-sans-serif, system-ui, sans-serif`;
}

/** Share of their ink that the words of faint rows keep. */
const FAINT_INK = 0.4;

function writePlate(
  context: CanvasRenderingContext2D,
  { theme }: Plot,
  { text, width, colour, plate }: Asked,
  x: number,
  y: number,
  ink = 1,
): void {
  context.fillStyle = plate === "" ? theme.background : plate;
  context.globalAlpha = (plate === "" ? 0.85 : 1) * ink;
  context.fillRect(x - 2, y - theme.fontPx / 2, width + 4, theme.fontPx);
  context.globalAlpha = ink;
  context.fillStyle = colour;
  context.fillText(text, x, y + 0.5);
  context.globalAlpha = 1;
}

/** Words at once, on a strip that has few of them and no layer. */
export function writeLabel(
  context: CanvasRenderingContext2D,
  plot: Plot,
  text: string,
  x: number,
  y: number,
  colour: string,
): void {
  context.font = labelFont(plot.theme.fontPx);
  context.textBaseline = "middle";
  context.textAlign = "left";
  const { width } = context.measureText(text);
  writePlate(context, plot, { text, x, y, width, colour, rank: RANK.Task, plate: "" }, x, y);
}

/** Words of marks that say what enough others say; those nearest to `middle` are kept. */
function repeats(asked: readonly Asked[], middle: number): ReadonlySet<Asked> {
  const byWord = new Map<string, Asked[]>();
  for (const each of asked) {
    if (each.rank <= RANK.Finding || each.rank === RANK.Task || each.plate !== "") continue;
    const word = each.text.replace(/\d+/g, "");
    const alike = byWord.get(word);
    if (alike === undefined) byWord.set(word, [each]);
    else alike.push(each);
  }
  const far = (each: Asked): number => Math.abs(each.x - middle);
  return new Set(
    [...byWord.values()].flatMap((alike) =>
      alike.length <= ALIKE_MAX
        ? []
        : alike.sort((one, other) => far(one) - far(other)).slice(ALIKE_MAX),
    ),
  );
}
