// What was typed into the paste box last: it is there again when the box or the page opens anew.

import { TEXT_MAX } from "../../dialects/read/understood.ts";

let last: string | undefined;

function keyOf(root: string): string {
  return `schedscope:${root}:paste`;
}

export function readKept(root: string): string {
  try {
    return last ?? window.localStorage.getItem(keyOf(root)) ?? "";
  } catch {
    return last ?? "";
  }
}

export function keep(root: string, text: string): void {
  last = text;
  try {
    if (text.length <= TEXT_MAX) window.localStorage.setItem(keyOf(root), text);
  } catch {
    // Denied or full: the text stays in the page.
  }
}
