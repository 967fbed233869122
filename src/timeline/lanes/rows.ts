// Where each CPU's lane lies: heights by how many there are, pinned rows first. Pure geometry in CSS px.

/** One lane. `top` counts from the first lane's top, before scrolling. */
export interface LaneRow {
  readonly cpu: number;
  readonly top: number;
  readonly height: number;
  /** The shelf of hollow boxes above the bar; 0 high on rows too small for one. */
  readonly shelfHeight: number;
  readonly barTop: number;
  readonly barHeight: number;
  readonly pinned: boolean;
}

export interface LaneRows {
  readonly rows: readonly LaneRow[];
  readonly height: number;
  /** Index = CPU: its row, the pinned one if it has two. */
  readonly rowOfCpu: readonly LaneRow[];
}

/** Rows of one size class: as high as the room allows up to `height`; `least` is how far they shrink to spare the viewer a scroll bar. */
const CLASSES = [
  { cpus: 4, height: 64, least: 18 },
  { cpus: 16, height: 40, least: 16 },
  { cpus: 64, height: 16, least: 6 },
  { cpus: Infinity, height: 6, least: 2 },
] as const;
const PINNED_HEIGHT = 22;
const PIN_GAP = 6;

/** Rows for `cpus` CPUs, shrunk towards `availablePx` if that avoids scrolling; `pins` stand on top at full size when rows are small. */
export function layRows(cpus: number, availablePx: number, pins: readonly number[]): LaneRows {
  const size = CLASSES.find((entry) => cpus <= entry.cpus) ?? CLASSES[3];
  const shown = size.cpus === Infinity ? pins.filter((cpu) => cpu < cpus) : [];
  const pinnedPx = shown.length === 0 ? 0 : shown.length * PINNED_HEIGHT + PIN_GAP;
  const height = Math.max(size.least, Math.min(size.height, Math.floor((availablePx - pinnedPx) / cpus)));
  const pinned = shown.map((cpu, index) => laneRow(cpu, index * PINNED_HEIGHT, PINNED_HEIGHT, true));
  const plain = Array.from({ length: cpus }, (_, cpu) => laneRow(cpu, pinnedPx + cpu * height, height, false));
  const rowOfCpu = [...plain];
  for (const row of pinned) rowOfCpu[row.cpu] = row;
  return { rows: [...pinned, ...plain], height: pinnedPx + cpus * height, rowOfCpu };
}

/** The same with the pins as text: "0 57 84". */
export function rowsOf(cpus: number, availablePx: number, pins: string): LaneRows {
  return layRows(cpus, availablePx, pins === "" ? [] : pins.split(" ").map(Number));
}

function laneRow(cpu: number, top: number, height: number, pinned: boolean): LaneRow {
  const shelfHeight = height >= 18 ? Math.round(height * 0.25) : height >= 7 ? 2 : 0;
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

/** Rows that show between `scrollTop` and `scrollTop + viewPx`. */
export function rowsInView(rows: LaneRows, scrollTop: number, viewPx: number): readonly LaneRow[] {
  return rows.rows.filter((row) => row.top + row.height > scrollTop && row.top < scrollTop + viewPx);
}

/** The row under a point, `y` in the same space as `top`. */
export function rowAt(rows: LaneRows, y: number): LaneRow | undefined {
  return rows.rows.find((row) => y >= row.top && y < row.top + row.height);
}
