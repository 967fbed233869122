// The static pages of the built site: one real file for `/lab/` and for every scenario folder, all
// loading the same app. It knows files and HTML; it must not know what the app does with its
// address.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Plugin, Rolldown } from "vite";
import type { Lesson } from "../../src/state/lessons/lesson.ts";
import { FIRST_SLUG } from "../../src/links/place.ts";
import { docPages, docStyles, type DocPage } from "../docs/pages.ts";
import { escapeHtml } from "../lib/escape.ts";
import { ABOUT } from "../../src/scenario/about.ts";
import { cardOf, previewOf, sitePictures, stageOf } from "./pictures.ts";
import { lessonHtml, openingSentence, shellHtml, type Card, type Front } from "./shell.ts";

type OutputBundle = Rolldown.OutputBundle;
type OutputChunk = Rolldown.OutputChunk;

interface Page {
  /** Folder of the page below the site's root: `s/rt-pull-herd`. */
  readonly folder: string;
  /** The shipped scenario it shows. */
  readonly slug?: string;
  readonly title: string;
  readonly description: string;
}

const LAB: Page = {
  folder: "lab",
  title: "schedscope: your own scenario",
  description: "Run a scenario of your own on a simulated Linux machine of 1 to 1024 CPUs.",
};

/** The script that a page with a scenario runs before its own. */
const AHEAD = "src/app/ahead.ts";

/** The script of the speaker's window. */
const SPEAKER = "src/speaker/main.ts";
/** The script of a page of docs/, by the page's folder. */
const OF_DOCS: ReadonlyMap<string, string> = new Map([["versions", "src/versions/main.ts"]]);

/** The styles of the pages of docs/. */
const DOC_STYLES = "docs.css";

/** Where the app draws itself. */
const ROOT_ELEMENT = '<div id="root"></div>';

/**
 * What is on a page that is opened as a file, in a frame without an origin, or without its
 * scripts; first-theme.js hides the others.
 */
const NOTICES = /<p class="notice-line (?:file|lost|sandbox)-line"[^>]*>.*?<\/p>\s*/gs;

/** The part of it about a picture, which a page without a scenario has none of. */
const AS_DRAWN = /<span class="as-drawn">.*?<\/span>\s*/s;

/** Where such a frame's reader goes: the page's own place. */
const SANDBOX_LINK = /(<a class="sandbox-link" href=")[^"]*/;

/** What a page without scripts says of them. */
const NO_SCRIPT = /<noscript>(.*?)<\/noscript>/s;

const NO_SITE_URL =
  "SITE_URL is not set: previews of links have no picture, because they need whole addresses, and there is no sitemap.txt and robots.txt. For a site that others reach, build with SITE_URL=https://its-address/.";

/** What the speaker's window shows until its script has come. */
const SPEAKER_LOST =
  "<h1>Speaker’s window</h1><p>This window waits for its script. If it does not come, close the window and press S in the talk again.</p>";

/** How deep an unknown address may lie below the site's root for 404.html to find its files. */
const DEPTH_MAX = 8;

