// Finds the terms of the glossary in a story: in its prose, but not within headings, links and
// blocks of code.

import type { Token, Tokens } from "marked";
import { isOfQuota, partsOf, type Block, type Part } from "./parts.ts";

/**
 * The parts of each text that has a term, by its token; each top-level block of the story names a
 * term once.
 */
export function termsOf(blocks: readonly Token[]): ReadonlyMap<Token, readonly Part[]> {
  const found = new Map<Token, readonly Part[]>();
  const quota = isOfQuota(blocks.map(({ raw }) => raw).join(""));
  for (const block of blocks) walk(block, { seen: new Set(), quota }, found);
  return found;
}

function walk(token: Token, block: Block, found: Map<Token, readonly Part[]>): void {
  const into = (tokens: readonly Token[]): void =>
    tokens.forEach((each) => walk(each, block, found));
  switch (token.type) {
    case "heading":
    case "link":
    case "code":
      return;
    case "list":
      return (token as Tokens.List).items.forEach((item) => into(item.tokens));
    case "table":
      return (token as Tokens.Table).rows.flat().forEach((cell) => into(cell.tokens));
    case "codespan": {
      // A command or a path that has a name in it is no place to look that up.
      const { text } = token as Tokens.Codespan;
      if (/^[\w.]+$/.test(text)) keep(token, partsOf(text, block), found);
      return;
    }
    default: {
      const { tokens, raw } = token as Tokens.Text;
      if (tokens !== undefined) into(tokens);
      else if (token.type === "text") keep(token, partsOf(raw, block), found);
    }
  }
}

function keep(token: Token, parts: readonly Part[], found: Map<Token, readonly Part[]>): void {
  if (parts.some(({ anchor }) => anchor !== undefined)) found.set(token, parts);
}
