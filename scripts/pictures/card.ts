// What a scenario's pictures show: its opening view, A over B on one axis, by the code that draws
// it on the page. A card has the question and the answer's number beside each side, for previews of
// links; a tile has the two sides alone, for lists.

import { counted } from "../../src/lib/count.ts";
import { formatNs } from "../../src/lib/format.ts";
import { timelineSidesOf } from "../../src/panels/page/timeline-sides.ts";
import { aboutLocks } from "../../src/state/steps/first-look.ts";
import { shownViewport } from "../../src/state/select/selectors.ts";
import { SIDES } from "../../src/scenario/sides.ts";
import type { State } from "../../src/state/shape/state.ts";
import { focusedLock, stepCpus } from "../../src/state/steps/resolve.ts";
import { LabelLayer } from "../../src/timeline/draw/label-layer.ts";
import type { TimelineTheme } from "../../src/timeline/plot/timeline-theme.ts";
import { THEMES } from "../../src/timeline/plot/timeline-theme.ts";
import { arrange, FLAT_MAX } from "../../src/timeline/lanes/arrange.ts";
import { assembled, laneRow, type LaneRow, type Lay } from "../../src/timeline/plot/lane-rows.ts";
import { drawSide } from "../../src/timeline/picture/draw-picture.ts";
import { sideLayout, type SideLayout } from "../../src/timeline/picture/layout.ts";
import { linesOf } from "../../src/timeline/picture/word-lines.ts";
import type { Ruler } from "../../src/timeline/picture/recorder.ts";
import type { Box } from "../../src/timeline/picture/shapes.ts";
import { Shapes } from "../../src/timeline/picture/surfaces.ts";
import { svgOf } from "../../src/timeline/picture/svg.ts";
import { shownOf, type Shown } from "../../src/timeline/sides/shown.ts";
import type { ThemeName } from "../../src/timeline/plot/timeline-props.ts";
import { pathsOf, tanksOf } from "../../src/timeline/tracks/tank.tsx";
import { answerOf, figureWords, type Answer } from "./words.ts";

/** A picture as text, and its size in dots. */
export interface Drawing {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
}

/**
 * Dots to a CSS px: letters are as large as on the page where the picture is shown at half its
 * size.
 */
const RATIO = 2;
const CARD = {
  width: 600,
  height: 315,
  pad: 20,
  rail: 132,
  gutter: 40,
  gap: 10,
  lock: 42,
  tank: 42,
};
const TILE = { width: 320, height: 144, gutter: 0, gap: 4, lock: 22, tank: 22 };
/** Sizes at which a question is tried on one line; on two it has the last. */
const TITLE_PX = [24, 22, 20];
/**
 * On how many lines of which size the sides' names are tried; both have the first on which both are
 * whole.
 */
const NAME_LINES: readonly NameLines[] = [
  { most: 1, px: 12 },
  { most: 1, px: 11 },
  { most: 1, px: 10, below: 2 },
  { most: 2, px: 12 },
  { most: 2, px: 11 },
  { most: 3, px: 10 },
];
const SANS = "ui-sans-serif, system-ui, sans-serif";

/** Words for the card. */
export interface CardWords {
  readonly title: string;
  /** Above the title. */
  readonly kicker: string;
}

