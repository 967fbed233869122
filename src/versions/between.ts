// What changed between two kernel releases, by the rows of the table of kernels. The engine decides
// by the same rule which value a release has (crates/engine/src/kernel/config/row.rs).

import { VERSION_ROWS, type RowValue, type VersionRow } from "../engine/gen/version-rows.ts";
import { compareNumbers, numbersOf, type Numbers } from "../engine/versions.ts";

/** A row in which two releases differ. */
export interface Difference {
  readonly row: VersionRow;
  readonly from: string;
  readonly to: string;
  /** The changes that made the difference, oldest first. */
  readonly steps: readonly RowValue[];
  /** The command that takes the last of them back on the newer release; empty where none does. */
  readonly back: string;
}

/** Whether a value holds for a release: in its branch, or from a mainline release on. */
function holds({ release, stable }: RowValue, own: Numbers): boolean {
  const first = numbersOf(release);
  if (first === undefined) return false;
  const [branch, , posted] = own;
  if (first[2] === 1) return compareNumbers(first, own) === 0;
  return (
    compareNumbers(first, own) <= 0 ||
    (posted === 0 &&
      stable.some((each) => {
        const taken = numbersOf(each);
        return taken !== undefined && taken[0] === branch && compareNumbers(taken, own) <= 0;
      }))
  );
}

/** The place of the value that a release has. */
export function placeOf({ values }: VersionRow, own: Numbers): number {
  return Math.max(
    0,
    values.findLastIndex((value) => holds(value, own)),
  );
}

/** What the newer of two releases has and the older has not, in the order of the table. */
export function differences(one: Numbers, other: Numbers): readonly Difference[] {
  const [older, newer] = compareNumbers(one, other) <= 0 ? [one, other] : [other, one];
  return VERSION_ROWS.flatMap((row) => {
    const [from, to] = [placeOf(row, older), placeOf(row, newer)];
    const [before, after] = [row.values[from]?.value ?? "", row.values[to]?.value ?? ""];
    if (before === after) return [];
    const steps = row.values.slice(Math.min(from, to) + 1, Math.max(from, to) + 1);
    // A stable release took in what the newer one lacks: there is nothing to take back.
    const last = from < to ? steps.at(-1) : undefined;
    return [{ row, from: before, to: after, steps, back: commandOn(last?.back ?? "", newer) }];
  });
}

/** A command with the path that a release has: before 5.13 debugfs had sched_features. */
function commandOn(back: string, release: Numbers): string {
  const moved = numbersOf("5.13");
  const isOld = moved !== undefined && compareNumbers(release, moved) < 0;
  const [now, before] = ["/sys/kernel/debug/sched/features", "/sys/kernel/debug/sched_features"];
  return isOld ? back.replace(now, before) : back.replace(before, now);
}
