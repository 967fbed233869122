// Where a Chromium may already be on this machine. It only looks; `setup.mjs --browser` installs.

import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

// The headless shell comes first: the same engine without windows, which takes a quarter less CPU
// time for the same tests.
const NAMES = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "chrome",
  "microsoft-edge",
];
const PLACES = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/snap/bin/chromium",
  "/opt/google/chrome/chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  "C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe",
  "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
];

/**
 * What a browser is to do without. Each window of Chromium loads the pages that its address field
 * opens, though there is no window to see: a second of computing beside the page in question.
 * Chromium reads only the last of two such lists, so the rest are those that Playwright names for
 * every browser it starts.
 */
const WITHOUT = [
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  "WebUIOmniboxFullPopup",
  "AimEnabled",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsFirstBalancedModeAutoEnable",
  "HttpsUpgrades",
  "LensOverlay",
  "MediaRouter",
  "NetworkTimeServiceQuerying",
  "OptimizationHints",
  "PaintHolding",
  "PreconnectToSearch",
  "TcpPortRandomizationWin",
  "ThirdPartyStoragePartitioning",
];

/**
 * Flags for a browser that tests drive: no sandbox as root (it refuses to start otherwise) and no
 * talk of its own.
 */
export const CHROMIUM_FLAGS = [
  "--no-sandbox",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
  "--disable-quic",
  `--disable-features=${WITHOUT.join(",")}`,
];

/**
 * The first Chromium found: `CHROMIUM_PATH`, the PATH, then the usual places; undefined if there is
 * none.
 */
export function findChromium() {
  const stated = process.env["CHROMIUM_PATH"];
  if (stated) return stated;
  const onPath = (process.env["PATH"] ?? "")
    .split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return [...onPath, ...PLACES].find(isExecutable);
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
