// Which wake-up of one run is which of another: the same task's, due at about the same time. True
// of finished wake-ups of two runs; must not know which side is A.
//
//   one    0────────10────────20────────────────────40
//   other  0──────────11──────────────────29────────40
//
// The pairs are 0-0, 10-11 and 40-40; 20 and 29 stay alone, because each lies nearer to another.
//
// Two wake-ups are a pair if each is the nearest of the other by due time. That is symmetric and
// one to one by construction, keeps the order, and holds any pair within half of the period at that
// place, and no period has to be stated.

import { lowerBound, upperBound } from "../../lib/search.ts";
import type { WakeTable } from "../trace/wakes.ts";

/** Due times of one task's wake-ups, ascending. */
type Dues = ArrayLike<number>;

/**
 * The row of `to` that is the same wake-up as row `row` of `from`; undefined if there is none, or
 * none yet.
 */
export function partnerOf(from: WakeTable, row: number, to: WakeTable): number | undefined {
  const task = from.taskName(from.taskIdOf(row));
  const mine = from.ofTask(task);
  const theirs = to.ofTask(task);
  const index = pairIndex(mine.dues, lowerBound(mine.rows, mine.rows.length, row), theirs.dues);
  return index === undefined ? undefined : theirs.rows[index];
}

/** The index in `theirs` of the pair of the wake-up at `index` of `mine`. */
export function pairIndex(mine: Dues, index: number, theirs: Dues): number | undefined {
  const due = mine[index];
  const found = due === undefined ? undefined : nearest(theirs, due);
  if (due === undefined || found === undefined || nearest(mine, found) !== due) return undefined;
  if (!withinEnd(mine, due, found) || !withinEnd(theirs, found, due)) return undefined;
  // Wake-ups of one task due at the same instant pair in their order.
  const other = firstAt(theirs, found) + index - firstAt(mine, due);
  return theirs[other] === found ? other : undefined;
}

/** The due time nearest to `ns`; undefined if there is none, or if two lie equally near. */
function nearest(dues: Dues, ns: number): number | undefined {
  const next = firstAt(dues, ns);
  const after = dues[next];
  const before = dues[next - 1];
  if (after === undefined || before === undefined) return after ?? before;
  if (after - ns === ns - before) return undefined;
  return after - ns < ns - before ? after : before;
}

/**
 * Beyond its ends a list has no neighbour that could be nearer: there the distance must stay below
 * half of the last gap. A list whose wake-ups are all due at once says nothing about a period, and
 * pairs.
 */
function withinEnd(dues: Dues, own: number, other: number): boolean {
  const first = firstAt(dues, own);
  const past = upperBound(dues, dues.length, own);
  const beyondLast = other > own && past === dues.length;
  const beyondFirst = other < own && first === 0;
  const inner = beyondLast ? dues[first - 1] : beyondFirst ? dues[past] : undefined;
  return inner === undefined || 2 * Math.abs(other - own) < Math.abs(own - inner);
}

function firstAt(dues: Dues, ns: number): number {
  return lowerBound(dues, dues.length, ns);
}
