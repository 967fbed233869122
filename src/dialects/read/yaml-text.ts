// YAML, or the JSON that is part of it, as people cut it out of files: tabs, a first line without
// its indentation, several documents.

import { parseAllDocuments } from "yaml";
import { TEXT_MAX } from "./understood.ts";

/** Documents of a text that are looked at. */
const DOCUMENTS_MAX = 50;
/**
 * Anchors and aliases of YAML in one text: manifests hardly use them, each is looked for among all
 * before it, and a few can make millions of values.
 */
const ALIASES_MAX = 20;

/** The value of each document; undefined where the text is no YAML. */
export function documentsIn(text: string): readonly unknown[] | undefined {
  if ((text.match(/[&*]\w/g)?.length ?? 0) > ALIASES_MAX) return undefined;
  const spaced = text.replaceAll("\t", "  ");
  return parsed(spaced) ?? parsed(withHeadIndented(spaced));
}

function parsed(text: string): readonly unknown[] | undefined {
  try {
    const documents = parseAllDocuments(text, { uniqueKeys: false, logLevel: "silent" });
    const roots = Array.isArray(documents) ? documents.slice(0, DOCUMENTS_MAX) : [];
    if (roots.some(({ errors }) => errors.length > 0)) return undefined;
    return roots.map((root): unknown => root.toJS({ maxAliasCount: ALIASES_MAX }));
  } catch {
    // Nested deeper than the stack, or full of aliases: no manifest is.
    return undefined;
  }
}

/**
 * A block copied from the middle of a file lacks the indentation of its first line: that line
 * belongs beside the least indented of the others.
 */
function withHeadIndented(text: string): string {
  const [head = "", ...rest] = text.trimStart().split(/\r?\n/);
  const least = rest.reduce(
    (indent, line) =>
      line.trim() === "" ? indent : Math.min(indent, line.length - line.trimStart().length),
    TEXT_MAX,
  );
  const own = least - (/^- +/.exec(head)?.[0].length ?? 0);
  return own > 0 && least < TEXT_MAX ? [" ".repeat(own) + head, ...rest].join("\n") : text;
}