/** One page per folder of `scenarios/` that holds a scenario. */
export function sitePages(root: string): readonly Page[] {
  const folders = readdirSync(join(root, "scenarios"), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  const scenarios = folders
    .map((entry) => scenarioPage(root, entry.name))
    .filter((page) => page !== undefined);
  return [LAB, ...scenarios.sort((a, b) => (a.folder < b.folder ? -1 : 1))];
}

interface LessonPage extends Required<Page> {
  readonly id: string;
  readonly lesson: Lesson;
}

/** One page per file of `lessons/`; its scenario is that of the first scene. */
function lessonPages(root: string): readonly LessonPage[] {
  const folder = join(root, "lessons");
  return readdirSync(folder).map((file) => {
    const lesson = JSON.parse(readFileSync(join(folder, file), "utf8")) as Lesson;
    const [first] = lesson.scenes;
    if (first === undefined) throw new Error(`lessons/${file} has no scene`);
    const id = file.replace(/\.json$/, "");
    return {
      id,
      folder: `learn/${id}`,
      slug: first.scenario,
      title: `${lesson.title} · schedscope`,
      description: lesson.about,
      lesson,
    };
  });
}

function scenarioPage(root: string, slug: string): Page | undefined {
  let text: string;
  try {
    text = readFileSync(join(root, "scenarios", slug, "scenario.json"), "utf8");
  } catch {
    return undefined; // A folder without a scenario is not a page.
  }
  const scenario: unknown = JSON.parse(text);
  const title = isTitled(scenario) ? scenario.title : slug;
  return {
    folder: `s/${slug}`,
    slug,
    title: `${title} · schedscope`,
    description: describe(root, slug),
  };
}

/**
 * What a search engine or a preview shows below the title: the numbers that answer the question.
 */
function describe(root: string, slug: string): string {
  const known = openingSentence(root, slug);
  return known === "" || known.includes("…") ? "A simulated Linux machine, event by event." : known;
}

function isTitled(value: unknown): value is { readonly title: string } {
  return (
    typeof value === "object" &&
    value !== null &&
    "title" in value &&
    typeof value.title === "string"
  );
}

/** What the pages of one build are made of. */
interface Build {
  readonly root: string;
  /** The built `index.html`. */
  readonly html: string;
  /** The file of the script that comes ahead of the page's. */
  readonly ahead: string;
  readonly siteUrl: string | undefined;
  readonly pictures: ReturnType<typeof sitePictures>;
  /** The scripts of pages of docs/, by folder. */
  readonly scripts: ReadonlyMap<string, OutputChunk>;
}

/** A file of the site. */
type File = readonly [fileName: string, source: string | Uint8Array];

/**
 * Emits the pages beside `index.html`. `siteUrl` (no trailing slash) adds the absolute addresses
 * that previews ask for.
 */
export function staticPages(root: string, siteUrl: string | undefined): Plugin {
  return {
    name: "schedscope-static-pages",
    apply: "build",
    buildStart() {
      for (const id of [AHEAD, SPEAKER, ...OF_DOCS.values()])
        this.emitFile({ type: "chunk", id: join(root, id), preserveSignature: "allow-extension" });
    },
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        const index = bundle["index.html"];
        if (index?.type !== "asset") throw new Error("the build made no index.html");
        const html = sameOriginStyles(String(index.source));
        const ahead = chunkOf(bundle, root, AHEAD).fileName;
        const scripts = new Map(
          Array.from(OF_DOCS, ([folder, id]) => [folder, chunkOf(bundle, root, id)] as const),
        );
        const build: Build = { root, html, ahead, siteUrl, pictures: sitePictures(root), scripts };
        const speaker = speakerHtml(html, chunkOf(bundle, root, SPEAKER));
        for (const [fileName, source] of [...siteFiles(build), ["speaker/index.html", speaker]])
          this.emitFile({ type: "asset", fileName, source });
        if (siteUrl === undefined) this.warn(NO_SITE_URL);
        index.source = frontHtml(build);
      },
    },
  };
}

/**
 * The site's own host needs no `crossorigin` at its styles, and a page that is opened as a file
 * would lose its styles by the attribute.
 */
function sameOriginStyles(html: string): string {
  return html.replaceAll('<link rel="stylesheet" crossorigin ', '<link rel="stylesheet" ');
}

function siteFiles(build: Build): readonly File[] {
  const { root, html, siteUrl, pictures } = build;
  const docs = docPages(root);
  return [
    ...pictures.map(({ fileName, source }): File => [fileName, source]),
    ...sitePages(root).flatMap((page) => scenarioFiles(build, page)),
    ...lessonPages(root).flatMap((page) => lessonFiles(build, page)),
    // What a static host shows for an address it has no file for; the app then says which scenario
    // is not there.
    ["404.html", missingHtml(html, siteUrl)],
    [DOC_STYLES, docStyles(root)],
    ...docs.map((doc) =>
      pageFile(
        doc.folder,
        docHtml(headed(build, doc, bareHtml(html), doc.folder), doc, build.scripts.get(doc.folder)),
      ),
    ),
    ...(siteUrl === undefined ? [] : addressFiles(root, siteUrl, docs)),
  ];
}

function pageFile(folder: string, html: string): File {
  return [`${folder}/index.html`, html];
}

/** A scenario's page, its talk and its embed; the lab's where the page has no scenario. */
function scenarioFiles(build: Build, page: Page): readonly File[] {
  const source =
    page.slug === undefined
      ? build.html
      : withShell(
          withAhead(build.html, build.ahead, page.slug),
          shellHtml(build.root, page.slug, cardOn(build, `s/${page.slug}`)),
        );
  const name = page.slug ?? "lab";
  const file = (folder: string, html: string): File =>
    pageFile(folder, headed(build, page, html, folder));
  return [
    file(page.folder, source),
    file(`present/${name}`, source),
    file(`embed/${name}`, withoutCopy(source)),
  ];
}

/** A lesson's page and its talk. */
function lessonFiles(build: Build, page: LessonPage): readonly File[] {
  const shell = lessonHtml(build.root, page.lesson, cardOn(build, page.folder));
  const file = (folder: string, talk?: string): File => {
    const html = withShell(withAhead(build.html, build.ahead, page.slug, talk), shell);
    return pageFile(folder, headed(build, page, html, folder));
  };
  return [file(page.folder), file(`present/${page.id}`, page.id)];
}

