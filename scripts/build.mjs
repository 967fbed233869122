// `npm run build`: the static site in dist/, ready for any folder of any static host.

import { cpSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { drawPictures } from "./pictures/pictures.mjs";
import { ROOT, isMain, main, runBin } from "./lib/run.mjs";
import { setUp } from "./set-up/setup.mjs";

/**
 * Builds the page; the wasm and the packages must be there (setup.mjs). `pictures`: slugs of the
 * scenarios whose pictures are drawn, all if it is not stated; with `found` the site has those of
 * others too that were drawn before.
 * @param {{ pictures?: readonly string[] | undefined, found?: boolean }} options
 */
export async function buildSite({ pictures, found = false } = {}) {
  await drawPictures({ slugs: pictures, found });
  await runBin("vite", ["build", "--logLevel", "warn"], {
    failure: "the page does not build; Vite's words are above",
  });
}

/**
 * Draws the pictures that a built site lacks, all of them or of the scenarios in `slugs`, and lays
 * the site with them over `dist/` while that is served: whoever has a page open keeps the files it
 * asks for. Returns how many scenarios got pictures.
 * @param {{ slugs?: readonly string[] | undefined }} options
 */
export async function addPictures({ slugs } = {}) {
  const before = picturedScenarios();
  await drawPictures({ slugs, found: true });
  const added = picturedScenarios() - before;
  if (added <= 0) return 0;
  const next = join(ROOT, "target", "site");
  await runBin("vite", ["build", "--logLevel", "error", "--outDir", next, "--emptyOutDir"], {
    failure: "the page does not build; Vite's words are above",
  });
  cpSync(next, join(ROOT, "dist"), { recursive: true });
  rmSync(next, { recursive: true });
  return added;
}

function picturedScenarios() {
  return Object.keys(
    JSON.parse(readFileSync(join(ROOT, "target", "pictures", "manifest.json"), "utf8")),
  ).length;
}

if (isMain(import.meta.url)) {
  await main(async () => {
    await setUp();
    await buildSite();
  });
}
