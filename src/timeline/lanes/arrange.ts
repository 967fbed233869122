// The lanes of a machine as a viewer arranged them: kept on top, sorted, or gathered in groups that
// fold. Pure.

import { CPU_STATE, CPU_STATES } from "../../engine/gen/catalogue.ts";
import { rangeWords } from "../../lib/ranges.ts";
import { GroupLane } from "../../model/trace/group-lane.ts";
import type { TraceStore } from "../../model/index.ts";
import type { Choice } from "./choice.ts";
import { readChoice } from "./choice.ts";
import type { Fold, LaneRow, LaneRows, Lay } from "../plot/lane-rows.ts";
import { assembled, laneRow, layRows, pinnedRows, withInterest } from "../plot/lane-rows.ts";
import { sequenceOf } from "./sorts.ts";

/** Above this number of CPUs lanes are gathered in groups, unless the viewer wants them flat. */
export const FLAT_MAX = 128;
/** CPUs of a group where the machine is one package. */
const BLOCK = 32;
const STRIP = { least: 8, most: 24 } as const;
const OPEN_LANE = { least: 6, most: 16 } as const;
/**
 * Least height for the lanes of a group that was just unfolded, CSS px: they must be seen, although
 * the strips take the room.
 */
const OPEN_PX = 96;

interface Group {
  readonly cpus: readonly number[];
  readonly label: string;
  /** "package 3, "; "" where the machine is one package. */
  readonly name: string;
}

export interface Arranged {
  readonly choice: Choice;
  /** Whether there are strips. */
  readonly grouped: boolean;
  /** By index; also where they are not shown. */
  readonly groups: readonly Group[];
  readonly lay: Lay;
}

/** Packages, whose CPUs share a last-level cache; blocks of CPUs where all are one package. */
export function groupsOf(cpus: number, packageSize = cpus): readonly Group[] {
  const isPackages = packageSize < cpus;
  const size = isPackages ? packageSize : BLOCK;
  return Array.from({ length: Math.ceil(cpus / size) }, (_, index) => {
    const own = Array.from(
      { length: Math.min(size, cpus - index * size) },
      (__, at) => index * size + at,
    );
    return isPackages
      ? { cpus: own, label: `p${String(index)}`, name: `package ${String(index)}, ` }
      : { cpus: own, label: `${String(index * size)}+`, name: "" };
  });
}

/**
 * `pins`: rows of interest where lanes are small. `wanted`: CPUs that must be seen although their
 * groups may be folded, the first most of all. Runs that are still computed keep the order of
 * numbers.
 */
export function arrange(
  text: string,
  traces: readonly TraceStore[],
  done: boolean,
  pins: readonly number[],
  wanted: readonly number[] = [],
): Arranged {
  const choice = readChoice(text);
  const cpus = Math.max(0, ...traces.map(({ lanes }) => lanes.length));
  // A machine of one package, however small, says nothing of another one's packages.
  const sizes = traces.flatMap(({ shape, lanes }) =>
    (shape.package_size ?? Infinity) < lanes.length ? [shape.package_size ?? cpus] : [],
  );
  const groups = groupsOf(cpus, Math.min(cpus, ...sizes));
  const grouped =
    choice.sort === "number" && (choice.grouped ?? cpus > FLAT_MAX) && groups.length > 1;
  const kept = choice.pins.filter((cpu) => cpu < cpus);
  if (!grouped) {
    const sequence = done ? sequenceOf(choice.sort, traces) : undefined;
    return { choice, grouped, groups, lay: flat(kept, pins, sequence, cpus) };
  }
  const folded = (cpu: number): boolean =>
    groups.some((group, index) => group.cpus.includes(cpu) && !choice.open.includes(index));
  const first = [...wanted.filter(folded), ...pins];
  return {
    choice,
    grouped,
    groups,
    lay: (own, px) => layGroups(own, px, withInterest(kept, first, px), groups, choice.open),
  };
}

function flat(
  kept: readonly number[],
  pins: readonly number[],
  sequence: readonly number[] | undefined,
  most: number,
): Lay {
  return (cpus, px) => {
    const rows = layRows(cpus, px, pins, { kept, sequence, most: Math.max(cpus, most) });
    return sequence === undefined ? rows : { ...rows, sorted: true };
  };
}

/**
 * Groups lie at one place on all sides; a strip is of the CPUs that this machine of `cpus` has of
 * its group.
 */
