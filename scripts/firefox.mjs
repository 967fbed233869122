// The page in Firefox, driven over WebDriver BiDi: every scenario's first two variants give the
// recorded digests there, and the page opens, computes, answers a click and plays without an error.
// `npm run test:firefox` installs Debian's Firefox where there is none; where `npm test` finds one,
// it does the same with every fourth scenario.

/* global document, window -- inside functions that run in the page */

import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { buildSite } from "./build.mjs";
import { MAX_RECORDS, withBrowserEngine } from "./lib/engines.mjs";
import { recordedDigests } from "./lib/goldens.mjs";
import { Explained, isMain, main, output, run, say } from "./lib/run.mjs";
import { shippedScenarios } from "./lib/scenarios.mjs";
import { serve } from "./serve.mjs";
import { setUp } from "./set-up/setup.mjs";

const NAMES = ["firefox-esr", "firefox"];
const PLACES = [
  "/usr/bin/firefox-esr",
  "/usr/bin/firefox",
  "/Applications/Firefox.app/Contents/MacOS/firefox",
  "C:\\Program Files\\Mozilla Firefox\\firefox.exe",
];
/**
 * Longest wait for one thing the page does, ms; a slow machine computes a scenario in some seconds.
 */
const PATIENCE_MS = 120_000;

/**
 * The first Firefox found: `FIREFOX_PATH`, the PATH, then the usual places; undefined if there is
 * none.
 */
export function findFirefox() {
  const stated = process.env["FIREFOX_PATH"];
  if (stated) return stated;
  const onPath = (process.env["PATH"] ?? "")
    .split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return [...onPath, ...PLACES].find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/**
 * Throws, naming every difference and every complaint of the page. Digests are those of every
 * `every`th scenario; dist/ must be built.
 */
export async function tryFirefox({ every = 1 } = {}) {
  const differences = await differingDigests(every);
  const complaints = await smoke();
  if (differences.length + complaints.length > 0)
    throw new Explained([...differences, ...complaints].join("\n"));
}

async function withFirefox(use) {
  const { default: puppeteer } = await import("puppeteer-core");
  const found = findFirefox();
  if (found === undefined) throw new Explained("there is no Firefox on this machine");
  const browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: found,
    headless: true,
    protocolTimeout: PATIENCE_MS,
  });
  try {
    return await use(browser);
  } finally {
    await browser.close();
  }
}

async function differingDigests(every) {
  const differences = [];
  await withBrowserEngine(withFirefox, async (runInFirefox) => {
    for (const { slug, text, variants } of shippedScenarios().filter(
      (_scenario, index) => index % every === 0,
    )) {
      const recorded = recordedDigests(slug);
      // The first is the unchanged file, which is the next one or close to it.
      for (const { name, set } of variants.slice(1, 3)) {
        const { digest } = await runInFirefox({ slug, text, set, maxRecords: MAX_RECORDS });
        const same = digest === recorded[name];
        console.log(`${same ? "same     " : "DIFFERENT"} ${digest} ${slug}: ${name}`);
        if (!same)
          differences.push(`${slug}: ${name}: Firefox ${digest}, recorded ${recorded[name]}`);
      }
    }
  });
  return differences;
}

/** What a visitor does first: open, wait for the numbers, ask for the worst wake-up, play. */
async function smoke() {
  const server = await serve({ firstPort: 4330 });
  const complaints = [];
  try {
    await withFirefox(async (browser) => {
      const page = await browser.newPage();
      page.setDefaultTimeout(PATIENCE_MS);
      await page.setViewport({ width: 1440, height: 900 });
      page.on("pageerror", (error) => complaints.push(`page error: ${error.message}`));
      page.on("console", (message) => {
        if (message.type() === "error") complaints.push(`console: ${message.text()}`);
      });
      await page.goto(`${server.address}s/rt-pull-herd/`);
      await page.waitForFunction(() => "schedscope" in window);
      await page.evaluate(() => /** @type {any} */ (window).schedscope.whenIdle());
      await page.keyboard.press("l");
      await page.waitForFunction(
        () => document.querySelector("[data-testid=waterfall-a]") !== null,
      );
      const before = await page.$eval("[data-testid=playhead]", (element) =>
        Number(element.getAttribute("data-ns")),
      );
      await page.click("[data-testid=play]");
      await page.waitForFunction(
        (ns) =>
          Number(document.querySelector("[data-testid=playhead]")?.getAttribute("data-ns")) > ns,
        {},
        before,
      );
    });
  } finally {
    await server.stop();
  }
  say(
    complaints.length === 0
      ? "the page opens, answers and plays in Firefox"
      : "the page complains in Firefox",
  );
  return complaints;
}

async function installFirefox() {
  if (findFirefox() !== undefined) return;
  if (
    process.platform === "linux" &&
    process.getuid?.() === 0 &&
    output("apt-get", ["--version"]) !== undefined
  ) {
    say("no Firefox found: installing Debian's with apt-get");
    await run("apt-get", ["update", "--quiet=2"]);
    await run(
      "apt-get",
      ["--quiet=2", "install", "--yes", "--no-install-recommends", "firefox-esr"],
      {
        env: { DEBIAN_FRONTEND: "noninteractive" },
      },
    );
  }
  if (findFirefox() === undefined)
    throw new Explained(
      "no Firefox could be installed: install one, or set FIREFOX_PATH, then run this again",
    );
}

if (isMain(import.meta.url)) {
  await main(async () => {
    await setUp();
    await installFirefox();
    await buildSite();
    await tryFirefox();
  });
}
