// The list of the built site's files with what is in each, written into `offline-worker.js`: what
// is kept for when there is no network. The browser takes any change of the list for a new version
// of the site.

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

const WORKER = "offline-worker.js";
/**
 * The worker itself, and what only robots and other sites ask for: the pictures that a preview of a
 * link shows.
 */
const UNLISTED = /^(?:offline-worker\.js|robots\.txt|sitemap\.txt|pictures\/s-[^/]+\.png)$/;
const LIST = /^const FILES = .*;$/m;

/**
 * Writes the list of the present files of `folder`. A page is listed by its folder: some hosts
 * redirect from its file's own name.
 */
export function listFiles(folder: string): void {
  const worker = join(folder, WORKER);
  const text = readFileSync(worker, "utf8");
  if (!LIST.test(text)) throw new Error(`${WORKER} has no line "const FILES = ...;"`);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((file) => [file.slice(folder.length + 1).replaceAll("\\", "/"), digest(file)] as const)
    .filter(([path]) => !UNLISTED.test(path))
    .map(([path, sha256]) => [path.replace(/(^|\/)index\.html$/, "$1"), sha256] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  writeFileSync(
    worker,
    text.replace(LIST, () => `const FILES = ${JSON.stringify(Object.fromEntries(files))};`),
  );
}

function digest(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("base64");
}

/** Lists the built files once all of them are written. */
export function offlineList(root: string): Plugin {
  return {
    name: "schedscope-offline-list",
    apply: "build",
    closeBundle() {
      // A build that failed wrote nothing.
      if (existsSync(join(root, "dist", WORKER))) listFiles(join(root, "dist"));
    },
  };
}
