// A mark whose items are rows of the trace. The place of a row on the lanes and its words decide
// how the mark is found, spoken and stepped to.

import { formatNs, speakNs } from "../../lib/format.ts";
import type { RowList, TraceStore } from "../../model/index.ts";
import { nsPerPx, xOf } from "../plot/plot.ts";
import type { Found, Mark, Pointer, Run, Scene } from "./mark.ts";
import { COUNTED_MAX, REACH_PX } from "./mark.ts";

/** Writes a duration: short in a tooltip, spelt out for a screen reader. */
export type Say = (ns: number, digits?: number) => string;

interface Reach {
  readonly before: number;
  readonly after: number;
}

export interface RowParts {
  readonly kinds: readonly number[];
  /** Rows of these kinds that are no item, left out. */
  readonly keep?: (trace: TraceStore, row: number) => boolean;
  /** Every place of a row on the lanes; by default its CPU at its time. */
  readonly places?: (
    trace: TraceStore,
    row: number,
    see: (cpu: number, ns: number) => void,
  ) => void;
  /** How far places may lie before and after the row's own time, ns. */
  readonly reach?: (trace: TraceStore, rows: RowList) => Reach;
  /** A row's places lie at its time and `b` before it, and nowhere else. */
  readonly bBefore?: true;
  /** Words of a row, the heading first. */
  readonly lines: (trace: TraceStore, row: number, say: Say) => readonly string[];
  /**
   * From the pointer to the drawn shape, CSS px; by default along the time axis, on the lanes of
   * its places.
   */
  readonly away?: (scene: Scene, row: number, at: Pointer) => number;
  /** Half the width of the shape at a place, CSS px: all of it counts as the mark. */
  readonly halfPx?: number;
  /** How far a shape leaves the times of its places, CSS px. */
  readonly bulgePx?: number;
  /** The CPU state that a row of the first kind begins: inside such a slice its row is meant. */
  readonly during?: number;
}

/**
 * Rows that one step looks at, at most: a key press must be answered promptly even on a CPU on
 * which the mark never happens.
 */
const STEP_ROWS_MAX = 200_000;
const AT_ITS_TIME: Reach = { before: 0, after: 0 };

/** The parts of a mark that follow from its rows. */
export function rowMark(
  parts: RowParts,
): Pick<Mark, "kinds" | "countIn" | "count" | "hit" | "speak" | "step"> {
  return {
    kinds: parts.kinds,
    countIn: ({ trace }, fromNs, toNs) => {
      const { before, after } = reachOf(parts, trace);
      return trace.events.rowsOf(parts.kinds).countIn(fromNs - after, toNs + before);
    },
    count: ({ trace }, fromNs, toNs) => countRows(parts, trace, fromNs, toNs),
    hit: (scene, at) => hitRow(parts, scene, at),
    speak: (run, ns, say) => speakRows(parts, run, ns, say),
    step: (run, cpu, ns, later) =>
      later ? nextOf(parts, run.trace, cpu, ns) : previousOf(parts, run.trace, cpu, ns),
  };
}

function countRows(
  { kinds, keep }: RowParts,
  trace: TraceStore,
  fromNs: number,
  toNs: number,
): number {
  const list = trace.events.rowsOf(kinds).listIn(fromNs, toNs);
  return keep === undefined || list.length > COUNTED_MAX
    ? list.length
    : list.filter((row) => keep(trace, row)).length;
}

/** The rows of a mark that may show in a window, in order. */
export function rowsIn(
  parts: Pick<RowParts, "kinds" | "reach">,
  { trace, plot }: Scene,
): Uint32Array {
  const { before, after } = reachOf(parts, trace);
  const { fromNs, toNs } = plot.viewport;
  return trace.events.rowsOf(parts.kinds).listIn(fromNs - after, toNs + before);
}

function reachOf(parts: Pick<RowParts, "kinds" | "reach">, trace: TraceStore): Reach {
  return parts.reach?.(trace, trace.events.rowsOf(parts.kinds)) ?? AT_ITS_TIME;
}

function seePlaces(
  parts: RowParts,
  trace: TraceStore,
  row: number,
  see: (cpu: number, ns: number) => void,
): void {
  if (parts.keep !== undefined && !parts.keep(trace, row)) return;
  if (parts.places === undefined) see(trace.events.cpu.at(row), trace.events.time.at(row));
  else parts.places(trace, row, see);
}