/** What search engines ask for: every page by its whole address. */
function addressFiles(root: string, siteUrl: string, docs: readonly DocPage[]): readonly File[] {
  const pages = [...sitePages(root), ...lessonPages(root), ...docs];
  const addresses = ["", ...pages.map(({ folder }) => `${folder}/`)].map(
    (path) => `${siteUrl}/${path}`,
  );
  return [
    ["sitemap.txt", `${addresses.join("\n")}\n`],
    ["robots.txt", `User-agent: *\nAllow: /\nSitemap: ${siteUrl}/sitemap.txt\n`],
  ];
}

function frontHtml({ root, html, ahead, siteUrl, pictures }: Build): string {
  const front = withAhead(html, ahead, FIRST_SLUG);
  const shell = shellHtml(root, FIRST_SLUG, cardOn({ pictures }, `s/${FIRST_SLUG}`), {
    about: ABOUT,
    ways: waysOf([...sitePages(root), ...lessonPages(root)]),
    stage: stageOf(pictures, FIRST_SLUG),
  });
  return withPreview(withShell(front, shell), { folder: "" }, { folder: "", siteUrl, pictures });
}

function cardOn({ pictures }: Pick<Build, "pictures">, folder: string): Card | undefined {
  const card = cardOf(pictures, folder);
  return card && { file: card.fileName, alt: card.alt };
}

/** `html` with the page's own head and preview, for where it lies in `folder`. */
function headed({ siteUrl, pictures }: Build, page: Page, html: string, folder: string): string {
  return withPreview(pageHtml(html, page, folder), page, { folder, siteUrl, pictures });
}

/** A page that has no copy of the site made is allowed none of what that takes. */
function withoutCopy(html: string): string {
  return html
    .replace("worker-src 'self' blob:", "worker-src blob:")
    .replace(" schedscope-offline", "");
}

function chunkOf(bundle: OutputBundle, root: string, id: string): OutputChunk {
  const chunk = Object.values(bundle).find(
    (file) => file.type === "chunk" && file.moduleIds.includes(join(root, id)),
  );
  if (chunk?.type !== "chunk") throw new Error(`the build made nothing of ${id}`);
  return chunk;
}

/** The page's head and policy, without its scripts and styles. */
function bareHtml(indexHtml: string): string {
  return withoutCopy(indexHtml).replaceAll(
    /\s*<(?:link rel="(?:manifest|modulepreload|stylesheet)"[^>]*|script [^>]*><\/script)>/g,
    "",
  );
}

/**
 * A page of docs/: words and links, which need no script; `script` adds to one of them. `page`: its
 * head, and a place for the words.
 */
function docHtml(page: string, doc: DocPage, script?: OutputChunk): string {
  const up = upFrom(doc.folder);
  const added = [`<link rel="stylesheet" href="${up}${DOC_STYLES}">`, ...tagsOf(script, up)];
  return page
    .replace("</head>", () => `  ${added.join("\n    ")}\n  </head>`)
    .replace(NO_SCRIPT, "")
    .replaceAll(NOTICES, "")
    .replace(ROOT_ELEMENT, () => doc.html);
}

/** A chunk's styles and script; `up` leads to the site's root. */
function tagsOf(chunk: OutputChunk | undefined, up: string): readonly string[] {
  if (chunk === undefined) return [];
  const styles = [...(chunk.viteMetadata?.importedCss ?? [])];
  return [
    ...styles.map((css) => `<link rel="stylesheet" crossorigin href="${up}${css}">`),
    `<script type="module" crossorigin src="${up}${chunk.fileName}"></script>`,
  ];
}

/**
 * The page's head and policy with the speaker's script and styles alone: those that hide the notice
 * about files are the page's.
 */
