// The ranking of changes as a table for other programs.

import type { BisectObject, Effect } from "../../engine/bisect-object.ts";
import type { Table } from "../../lib/csv.ts";

/** A row for each entry of the ranking, effects in thousandths of the figure's unit. */
export function whichTable({ metric, ranking }: BisectObject): Table {
  return {
    columns: [
      "metric",
      "changes",
      "clear",
      "share_thousandths",
      ...["effect", "alone", "without"].flatMap((of) => [
        `${of}_mean_thousandths`,
        `${of}_low_thousandths`,
        `${of}_high_thousandths`,
      ]),
    ],
    rows: ranking.map(({ changes, clear, share_thousandths, effect, alone, without }) => [
      metric,
      changes.join(" with "),
      String(clear),
      share_thousandths ?? undefined,
      ...[effect, alone, without].flatMap(cellsOf),
    ]),
  };
}

function cellsOf(effect: Effect | null): readonly (number | undefined)[] {
  return [effect?.mean_thousandths, effect?.low_thousandths, effect?.high_thousandths];
}
