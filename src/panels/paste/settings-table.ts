// The settings of an answer as a table for other programs.

import type { AnswerObject } from "../../engine/paste-object.ts";
import type { Table } from "../../lib/csv.ts";

/** A row for the setting of the text and for each that keeps the bound; times in us. */
export function settingsTable({ now, rows, programs }: AnswerObject): Table {
  return {
    columns: [
      "quota_us",
      "period_us",
      "burst_us",
      "threads",
      "longest_run_us",
      "longest_least_us",
      "longest_most_us",
      "keeps",
      "programs",
    ],
    rows: [now, ...rows].map((row) => [
      row.quota_us,
      row.period_us,
      row.burst_us,
      row.threads ?? undefined,
      row.longest_us.run ?? undefined,
      row.longest_us.least,
      row.longest_us.most,
      row.keeps,
      programs,
    ]),
  };
}
