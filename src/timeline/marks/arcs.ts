// Arcs between two lanes: what IPIs and kicks share. Where there are more arcs than the eye can
// separate, they are bundled and counted, never dropped in silence. A bundle is found under the
// pointer like an arc, and its tooltip says what the bundle holds.

import type { TraceStore } from "../../model/index.ts";
import type { Plot } from "../plot/plot.ts";
import { inSight, sameView, Scale } from "../plot/plot.ts";
import type { Found, Pointer, Scene } from "./mark.ts";
import { REACH_PX } from "./mark.ts";

const BUNDLE_PX = 28;
const BUNDLE_PX_MAX = 8192;
/** Cells of the grid along each side; all beyond fall into the last. */
const CELLS = 1023;
/**
 * In place of the second lane's cell: what a CPU sends itself is never bundled with what it sends
 * others.
 */
const OWN_CELL = 1023;

/** One arc, or several as one. CSS px. */
export interface Arc {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
  readonly count: number;
  /** A row of the trace; the row of the arc that a bundle lies on. */
  readonly row: number;
  readonly faint: boolean;
  /** It leads to no other CPU. */
  readonly own?: boolean;
}

/** What the CPUs of one lane send themselves. */
export interface OwnArcs {
  /** Those that end in view. */
  readonly count: number;
  /** The first of them. */
  readonly first: Arc;
}

/** What is drawn of a mark's arcs. */
export interface Drawn {
  readonly arcs: readonly Arc[];
  /** By the lane's y, where arcs are bundled. */
  readonly own: ReadonlyMap<number, OwnArcs>;
}

/**
 * The x of the control point: an arc bulges to one side, so that it shows also where it starts and
 * ends at one instant.
 */
export type Bend = (arc: Arc) => number;

/** How far an arc leaves the straight line: farther the more rows it spans, CSS px. */
export function bulge(y0: number, y1: number, least: number, share: number, most: number): number {
  return Math.min(most, least + Math.abs(y1 - y0) * share);
}

interface Kept {
  readonly plot: Plot;
  readonly version: number;
  readonly drawn: Drawn;
}

export type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/**
 * Writes where the arc of a row lies into `into`, all of it but `count` and `row`; false where the
 * row has none.
 */
export type PlaceArc = (scale: Scale, row: number, into: Writable<Arc>) => boolean;

const unplaced = (row: number): Writable<Arc> => ({
  x0: 0,
  y0: 0,
  x1: 0,
  y1: 0,
  count: 1,
  row,
  faint: false,
  own: false,
});

const scales = new WeakMap<Plot, Scale>();

function scaleOf(plot: Plot): Scale {
  const scale = scales.get(plot) ?? new Scale(plot);
  scales.set(plot, scale);
  return scale;
}

/** The arc of one row. */
export function arcOf(
  place: PlaceArc,
  { plot }: Pick<Scene, "plot">,
  row: number,
): Arc | undefined {
  const arc = unplaced(row);
  return place(scaleOf(plot), row, arc) ? arc : undefined;
}

/**
 * The arcs of one mark as they were last drawn: a hover asks for the same again and again, and a
 * step in time draws the same view anew.
 */
export class ArcMemo {
  private readonly kept = new WeakMap<TraceStore, Kept>();

  /** The arcs of `rows` in sight; where there are more than `most`, at most `bundles` bundles. */
  of(scene: Scene, rows: () => Uint32Array, place: PlaceArc, most: number, bundles: number): Drawn {
    const { plot } = scene;
    const known = this.kept.get(plot.trace);
    const { version } = plot.trace;
    if (known?.version === version && sameView(known.plot, plot)) return known.drawn;
    const drawn = drawnOf(scaleOf(plot), rows(), place, most, bundles);
    this.kept.set(plot.trace, { plot, version, drawn });
    return drawn;
  }
}

/**
 * One arc is written over and over, and only bundles are kept: an object for each of a hundred
 * thousand arcs is a garbage collection a frame.
 */
function drawnOf(
  scale: Scale,
  rows: Uint32Array,
  place: PlaceArc,
  most: number,
  bundles: number,
): Drawn {
  const { plot } = scale;
  const arc = unplaced(0);
  const few: Arc[] = [];
  const cells: Cells = new Map();
  const own = new Map<number, Writable<OwnArcs>>();
  let seen = 0;
  for (const row of rows) {
    arc.row = row;
    if (!place(scale, row, arc) || !(inSight(plot, arc.y0) || inSight(plot, arc.y1))) continue;
    seen += 1;
    if (seen <= most) few.push({ ...arc });
    gather(cells, arc, BUNDLE_PX);
    countOwn(own, plot, arc);
  }
  return seen > most
    ? { arcs: widened([...cells.values()], bundles), own }
    : { arcs: few, own: new Map() };
}

/**
 * Counted before they are bundled: a bundle may hold those of the next lane and some that end past
 * the edge.
 */
function countOwn(lanes: Map<number, Writable<OwnArcs>>, { gutter, width }: Plot, arc: Arc): void {
  if (arc.own !== true || arc.x1 < gutter || arc.x1 >= width) return;
  const known = lanes.get(arc.y0);
  if (known === undefined) lanes.set(arc.y0, { count: 1, first: { ...arc } });
  else known.count += 1;
}

