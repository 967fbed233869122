// The pages made of docs/: every link on them leads to a page and an anchor that is there, and
// nothing on them runs.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { expect, test } from "vitest";
import { storyPlaceOf } from "../../src/lib/site-place.ts";
import { slugOf } from "../../src/lib/slug.ts";
import { markdownHtml, namesIn } from "./markdown.ts";
import { shellHtml } from "../site/shell.ts";
import { docPages, docStyles } from "./pages.ts";

const ROOT = join(import.meta.dirname, "../..");
const PAGES = docPages(ROOT);
const ANCHORS = new Map(
  PAGES.map(({ folder, html }) => [
    folder,
    new Set([...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)),
  ]),
);

/** `../../s/x/` from `model/time`: what the site serves there, and the anchor. */
function placeOf(folder: string, href: string): readonly [string, string] {
  const [path = "", anchor = ""] = href.split("#");
  return [path === "" ? folder : posix.join(folder, path).replace(/\/$/, ""), anchor];
}

test("the chapters, the glossary and the sources have pages, and each has its own title and sentence", () => {
  const folders = PAGES.map(({ folder }) => folder);
  expect(folders).toEqual(
    expect.arrayContaining([
      "model",
      "model/rt-balancing",
      "glossary",
      "sources",
      "versions",
      "known-gaps",
      "decisions",
    ]),
  );
  expect(new Set(folders).size).toBe(folders.length);
  expect(new Set(PAGES.map(({ title }) => title)).size).toBe(PAGES.length);
  for (const { folder, title } of PAGES) expect(title, folder).toMatch(/^.+ · schedscope$/);
});

test.each(PAGES)("$folder: every link leads to a page and an anchor of it", ({ folder, html }) => {
  const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, href = ""]) => href);
  expect(links.length).toBeGreaterThan(3);
  for (const href of links.filter((each) => !each.startsWith("https://"))) {
    const [place, anchor] = placeOf(folder, href);
    const [, kind, slug] = /^(s|learn)\/([\w-]+)$/.exec(place) ?? [];
    if (place === "." || slug !== undefined) {
      if (slug !== undefined)
        expect(
          existsSync(join(ROOT, kind === "s" ? `scenarios/${slug}` : `lessons/${slug}.json`)),
          href,
        ).toBe(true);
      continue;
    }
    expect(ANCHORS.has(place), `${href} of ${folder}`).toBe(true);
    if (anchor !== "")
      expect([...(ANCHORS.get(place) ?? [])], `${href} of ${folder}`).toContain(anchor);
  }
});

test.each(PAGES)("$folder: no anchor is there twice, and nothing on it runs", ({ html }) => {
  const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  expect(html).not.toMatch(/<script|<style|<img|\son\w+=|\sstyle=|javascript:/);
});

test("a commit and the name of a source are links, in a link they are words", () => {
  const html = markdownHtml(
    "As commit 917b627d4d98 and Rostedt 2015 (`917b627d4d98`), [Rostedt 2015](x.md), 123456789012, deadbeefcafe.",
    {
      link: () => "../x/",
      sources: [["Rostedt 2015", "../sources/#rostedt-2015"]],
      named: false,
    },
  );
  expect(html).toBe(
    '<p>As commit <a href="https://git.kernel.org/linus/917b627d4d98">917b627d4d98</a> and <a href="../sources/#rostedt-2015">Rostedt 2015</a> ' +
      '(<code>917b627d4d98</code>), <a href="../x/">Rostedt 2015</a>, <a href="https://git.kernel.org/linus/123456789012">123456789012</a>, deadbeefcafe.</p>\n',
  );
});

test("a link that leads nowhere on the site is words, and markup in a text is text", () => {
  const ways = { link: () => undefined, sources: [], named: false };
  expect(markdownHtml("[a](javascript:alert(1)) [b](../crates/x.rs) a < b & c", ways)).toBe(
    "<p>a b a &lt; b &amp; c</p>\n",
  );
  expect(markdownHtml("x <img src=x onerror=alert(1)> y", ways)).toBe("<p>x  y</p>\n");
});

test("names of a row are what can be linked to", () => {
  expect(namesIn("`rq`, rq lock")).toEqual(["rq", "rq lock"]);
  expect(slugOf("Push IPI: chain")).toBe("push-ipi-chain");
  const html = markdownHtml("| term | is |\n|---|---|\n| `rq`, rq lock | a queue |\n", {
    link: () => undefined,
    sources: [],
    named: true,
  });
  expect(html).toContain(
    '<td><span id="rq"></span><span id="rq-lock"></span><code>rq</code>, rq lock</td>',
  );
});

test("the styles have the page's colours, dark and light", () => {
  const styles = docStyles(ROOT);
  expect(styles).toMatch(/:root \{[^}]*--bg: #0e1116/);
  expect(styles).toMatch(/@media \(prefers-color-scheme: light\) \{ :root \{[^}]*--bg: #ffffff/);
  expect(styles.split("{").length).toBe(styles.split("}").length);
});

test("a relative link of a scenario's story leads to a page and an anchor of the site, without scripts too", () => {
  const slugs = readdirSync(join(ROOT, "scenarios")).filter((slug) =>
    existsSync(join(ROOT, "scenarios", slug, "README.md")),
  );
  const links = slugs.flatMap((slug) => {
    const text = readFileSync(join(ROOT, "scenarios", slug, "README.md"), "utf8");
    return [...text.matchAll(/\]\((?!https:)([^)\s]+)\)/g)].map(
      ([, href = ""]) => [slug, href] as const,
    );
  });
  expect(links.length).toBeGreaterThan(0);
  for (const [slug, href] of links) {
    const place = storyPlaceOf(slug, href) ?? "";
    const [folder = "", anchor = ""] = place.split("#");
    const doc = ANCHORS.get(folder.replace(/\/$/, ""));
    if (doc === undefined) expect(folder, `${href} of ${slug}`).toMatch(/^(s|learn)\//);
    else if (anchor !== "") expect([...doc], `${href} of ${slug}`).toContain(anchor);
    expect(shellHtml(ROOT, slug, undefined), `${href} of ${slug}`).toContain(`href="./${place}"`);
  }
});

test.each(["javascript:alert(1)", "/etc/passwd", "//elsewhere/", "../../crates/x.rs", "http://x/"])(
  "%s in a story is no link",
  (href) => {
    expect(storyPlaceOf("rt-pull-herd", href)).toBeUndefined();
  },
);
