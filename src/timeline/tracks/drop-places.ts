// Where drops under way lie between the tanks and the lanes, CSS px: for the layer over the page's timeline and for pictures and films.

import { formatNs } from "../../lib/format.ts";
import type { Plot } from "../draw/plot.ts";
import { barTop, xOf } from "../draw/plot.ts";
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
export function placedDrops(plot: Plot, paths: readonly string[], ns: number, places: Places, still: boolean): readonly Placed[] {
  return dropsAt(plot.trace, paths, ns, plot.viewport).flatMap((drop) => placed(drop, plot, places, still));
}

function placed(drop: Drop, plot: Plot, places: Places, still: boolean): Placed[] {
  const x = xOf(plot, drop.atNs);
  if (x < plot.gutter || x > plot.width) return [];
  const way = wayOf(drop, plot, places);
  const share = still ? 1 : drop.progress;
  return [{ drop, way, share, x, y: way.from + (way.to - way.from) * share, words: wordsOf(drop) }];
}

/** Whose words fit above each other: findings before the rest, then those that hold most. */
export function withRoom(drops: readonly Placed[], fontPx: number): ReadonlySet<Placed> {
  const weight = ({ drop }: Placed): number => (drop.kind === "double" ? Infinity : drop.amountNs);
  const named: Placed[] = [];
  for (const each of [...drops].sort((one, other) => weight(other) - weight(one) || other.y - one.y)) {
    if (each.words !== undefined && named.every(({ y }) => Math.abs(y - each.y) >= fontPx * 1.3)) named.push(each);
  }
  return new Set(named);
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

/** A drop is as large as the root of what it holds; a slice of 5 ms is of middle size. */
export function sizeOf(amountNs: number, fontPx: number): number {
  return Math.max(2.5, Math.min(7, 4.5 * Math.sqrt(amountNs / 5_000_000))) * (fontPx / 11);
}

function wordsOf({ kind, amountNs, count }: Drop): string | undefined {
  const many = count > 1 ? `${String(count)}×, ` : "";
  if (kind === "double") return `finding: ${many}${formatNs(amountNs, 2)} spent twice`;
  return count > 1 ? `${many}${formatNs(amountNs, 2)}` : undefined;
}