/** The nearest bundle under the pointer: single arcs are found as rows. */
export function hitBundle(
  arcs: readonly Arc[],
  bend: Bend,
  at: Pointer,
  plural: string,
  kind: number,
): Found | undefined {
  let best: { readonly arc: Arc; readonly away: number } | undefined;
  for (const arc of arcs) {
    const away = arc.count === 1 ? Infinity : awayFromArc(arc, bend, at, REACH_PX);
    if (away <= REACH_PX && away < (best?.away ?? Infinity)) best = { arc, away };
  }
  if (best === undefined) return undefined;
  const lines = [
    `${String(best.arc.count)} ${plural}, drawn as one arc`,
    "zoom in to see each of them",
  ];
  return { away: best.away, count: 1, lines, about: { kind } };
}

/**
 * Arcs that start and end close to each other become one with their count; "close" widens until at
 * most `most` are left, twelve or more. Wider cells take the bundles of narrower ones, so that a
 * hundred thousand arcs are looked at once.
 */
export function bundle(arcs: readonly Arc[], most: number): readonly Arc[] {
  return widened(bundledBy(arcs, BUNDLE_PX), most);
}

function widened(narrow: readonly Arc[], most: number): readonly Arc[] {
  let bundles = narrow;
  for (let px = BUNDLE_PX * 1.5; bundles.length > most && px <= BUNDLE_PX_MAX; px *= 1.5)
    bundles = bundledBy(bundles, px);
  return bundles;
}

function bundledBy(arcs: readonly Arc[], px: number): readonly Arc[] {
  const cells: Cells = new Map();
  for (const arc of arcs) gather(cells, arc, px);
  return [...cells.values()];
}

/** Bundles by their cell. */
type Cells = Map<number, Writable<Arc>>;

function gather(cells: Cells, arc: Arc, px: number): void {
  // Thirty bits: a key that fits a small integer is found several times faster.
  const key =
    (cell(arc.x0, px) << 20) |
    (cell(arc.y0, px) << 10) |
    (arc.own === true ? OWN_CELL : cell(arc.y1, px));
  const known = cells.get(key);
  if (known === undefined) cells.set(key, { ...arc });
  else merge(known, arc);
}

/**
 * Takes an arc into a bundle. It lies where the larger of both does: the middle of two bursts may
 * be a time at which nothing was sent.
 */
function merge(into: Writable<Arc>, arc: Arc): void {
  const count = into.count + arc.count;
  if (arc.count > into.count) Object.assign(into, arc);
  into.count = count;
  into.faint = false;
}

/**
 * Which cell of a grid a coordinate falls in; kept positive, since rows out of sight lie above 0.
 */
function cell(at: number, px: number): number {
  return Math.min(CELLS - 1, Math.max(0, Math.floor(at / px) + 64));
}

export function strokeArc(context: CanvasRenderingContext2D, arc: Arc, bend: Bend): void {
  context.beginPath();
  context.moveTo(arc.x0, arc.y0);
  context.quadraticCurveTo(bend(arc), (arc.y0 + arc.y1) / 2, arc.x1, arc.y1);
  context.stroke();
}

/** The point of the curve `share` of the way along it, CSS px. */
export function alongArc(
  { x0, y0, x1, y1 }: Arc,
  bendX: number,
  share: number,
): { readonly x: number; readonly y: number } {
  const [a, b, c] = [(1 - share) * (1 - share), 2 * share * (1 - share), share * share];
  return { x: a * x0 + b * bendX + c * x1, y: a * y0 + b * ((y0 + y1) / 2) + c * y1 };
}

const PARTS = 12;

/** From a point to the curve as it is drawn, CSS px; Infinity where it is clearly elsewhere. */
export function awayFromArc(
  arc: Arc,
  bend: Bend,
  { x, y }: Pick<Pointer, "x" | "y">,
  reach: number,
): number {
  const { x0, y0, y1 } = arc;
  if (y < Math.min(y0, y1) - reach || y > Math.max(y0, y1) + reach) return Infinity;
  const bendX = bend(arc);
  let best = Infinity;
  let fromX = x0;
  let fromY = y0;
  for (let part = 1; part <= PARTS; part += 1) {
    const { x: toX, y: toY } = alongArc(arc, bendX, part / PARTS);
    best = Math.min(best, awayFromLine(fromX, fromY, toX, toY, x, y));
    fromX = toX;
    fromY = toY;
  }
  return best;
}

/** From a point to a stretch of a line. */
function awayFromLine(
  x0: number,
  y0: number,
  x1: number,
  y1: number,
  x: number,
  y: number,
): number {
  const [dx, dy] = [x1 - x0, y1 - y0];
  const long = dx * dx + dy * dy;
  const share = long === 0 ? 0 : Math.min(1, Math.max(0, ((x - x0) * dx + (y - y0) * dy) / long));
  return Math.hypot(x0 + share * dx - x, y0 + share * dy - y);
}

/** From a point to an upright line between two lanes. */
export function awayFromUpright(
  at: number,
  y0: number,
  y1: number,
  { x, y }: Pick<Pointer, "x" | "y">,
): number {
  return awayFromLine(at, y0, at, y1, x, y);
}
