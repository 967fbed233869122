// Tables as text for other programs. Knows cells only.

/** A number as it is, a text, or nothing. */
export type Cell = string | number | undefined;

export interface Table {
  readonly columns: readonly string[];
  readonly rows: Iterable<readonly Cell[]>;
}

/** A spreadsheet takes a text that begins so for a formula. */
const FORMULA = /^[=+\-@\t\r\n]/;

/**
 * RFC 4180: comma, CRLF, quotes where needed. A text that a spreadsheet would run as a formula gets
 * an apostrophe before it.
 */
export function csvOf({ columns, rows }: Table): string {
  const lines = [line(columns)];
  for (const row of rows) lines.push(line(row));
  return `${lines.join("\r\n")}\r\n`;
}

function line(cells: readonly Cell[]): string {
  return cells.map(field).join(",");
}

function field(cell: Cell): string {
  if (cell === undefined) return "";
  if (typeof cell === "number") return String(cell);
  const safe = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** An array of objects by column; what a row lacks is left out. */
export function jsonOf({ columns, rows }: Table): string {
  const objects: unknown[] = [];
  for (const row of rows)
    objects.push(
      Object.fromEntries(
        columns.flatMap((column, at) => (row[at] === undefined ? [] : [[column, row[at]]])),
      ),
    );
  return `${JSON.stringify(objects, undefined, 1)}\n`;
}
