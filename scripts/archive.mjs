// `npm run archive`: the whole site with its own server in schedscope-<version>.zip, for a laptop
// or a lecture hall without a network. The archive is laid out as the project is, so that
// scripts/serve.mjs finds dist/ in it; that script and what it imports use Node built-ins only.

import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import { buildSite } from "./build.mjs";
import { ROOT, isMain, main, say, version } from "./lib/run.mjs";
import { setUp } from "./set-up/setup.mjs";

const SERVER = ["scripts/serve.mjs", "scripts/lib/run.mjs"];
const LICENCES = ["LICENSE", "LICENSE-APACHE", "LICENSE-MIT", "NOTICE"];
/** Files that are compressed already. */
const COMPRESSED = [".png", ".woff2"];
/** One date in every archive: the same site gives the same bytes. */
const DATE = "2000-01-01T00:00:00";

/**
 * The bytes of a zip of the site in the folder `site`, all below one folder `schedscope-<version>`.
 */
export async function archiveOf(site = join(ROOT, "dist")) {
  // A fresh clone gets its packages from set-up, which comes before this.
  const { zipSync } = await import("fflate");
  /** @type {[name: string, file: string][]} */
  const pages = readdirSync(site, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => [`dist/${relative(site, file).replaceAll(sep, "/")}`, file]);
  /** @type {[name: string, file: string][]} */
  const others = [...SERVER, ...LICENCES].map((file) => [file, join(ROOT, file)]);
  /** @type {[name: string, file: string]} */
  const readme = ["README.txt", join(ROOT, "scripts/release/README.txt")];
  const entries = [...others, readme, ...pages].map(([name, file]) => [
    `schedscope-${version()}/${name}`,
    [readFileSync(file), { level: COMPRESSED.includes(extname(file)) ? 0 : 9, mtime: DATE }],
  ]);
  return zipSync(Object.fromEntries(entries));
}

if (isMain(import.meta.url)) {
  await main(async () => {
    await setUp();
    await buildSite();
    const name = `schedscope-${version()}.zip`;
    const bytes = await archiveOf();
    writeFileSync(join(ROOT, name), bytes);
    say(
      `wrote ${name}, ${(bytes.length / 1e6).toFixed(1)} MB; README.txt in it says how to serve the site`,
    );
  });
}
