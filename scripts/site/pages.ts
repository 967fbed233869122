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

/** The styles of the pages of docs/. */
const DOC_STYLES = "docs.css";

/** Where the app draws itself. */
const ROOT_ELEMENT = '<div id="root"></div>';

/**
 * What stands on a page that is opened as a file, in a frame without an origin, or without its
 * scripts; first-theme.js hides the others.
 */
const NOTICES = /<p class="notice-line (?:file|lost|sandbox)-line"[^>]*>.*?<\/p>\s*/gs;

/** What stands there of a picture, which a page without a scenario has none of. */
const AS_DRAWN = /<span class="as-drawn">.*?<\/span>\s*/s;

/** Where such a frame's reader goes: the page's own place. */
const SANDBOX_LINK = /(<a class="sandbox-link" href=")[^"]*/;

/** What a page without scripts says of them. */
const NO_SCRIPT = /<noscript>(.*?)<\/noscript>/s;

const NO_SITE_URL =
  "SITE_URL is not set: previews of links have no picture, because they need whole addresses, and there is no sitemap.txt and robots.txt. For a site that others reach, build with SITE_URL=https://its-address/.";

/** What stands in the speaker's window until its script has come. */
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

/** One page per file of `lessons/`; its scenario is that of the first scene. */
function lessonPages(
  root: string,
): readonly (Required<Page> & { readonly id: string; readonly lesson: Lesson })[] {
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

/**
 * Emits the pages beside `index.html`. `siteUrl` (no trailing slash) adds the absolute addresses
 * that previews ask for.
 */
export function staticPages(root: string, siteUrl: string | undefined): Plugin {
  return {
    name: "schedscope-static-pages",
    apply: "build",
    buildStart() {
      for (const id of [AHEAD, SPEAKER])
        this.emitFile({ type: "chunk", id: join(root, id), preserveSignature: "allow-extension" });
    },
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        const index = bundle["index.html"];
        if (index?.type !== "asset") throw new Error("the build made no index.html");
        // Of the site's own host the attribute asks for nothing, and a page that is opened as a
        // file would lose its styles by it.
        const html = String(index.source).replaceAll(
          '<link rel="stylesheet" crossorigin ',
          '<link rel="stylesheet" ',
        );
        const ahead = chunkOf(bundle, root, AHEAD);
        const pictures = sitePictures(root);
        const headed = (page: Page, source: string, folder: string): string =>
          withPreview(pageHtml(source, page, folder), page, { folder, siteUrl, pictures });
        for (const { fileName, source } of pictures)
          this.emitFile({ type: "asset", fileName, source });
        const cardOn = (folder: string): Card | undefined => {
          const card = cardOf(pictures, folder);
          return card && { file: card.fileName, alt: card.alt };
        };
        const opened = (slug: string): string =>
          withShell(
            withAhead(html, ahead.fileName, slug),
            shellHtml(root, slug, cardOn(`s/${slug}`)),
          );
        for (const page of sitePages(root)) {
          const source = page.slug === undefined ? html : opened(page.slug);
          const name = page.slug ?? "lab";
          for (const folder of [page.folder, `present/${name}`]) {
            this.emitFile({
              type: "asset",
              fileName: `${folder}/index.html`,
              source: headed(page, source, folder),
            });
          }
          const folder = `embed/${name}`;
          this.emitFile({
            type: "asset",
            fileName: `${folder}/index.html`,
            source: headed(page, withoutCopy(source), folder),
          });
        }
        for (const page of lessonPages(root)) {
          const shell = lessonHtml(root, page.lesson, cardOn(page.folder));
          const source = withShell(withAhead(html, ahead.fileName, page.slug), shell);
          this.emitFile({
            type: "asset",
            fileName: `${page.folder}/index.html`,
            source: headed(page, source, page.folder),
          });
          const talk = withShell(withAhead(html, ahead.fileName, page.slug, page.id), shell);
          const folder = `present/${page.id}`;
          this.emitFile({
            type: "asset",
            fileName: `${folder}/index.html`,
            source: headed(page, talk, folder),
          });
        }
        this.emitFile({
          type: "asset",
          fileName: "speaker/index.html",
          source: speakerHtml(html, chunkOf(bundle, root, SPEAKER)),
        });
        // What a static host shows for an address it has no file for; the app then says which
        // scenario is not there.
        this.emitFile({ type: "asset", fileName: "404.html", source: missingHtml(html, siteUrl) });
        const docs = docPages(root);
        this.emitFile({ type: "asset", fileName: DOC_STYLES, source: docStyles(root) });
        for (const doc of docs) {
          const source = docHtml(headed(doc, bareHtml(html), doc.folder), doc);
          this.emitFile({ type: "asset", fileName: `${doc.folder}/index.html`, source });
        }
        if (siteUrl === undefined) this.warn(NO_SITE_URL);
        else {
          const addresses = [
            "",
            ...[...sitePages(root), ...lessonPages(root), ...docs].map(
              ({ folder }) => `${folder}/`,
            ),
          ].map((path) => `${siteUrl}/${path}`);
          this.emitFile({
            type: "asset",
            fileName: "sitemap.txt",
            source: `${addresses.join("\n")}\n`,
          });
          this.emitFile({
            type: "asset",
            fileName: "robots.txt",
            source: `User-agent: *\nAllow: /\nSitemap: ${siteUrl}/sitemap.txt\n`,
          });
        }
        const front = withAhead(html, ahead.fileName, FIRST_SLUG);
        const shell = shellHtml(root, FIRST_SLUG, cardOn(`s/${FIRST_SLUG}`), {
          about: ABOUT,
          ways: waysOf([...sitePages(root), ...lessonPages(root)]),
          stage: stageOf(pictures, FIRST_SLUG),
        });
        const shown = withShell(front, shell);
        index.source = withPreview(shown, { folder: "" }, { folder: "", siteUrl, pictures });
      },
    },
  };
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

