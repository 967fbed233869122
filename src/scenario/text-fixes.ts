// What mends an error of the reader in a text, where the reader says what it takes. Knows texts and
// places in them.

import type { ScenarioError } from "../engine/gen/types.ts";

/**
 * What an error suggests, written over the thing at its place; undefined if that cannot be done.
 */
export function fixOf(text: string, error: ScenarioError): TextChange | undefined {
  const { line, column, suggestion } = error;
  if (line === undefined || column === undefined || suggestion === undefined) return undefined;
  const from = offsetOf(text, line, column);
  const token = /^(?:"(?:[^"\\\n]|\\.)*"|[^\s,\]}:[{"]+)/.exec(text.slice(from))?.[0];
  if (token === undefined) return undefined;
  // A figure of a caption: the sentence around it is the writer's.
  if (suggestion.startsWith("{")) return figureFix(from, token, error.message, suggestion);
  const isKey = /^\s*:/.test(text.slice(from + token.length));
  const insert =
    isJson(suggestion) && !(isKey && !suggestion.startsWith('"'))
      ? suggestion
      : JSON.stringify(suggestion);
  return { from, to: from + token.length, insert };
}

/** A stretch of a text and the words that replace it. */
export interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

function figureFix(
  at: number,
  caption: string,
  message: string,
  insert: string,
): TextChange | undefined {
  const wrong = `{${/"(.*)"$/.exec(message)?.[1] ?? ""}}`;
  const place = caption.indexOf(wrong);
  return place < 0 ? undefined : { from: at + place, to: at + place + wrong.length, insert };
}

/** The text with what `fixOf` writes. */
export function applyFix(text: string, error: ScenarioError): string | undefined {
  const fix = fixOf(text, error);
  return fix === undefined ? undefined : text.slice(0, fix.from) + fix.insert + text.slice(fix.to);
}

/** Offset of a place; lines and columns count from 1, columns in characters. */
export function offsetOf(text: string, line: number, column: number): number {
  const lines = text.split("\n");
  const before = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
  const inLine = Array.from(lines[line - 1] ?? "")
    .slice(0, column - 1)
    .join("").length;
  return Math.min(text.length, before + inLine);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
