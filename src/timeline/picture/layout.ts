// Where everything lies in a picture that leaves the page: title, axis, side over side, the marks
// in view, and small in the corner where the picture comes from. Pure geometry in CSS px.

import { LabelLayer } from "../draw/label-layer.ts";
import type { TimelineTheme } from "../plot/timeline-theme.ts";
import { THEMES } from "../plot/timeline-theme.ts";
import type { Plot } from "../plot/plot.ts";
import { arrange, fitted } from "../lanes/arrange.ts";
import { layAround } from "../lanes/around.ts";
import { gutterOf } from "../plot/gutter.ts";
import { hasTrack, numbersOf } from "../sides/use-lay.ts";
import { heroLegend, insteadCount } from "../tracks/heroes.ts";
import { heroes as heroRoom } from "../tracks/room.ts";
import type { Lay } from "../plot/lane-rows.ts";
import { stuck } from "../plot/lane-rows.ts";
import type { LegendEntry } from "../draw/legend-entry.ts";
import type { Scene } from "../marks/mark.ts";
import { lockLanePx, TASK_LANE_PX } from "../tracks/strips.tsx";
import type { Shown, ShownSide } from "../sides/shown.ts";
import { shownOf, siloCpus } from "../sides/shown.ts";
import type { ShownTank } from "../tracks/tank.tsx";
import { LOW_FROM, pathsOf, tanksOf } from "../tracks/tank.tsx";
import { TANKS_MAX } from "../tracks/tank-pager.tsx";
import { taskLockLegend } from "../tracks/task-lock.ts";
import type { ThemeName, TimelineProps } from "../plot/timeline-props.ts";
import { type Measure, titleFont, wordsFont } from "./fonts.ts";
import { legendOf, placedLegend, type PlacedLegend, swatchSize } from "./legend.ts";
import type { Box } from "./shapes.ts";
import { linesOf } from "./word-lines.ts";

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
  | "stepCpus"
  | "subject"
  | "hero"
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
  /** Small over the title. */
  readonly question?: string | undefined;
  /** The step's caption, or the question. */
  readonly title: string;
  /** What heads each side instead of its lock's words: its name, and the figures on the right. */
  readonly heads?: Readonly<Record<"a" | "b", PictureHead>> | undefined;
  /** Dimmed: the title does not speak of it. */
  readonly quiet?: "a" | "b" | undefined;
  /** Small in the corner, a line each. */
  readonly corner: readonly string[];
  /** Where the page has heads of its own: the room they take, and the size of labels, CSS px. */
  readonly pageHeads?: { readonly headPx: number; readonly fontPx: number } | undefined;
}

export interface PictureHead {
  /** What people call the side. */
  readonly name: string;
  /** The switch's value. */
  readonly value: string;
  readonly figures: readonly {
    readonly digits: string;
    readonly unit: string;
    readonly label: string;
  }[];
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
  readonly ring: Box | undefined;
  readonly task: Box | undefined;
  readonly instead: Box | undefined;
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
  readonly question: readonly Line[];
  readonly title: readonly Line[];
  /** Over both sides, or over each of two sides beside each other. */
  readonly axes: readonly Box[];
  readonly sides: readonly SideLayout[];
  /** Over the lanes of all sides, top to bottom. */
  readonly shown: Shown;
  /** CPUs of the step. */
  readonly stepCpus: readonly number[];
  readonly legend: readonly {
    readonly entry: LegendEntry;
    readonly swatch: Box;
    readonly words: Line;
  }[];
  readonly corner: readonly Line[];
}

export const PAD_PX = 12;
/** Between two sides, as on the page. */
const GAP_PX = 10;
const LANES_LEAST_PX = 60;
const TITLE_LINES_MAX = 2;
/** A link as long as a book is cut off here; the file's own description has it whole. */
const CORNER_LINES_MAX = 4;