function layGroups(
  cpus: number,
  availablePx: number,
  pins: readonly number[],
  groups: readonly Group[],
  unfolded: readonly number[],
): LaneRows {
  const top = pinnedRows(cpus, pins);
  const lanes = groups.reduce(
    (sum, group, index) => sum + (unfolded.includes(index) ? group.cpus.length : 0),
    0,
  );
  const room = availablePx - top.px;
  const strip = clamp(Math.floor((lanes === 0 ? room : room - OPEN_PX) / groups.length), STRIP);
  const lane = clamp(Math.floor((room - groups.length * strip) / Math.max(1, lanes)), OPEN_LANE);
  const below: LaneRow[] = [];
  const strips: LaneRow[] = [];
  let at = top.px;
  for (const [index, group] of groups.entries()) {
    const open = unfolded.includes(index);
    const own = group.cpus.filter((cpu) => cpu < cpus);
    if (own.length > 0) {
      const row = stripRow(foldOf({ ...group, cpus: own }, index, groups.length, open), at, strip);
      below.push(row);
      for (const cpu of own) strips[cpu] = row;
    }
    at += strip;
    if (!open) continue;
    for (const cpu of own) below.push(laneRow(cpu, at + (cpu - (own[0] ?? 0)) * lane, lane, false));
    at += group.cpus.length * lane;
  }
  return { ...assembled(cpus, top, below, at), stripOfCpu: strips };
}

/** No shelf: waits of many tasks over each other would say nothing. */
export function stripRow(fold: Fold, top: number, height: number): LaneRow {
  return {
    cpu: fold.cpus[0] ?? 0,
    top,
    height,
    shelfHeight: 0,
    barTop: top + 1,
    barHeight: height - 2,
    pinned: false,
    fold,
  };
}

function clamp(
  px: number,
  { least, most }: { readonly least: number; readonly most: number },
): number {
  return Math.max(least, Math.min(most, px));
}

const sums = new WeakMap<TraceStore, Map<string, GroupLane>>();

/** What the CPUs of a strip do together; `groups`: how many strips there are. */
export function laneOf(trace: TraceStore, cpus: readonly number[], groups: number): GroupLane {
  const own = sums.get(trace) ?? new Map<string, GroupLane>();
  sums.set(trace, own);
  const key = `${String(cpus[0])} ${String(cpus.length)}`;
  const known = own.get(key);
  if (known !== undefined) return known;
  const lanes = cpus.flatMap((cpu) => trace.lanes[cpu] ?? []);
  const made = new GroupLane(lanes, trace.shape.duration_ns, groups);
  own.set(key, made);
  return made;
}

function foldOf({ cpus, label, name }: Group, group: number, groups: number, open: boolean): Fold {
  const words = `${name}CPUs ${rangeWords(cpus)}`;
  return {
    group,
    cpus,
    open,
    label: `${open ? "▾" : "▸"}${label}`,
    sample: (trace, fromNs, toNs, pixels, out) =>
      laneOf(trace, cpus, groups).sample(fromNs, toNs, pixels, trace.endNs, out),
    say: (trace, ns) => [
      `${words}: ${open ? "unfolded" : "folded"}, a click ${open ? "folds" : "unfolds"}`,
      mixWords(trace, cpus, ns),
    ],
  };
}

/** "28 of 32 idle, 3 user, 1 spin". */
export function mixWords(trace: TraceStore, cpus: readonly number[], ns: number): string {
  const counts = new Map<number, number>();
  for (const cpu of cpus) {
    const state = trace.cpuAt(cpu, ns)?.state ?? CPU_STATE.Idle;
    counts.set(state, (counts.get(state) ?? 0) + 1);
  }
  const most = [...counts].sort(([, one], [, other]) => other - one);
  return most
    .map(
      ([state, count], at) =>
        `${String(count)}${at === 0 ? ` of ${String(cpus.length)}` : ""} ${CPU_STATES[state]?.name ?? ""}`,
    )
    .join(", ");
}

/**
 * The rows pressed together until all are in `px` CSS px, none lower than a pixel; pinned ones keep
 * their height.
 */
export function fitted(rows: LaneRows, px: number): LaneRows {
  const { pinnedPx, height } = rows;
  if (height <= px) return rows;
  const lowest = Math.min(...rows.rows.map((row) => (row.pinned ? Infinity : row.height)));
  const share = Math.min(1, Math.max(1 / lowest, (px - pinnedPx) / (height - pinnedPx)));
  const low = new Map(
    rows.rows.map((row) => [row, row.pinned ? row : pressed(row, pinnedPx, share)]),
  );
  const at = (row: LaneRow): LaneRow => low.get(row) ?? row;
  return {
    ...rows,
    rows: rows.rows.map(at),
    height: pinnedPx + (height - pinnedPx) * share,
    rowOfCpu: rows.rowOfCpu.map((row) => row && at(row)),
    ...(rows.stripOfCpu === undefined ? {} : { stripOfCpu: rows.stripOfCpu.map(at) }),
  };
}

function pressed(row: LaneRow, from: number, share: number): LaneRow {
  const [top, height] = [from + (row.top - from) * share, row.height * share];
  if (row.fold === undefined) return laneRow(row.cpu, top, height, false);
  return {
    ...row,
    top,
    height,
    barTop: top + (row.barTop - row.top) * share,
    barHeight: row.barHeight * share,
  };
}
