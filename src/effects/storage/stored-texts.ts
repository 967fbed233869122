// The viewer's own text, kept as it is typed, and texts that another text took the place of, the
// latest first. Storage may be denied or full: then the texts last as long as the page.

import { draftKey } from "../../scenario/viewer-scenario.ts";

/** How many texts are kept. */
const KEPT_MAX = 5;

let inPage: readonly string[] = [];

function keyOf(root: string): string {
  return `schedscope:${root}:replaced`;
}

/** The texts kept, the latest first. */
export function keptTexts(
  root: string,
  storage: () => Pick<Storage, "getItem">,
): readonly string[] {
  return [...new Set([...inPage, ...stored(root, storage)])].slice(0, KEPT_MAX);
}

function stored(root: string, storage: () => Pick<Storage, "getItem">): readonly string[] {
  try {
    const kept: unknown = JSON.parse(storage().getItem(keyOf(root)) ?? "[]");
    return Array.isArray(kept)
      ? kept.filter((each): each is string => typeof each === "string")
      : [];
  } catch {
    return [];
  }
}

/** Keeps a text before another takes its place. */
export function keepText(
  root: string,
  storage: () => Pick<Storage, "getItem" | "setItem">,
  text: string,
): void {
  if (text.trim() === "") return;
  const kept = [text, ...keptTexts(root, storage).filter((each) => each !== text)].slice(
    0,
    KEPT_MAX,
  );
  inPage = kept;
  // Keep the newest texts, and only those for which there is room.
  for (let count = kept.length; count > 0; count -= 1) {
    try {
      storage().setItem(keyOf(root), JSON.stringify(kept.slice(0, count)));
      return;
    } catch {
      continue;
    }
  }
}

export function keepDraft(
  root: string,
  storage: () => Pick<Storage, "setItem">,
  text: string,
): void {
  try {
    storage().setItem(draftKey(root), text);
  } catch {
    // Denied or full: the text stays in the page.
  }
}
