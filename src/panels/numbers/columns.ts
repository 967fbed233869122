// Cells that the tables share: a figure of A and of B, what lies between, and how many times the
// one is the other.

import { formatCount, formatNs } from "../../lib/format.ts";
import { deltaOf, type Pair } from "../../model/compare/deltas.ts";
import type { Column } from "./DataTable.tsx";

/** `share` is in hundredths of a per cent. */
export type Unit = "count" | "ns" | "share";

const NONE = "–";
const MINUS = "\u2212";

export function valueWords(value: number | undefined, unit: Unit): string {
  if (value === undefined) return NONE;
  if (unit === "share") return `${(value / 100).toFixed(2)} %`;
  return unit === "ns" ? formatNs(value, 3) : formatCount(value);
}

function deltaWords(delta: number | undefined, unit: Unit): string {
  if (delta === undefined) return NONE;
  if (delta === 0) return "0";
  return `${delta > 0 ? "+" : MINUS}${valueWords(Math.abs(delta), unit)}`;
}

/** B as a multiple of A. From nothing there is no multiple. */
function ratioOf({ a, b }: Pair): number | undefined {
  return a === undefined || b === undefined || a === 0 ? undefined : b / a;
}

function ratioWords(ratio: number | undefined): string {
  if (ratio === undefined) return NONE;
  if (ratio > 0 && ratio < 0.0001) return "< ×0.0001";
  return `×${ratio === 0 || ratio >= 1000 ? formatCount(Math.round(ratio)) : ratio.toPrecision(4)}`;
}

/** Said in place of a figure that so few samples do not support. */
export function fewWords(samples: number): string {
  return `too few samples (n = ${formatCount(samples)})`;
}

/**
 * Four columns: A, B, B less A, B divided by A. `name` is the figure's name in exported files;
 * `fewOf` has the number of samples where they are too few for a figure.
 */
export function pairColumns<T>(
  name: string,
  pairOf: (row: T) => Pair,
  unitOf: (row: T) => Unit,
  fewOf?: (row: T) => Pair,
): readonly Column<T>[] {
  // Wide enough for `999.999 ms`; with `ratioAbove` all of them are in sight in the narrowest dock.
  const width = [4.5, 1] as const;
  const words = (row: T, side: "a" | "b"): string => {
    const few = fewOf?.(row)[side];
    return few === undefined
      ? valueWords(pairOf(row)[side], unitOf(row))
      : `n = ${formatCount(few)}`;
  };
  const note = (row: T, side: "a" | "b"): string | undefined => {
    const few = fewOf?.(row)[side];
    return few === undefined ? undefined : fewWords(few);
  };
  return [
    {
      id: `${name}_a`,
      label: "A",
      number: true,
      width,
      cell: (row) => pairOf(row).a,
      text: (row) => words(row, "a"),
      note: (row) => note(row, "a"),
    },
    {
      id: `${name}_b`,
      label: "B",
      number: true,
      width,
      cell: (row) => pairOf(row).b,
      text: (row) => words(row, "b"),
      note: (row) => note(row, "b"),
    },
    {
      id: `${name}_delta`,
      label: "B − A",
      title: "B less A, exact",
      number: true,
      width: [5, 1],
      cell: (row) => deltaOf(pairOf(row)),
      text: (row) => deltaWords(deltaOf(pairOf(row)), unitOf(row)),
    },
    {
      id: `${name}_ratio`,
      label: "B / A",
      title: "How many times A's figure B's is",
      number: true,
      width: [4.5, 0.8],
      cell: (row) => ratioOf(pairOf(row)),
      text: (row) => ratioWords(ratioOf(pairOf(row))),
    },
  ];
}

/**
 * Puts the columns of one pair on two lines: B / A at the end of the first line, which also has the
 * row's name; A, B and B − A on the line below.
 */
export function ratioAbove<T>(pair: readonly Column<T>[]): readonly Column<T>[] {
  return pair.map((column, at) => (at === pair.length - 1 ? { ...column, above: true } : column));
}

/** Whether any of a row's words holds what was typed, whatever its case. */
export function holds(search: string, ...words: readonly string[]): boolean {
  const sought = search.trim().toLowerCase();
  return sought === "" || words.some((word) => word.toLowerCase().includes(sought));
}