function speakerHtml(indexHtml: string, script: OutputChunk): string {
  return bareHtml(indexHtml)
    .replaceAll(NOTICES, "")
    .replaceAll(/(href)="\.\//g, '$1="../')
    .replace(/<title>[^<]*<\/title>/, "<title>Speaker · schedscope</title>")
    .replace("</head>", () => `  ${tagsOf(script, "../").join("\n    ")}\n  </head>`)
    .replace(ROOT_ELEMENT, `<main id="speaker">${SPEAKER_LOST}</main>`);
}

function withShell(html: string, shell: string): string {
  return html.replace(ROOT_ELEMENT, () => `<div id="root">${shell}</div>`);
}

function waysOf(pages: readonly Page[]): NonNullable<Front["ways"]> {
  return pages.map(({ folder, title }) => ({ folder, title: title.replace(" · schedscope", "") }));
}

/**
 * The page with the script that comes ahead of its own; `async`, because neither waits for the
 * other. `lesson`: the id of the lesson that the page presents.
 */
function withAhead(html: string, file: string, slug: string, lesson?: string): string {
  const presents = lesson === undefined ? "" : ` data-lesson="${lesson}"`;
  const tag = `<script type="module" async crossorigin fetchpriority="high" data-slug="${slug}"${presents} src="./${file}"></script>`;
  return html.replace("<script", () => `${tag}\n    <script`);
}

/** `folder`: where it lies; a frame's page names the scenario's own as the one to find. */
function pageHtml(indexHtml: string, page: Page, folder: string): string {
  const moved = indexHtml.replaceAll(/(href|src)="\.\//g, `$1="${upFrom(folder)}`);
  const drawn = page.slug === undefined ? moved.replace(AS_DRAWN, "") : moved;
  return drawn
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escapeHtml(page.title)}</title>`)
    .replace(SANDBOX_LINK, (_all, start: string) => `${start}${upFrom(folder)}${page.folder}/`)
    .replace(
      /(<meta name="description" content=")[^"]*/,
      (_all, start: string) => start + escapeHtml(page.description),
    );
}

/** The way from a folder of the site to its root: "../../". */
function upFrom(folder: string): string {
  return "../".repeat(folder === "" ? 0 : folder.split("/").length);
}

/**
 * A host shows this page at whatever address it has no file for, in any folder, so it cannot know
 * the way to its own files: it asks for them here and in every folder above. Those that are not
 * there do no harm, and a module that two of the ways lead to runs once.
 */
function missingHtml(indexHtml: string, siteUrl: string | undefined): string {
  const ways = ["./", ...Array.from({ length: DEPTH_MAX }, (_, up) => "../".repeat(up + 1))];
  const everywhere = (tag: string): string =>
    ways
      .map((way) => tag.replace(/(href|src)="\.\//, (_all, name: string) => `${name}="${way}`))
      .join("\n    ");
  const home =
    siteUrl === undefined
      ? '<a href="/">Start of this host</a>'
      : `<a href="${escapeHtml(siteUrl)}/">First page of schedscope</a>`;
  if (!NO_SCRIPT.test(indexHtml)) throw new Error("index.html: expected <noscript>…</noscript>");
  return indexHtml
    .replace(
      NO_SCRIPT,
      (_all, needs: string) =>
        `<noscript><h1>There is no such page</h1><p>${home}</p>${needs}</noscript>`,
    )
    .replaceAll(NOTICES, (notice) =>
      notice.includes("sandbox-line") ? "" : notice.replace(/<a href=".\/">.*?<\/a>/s, home),
    )
    .replaceAll(/\s*<link rel="(?:apple-touch-icon|icon|manifest|modulepreload)"[^>]*>/g, "")
    .replaceAll(/<script [^>]*src="\.\/[^>]*><\/script>|<link rel="stylesheet"[^>]*>/g, everywhere)
    .replace(/<title>[^<]*<\/title>/, "<title>No such page · schedscope</title>");
}

interface Site {
  /** Where the page lies. */
  readonly folder: string;
  readonly siteUrl: string | undefined;
  readonly pictures: Parameters<typeof previewOf>[0];
}

/**
 * What previews of a link show: the page's own title, description and picture, by whole addresses
 * where the site's is known.
 */
function withPreview(
  html: string,
  page: Pick<Page, "folder">,
  { folder, siteUrl, pictures }: Site,
): string {
  const own = page.folder === "" ? "" : `${page.folder}/`;
  const address = siteUrl === undefined ? undefined : `${siteUrl}/${own}`;
  // The front page and the lab have the picture of the first scenario.
  const pictured = /^(s|learn)\//.test(page.folder) ? page.folder : `s/${FIRST_SLUG}`;
  const metas = [
    ...(address === undefined ? [] : [["og:url", address] as const]),
    ["og:type", "website"] as const,
    ...previewOf(pictures, pictured, siteUrl === undefined ? upFrom(folder) : `${siteUrl}/`),
  ].map(
    ([name, content]) =>
      `<meta ${name.startsWith("twitter:") ? "name" : "property"}="${name}" content="${escapeHtml(content)}" />`,
  );
  const title = /<title>([^<]*)<\/title>/.exec(html)?.[1] ?? "schedscope";
  const description = /<meta name="description" content="([^"]*)/.exec(html)?.[1] ?? "";
  const tags = [
    ...(address === undefined ? [] : [`<link rel="canonical" href="${escapeHtml(address)}" />`]),
    // Both are escaped in the page already.
    `<meta property="og:title" content="${title}" />`,
    `<meta property="og:description" content="${description}" />`,
    ...metas,
  ];
  return html.replace("</head>", () => `  ${tags.join("\n    ")}\n  </head>`);
}
