// A wake-up's stretches as lines that can be read: what ticks cut in pieces is one line, and what is too short to matter is kept together. Nothing
// is left out: the lines and the short ones add up to the latency, exactly.

import type { WakeRecord, WakeSegment } from "./types.ts";

/** Stretches of one cause, told in one line. */
export interface WakeRow {
  readonly cause: number;
  /** In order of time; one with `summed` stands alone. */
  readonly parts: readonly WakeSegment[];
  readonly ns: number;
  readonly basisPoints: number;
}

export interface WakeRows {
  /** In order of their first stretch. */
  readonly rows: readonly WakeRow[];
  /** The causes that have less than 1 % in all their short stretches together. */
  readonly short: readonly WakeRow[];
}

/** A shorter stretch is short, hundredths of a per cent. */
const SHORT = 100;
/** So many lines are read as they are. */
const FEW = 4;

export function wakeRows({ segments }: Pick<WakeRecord, "segments">): WakeRows {
  if (segments.length <= FEW) return { rows: segments.map((segment) => rowOf([segment])), short: [] };
  const isShort = ({ basisPoints }: WakeSegment): boolean => basisPoints < SHORT;
  const shorts = segments.filter(isShort);
  const byCause = [...new Set(shorts.map(({ cause }) => cause))].map((cause) => rowOf(shorts.filter((each) => each.cause === cause)));
  const rows = [...merged(segments.filter((segment) => !isShort(segment))), ...byCause.filter(({ basisPoints }) => basisPoints >= SHORT)];
  const short = byCause.filter(({ basisPoints }) => basisPoints < SHORT);
  // A line that says "1 shorter stretch" takes the room of that stretch.
  const single = short.length === 1 && short[0]?.parts.length === 1;
  return { rows: inOrder(single ? [...rows, ...short] : rows), short: single ? [] : inOrder(short) };
}

/** Neighbours of one cause as one. */
function merged(segments: readonly WakeSegment[]): readonly WakeRow[] {
  const groups: WakeSegment[][] = [];
  for (const segment of segments) {
    const last = groups.at(-1);
    const before = last?.at(-1);
    const same = before?.cause === segment.cause && before.summed === undefined && segment.summed === undefined;
    if (last !== undefined && same) last.push(segment);
    else groups.push([segment]);
  }
  return groups.map(rowOf);
}

function rowOf(parts: readonly WakeSegment[]): WakeRow {
  const sum = (of: (part: WakeSegment) => number): number => parts.reduce((all, part) => all + of(part), 0);
  return { cause: parts[0]?.cause ?? 0, parts, ns: sum(({ ns }) => ns), basisPoints: sum(({ basisPoints }) => basisPoints) };
}

function inOrder(rows: readonly WakeRow[]): readonly WakeRow[] {
  const start = ({ parts }: WakeRow): number => parts[0]?.fromNs ?? 0;
  return [...rows].sort((one, other) => start(one) - start(other));
}
