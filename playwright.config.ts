// Browser tests run against the built site in `dist/`, served as any static host would, in one real
// Chromium.

import { createServer, type AddressInfo } from "node:net";
import { defineConfig } from "@playwright/test";
import { LONG, THOROUGH } from "./e2e/support/thorough.ts";
import { CHROMIUM_FLAGS, findChromium } from "./scripts/lib/chromium.mjs";

// A port of its own, so that tests run while `npm start` serves. The first to read this file
// chooses; its workers read it again.
process.env["E2E_PORT"] ??= String(await freePort());
const port = Number(process.env["E2E_PORT"]);
// None found: Playwright's own, which the set-up script installed.
const executablePath = findChromium();

export default defineConfig({
  testDir: "e2e",
  grepInvert: THOROUGH ? [] : new RegExp(LONG.tag),
  outputDir: "test-results",
  // Two cores are not kept busy by two: each waits for paints and for the network now and then.
  workers: 3,
  fullyParallel: true, // One long file must not be the last.
  forbidOnly: process.env["CI"] !== undefined,
  // A test that fails now and then has a race of its own, or has found one (docs/develop/flakes.md).
  retries: 0,
  timeout: 480_000, // A guard against hanging, not a measure: a loaded machine is slow.
  expect: { timeout: 30_000 },
  reporter: [["list"]],
  use: {
    baseURL: `http://127.0.0.1:${String(port)}/`,
    viewport: { width: 1440, height: 900 },
    deviceScaleFactor: 1,
    locale: "en-GB",
    timezoneId: "UTC",
    // The first showing takes seconds; tests of motion ask for it.
    contextOptions: { reducedMotion: "reduce" },
    // A page that stays open would fetch the whole site during the tests; only offline.spec.ts
    // tests that.
    serviceWorkers: "block",
    // Traces copy the whole page at every action and cost as much as the tests: `--trace on` asks
    // for them.
    trace: "off",
    // One context for a worker, emptied between tests: code that is compiled already stays, which
    // saves a third of the time.
    reuseContext: true,
    // Pages live for seconds: optimising their scripts takes an eighth more CPU time than it saves.
    // `npm run test:long` has users' browsers.
    launchOptions: {
      args: [...CHROMIUM_FLAGS, ...(THOROUGH ? [] : ["--js-flags=--no-turbofan"])],
      ...(executablePath === undefined ? {} : { executablePath }),
    },
  },
  webServer: {
    command: `node scripts/serve.mjs --port ${String(port)}`,
    url: `http://127.0.0.1:${String(port)}/`,
    reuseExistingServer: false,
    timeout: 30_000,
  },
});

/** A port that no process listens on now. */
function freePort(): Promise<number> {
  return new Promise((found, fail) => {
    const server = createServer().once("error", fail);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => found(port));
    });
  });
}
