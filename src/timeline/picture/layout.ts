// Where everything lies in a picture that leaves the page: title, axis, side over side, the marks
// in view, and small in the corner where the picture comes from. Pure geometry in CSS px.

import { LabelLayer } from "../draw/labels.ts";
import type { TimelineTheme } from "../draw/theme.ts";
import { THEMES } from "../draw/theme.ts";
import type { Plot } from "../draw/plot.ts";
import { LANE_LEGEND } from "../lanes/swatches.ts";
import { arrange } from "../lanes/arrange.ts";
import { numbersOf } from "../lanes/use-lay.ts";
import type { Lay } from "../lanes/rows.ts";
import { stuck } from "../lanes/rows.ts";
import type { LegendEntry, Run, Scene } from "../marks/mark.ts";
import { marksIn } from "../marks/registry.ts";
import { lockLanePx, TASK_LANE_PX } from "../tracks/strips.tsx";
import type { Shown, ShownSide } from "../timeline.tsx";
import { shownOf, siloCpus } from "../timeline.tsx";
import type { ShownTank } from "../tracks/tank.tsx";
import { LOW_FROM, pathsOf, tanksOf } from "../tracks/tank.tsx";
import { TANKS_MAX } from "../tracks/tank-pager.tsx";
import { taskLockLegend } from "../tracks/task-lock.ts";
import { tankLegend } from "../tracks/tubes.ts";
import type { ThemeName, TimelineProps } from "../types.ts";
import type { Box } from "./shapes.ts";

/** What is drawn: the runs as the timeline has them, and the words around them. */
export interface PictureOf extends Pick<
  TimelineProps,
  | "sides"
  | "viewport"
  | "playheadNs"
  | "layout"
  | "lock"
  | "aboutLocks"
  | "lanes"
  | "told"
  | "area"
  | "markers"
> {
  readonly theme: ThemeName;
  /** CSS px. A picture whose parts need more height than that is higher. */
  readonly width: number;
  readonly height: number;
  /** Height of each side's lanes, CSS px; undefined: what is left of the height. */
  readonly lanesPx?: number | undefined;
  /** How far the lanes are scrolled, CSS px. */
  readonly scrollTop: number;
  /** The step's caption, or the question. */
  readonly title: string;
  /** Small in the corner, a line each. */
  readonly corner: readonly string[];
}

export interface Line {
  readonly text: string;
  readonly x: number;
  /** The middle. */
  readonly y: number;
}

export interface PlacedTank {
  readonly tank: ShownTank;
  readonly words: Box;
  readonly plot: Box;
}

export interface SideLayout extends ShownSide {
  /** Where its plots begin, CSS px from the picture's left edge. */
  readonly left: number;
  readonly head: Box;
  readonly lock: Box | undefined;
  readonly taskLock: Box | undefined;
  readonly tanks: readonly PlacedTank[];
  readonly task: Box | undefined;
  readonly lanes: Box;
  readonly scene: Scene;
  /** Places the words on the lanes; words that lie over them give way. */
  readonly labels: LabelLayer;
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly theme: TimelineTheme;
  readonly gutter: number;
  readonly title: readonly Line[];
  /** Over both sides, or over each of two that stand side by side. */
  readonly axes: readonly Box[];
  readonly sides: readonly SideLayout[];
  /** Over the lanes of all sides, top to bottom. */
  readonly shown: Shown;
  readonly legend: readonly {
    readonly entry: LegendEntry;
    readonly swatch: Box;
    readonly words: Line;
  }[];
  readonly corner: readonly Line[];
}

/** Width of words in a font, CSS px. */
export type Measure = (text: string, font: string) => number;

export const PAD_PX = 12;
/** Between two sides, as on the page. */
const GAP_PX = 10;
const LANES_LEAST_PX = 60;
const TITLE_LINES_MAX = 2;
/** A link as long as a book is cut off here; the file's own description has it whole. */
const CORNER_LINES_MAX = 4;
const SWATCH = { width: 26, height: 14 };

