// Rows as CSV (RFC 4180), safe to open in a spreadsheet.

/** A cell that a spreadsheet would compute begins with an apostrophe instead. */
function cellOf(value: string | number): string {
  if (typeof value === "number") return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function csvOf(rows: readonly (readonly (string | number)[])[]): string {
  return `${rows.map((row) => row.map(cellOf).join(",")).join("\r\n")}\r\n`;
}
