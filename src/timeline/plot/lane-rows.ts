// Where each CPU's lane lies: heights by how many there are, pinned rows first. Pure geometry in
// CSS px.

import type { TraceStore } from "../../model/index.ts";

/**
 * CPUs that share one row, the group's strip. A press folds or unfolds it, and while it is unfolded
 * their lanes follow it; a strip of what a step is not about stays as it is (`fixed`).
 */
export interface Fold {
  readonly fixed?: boolean;
  readonly group: number;
  /** Ascending. */
  readonly cpus: readonly number[];
  readonly open: boolean;
  /** At the edge: "p3". */
  readonly label: string;
  /** What its CPUs do together: ns per channel of each pixel, as `CpuLane.sample`. */
  readonly sample: (
    trace: TraceStore,
    fromNs: number,
    toNs: number,
    pixels: number,
    out: Float32Array,
  ) => void;
  /** In words, at an instant: the group, then what its CPUs do. */
  readonly say: (trace: TraceStore, ns: number) => readonly string[];
}

/** One lane, or the strip of a group. `top` counts from the first lane's top, before scrolling. */
export interface LaneRow {
  /** The first CPU where the row is a group's strip. */
  readonly cpu: number;
  readonly top: number;
  readonly height: number;
  /** The shelf of hollow boxes above the bar; 0 high on rows too small for one. */
  readonly shelfHeight: number;
  readonly barTop: number;
  readonly barHeight: number;
  readonly pinned: boolean;
  readonly fold?: Fold;
}

export interface LaneRows {
  readonly rows: readonly LaneRow[];
  readonly height: number;
  /** What the pinned rows take at the top, CSS px. */
  readonly pinnedPx: number;
  /** Index = CPU: its row, the pinned one if it has two; none while its group is folded. */
  readonly rowOfCpu: readonly (LaneRow | undefined)[];
  /** Index = CPU: the strip of its group, where there are groups. */
  readonly stripOfCpu?: readonly LaneRow[];
  /** The lanes are not in order of their numbers. */
  readonly sorted?: boolean;
}

/** Lays out the lanes of a machine of so many CPUs in so many CSS px. */
export type Lay = (cpus: number, availablePx: number) => LaneRows;

/**
 * Rows of one size class: as high as the room allows up to `height`; `least` is how far they shrink
 * to spare the viewer a scroll bar.
 */
const CLASSES = [
  { cpus: 4, height: 104, least: 18 },
  { cpus: 16, height: 72, least: 16 },
  { cpus: 64, height: 20, least: 6 },
  { cpus: Infinity, height: 6, least: 2 },
] as const;
const PINNED_HEIGHT = 22;
const PIN_GAP = 6;
/** Rows of interest leave so much of the room to the others. */
const INTEREST_SHARE = 0.45;

/** What all sides have in common, so that their rows are level. */
interface Common {
  /** CPUs that the viewer keeps on top. */
  readonly kept?: readonly number[];
  /** All CPUs from top to bottom; none: by their numbers. */
  readonly sequence?: readonly number[] | undefined;
  /** CPUs of the side that has most. */
  readonly most?: number;
  /** CPUs whose rows are three times as high as the others: what the step is about. */
  readonly tall?: ReadonlySet<number> | undefined;
  /** Rows grow up to this height to fill the room, CSS px; undefined: up to that of their class. */
  readonly fillPx?: number | undefined;
}

/**
 * Rows for `cpus` CPUs, shrunk towards `availablePx` if that avoids scrolling; `pins` lie on top
 * at full size when rows are small, `kept` always, before them. A CPU that this machine lacks
 * leaves its place empty: another side has it.
 */
export function layRows(
  cpus: number,
  availablePx: number,
  pins: readonly number[],
  { kept = [], sequence, most = cpus, tall, fillPx }: Common = {},
): LaneRows {
  const size = CLASSES.find((entry) => most <= entry.cpus) ?? CLASSES[3];
  if (tall !== undefined) {
    const rows = tallRows(cpus, availablePx, most, tall, fillPx);
    if (rows !== undefined) return rows;
  }
  const top = pinnedRows(
    cpus,
    size.cpus === Infinity ? withInterest(kept, pins, availablePx) : kept,
  );
  const height = Math.max(
    size.least,
    Math.min(fillPx ?? size.height, Math.floor((availablePx - top.px) / most)),
  );
  const plain = Array.from({ length: most }, (_, at) =>
    laneRow(sequence?.[at] ?? at, top.px + at * height, height, false),
  );
  const own = most === cpus ? plain : plain.filter(({ cpu }) => cpu < cpus);
  return assembled(cpus, top, own, top.px + most * height);
}

const TALL = 3;
/** The least height of the rows beside tall ones, and the greatest of a tall one, CSS px. */
const BESIDE_LEAST = 3;
const TALL_MAX = 84;