export function titleFont(theme: TimelineTheme): string {
  return `600 ${theme.fontPx + 5}px ui-sans-serif, system-ui, sans-serif`;
}

export function wordsFont(theme: TimelineTheme): string {
  return `${theme.fontPx}px ui-sans-serif, system-ui, sans-serif`;
}

export function layoutOf(picture: PictureOf, measure: Measure, ratio: number): Layout {
  const theme = THEMES[picture.theme];
  const { width, sides } = picture;
  const inner = width - 2 * PAD_PX;
  const traces = sides.map(({ trace }) => trace);
  const tanks = tanksOf(traces, pathsOf(traces).slice(0, TANKS_MAX));
  const shown = shownOf(sides, picture.lock, picture.viewport, {
    aboutLocks: picture.aboutLocks,
    hasTanks: tanks.length > 0,
  });
  const done = sides.every(({ running }) => !running);
  const { lay } = arrange(picture.lanes, traces, done, numbersOf(shown.pins), picture.told);
  const title = linesOf(picture.title, inner, TITLE_LINES_MAX, (text) =>
    measure(text, titleFont(theme)),
  );
  const titlePx = (theme.fontPx + 5) * 1.4;
  const axisTop = PAD_PX + title.length * titlePx;
  const { wide, lefts, storeys } = columnsOf(picture);
  const corner = picture.corner.flatMap((each) =>
    linesOf(each, inner, CORNER_LINES_MAX, (text) => measure(text, wordsFont(theme))),
  );
  const linePx = theme.fontPx * 1.4;
  const strips = stripsOf(theme, shown, tanks);
  const above = axisTop + theme.fontPx * 2;
  // One side alone, or two beside each other, may have more room on screen than rows.
  const highest = Math.max(
    ...traces.map(({ lanes }) => lay(lanes.length, picture.lanesPx ?? 0).height),
  );
  const roomFor = (keyPx: number): number => {
    const below = keyPx + theme.fontPx * 0.5 + corner.length * linePx + PAD_PX;
    if (picture.lanesPx !== undefined) return Math.min(picture.lanesPx, highest);
    return Math.floor(
      Math.max(LANES_LEAST_PX, (picture.height - above - below) / storeys - strips.height),
    );
  };
  const keyFor = (lanesPx: number): PlacedLegend => {
    const cpusPerSilo = tanks.length > 0 ? siloCpus(sides, lanesPx, lay, theme) : 0;
    const tracks = shown.withTaskLock ? taskLockLegend(traces) : [];
    return placedLegend([...legendOf(picture, cpusPerSilo), ...tracks], inner, theme, measure);
  };
  // What the legend says of silos depends on the rows' height, which is what the legend leaves.
  const key = keyFor(roomFor(keyFor(roomFor(0)).height));
  const lanesPx = roomFor(key.height);
  const laid = shown.sides.map((each, index) => {
    const top = above + Math.min(index, storeys - 1) * (strips.height + lanesPx);
    return sideLayout(picture, each, {
      top,
      left: lefts[index] ?? PAD_PX,
      width: wide,
      lanesPx,
      ratio,
      tanks,
      theme,
      strips,
      lay,
      gutter: gutterOf(theme),
    });
  });
  const keyTop = above + storeys * (strips.height + lanesPx) + theme.fontPx * 0.5;
  const cornerTop = keyTop + key.height;
  return {
    width,
    height: Math.ceil(Math.max(picture.height, cornerTop + corner.length * linePx + PAD_PX)),
    theme,
    gutter: gutterOf(theme),
    title: title.map((text, at) => ({ text, x: PAD_PX, y: PAD_PX + (at + 0.5) * titlePx })),
    axes: [...new Set(lefts)].map((x) => ({
      x,
      y: axisTop,
      width: wide,
      height: theme.fontPx * 2,
    })),
    sides: laid,
    shown,
    legend: key.placed.map(({ entry, x, y }) => {
      const size = swatchSize(theme);
      const middle = keyTop + y;
      return {
        entry,
        swatch: { x: PAD_PX + x, y: Math.round(middle - size.height / 2), ...size },
        words: { text: entry.words, x: PAD_PX + x + size.width + 5, y: middle },
      };
    }),
    corner: corner.map((text, at) => ({ text, x: PAD_PX, y: cornerTop + (at + 0.5) * linePx })),
  };
}