export function layoutOf(picture: PictureOf, measure: Measure, ratio: number): Layout {
  const { width, sides, pageHeads } = picture;
  const theme = { ...THEMES[picture.theme], ...(pageHeads && { fontPx: pageHeads.fontPx }) };
  const traces = sides.map(({ trace }) => trace);
  const tanks = tanksOf(traces, pathsOf(traces).slice(0, TANKS_MAX));
  const shown = shownOf(sides, picture.lock, picture.viewport, {
    aboutLocks: picture.aboutLocks,
    hasTanks: tanks.length > 0,
    hero: picture.hero,
  });
  const done = sides.every(({ running }) => !running);
  const arranged = arrange(picture.lanes, traces, done, numbersOf(shown.pins), picture.stepCpus);
  // A slide does not scroll.
  const plain: Lay =
    picture.heads === undefined || picture.lanesPx !== undefined
      ? arranged.lay
      : (cpus, px) => fitted(arranged.lay(cpus, px), px);
  const lay = layAround(arranged, picture.lanes, traces, picture.subject) ?? plain;
  const { question, title, axisTop, corner, linePx } = wordsAround(picture, measure, theme);
  const { wide, lefts, storeys } = columnsOf(picture);
  const strips = stripsOf(theme, picture, shown, tanks);
  const above = axisTop + theme.fontPx * 2;
  const cornerPx = corner.length * linePx;
  const room = { theme, tanks, shown, lay, strips, storeys, above, cornerPx };
  const { key, lanesPx } = lanesAndLegend(picture, measure, room);
  const gutter = gutterOf(theme, wide, traces);
  const laid = shown.sides.map((each, index) => {
    const top = above + Math.min(index, storeys - 1) * (strips.height + lanesPx);
    const left = lefts[index] ?? PAD_PX;
    const place = { top, left, width: wide, lanesPx, ratio, gutter };
    return sideLayout(picture, each, { ...place, tanks, theme, strips, lay });
  });
  const keyTop = above + storeys * (strips.height + lanesPx) + theme.fontPx * 0.5;
  const cornerTop = keyTop + key.height;
  return {
    width,
    height: Math.ceil(Math.max(picture.height, cornerTop + cornerPx + PAD_PX)),
    theme,
    gutter,
    question,
    title,
    axes: [...new Set(lefts)].map((x) => ({
      x,
      y: axisTop,
      width: wide,
      height: theme.fontPx * 2,
    })),
    sides: laid,
    shown,
    stepCpus: picture.stepCpus ?? [],
    legend: legendAt(key, keyTop, theme),
    corner: corner.map((text, at) => ({ text, x: PAD_PX, y: cornerTop + (at + 0.5) * linePx })),
  };
}

interface WordsAround {
  readonly question: readonly Line[];
  readonly title: readonly Line[];
  /** Where the title ends, CSS px. */
  readonly axisTop: number;
  readonly corner: readonly string[];
  /** Height of a line of the corner, CSS px. */
  readonly linePx: number;
}

/** The title over the sides and the lines in the corner. */
function wordsAround(picture: PictureOf, measure: Measure, theme: TimelineTheme): WordsAround {
  const inner = picture.width - 2 * PAD_PX;
  const titlePx = (theme.fontPx + 5) * 1.4;
  const asked = picture.question === undefined ? 0 : theme.fontPx * 1.5;
  const title = linesOf(picture.title, inner, TITLE_LINES_MAX, (text) =>
    measure(text, titleFont(theme)),
  );
  const corner = picture.corner.flatMap((each) =>
    linesOf(each, inner, CORNER_LINES_MAX, (text) => measure(text, wordsFont(theme))),
  );
  return {
    question:
      picture.question === undefined
        ? []
        : [{ text: picture.question, x: PAD_PX, y: PAD_PX + asked / 2 }],
    title: title.map((text, at) => ({
      text,
      x: PAD_PX,
      y: PAD_PX + asked + (at + 0.5) * titlePx,
    })),
    axisTop: PAD_PX + asked + title.length * titlePx,
    corner,
    linePx: theme.fontPx * 1.4,
  };
}

interface LanesRoom {
  readonly theme: TimelineTheme;
  readonly tanks: readonly ShownTank[];
  readonly shown: Shown;
  readonly lay: Lay;
  readonly strips: { readonly height: number };
  readonly storeys: number;
  /** Over the sides and under the legend, CSS px. */
  readonly above: number;
  readonly cornerPx: number;
}

