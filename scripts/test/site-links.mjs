// Every link within the built site leads to a file of it, and on pages of words to an anchor that is
// there. It reads HTML as the build wrote it and knows no page.

import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { Explained, ROOT } from "../lib/run.mjs";

/** A host shows this page at any address, so its links are tried from everywhere. */
const ANYWHERE = "404.html";

/** Fails with all links of the site in `folder` that lead nowhere. */
export function checkSiteLinks(folder = join(ROOT, "dist")) {
  const broken = brokenLinks(folder);
  if (broken.length > 0) throw new Explained(`links that lead nowhere:\n${broken.join("\n")}`);
}

/**
 * `s/x/index.html: ../y/ is no file of the site`, one for each such link.
 * @param {string} folder
 * @returns {readonly string[]}
 */
export function brokenLinks(folder) {
  const pages = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => file.endsWith(".html") && file !== ANYWHERE);
  const texts = new Map(pages.map((page) => [page, readFileSync(join(folder, page), "utf8")]));
  return pages.flatMap((page) =>
    linksOf(texts.get(page)).flatMap((href) => {
      const trouble = troubleWith(href, { folder, page, texts });
      return trouble === undefined ? [] : [`${page}: ${href} ${trouble}`];
    }),
  );
}

/** Addresses without a scheme, each once. */
function linksOf(html) {
  const found = [...html.matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, href]) =>
    href.replaceAll("&amp;", "&"),
  );
  return [...new Set(found)].filter((href) => !/^(?:[a-z]+:|\/\/)/.test(href));
}

function troubleWith(href, { folder, page, texts }) {
  const [path, anchor = ""] = href.split("#");
  const file = fileOf(folder, posix.join(dirname(page), path.replace(/\?.*/, "")), page, path);
  if (file === undefined) return "is no file of the site";
  const text = texts.get(file);
  // A page with scripts reads its fragment itself.
  if (anchor === "" || text === undefined || /<script\b/.test(text)) return undefined;
  return text.includes(` id="${anchor}"`) ? undefined : `has no such anchor in ${file}`;
}

/** The file that a host shows for an address below the site's root. */
function fileOf(folder, place, page, path) {
  if (path === "") return page;
  if (path.startsWith("/") || place.startsWith("..")) return undefined;
  const file = join(folder, place);
  if (!existsSync(file)) return undefined;
  if (!statSync(file).isDirectory()) return place;
  const index = posix.join(place, "index.html");
  return existsSync(join(folder, index)) ? index : undefined;
}