/** Sides over each other have one axis, sides beside each other one each. */
function columnsOf({ width, sides, layout }: PictureOf): Columns {
  const inner = width - 2 * PAD_PX;
  const beside = layout === "beside" && sides.length > 1;
  const wide = beside ? Math.floor((inner - GAP_PX) / 2) : inner;
  const lefts = sides.map((_, index) => PAD_PX + (beside ? index * (wide + GAP_PX) : 0));
  return { wide, lefts, storeys: beside ? 1 : Math.max(1, sides.length) };
}

interface Columns {
  readonly wide: number;
  /** Of each side, CSS px. */
  readonly lefts: readonly number[];
  /** How many sides stand over each other. */
  readonly storeys: number;
}

function gutterOf(theme: TimelineTheme): number {
  return Math.round(theme.fontPx * 4.4);
}

function swatchSize(theme: TimelineTheme): { readonly width: number; readonly height: number } {
  const scale = theme.fontPx / 11;
  return { width: Math.round(SWATCH.width * scale), height: Math.round(SWATCH.height * scale) };
}

/** What a side has above its lanes: heading, lock lane, tanks, the selected task's life. */
function stripsOf(
  theme: TimelineTheme,
  shown: Shown,
  tanks: readonly ShownTank[],
): Strips & { readonly height: number } {
  const head = theme.fontPx * 2;
  const lock = shown.withLock ? lockLanePx(theme) + 1 : 0;
  const taskLock = shown.withTaskLock ? Math.round(theme.fontPx * 3.6) + 1 : 0;
  const tankWords = Math.round(theme.fontPx * 1.6);
  const tank =
    tanks.length === 0 ? 0 : Math.round(theme.fontPx * (tanks.length >= LOW_FROM ? 3.5 : 6));
  const task = shown.withTask ? TASK_LANE_PX + 1 : 0;
  return {
    head,
    lock,
    taskLock,
    tankWords,
    tank,
    task,
    height: head + lock + taskLock + tanks.length * (tankWords + tank) + task + 4,
  };
}

/** Heights, CSS px; 0 where a side has no such strip. */
export interface Strips {
  readonly head: number;
  readonly lock: number;
  readonly taskLock: number;
  readonly tankWords: number;
  readonly tank: number;
  readonly task: number;
}

interface SideRoom {
  readonly top: number;
  readonly left: number;
  readonly width: number;
  readonly lanesPx: number;
  readonly ratio: number;
  readonly gutter: number;
  readonly theme: TimelineTheme;
  readonly tanks: readonly ShownTank[];
  readonly strips: Strips;
  readonly lay: Lay;
}

/** One side in its room, strip under strip. */
export function sideLayout(
  picture: Pick<PictureOf, "viewport" | "scrollTop">,
  each: ShownSide,
  room: SideRoom,
): SideLayout {
  const { theme, strips, tanks, lanesPx, left, width } = room;
  const { trace, changes = [], asides = [] } = each.side;
  let y = room.top;
  const strip = (height: number): Box => {
    const box = { x: left, y, width, height };
    y += height;
    return box;
  };
  const head = strip(strips.head);
  const lock = strips.lock === 0 ? undefined : strip(strips.lock);
  const taskLock = strips.taskLock === 0 ? undefined : strip(strips.taskLock);
  const placed = tanks.map((tank) => ({
    tank,
    words: strip(strips.tankWords),
    plot: strip(strips.tank),
  }));
  const task = strips.task === 0 ? undefined : strip(strips.task);
  const rows = room.lay(trace.lanes.length, lanesPx);
  const scrollTop = Math.max(
    0,
    Math.min(picture.scrollTop, rows.height - Math.min(rows.height, lanesPx)),
  );
  const height = Math.min(rows.height, lanesPx);
  const lanes = strip(height);
  const plot: Plot = {
    trace,
    viewport: picture.viewport,
    rows: stuck(rows, scrollTop),
    scrollTop,
    gutter: room.gutter,
    width,
    height,
    ratio: room.ratio,
    theme,
  };
  const scene = { trace, changes, asides, plot, lock: each.track };
  return {
    ...each,
    left,
    head,
    lock,
    taskLock,
    tanks: placed,
    task,
    lanes,
    scene,
    labels: new LabelLayer(),
  };
}

