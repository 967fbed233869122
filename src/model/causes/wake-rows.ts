// A wake-up's stretches as lines that can be read: what ticks cut in pieces is one line, and what
// is too short to matter is kept together. Nothing is left out: the lines and the short ones add up
// to the latency, exactly.

import { largestRemainder } from "../../lib/percent.ts";
import type { WakeRecord, WakeSegment } from "../trace/run-types.ts";

/** Stretches of one cause in one line. */
export interface WakeRow {
  readonly cause: number;
  /** In order of time; one with `summed` is alone. */
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

/**
 * A stretch is short, and so is what a cause has of short ones, if it is less than one in so many
 * of the whole.
 */
const SHORT = 100;
/** Up to this number of lines, none is folded. */
const FEW = 4;

export function wakeRows({ segments }: Pick<WakeRecord, "segments">): WakeRows {
  if (segments.length <= FEW)
    return { rows: segments.map((segment) => rowOf([segment])), short: [] };
  const whole = sumNs(segments);
  const isShort = ({ ns }: { readonly ns: number }): boolean => ns * SHORT < whole;
  const shorts = segments.filter(isShort);
  const byCause = [...new Set(shorts.map(({ cause }) => cause))].map((cause) =>
    rowOf(shorts.filter((each) => each.cause === cause)),
  );
  const rows = [
    ...merged(segments.filter((segment) => !isShort(segment))),
    ...byCause.filter((row) => !isShort(row)),
  ];
  const short = byCause.filter(isShort);
  // A line that says "1 shorter stretch" takes the room of that stretch.
  const single = short.length === 1 && short[0]?.parts.length === 1;
  return shared(inOrder(single ? [...rows, ...short] : rows), single ? [] : inOrder(short));
}

/**
 * Lines with shares of their own, in which all short ones are one: the shares of many stretches,
 * each rounded by itself, do not add up to that of their time.
 */
function shared(rows: readonly WakeRow[], short: readonly WakeRow[]): WakeRows {
  const shares = largestRemainder([...rows, { ns: sumNs(short) }].map(({ ns }) => ns));
  const ofShort = largestRemainder(
    short.map(({ ns }) => ns),
    shares.at(-1),
  );
  const put = (lines: readonly WakeRow[], points: readonly number[]): readonly WakeRow[] =>
    lines.map((line, index) => ({ ...line, basisPoints: points[index] ?? 0 }));
  return { rows: put(rows, shares), short: put(short, ofShort) };
}

function sumNs(parts: readonly { readonly ns: number }[]): number {
  return parts.reduce((sum, { ns }) => sum + ns, 0);
}

/** Neighbours of one cause as one. */
function merged(segments: readonly WakeSegment[]): readonly WakeRow[] {
  const groups: WakeSegment[][] = [];
  for (const segment of segments) {
    const last = groups.at(-1);
    const before = last?.at(-1);
    const same =
      before?.cause === segment.cause &&
      before.summed === undefined &&
      segment.summed === undefined;
    if (last !== undefined && same) last.push(segment);
    else groups.push([segment]);
  }
  return groups.map(rowOf);
}

function rowOf(parts: readonly WakeSegment[]): WakeRow {
  return {
    cause: parts[0]?.cause ?? 0,
    parts,
    ns: sumNs(parts),
    basisPoints: parts[0]?.basisPoints ?? 0,
  };
}

function inOrder(rows: readonly WakeRow[]): readonly WakeRow[] {
  const start = ({ parts }: WakeRow): number => parts[0]?.fromNs ?? 0;
  return [...rows].sort((one, other) => start(one) - start(other));
}
