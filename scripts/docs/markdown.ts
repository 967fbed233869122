// A Markdown file of docs/ as HTML: headings and rows of a list of terms can be linked, commits and
// sources that are cited are links. It knows no page around it.

import { Marked, type Token, type Tokens } from "marked";
import { timeSigns } from "../../src/lib/format.ts";
import { slugOf } from "../../src/lib/slug.ts";
import { escapeHtml } from "../lib/escape.ts";

/** How a file's words become addresses. */
export interface Ways {
  /** The address of a Markdown link; undefined where the site has nothing there. */
  readonly link: (href: string) => string | undefined;
  /** Names of sources with their addresses, longest first. */
  readonly sources: readonly (readonly [string, string])[];
  /** Whether the first cell of each row of a table is a name to link to. */
  readonly named: boolean;
}

/** Names in a first cell: "`rq`, rq lock" has two. */
export function namesIn(cell: string): readonly string[] {
  return cell
    .replaceAll("`", "")
    .replaceAll(/\([^)]*\)/g, "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

export function markdownHtml(text: string, { link, sources, named }: Ways): string {
  const known = citations(sources);
  let inLink = false;
  const cell = (
    tag: string,
    { tokens }: Tokens.TableCell,
    inline: (tokens: Token[]) => string,
    anchors = "",
  ): string => `<${tag}>${anchors}${inline(tokens)}</${tag}>`;
  const marked = new Marked({
    renderer: {
      html: () => "",
      heading({ tokens, depth, text: plain }) {
        const id = slugOf(plain.replaceAll("`", ""));
        const words = this.parser.parseInline(tokens);
        return depth === 1
          ? `<h1>${words}</h1>\n`
          : `<h${depth} id="${id}"><a class="anchor" href="#${id}">${words}</a></h${depth}>\n`;
      },
      link({ href, tokens }) {
        const way = /^https:\/\//.test(href) ? href : link(href);
        inLink = way !== undefined;
        const words = this.parser.parseInline(tokens);
        inLink = false;
        return way === undefined ? words : `<a href="${escapeHtml(way)}">${words}</a>`;
      },
      text(token) {
        if (token.type === "text" && token.tokens !== undefined)
          return this.parser.parseInline(token.tokens);
        const words = timeSigns(token.text);
        const plain = "escaped" in token && token.escaped ? words : escapeHtml(words);
        return inLink ? plain : known(plain);
      },
      table({ header, rows }) {
        const inline = (tokens: Token[]): string => this.parser.parseInline(tokens);
        const row = (cells: Tokens.TableCell[]): string => {
          const [first, ...others] = cells;
          if (first === undefined) return "";
          const anchors = named
            ? namesIn(first.text).map((name) => `<span id="${slugOf(name)}"></span>`)
            : [];
          return `<tr>${cell("td", first, inline, anchors.join(""))}${others.map((each) => cell("td", each, inline)).join("")}</tr>`;
        };
        const heads = header.map((each) => cell("th", each, inline)).join("");
        return `<div class="table" tabindex="0" role="group" aria-label="table"><table><thead><tr>${heads}</tr></thead><tbody>${rows.map(row).join("")}</tbody></table></div>\n`;
      },
    },
  });
  return marked.parse(text, { async: false });
}

/** Twelve digits of a commit, and the short name of a source, as links. */
function citations(sources: Ways["sources"]): (escaped: string) => string {
  const names = new Map(sources);
  const pattern = new RegExp(
    `\\b(?:(?=[a-f]*\\d)[0-9a-f]{12}${sources.map(([name]) => `|${name}`).join("")})\\b`,
    "g",
  );
  return (escaped) =>
    escaped.replaceAll(pattern, (cited) => {
      const address = names.get(cited) ?? `https://git.kernel.org/linus/${cited}`;
      return `<a href="${address}">${cited}</a>`;
    });
}
