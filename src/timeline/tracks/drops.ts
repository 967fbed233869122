// Run time on its way between a group's pool and its CPUs, as drops: which of them are under way at
// an instant, and how far. A function of the trace and the playhead alone, so that playing, pausing
// and stepping show the same. Must not know pixels.

import { KIND } from "../../engine/gen/catalogue.ts";
import type { GroupTrack, TraceStore } from "../../model/index.ts";
import type { Viewport } from "../plot/timeline-props.ts";

/**
 * `take`: pool to CPU. `give`: a distribution's step, pool to a throttled CPU. `return`: CPU to
 * pool. `expire`: the pool's, lost. `lose`: a CPU's, too old, lost. `double`: handed out though the
 * pool no longer had it, a finding.
 */
export type DropKind = "take" | "give" | "return" | "expire" | "lose" | "double";

/** One drop, or several of a kind that are drawn as one. */
export interface Drop {
  readonly kind: DropKind;
  /** Path of the group. */
  readonly group: string;
  /** The CPU it goes to or comes from; for several drops, the one in the middle. */
  readonly cpu: number;
  /** When it set out; of several drops their mean. */
  readonly atNs: number;
  /** Run time of all of them together. */
  readonly amountNs: number;
  readonly count: number;
  /** How far it is on its way, 0 to 1. */
  readonly progress: number;
}

/** Share of the picture that passes under the playhead while a drop is on its way. */
const FLIGHT_SHARE = 0.05;
/** Above this number, neighbouring drops of a kind fly as one. */
export const SINGLE_MAX = 40;
/** CPUs are gathered into so many parts then. */
const BLOCKS = 4;
/**
 * Rows read for one picture, at most: with more of them, drops are on their way for a shorter time.
 */
const ROWS_MAX = 20_000;

/**
 * How long a drop is on its way, ns of machine time: never so long that those of two periods are
 * under way together.
 */
export function flightNs({ fromNs, toNs }: Viewport, periodNs: number): number {
  return Math.max(
    1,
    Math.min((toNs - fromNs) * FLIGHT_SHARE, periodNs === 0 ? Infinity : periodNs / 2),
  );
}

/** The drops under way at `ns` for the groups at `paths`; at most some dozens. */
export function dropsAt(
  trace: TraceStore,
  paths: readonly string[],
  ns: number,
  viewport: Viewport,
): readonly Drop[] {
  if (ns > trace.endNs) return [];
  const tracks = trace.quota.limited.filter(({ info }) => paths.includes(info.path));
  const period = Math.min(...tracks.map((track) => track.limitAt(ns).periodNs || Infinity));
  let flight = flightNs(viewport, Number.isFinite(period) ? period : 0);
  const rows = (): number =>
    tracks.reduce((sum, track) => sum + countOf(track, ns - flight, ns), 0);
  while (rows() > ROWS_MAX) flight /= 2;
  const single = tracks.flatMap((track) => dropsOf(trace, track, ns, flight));
  return single.length <= SINGLE_MAX ? single : gathered(single, trace.lanes.length, ns, flight);
}

/** Time is whole ns: the rows of (fromNs, toNs]. */
function countOf({ moves, losses, doubles }: GroupTrack, fromNs: number, toNs: number): number {
  return [moves, losses, doubles].reduce(
    (sum, list) => sum + list.countIn(fromNs + 1, toNs + 1),
    0,
  );
}

function dropsOf(
  { events }: TraceStore,
  { moves, losses, doubles, info }: GroupTrack,
  ns: number,
  flight: number,
): Drop[] {
  return [moves, losses, doubles].flatMap((list) =>
    [...list.listIn(ns - flight + 1, ns + 1)].flatMap((row) => {
      const kind = kindOf(events.kind.at(row));
      const atNs = events.time.at(row);
      if (kind === undefined) return [];
      return [
        {
          kind,
          group: info.path,
          cpu: events.cpu.at(row),
          atNs,
          amountNs: events.b.at(row),
          count: 1,
          progress: (ns - atNs) / flight,
        },
      ];
    }),
  );
}

function kindOf(kind: number): DropKind | undefined {
  switch (kind) {
    case KIND.BwTake:
      return "take";
    case KIND.BwStep:
      return "give";
    case KIND.BwReturn:
      return "return";
    case KIND.BwExpire:
      return "expire";
    case KIND.BwExpireSilo:
    case KIND.BwDrop:
      return "lose";
    case KIND.BwDoubleSpend:
      return "double";
    default:
      return undefined;
  }
}

/** One drop for all drops of a group, a kind and a part of the machine. */
function gathered(
  drops: readonly Drop[],
  cpus: number,
  ns: number,
  flight: number,
): readonly Drop[] {
  const size = Math.max(1, Math.ceil(cpus / BLOCKS));
  const piles = new Map<string, Drop[]>();
  for (const drop of drops) {
    const key = `${drop.group} ${drop.kind} ${String(Math.floor(drop.cpu / size))}`;
    const pile = piles.get(key);
    if (pile === undefined) piles.set(key, [drop]);
    else pile.push(drop);
  }
  return [...piles.values()].flatMap((pile) => {
    const [first] = pile;
    if (first === undefined) return [];
    const sum = (of: (drop: Drop) => number): number =>
      pile.reduce((total, drop) => total + of(drop), 0);
    const atNs = Math.round(sum((drop) => drop.atNs) / pile.length);
    const cpu =
      pile.map((drop) => drop.cpu).sort((one, other) => one - other)[Math.floor(pile.length / 2)] ??
      first.cpu;
    return [
      {
        ...first,
        cpu,
        atNs,
        amountNs: sum((drop) => drop.amountNs),
        count: pile.length,
        progress: (ns - atNs) / flight,
      },
    ];
  });
}