/** 1200 x 630 dots. */
export function cardOf(state: State, { title, kicker }: CardWords, ruler: Ruler): Drawing {
  const theme = THEMES.dark;
  const surface = new Shapes(Infinity, ruler);
  const { width, height, pad, rail } = CARD;
  const widthOf = (text: string, font: string): number => {
    ruler.font = font;
    return ruler.measureText(text).width;
  };
  const { lines, font: titleFont, linePx } = titleIn(title, width - 2 * pad, widthOf);
  const top = pad + 16 + lines.length * linePx + 10;
  const bottom = height - pad - 14;
  const answer = answerOf(state);
  const { sides, shown } = sidesIn(state, theme, {
    ...CARD,
    box: { x: pad + rail, y: top, width: width - 2 * pad - rail, height: bottom - 10 - top },
  });
  for (const side of sides) drawSide(surface, { theme, shown }, side);
  surface.box({ x: 0, y: 0, width, height }, (context) => {
    const write = (text: string, x: number, y: number, font: string, colour: string): void => {
      context.font = font;
      context.fillStyle = colour;
      context.textAlign = "left";
      context.textBaseline = "middle";
      context.fillText(text, x, y);
    };
    write(kicker, pad, pad + 5, `600 11px ${SANS}`, theme.muted);
    lines.forEach((line, at) =>
      write(line, pad, pad + 16 + linePx * (at + 0.5), titleFont, theme.text),
    );
    const names = namesIn(sides, lines.length, widthOf);
    for (const side of sides)
      writeRail(context, side, { names, answer, theme }, { write, widthOf });
    drawLogo(context, pad, bottom, theme);
    write("schedscope", pad + 20, bottom + 7, `700 12px ${SANS}`, theme.text);
    const stretch = stretchOf(state, sides);
    write(
      stretch,
      width - pad - widthOf(stretch, `11px ${SANS}`),
      bottom + 7,
      `11px ${SANS}`,
      theme.muted,
    );
  });
  return drawing(surface, theme, { width, height, title });
}

/**
 * "100 µs on 40 CPUs": what the picture is of; "100 µs, 48 of 80 CPUs shown" where not all of them
 * have room.
 */
function stretchOf(state: State, sides: readonly SideLayout[]): string {
  const { fromNs, toNs } = shownViewport(state);
  const counts = [...new Set(SIDES.flatMap((side) => state.sides[side].shown?.meta.cpus ?? []))];
  const cut = sides.find((side) => cpusSeen(side) < side.scene.trace.lanes.length);
  if (cut !== undefined)
    return `${formatNs(toNs - fromNs, 0)}, ${cpusSeen(cut)} of ${counted(cut.scene.trace.lanes.length, "CPU")} shown`;
  const [last = 1, ...others] = counts.toReversed();
  const cpus = [...others.toReversed().map(String), counted(last, "CPU")].join(" and ");
  return `${formatNs(toNs - fromNs, 0)} on ${cpus}`;
}

/** On one line if it fits there, else on two of about equal length. */
function titleIn(title: string, width: number, widthOf: Pen["widthOf"]): Title {
  const fontOf = (px: number): string => `700 ${px}px ${SANS}`;
  const px =
    TITLE_PX.find((each) => widthOf(title, fontOf(each)) <= width) ?? TITLE_PX.at(-1) ?? 20;
  const font = fontOf(px);
  const linesAt = (most: number): readonly string[] =>
    linesOf(title, most, 3, (text) => widthOf(text, font));
  const count = linesAt(width).length;
  let most = width;
  while (most > width / 2 && linesAt(most - 8).length === count) most -= 8;
  return { lines: linesAt(most), font, linePx: px * 1.25 };
}

interface Title {
  readonly lines: readonly string[];
  readonly font: string;
  readonly linePx: number;
}

interface NameLines {
  readonly most: number;
  readonly px: number;
  /** Only below a question of so many lines, which leaves the sides less height. */
  readonly below?: number;
}

/** How both sides' names are written: in letters of one size. */
interface Names {
  readonly font: string;
  readonly linePx: number;
  readonly linesOf: (name: string) => readonly string[];
}

function namesIn(sides: readonly SideLayout[], titleLines: number, widthOf: Pen["widthOf"]): Names {
  const room = CARD.rail - 36;
  const all = NAME_LINES.filter(({ below = 1 }) => titleLines >= below).map(
    ({ most, px }): Names => {
      const font = `600 ${String(px)}px ${SANS}`;
      return {
        font,
        linePx: px + 2,
        linesOf: (name) => linesOf(name, room, most, (text) => widthOf(text, font)),
      };
    },
  );
  const isWhole = (names: Names): boolean =>
    sides.every(({ side: { label } }) => !(names.linesOf(label).at(-1) ?? "").endsWith("…"));
  const found = all.find(isWhole) ?? all.at(-1);
  if (found === undefined) throw new Error("names have no size");
  return found;
}

interface Pen {
  readonly write: (text: string, x: number, y: number, font: string, colour: string) => void;
  readonly widthOf: (text: string, font: string) => number;
}

