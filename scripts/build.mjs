// `npm run build`: the static site in dist/, ready for any folder of any static host.

import { isMain, main, runBin } from "./run.mjs";
import { setUp } from "./setup.mjs";

/** Builds the page; the wasm and the packages must be there (setup.mjs). */
export function buildSite() {
  return runBin("vite", ["build", "--logLevel", "warn"], { failure: "the page does not build; Vite's words are above" });
}

if (isMain(import.meta.url)) {
  await main(async () => {
    await setUp();
    await buildSite();
  });
}
