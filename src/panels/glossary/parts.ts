// Finds the glossary's names in prose: whole words, the longest first, each once in a block.

import { slugOf } from "../../lib/slug.ts";
import { NAMES, OF_QUOTA } from "./names.ts";

/** A stretch of a text; `anchor` is its place in the glossary, if it is a name. */
export interface Part {
  readonly text: string;
  readonly anchor?: string;
}

const ANCHORS = new Map(
  Object.entries(NAMES).flatMap(([name, others]) =>
    [name, ...others].map((form) => [form.toLowerCase(), slugOf(name)] as const),
  ),
);

/** Matches any white space between words: a line of the file may end within a term. */
function patternOf(form: string): string {
  const [first = "", ...rest] = form
    .replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll(" ", String.raw`\s+`);
  const start =
    /\p{Ll}/u.test(first) && !form.includes("_") ? `[${first}${first.toUpperCase()}]` : first;
  return `${start}${rest.join("")}`;
}

// Not within a path, an option or a longer name: `cpu.max.burst`, `rt-pull-herd`, `kernel/sched`.
const WORD = new RegExp(
  String.raw`(?<![\p{L}\p{N}_./:=-])(${Object.entries(NAMES)
    .flatMap(([name, others]) => [name, ...others])
    .sort((one, other) => other.length - one.length)
    .map(patternOf)
    .join("|")})(s?)(?![\p{L}\p{N}_(=-]|[./:][\p{L}\p{N}])`,
  "gu",
);

const ONLY_OF_QUOTA = new Set(OF_QUOTA.map(slugOf));

/** What may be linked, and what was. */
export interface Block {
  /** Anchors that have their link in this block; names found are added. */
  readonly seen: Set<string>;
  /** Whether the text is about a quota. */
  readonly quota: boolean;
}

/** Whether a text speaks of a quota. */
export function isOfQuota(text: string): boolean {
  return /\bquota/i.test(text);
}

/**
 * The text in parts, in order and complete. A name is a part of its own only at its first place in
 * the block.
 */
export function partsOf(text: string, { seen, quota }: Block): readonly Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (const found of text.matchAll(WORD)) {
    const [whole, form = ""] = found;
    const anchor = ANCHORS.get(form.toLowerCase().replaceAll(/\s+/g, " "));
    if (anchor === undefined || seen.has(anchor) || (!quota && ONLY_OF_QUOTA.has(anchor))) continue;
    seen.add(anchor);
    if (found.index > from) parts.push({ text: text.slice(from, found.index) });
    parts.push({ text: whole, anchor });
    from = found.index + whole.length;
  }
  if (from < text.length) parts.push({ text: text.slice(from) });
  return parts;
}
