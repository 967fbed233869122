// The rules of the model, the sources, the glossary and all that they link to, as static pages of
// the site: `docs/model/time.md` is `model/time/`. It knows files; how the words become HTML,
// markdown.ts knows, and what surrounds them, the page's own head.

import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { escapeHtml } from "../lib/escape.ts";
import { docFolderOf, sitePlaceOf } from "../../src/lib/site-place.ts";
import { slugOf } from "../../src/lib/slug.ts";
import { markdownHtml, namesIn } from "./markdown.ts";

/** A file of docs/ as a page. */
export interface DocPage {
  /** Below the site's root: `model/rt-balancing`. */
  readonly folder: string;
  readonly title: string;
  /** The first sentence of the text. */
  readonly description: string;
  /** What the body holds. */
  readonly html: string;
}

const SOURCES = "docs/model/sources.md";
const GLOSSARY = "docs/model/glossary.md";

/** Where readers start; what these link to, and so on, has a page too. */
const ROOTS = ["docs/model/README.md", GLOSSARY, SOURCES];

/** Files whose rows are names to link to. */
const NAMED = [GLOSSARY, SOURCES];

const TOP: readonly (readonly [string, string])[] = [
  ["model", "Model"],
  ["glossary", "Glossary"],
  ["sources", "Sources"],
  ["versions", "Kernel releases"],
];

/** All pages, in the order in which links reach them. */
export function docPages(root: string): readonly DocPage[] {
  const order = [...ROOTS];
  const texts = new Map<string, string>();
  for (const path of order) {
    const text = textOf(root, path);
    texts.set(path, text);
    for (const [, href = ""] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      const file = fileOf(root, target(path, href).path);
      if (file !== undefined && !order.includes(file)) order.push(file);
    }
  }
  const chapters = [...texts.keys()].filter((path) => /^model(\/|$)/.test(docFolderOf(path)));
  const sources = sourceNames(texts.get(SOURCES) ?? "");
  return order.map((path) =>
    pageOf({ root, path, text: texts.get(path) ?? "", chapters, sources }),
  );
}

/**
 * The file of docs/ that an address within the repository shows: a folder shows its README, or a
 * list of what is in it.
 */
function fileOf(root: string, path: string): string | undefined {
  if (!path.startsWith("docs/")) return undefined;
  if (path.endsWith(".md")) return path;
  const folder = path.replace(/\/$/, "");
  if (!existsSync(join(root, folder)) || !statSync(join(root, folder)).isDirectory())
    return undefined;
  return existsSync(join(root, folder, "README.md")) ? `${folder}/README.md` : `${folder}/`;
}

function textOf(root: string, path: string): string {
  if (!path.endsWith("/")) return readFileSync(join(root, path), "utf8");
  const files = readdirSync(join(root, path)).filter((file) => file.endsWith(".md"));
  const name = posix.basename(path);
  const rows = files.map(
    (file) => `- [${titleOf(readFileSync(join(root, path, file), "utf8"))}](${file})`,
  );
  return `# ${name.slice(0, 1).toUpperCase()}${name.slice(1)}\n\n${rows.join("\n")}\n`;
}

function titleOf(text: string): string {
  return (/^# (.*)$/m.exec(text)?.[1] ?? "").replaceAll("`", "");
}

/** Where a link of the file at `path` leads, from the repository's root. */
function target(path: string, href: string): { readonly path: string; readonly anchor: string } {
  const [file = "", anchor] = href.split("#");
  const here = path.endsWith("/") ? path : posix.dirname(path);
  return {
    path: file === "" ? path : posix.join(here, file),
    anchor: anchor === undefined ? "" : `#${anchor}`,
  };
}

/**
 * Where the repository's file is on the site, from the site's root: pages of docs/, of scenarios
 * and of lessons.
 */
function placeOf(root: string, path: string): string | undefined {
  const file = fileOf(root, path);
  // A folder that docs/ does not have.
  if (file === undefined && path.startsWith("docs/")) return undefined;
  return sitePlaceOf(file ?? path);
}

/** The short names of sources.md with their places, longest first. */
function sourceNames(text: string): readonly (readonly [string, string])[] {
  const rows = [...text.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, cell = ""]) => namesIn(cell));
  const names = rows.filter((name) => /^\w+ \d{4}$/.test(name));
  return names
    .map((name) => [name, `sources/#${slugOf(name)}`] as const)
    .sort(([one], [other]) => other.length - one.length);
}

interface Written {
  readonly root: string;
  readonly path: string;
  readonly text: string;
  readonly chapters: readonly string[];
  readonly sources: readonly (readonly [string, string])[];
}

function pageOf({ root, path, text, chapters, sources }: Written): DocPage {
  const folder = docFolderOf(path);
  const up = "../".repeat(folder.split("/").length);
  const html = markdownHtml(text, {
    link: (href) => {
      const { path: file, anchor } = target(path, href);
      const place = placeOf(root, file);
      return place === undefined ? undefined : `${up}${place}${anchor}`;
    },
    sources: path === SOURCES ? [] : sources.map(([name, place]) => [name, `${up}${place}`]),
    named: NAMED.includes(path),
  });
  const title = titleOf(text);
  const nav = TOP.map(
    ([place, words]) =>
      `<a href="${up}${place}/"${place === folder ? ' aria-current="page"' : ""}>${words}</a>`,
  ).join(" ");
  return {
    folder,
    title: `${title} · schedscope`,
    description: firstSentence(text),
    html: `<header class="top"><a class="brand" href="${up}">schedscope</a> <nav aria-label="Pages">${nav}</nav></header>
    <main>
${html}${chapters.includes(path) ? neighbours(root, path, chapters, up) : ""}</main>`,
  };
}

/** The way to the chapter before and after, in the order of the model's own table. */
function neighbours(root: string, path: string, chapters: readonly string[], up: string): string {
  const at = chapters.indexOf(path);
  const link = (other: string | undefined, words: string): string =>
    other === undefined
      ? ""
      : `<a href="${up}${docFolderOf(other)}/">${words}: ${escapeHtml(titleOf(textOf(root, other)))}</a>`;
  return `<nav class="chapters" aria-label="Chapters">${link(chapters[at - 1], "Before")} ${link(chapters[at + 1], "Next")}</nav>\n`;
}

function firstSentence(text: string): string {
  const paragraph = text.split("\n").find((line) => /^[A-Z]/.test(line)) ?? "";
  const plain = paragraph.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll("`", "");
  return /^.*?[.:](?= |$)/.exec(plain)?.[0].replace(/:$/, ".") ?? plain;
}

/**
 * The styles of these pages: the page's own colours, dark or light as the system has it, and rules
 * for reading.
 */
export function docStyles(root: string): string {
  const tokens = readFileSync(join(root, "src/app/tokens.css"), "utf8");
  const colours = (selector: string): string => {
    const [, block] = tokens.split(selector);
    if (block === undefined) throw new Error(`src/app/tokens.css has no ${selector}`);
    return block.slice(block.indexOf("{"), block.indexOf("}") + 1);
  };
  const fonts = /--font:[^;]*;\s*--mono:[^;]*;/.exec(tokens)?.[0] ?? "";
  const own = readFileSync(join(root, "scripts/docs/docs.css"), "utf8");
  return `:root { ${fonts} }
:root ${colours(':root[data-theme="dark"]')}
@media (prefers-color-scheme: light) { :root ${colours(':root[data-theme="light"]')} }
${own}`;
}
