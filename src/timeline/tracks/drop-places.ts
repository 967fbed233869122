// Where drops under way lie between the tanks and the lanes, CSS px: for the layer over the page's
// timeline and for pictures and films.

import { formatNs } from "../../lib/format.ts";
import type { LabelRoom } from "../draw/label-layer.ts";
import type { Plot } from "../plot/plot.ts";
import { barTop, xOf } from "../plot/plot.ts";
import type { Drop } from "./drops.ts";
import { dropsAt } from "./drops.ts";

/** Where things lie that drops go between, CSS px from one top. */
export interface Places {
  /** By group: the floor of its tank. */
  readonly floors: Readonly<Record<string, number>>;
  readonly lanes: number;
}

/** A drop where it is now, from the same top. */
export interface Placed {
  readonly drop: Drop;
  readonly way: Way;
  readonly share: number;
  readonly x: number;
  readonly y: number;
  readonly words: string | undefined;
}

/** The drops at `ns` whose event is in sight. `still`: each where it arrives. */
export function placedDrops(
  plot: Plot,
  paths: readonly string[],
  ns: number,
  places: Places,
  still: boolean,
): readonly Placed[] {
  return dropsAt(plot.trace, paths, ns, plot.viewport).flatMap((drop) =>
    placed(drop, plot, places, still),
  );
}

function placed(drop: Drop, plot: Plot, places: Places, still: boolean): Placed[] {
  const x = xOf(plot, drop.atNs);
  if (x < plot.gutter || x > plot.width) return [];
  const way = wayOf(drop, plot, places);
  const share = still ? 1 : drop.progress;
  return [{ drop, way, share, x, y: way.from + (way.to - way.from) * share, words: wordsOf(drop) }];
}

/** Between a drop and its words, CSS px. */
export const WORDS_GAP_PX = 4;

/**
 * Drops whose words find room, and whether the words are left of the drop: findings before the
 * rest, then those that hold most. Words lie above each other, right of the drop unless they would
 * pass the edge, and never on words of the lanes. `lanes`: where those begin, from the drops' top.
 */
export function withRoom(
  drops: readonly Placed[],
  { width, gutter, theme }: Plot,
  lanes: number,
  room: LabelRoom,
): ReadonlyMap<Placed, boolean> {
  const weight = ({ drop }: Placed): number => (drop.kind === "double" ? Infinity : drop.amountNs);
  const tall = theme.fontPx * 1.3;
  const named = new Map<Placed, boolean>();
  for (const each of [...drops].sort(
    (one, other) => weight(other) - weight(one) || other.y - one.y,
  )) {
    const { x, y, words, drop } = each;
    if (words === undefined || [...named.keys()].some((other) => Math.abs(other.y - y) < tall))
      continue;
    const away = sizeOf(drop.amountNs, theme.fontPx) + WORDS_GAP_PX;
    const fits = (isLeft: boolean): boolean => {
      const left = isLeft ? x - away - room.widthOf(words) : x + away;
      const right = left + room.widthOf(words);
      return (
        left >= gutter &&
        right <= width &&
        room.isFree(left, right, y - lanes - tall / 2, y - lanes + tall / 2)
      );
    };
    const side = [false, true].find(fits);
    if (side !== undefined) named.set(each, side);
  }
  return named;
}

export interface Way {
  readonly from: number;
  readonly to: number;
}

/** How far a lost drop sinks, CSS px. */
const LOST_PX = 26;

function wayOf({ kind, group, cpu }: Drop, plot: Plot, { floors, lanes }: Places): Way {
  const row = plot.rows.rowOfCpu[cpu] ?? plot.rows.stripOfCpu?.[cpu];
  // A lane that is scrolled out of sight is above or below the picture.
  const inLanes = row === undefined ? 0 : Math.max(0, Math.min(plot.height, barTop(plot, row)));
  const cpuY = lanes + inLanes;
  const poolY = floors[group] ?? lanes;
  switch (kind) {
    case "return":
      return { from: cpuY, to: poolY };
    case "expire":
      return { from: poolY - LOST_PX, to: poolY };
    case "lose":
      return { from: cpuY, to: cpuY + LOST_PX };
    default:
      return { from: poolY, to: cpuY };
  }
}

/** Half the width of a drop with a slice, of the smallest and of the largest drop, at 11 px. */
const SLICE_PX = 6;
const LEAST_PX = 2.5;
const MOST_PX = 12;

/** A drop is as large as what it holds: its size is the root of it. CSS px. */
export function sizeOf(amountNs: number, fontPx: number): number {
  const px = SLICE_PX * Math.sqrt(amountNs / 5_000_000);
  return Math.max(LEAST_PX, Math.min(MOST_PX, px)) * (fontPx / 11);
}

function wordsOf({ kind, amountNs, count }: Drop): string | undefined {
  const many = count > 1 ? `${String(count)}×, ` : "";
  if (kind === "double") return `finding: ${many}${formatNs(amountNs, 2)} spent twice`;
  return amountNs > 0 ? `${many}${formatNs(amountNs, 2)}` : undefined;
}
