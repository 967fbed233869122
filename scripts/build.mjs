// `npm run build`: the static site in dist/, ready for any folder of any static host.

import { drawPictures } from "./pictures.mjs";
import { isMain, main, runBin } from "./run.mjs";
import { setUp } from "./setup.mjs";

/**
 * Builds the page; the wasm and the packages must be there (setup.mjs). `pictures`: slugs of the scenarios whose pictures are drawn, all if it is
 * not stated; with `found` the site has those of others too that were drawn before.
 */
export async function buildSite({ pictures, found = false } = {}) {
  await drawPictures({ slugs: pictures, found });
  await runBin("vite", ["build", "--logLevel", "warn"], { failure: "the page does not build; Vite's words are above" });
}

if (isMain(import.meta.url)) {
  await main(async () => {
    await setUp();
    await buildSite();
  });
}