/** Left of a side: its letter, its name, its number and what the number is. */
function writeRail(
  context: CanvasRenderingContext2D,
  side: SideLayout,
  {
    names,
    answer,
    theme,
  }: { readonly names: Names; readonly answer: Answer | undefined; readonly theme: TimelineTheme },
  { write, widthOf }: Pen,
): void {
  const { pad, rail } = CARD;
  const { id, label } = side.side;
  const room = rail - 12;
  let y = side.head.y;
  context.fillStyle = theme.text;
  context.fillRect(pad, y, 17, 17);
  write(id.toUpperCase(), pad + 4.2, y + 9, `700 12px ${SANS}`, theme.background);
  const lines = names.linesOf(label);
  lines.forEach((line, at) =>
    write(line, pad + 24, y + 9 + at * names.linePx, names.font, theme.text),
  );
  y += 17 + names.linePx * Math.max(0, lines.length - 1);
  if (answer === undefined) return;
  const figure = answer.figures[side.side.id];
  write(figureWords(figure), pad, y + 18, `700 23px ${SANS}`, theme.text);
  const labelFont = `10px ${SANS}`;
  const words = linesOf(answer.label, room, 3, (text) => widthOf(text, labelFont));
  words.forEach((line, at) => write(line, pad, y + 38 + at * 12, labelFont, theme.muted));
}

function drawLogo(
  context: CanvasRenderingContext2D,
  left: number,
  top: number,
  theme: TimelineTheme,
): void {
  const bars: readonly (readonly [x: number, y: number, width: number, colour: string])[] = [
    [0, 0, 9, theme.user],
    [0, 4, 13, theme.spin],
    [0, 8, 5, theme.user],
    [7, 12, 6, theme.user],
  ];
  for (const [x, y, width, colour] of bars) {
    context.fillStyle = colour;
    context.fillRect(left + x, top + y, width, 2.5);
  }
}

/** Marks keep their shapes and lose their words: they would be too small to read. */
class Wordless extends LabelLayer {
  override write(): number {
    return 0;
  }
}

/** What lies where in a tile. */
export function tileSides(state: State, theme: TimelineTheme): ReturnType<typeof sidesIn> {
  const { width, height } = TILE;
  return sidesIn(state, theme, { ...TILE, box: { x: 0, y: 0, width, height } });
}

/** 640 x 288 dots. */
export function tileOf(state: State, name: ThemeName, ruler: Ruler): Drawing {
  const theme = THEMES[name];
  const surface = new Shapes(Infinity, ruler);
  const { width, height } = TILE;
  const { sides, shown } = tileSides(state, theme);
  for (const side of sides)
    drawSide(surface, { theme, shown }, { ...side, wake: undefined, labels: new Wordless() });
  return drawing(surface, theme, { width, height, title: state.entry.title });
}

interface Room {
  readonly box: Box;
  readonly gutter: number;
  /** Between the sides. */
  readonly gap: number;
  /** Heights of a lock lane and a tank where a side has one. */
  readonly lock: number;
  readonly tank: number;
}

/**
 * Both sides, level, in a box: of the strips that the page would show the one that the scenario is
 * about.
 */
function sidesIn(
  state: State,
  theme: TimelineTheme,
  { box, gutter, gap, ...heights }: Room,
): { readonly sides: readonly SideLayout[]; readonly shown: Shown } {
  const sides = timelineSidesOf(state);
  const traces = sides.map(({ trace }) => trace);
  const viewport = shownViewport(state);
  const tanks = tanksOf(traces, pathsOf(traces).slice(0, 1));
  const asked = { aboutLocks: aboutLocks(state.entry.headline), hasTanks: tanks.length > 0 };
  const shown = shownOf(sides, focusedLock(state) ?? "deepest", viewport, asked);
  const own = (box.height - gap * (sides.length - 1)) / sides.length;
  const queues = shown.sides.some(
    ({ track }) => (track?.peakIn(viewport.fromNs, viewport.toNs) ?? 0) > 1,
  );
  const { lanesPx, lock, tank } = sharedPx(own, cpusOf(traces), {
    lock: shown.withLock && queues && tanks.length === 0 ? heights.lock : 0,
    tank: tanks.length === 0 ? 0 : heights.tank,
  });
  const laid = shown.sides.map((each, index) =>
    sideLayout({ viewport, scrollTop: 0 }, each, {
      top: box.y + index * (own + gap),
      left: box.x,
      width: box.width,
      lanesPx,
      ratio: RATIO,
      tanks,
      theme,
      strips: { head: 0, lock, taskLock: 0, tankWords: 0, tank, task: 0, ring: 0, instead: 0 },
      lay: layOf(state, traces),
      gutter,
    }),
  );
  return { sides: laid, shown };
}