function hitRow(parts: RowParts, scene: Scene, at: Pointer): Found | undefined {
  const { trace, plot } = scene;
  const margin = nsPerPx(plot) * (REACH_PX + (parts.bulgePx ?? 0) + (parts.halfPx ?? 0));
  const { before, after } = reachOf(parts, trace);
  let best: { readonly row: number; readonly away: number } | undefined;
  let count = 0;
  for (const row of trace.events
    .rowsOf(parts.kinds)
    .listIn(at.ns - margin - after, at.ns + margin + before)) {
    const away = Math.max(0, awayOf(parts, scene, row, at) - (parts.halfPx ?? 0));
    if (away > REACH_PX) continue;
    count += 1;
    if (away < (best?.away ?? Infinity)) best = { row, away };
  }
  if (best !== undefined)
    return { away: best.away, count, lines: parts.lines(trace, best.row, formatNs), about: best };
  const row = rowDuring(parts, trace, at);
  return row === undefined
    ? undefined
    : { away: 1, count: 1, lines: parts.lines(trace, row, formatNs), about: { row } };
}

function awayOf(parts: RowParts, scene: Scene, row: number, at: Pointer): number {
  if (parts.away !== undefined)
    return parts.keep?.(scene.trace, row) === false ? Infinity : parts.away(scene, row, at);
  let away = Infinity;
  seePlaces(parts, scene.trace, row, (cpu, ns) => {
    if (cpu === at.cpu) away = Math.min(away, Math.abs(xOf(scene.plot, ns) - at.x));
  });
  return away;
}

/** Inside the slice that a row began: that row. */
function rowDuring(parts: RowParts, trace: TraceStore, { cpu, ns }: Pointer): number | undefined {
  const slice = trace.cpuAt(cpu, ns);
  if (parts.during === undefined || slice?.state !== parts.during) return undefined;
  const { events } = trace;
  const rows = events.rowsOf(parts.kinds);
  const last = rows.firstAt(Math.floor(ns) + 1) - 1;
  for (let index = last; index >= Math.max(0, last - STEP_ROWS_MAX); index -= 1) {
    const row = rows.at(index);
    if (events.cpu.at(row) === cpu && events.kind.at(row) === parts.kinds[0]) return row;
  }
  return undefined;
}

function speakRows(
  parts: RowParts,
  { trace }: Run,
  ns: number,
  say: (cpu: number, words: string) => void,
): void {
  const { before, after } = reachOf(parts, trace);
  const { data: times } = trace.events.time;
  const { data: bs } = trace.events.b;
  for (const row of trace.events.rowsOf(parts.kinds).listIn(ns - after, ns + before + 1)) {
    // One IPI that is long on its way makes hundreds of thousands of rows possible: two columns
    // show of most that they are not here.
    const time = times[row] ?? 0;
    if (parts.bBefore === true && time !== ns && time - (bs[row] ?? 0) !== ns) continue;
    seePlaces(parts, trace, row, (cpu, at) => {
      if (at === ns) say(cpu, parts.lines(trace, row, speakNs).join(", "));
    });
  }
}

function nextOf(parts: RowParts, trace: TraceStore, cpu: number, ns: number): number | undefined {
  const rows = trace.events.rowsOf(parts.kinds);
  const { before, after } = reachOf(parts, trace);
  const first = rows.firstAt(ns - after);
  let best = Infinity;
  for (let index = first; index < Math.min(rows.count, first + STEP_ROWS_MAX); index += 1) {
    const row = rows.at(index);
    if (trace.events.time.at(row) - before > best) break;
    seePlaces(parts, trace, row, (on, at) => {
      if (on === cpu && at > ns && at < best) best = at;
    });
  }
  return best === Infinity ? undefined : best;
}

function previousOf(
  parts: RowParts,
  trace: TraceStore,
  cpu: number,
  ns: number,
): number | undefined {
  const rows = trace.events.rowsOf(parts.kinds);
  const { before, after } = reachOf(parts, trace);
  const last = rows.firstAt(ns + before) - 1;
  let best = -Infinity;
  for (let index = last; index >= Math.max(0, last - STEP_ROWS_MAX); index -= 1) {
    const row = rows.at(index);
    if (trace.events.time.at(row) + after < best) break;
    seePlaces(parts, trace, row, (on, at) => {
      if (on === cpu && at < ns && at > best) best = at;
    });
  }
  return best === -Infinity ? undefined : best;
}