/** What CPUs are seen doing in [fromNs, toNs), and all ways to wait. */
export function lanesLegendIn(
  runs: readonly Run[],
  fromNs: number,
  toNs: number,
): readonly LegendEntry[] {
  const sums = runs.flatMap(({ trace }) =>
    trace.lanes.map((lane) => lane.windowNs(fromNs, toNs, trace.endNs)),
  );
  return LANE_LEGEND.filter(
    ({ channel }) => channel === undefined || sums.some((ns) => (ns[channel] ?? 0) > 0),
  );
}

/** The states and the marks that lie in view. */
function legendOf({ sides, viewport }: PictureOf, cpusPerSilo: number): readonly LegendEntry[] {
  const marks = marksIn(sides, viewport.fromNs, viewport.toNs).flatMap((mark) => mark.legend);
  return [
    ...lanesLegendIn(sides, viewport.fromNs, viewport.toNs),
    ...marks,
    ...tankLegend(cpusPerSilo),
  ];
}

interface PlacedLegend {
  readonly height: number;
  readonly placed: readonly {
    readonly entry: LegendEntry;
    readonly x: number;
    readonly y: number;
  }[];
}

function placedLegend(
  entries: readonly LegendEntry[],
  width: number,
  theme: TimelineTheme,
  measure: Measure,
): PlacedLegend {
  const linePx = theme.fontPx * 2 - 2;
  let x = 0;
  let line = 0;
  const placed = entries.map((entry) => {
    const wide = swatchSize(theme).width + 5 + measure(entry.words, wordsFont(theme));
    if (x > 0 && x + wide > width) {
      x = 0;
      line += 1;
    }
    const at = { entry, x, y: (line + 0.5) * linePx };
    x += wide + 14;
    return at;
  });
  return { placed, height: entries.length === 0 ? 0 : (line + 1) * linePx };
}

function wordAt(text: string, at: number): string {
  return text.slice(at).split(" ", 1)[0] ?? "";
}

/**
 * Words in lines no wider than `width`; a word that is wider alone is cut into pieces. What `most`
 * lines do not hold ends in "…".
 */
export function linesOf(
  text: string,
  width: number,
  most: number,
  widthOf: (text: string) => number,
): readonly string[] {
  const lines: string[] = [];
  let rest = text.trim();
  while (rest !== "" && lines.length < most) {
    const fits = fitting(rest, width, widthOf);
    const space = fits < rest.length ? rest.lastIndexOf(" ", fits) : -1;
    const stop =
      space > fits / 2 || (space > 0 && widthOf(wordAt(rest, space + 1)) <= width) ? space : fits;
    lines.push(rest.slice(0, stop).trimEnd());
    rest = rest.slice(stop).trimStart();
  }
  const last = lines.at(-1);
  if (rest === "" || last === undefined) return lines;
  return [...lines.slice(0, -1), `${last.slice(0, fitting(last, width - widthOf("…"), widthOf))}…`];
}

/** How many characters fit: at least one. */
function fitting(text: string, width: number, widthOf: (text: string) => number): number {
  let least = 1;
  let most = Math.min(text.length, Math.ceil(width));
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (widthOf(text.slice(0, middle)) <= width) least = middle;
    else most = middle - 1;
  }
  return least;
}