function cpusOf(traces: Parameters<typeof arrange>[1]): number {
  return Math.max(...traces.map(({ lanes }) => lanes.length));
}

/** The least height of a row, CSS px: a dot. */
const ROW_LEAST = 1 / RATIO;
/** A strip keeps this much of its usual height, so that rows may be higher. */
const STRIP_LEAST = 0.6;

/**
 * Heights of the lanes and of the strip above them, CSS px, in what a side has. The strip gives way
 * where that lets every CPU have a row of at least a CSS px, and gets what is left over where even
 * a row of one dot for each does not need the rest.
 */
function sharedPx(
  own: number,
  cpus: number,
  { lock, tank }: { readonly lock: number; readonly tank: number },
): { readonly lanesPx: number; readonly lock: number; readonly tank: number } {
  const usual = lock + tank;
  const isFlat = cpus <= FLAT_MAX;
  const roomFor = (rowPx: number): number => own - cpus * rowPx;
  const strip =
    usual === 0 || !isFlat || roomFor(1) >= usual
      ? usual
      : roomFor(1) >= usual * STRIP_LEAST
        ? roomFor(1)
        : roomFor(ROW_LEAST);
  const stripPx = Math.floor(Math.max(0, strip));
  const lanesPx = Math.floor(own - stripPx);
  return lock > 0
    ? { lanesPx, lock: stripPx, tank }
    : { lanesPx, lock, tank: tank > 0 ? stripPx : 0 };
}

/**
 * How many CPUs of a side lie in the picture as a whole, as rows of their own or in a strip of
 * their group.
 */
export function cpusSeen({ scene: { plot } }: SideLayout): number {
  const { rowOfCpu, stripOfCpu } = plot.rows;
  return plot.trace.lanes.filter(({ cpu }) => {
    const row = rowOfCpu[cpu] ?? stripOfCpu?.[cpu];
    return row !== undefined && row.top + row.height <= plot.height;
  }).length;
}

/**
 * A strip's row without the page's sign that a press unfolds it: a picture cannot, and its font has
 * no such letter.
 */
function unmarked(row: LaneRow): LaneRow {
  return row.fold === undefined
    ? row
    : { ...row, fold: { ...row.fold, label: row.fold.label.replace(/^[▾▸]/, "") } };
}

/** All CPUs, however small the rows; groups as on the page where even those would be too many. */
function layOf(state: State, traces: Parameters<typeof arrange>[1]): Lay {
  const cpus = cpusOf(traces);
  if (cpus > FLAT_MAX) {
    const { lay } = arrange(state.lanes, traces, true, [], stepCpus(state));
    return (own, px) => {
      const laid = lay(own, px);
      return { ...laid, rows: laid.rows.map(unmarked) };
    };
  }
  return (own, px) => {
    // Whole dots, or rows of one height would look unlike each other.
    const height = Math.max(ROW_LEAST, Math.floor((px / cpus) * RATIO) / RATIO);
    const rows = Array.from({ length: own }, (_, cpu) => laneRow(cpu, cpu * height, height, false));
    return assembled(own, { rows: [], px: 0 }, rows, cpus * height);
  };
}

function drawing(
  surface: Shapes,
  { background }: TimelineTheme,
  {
    width,
    height,
    title,
  }: { readonly width: number; readonly height: number; readonly title: string },
): Drawing {
  const page = { width, height, scale: RATIO, background, title, about: "schedscope" };
  return { svg: svgOf(surface.shapes, page), width: width * RATIO, height: height * RATIO };
}
