// The text of the box: the one that was typed last is there again when the box or the page opens
// anew, and one that is too long is cut before it enters the field.

import { useEffect, useState } from "react";
import { LINES_MAX, TEXT_MAX } from "../../engine/paste-protocol.ts";
import { usePage } from "../page/page.ts";

export interface BoxText {
  readonly text: string;
  /** Characters that were left out at the end. */
  readonly cut: number;
  readonly setText: (text: string) => void;
}

/** `pasted`: what was pasted onto the page; "" for what was typed last. */
export function useBoxText(pasted: string): BoxText {
  const { root } = usePage();
  const [{ text, cut }, setBoth] = useState(() => shortened(pasted === "" ? kept(root) : pasted));
  useEffect(() => keep(root, text), [root, text]);
  return { text, cut, setText: (next) => setBoth(shortened(next)) };
}

function shortened(text: string): { readonly text: string; readonly cut: number } {
  const end = Math.min(endOfText(text), endOfLines(text));
  return { text: text.slice(0, end), cut: text.length - end };
}

/** At the end of a line, where one ends near enough. */
function endOfText(text: string): number {
  if (text.length <= TEXT_MAX) return text.length;
  const end = text.lastIndexOf("\n", TEXT_MAX);
  return end > TEXT_MAX / 2 ? end : TEXT_MAX;
}

function endOfLines(text: string): number {
  let at = -1;
  for (let line = 0; line < LINES_MAX; line += 1) {
    at = text.indexOf("\n", at + 1);
    if (at < 0 || at >= TEXT_MAX) return text.length;
  }
  return at;
}

let last: string | undefined;

function keyOf(root: string): string {
  return `schedscope:${root}:paste`;
}

function kept(root: string): string {
  try {
    return last ?? window.localStorage.getItem(keyOf(root)) ?? "";
  } catch {
    return last ?? "";
  }
}

function keep(root: string, text: string): void {
  last = text;
  try {
    window.localStorage.setItem(keyOf(root), text);
  } catch {
    // Denied or full: the text stays in the page.
  }
}
