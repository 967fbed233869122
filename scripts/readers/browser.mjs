// The browser for readers that are web pages.

import { CHROMIUM_FLAGS, findChromium } from "../lib/chromium.mjs";

/** Longest wait for one thing that a page does, ms; 200 000 switches take some seconds. */
export const PATIENCE_MS = 180_000;

/** Starts a headless Chromium, which the caller closes. */
export async function launchChromium() {
  const { chromium } = await import("@playwright/test");
  const executablePath = findChromium();
  return chromium.launch({
    args: [...CHROMIUM_FLAGS],
    ...(executablePath === undefined ? {} : { executablePath }),
  });
}
