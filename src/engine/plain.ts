// Text of others in a form that the page may show: what the command writes out is written out here,
// by the same list. Knows characters only.

import { HIDDEN } from "./gen/hidden.ts";

const HIDDEN_CHARACTER = new RegExp(
  `[${HIDDEN.map(([first, last]) => `\\u{${first}}-\\u{${last}}`).join("")}]`,
  "gu",
);

const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/**
 * With characters that would not be seen but do something written out: `\u{202e}` for one that
 * turns the text around.
 */
export function plainText(text: string): string {
  return text.replaceAll(
    HIDDEN_CHARACTER,
    (found) => SHORT[found] ?? `\\u{${(found.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