/** A page of docs/: words and links, no script. `page`: its head, and a place for the words. */
function docHtml(page: string, doc: DocPage): string {
  return page
    .replace(
      "</head>",
      () => `  <link rel="stylesheet" href="${upFrom(doc.folder)}${DOC_STYLES}">\n  </head>`,
    )
    .replace(NO_SCRIPT, "")
    .replaceAll(NOTICES, "")
    .replace(ROOT_ELEMENT, () => doc.html);
}

/**
 * The page's head and policy with the speaker's script and styles alone: those that hide the notice
 * about files are the page's.
 */
function speakerHtml(indexHtml: string, { fileName, viteMetadata }: OutputChunk): string {
  const styles = [...(viteMetadata?.importedCss ?? [])].map(
    (css) => `<link rel="stylesheet" crossorigin href="../${css}">`,
  );
  return bareHtml(indexHtml)
    .replaceAll(NOTICES, "")
    .replaceAll(/(href)="\.\//g, '$1="../')
    .replace(/<title>[^<]*<\/title>/, "<title>Speaker · schedscope</title>")
    .replace(
      "</head>",
      () =>
        `  ${styles.join("\n    ")}\n    <script type="module" crossorigin src="../${fileName}"></script>\n  </head>`,
    )
    .replace(ROOT_ELEMENT, `<main id="speaker">${SPEAKER_LOST}</main>`);
}

function withShell(html: string, shell: string): string {
  return html.replace(ROOT_ELEMENT, () => `<div id="root">${shell}</div>`);
}

function waysOf(pages: readonly Page[]): NonNullable<Front["ways"]> {
  return pages.map(({ folder, title }) => ({ folder, title: title.replace(" · schedscope", "") }));
}

/** `async`: it waits for nothing, and nothing waits for it. */
/** `lesson`: the id of the lesson that the page presents. */
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
    // Both stand escaped in the page already.
    `<meta property="og:title" content="${title}" />`,
    `<meta property="og:description" content="${description}" />`,
    ...metas,
  ];
  return html.replace("</head>", () => `  ${tags.join("\n    ")}\n  </head>`);
}