/** Rows in order, some of them tall; undefined where the others would be too small to see. */
function tallRows(
  cpus: number,
  availablePx: number,
  most: number,
  tall: ReadonlySet<number>,
  tallest = TALL_MAX,
): LaneRows | undefined {
  const unit = availablePx / (most + (TALL - 1) * tall.size);
  const height = Math.floor(Math.min(unit, tallest / TALL));
  if (height < BESIDE_LEAST) return undefined;
  const rows: LaneRow[] = [];
  let top = 0;
  for (let cpu = 0; cpu < most; cpu += 1) {
    const own = tall.has(cpu) ? TALL * height : height;
    if (cpu < cpus) rows.push(laneRow(cpu, top, own, false));
    top += own;
  }
  return assembled(cpus, { rows: [], px: 0 }, rows, top);
}

interface Top {
  readonly rows: readonly LaneRow[];
  readonly px: number;
}

/**
 * What the viewer keeps on top, and as many rows of interest as there is room for; at least one.
 */
export function withInterest(
  kept: readonly number[],
  pins: readonly number[],
  availablePx: number,
): readonly number[] {
  const most = Math.max(
    kept.length + 1,
    Math.floor((availablePx * INTEREST_SHARE) / PINNED_HEIGHT),
  );
  return [...new Set([...kept, ...pins])].slice(0, most);
}

/** The rows that stay on top, each CPU once. */
export function pinnedRows(cpus: number, pins: readonly number[]): Top {
  const rows = pins.flatMap((cpu, index) =>
    cpu < cpus ? [laneRow(cpu, index * PINNED_HEIGHT, PINNED_HEIGHT, true)] : [],
  );
  return { rows, px: pins.length === 0 ? 0 : pins.length * PINNED_HEIGHT + PIN_GAP };
}

export function assembled(
  cpus: number,
  top: Top,
  below: readonly LaneRow[],
  height: number,
): LaneRows {
  const rowOfCpu = new Array<LaneRow | undefined>(cpus).fill(undefined);
  for (const row of [...below, ...top.rows]) if (row.fold === undefined) rowOfCpu[row.cpu] = row;
  return { rows: [...top.rows, ...below], height, pinnedPx: top.px, rowOfCpu };
}

/**
 * Rows from this height on have a shelf, CSS px. On lower ones it would take the bar's texture:
 * spinning would lose its sawtooth in a row that is higher than one with it.
 */
export const SHELF_LEAST = 9;

export function laneRow(cpu: number, top: number, height: number, pinned: boolean): LaneRow {
  const shelfHeight = height >= 18 ? Math.round(height * 0.25) : height >= SHELF_LEAST ? 2 : 0;
  const gapBelow = height >= 18 ? 2 : height >= 3 ? 1 : 0;
  const gapShelf = shelfHeight === 0 ? 0 : 1;
  return {
    cpu,
    top,
    height,
    shelfHeight,
    barTop: top + shelfHeight + gapShelf,
    barHeight: height - shelfHeight - gapShelf - gapBelow,
    pinned,
  };
}

/**
 * The rows as they lie while the lanes are scrolled: pinned ones stay on top, and what would lie
 * under them is out of sight above.
 */
export function stuck(rows: LaneRows, scrollTop: number): LaneRows {
  const { pinnedPx } = rows;
  if (pinnedPx === 0 || scrollTop === 0) return rows;
  const moved = new Map<LaneRow, LaneRow>();
  for (const row of rows.rows) {
    const by = row.pinned ? scrollTop : row.top < scrollTop + pinnedPx ? -pinnedPx - row.height : 0;
    if (by !== 0) moved.set(row, { ...row, top: row.top + by, barTop: row.barTop + by });
  }
  const at = (row: LaneRow): LaneRow => moved.get(row) ?? row;
  return {
    ...rows,
    rows: rows.rows.map(at),
    rowOfCpu: rows.rowOfCpu.map((row) => row && at(row)),
    ...(rows.stripOfCpu === undefined ? {} : { stripOfCpu: rows.stripOfCpu.map(at) }),
  };
}

/** Rows that show between `scrollTop` and `scrollTop + viewPx`. */
export function rowsInView(rows: LaneRows, scrollTop: number, viewPx: number): readonly LaneRow[] {
  return rows.rows.filter(
    (row) => row.top + row.height > scrollTop && row.top < scrollTop + viewPx,
  );
}

/** The row under a point, `y` in the same space as `top`. */
export function rowAt(rows: LaneRows, y: number): LaneRow | undefined {
  return rows.rows.find((row) => y >= row.top && y < row.top + row.height);
}

/** The CPUs that a row shows. */
export function cpusOf({ cpu, fold }: LaneRow): readonly number[] {
  return fold === undefined ? [cpu] : fold.cpus;
}
