// The writers of tables by format. The names come from the registry in Rust: a format that it lists
// and that has no function here does not compile.

import type { TableFormat } from "../../engine/gen/formats.ts";
import { csvOf, jsonOf, type Table } from "../../lib/csv.ts";

export const TABLE_WRITERS: Readonly<Record<TableFormat, (table: Table) => string>> = {
  csv: csvOf,
  json: jsonOf,
};