/** Divides the height between the lanes of each side and the legend. */
function lanesAndLegend(
  picture: PictureOf,
  measure: Measure,
  { theme, tanks, shown, lay, strips, storeys, above, cornerPx }: LanesRoom,
): { readonly lanesPx: number; readonly key: PlacedLegend } {
  const { sides } = picture;
  const traces = sides.map(({ trace }) => trace);
  // One side alone, or two beside each other, may have more room on screen than rows.
  const highest = Math.max(
    ...traces.map(({ lanes }) => lay(lanes.length, picture.lanesPx ?? 0).height),
  );
  const roomFor = (keyPx: number): number => {
    const below = keyPx + theme.fontPx * 0.5 + cornerPx + PAD_PX;
    if (picture.lanesPx !== undefined) return Math.min(picture.lanesPx, highest);
    return Math.floor(
      Math.max(LANES_LEAST_PX, (picture.height - above - below) / storeys - strips.height),
    );
  };
  const tracks = [...heroLegend(picture), ...(shown.withTaskLock ? taskLockLegend(traces) : [])];
  const keyFor = (lanesPx: number): PlacedLegend => {
    const cpusPerSilo = tanks.length > 0 ? siloCpus(sides, lanesPx, lay, theme) : 0;
    const entries = [...legendOf(picture, cpusPerSilo), ...tracks];
    return placedLegend(entries, picture.width - 2 * PAD_PX, theme, measure);
  };
  // The legend's words about silos depend on the rows' height, and the legend leaves that height.
  const key = keyFor(roomFor(keyFor(roomFor(0)).height));
  return { lanesPx: roomFor(key.height), key };
}

function legendAt(key: PlacedLegend, top: number, theme: TimelineTheme): Layout["legend"] {
  const size = swatchSize(theme);
  return key.placed.map(({ entry, x, y }) => {
    const middle = top + y;
    return {
      entry,
      swatch: { x: PAD_PX + x, y: Math.round(middle - size.height / 2), ...size },
      words: { text: entry.words, x: PAD_PX + x + size.width + 5, y: middle },
    };
  });
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
  /** Left edge of each side, CSS px. */
  readonly lefts: readonly number[];
  /** How many sides lie over each other. */
  readonly storeys: number;
}

/** Height of a head with figures, in sizes of the text. */
const HEAD_WITH_FIGURES = 2.6;

/** What a side has above its lanes: heading, lock lane, tanks, the selected task's life. */
function stripsOf(
  theme: TimelineTheme,
  picture: PictureOf,
  shown: Shown,
  tanks: readonly ShownTank[],
): Strips & { readonly height: number } {
  const plain = Math.round(theme.fontPx * (picture.heads === undefined ? 2 : HEAD_WITH_FIGURES));
  const head = picture.pageHeads?.headPx ?? plain;
  const { ringPx, insteadPx } = heroRoom(
    {
      ring: hasTrack(picture, "ring"),
      instead: hasTrack(picture, "instead") ? insteadCount(shown.sides) : 0,
    },
    columnsOf(picture).wide,
    theme.fontPx,
    Infinity,
  );
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
    ring: ringPx,
    instead: insteadPx,
    height:
      head + lock + taskLock + tanks.length * (tankWords + tank) + ringPx + task + insteadPx + 4,
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
  readonly ring: number;
  readonly instead: number;
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
  const { trace, changes = [], asides = [], off = [] } = each.side;
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
  const ring = strips.ring === 0 ? undefined : strip(strips.ring);
  const task = strips.task === 0 ? undefined : strip(strips.task);
  const instead = strips.instead === 0 ? undefined : strip(strips.instead);
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
  const scene = { trace, changes, asides, off, plot, lock: each.track };
  return {
    ...each,
    left,
    head,
    lock,
    taskLock,
    tanks: placed,
    ring,
    task,
    instead,
    lanes,
    scene,
    labels: new LabelLayer(),
  };
}
