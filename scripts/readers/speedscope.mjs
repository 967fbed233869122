// Chrome JSON as speedscope reads it: its own page, of the npm package, in a headless Chromium. The
// page says what it read in the file that it saves on Ctrl+S, in its own format:
// https://www.speedscope.app/file-format-schema.json.

import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { serve } from "../serve.mjs";
import { PATIENCE_MS, launchChromium } from "./browser.mjs";
import { npmPackage } from "./install.mjs";

/** The browser that reads, from the first file on. */
let browser;

/** @type {import("./facts.mjs").Reader} */
export const READER = {
  tool: "speedscope",
  formats: ["chrome"],
  version: () => {
    const { version } = JSON.parse(
      readFileSync(join(npmPackage("speedscope"), "package.json"), "utf8"),
    );
    return Promise.resolve(`speedscope ${version}, Chrome JSON`);
  },
  read: async (path) => {
    const { saved, warnings } = await open(path);
    return { ...factsOf(saved), warnings };
  },
  roundingNs: 0,
  close: async () => {
    await browser?.close();
    browser = undefined;
  },
};

/** What the page saves of a file, and what it complains of. */
async function open(path) {
  browser ??= await launchChromium();
  // The page beside the file that it reads.
  const folder = mkdtempSync(join(tmpdir(), "schedscope-speedscope-"));
  symlinkSync(join(npmPackage("speedscope"), "dist", "release"), join(folder, "page"));
  symlinkSync(resolve(path), join(folder, "trace.json"));
  const server = await serve({ folder, firstPort: 4500 });
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    const warnings = complaintsOf(page);
    const read = page.waitForEvent("console", (line) => line.text().startsWith("import:"));
    await page.goto(`${server.address}page/index.html#profileURL=/trace.json`);
    await read;
    await page.waitForSelector("canvas");
    const download = page.waitForEvent("download");
    await page.keyboard.press("Control+s");
    const saved = JSON.parse(readFileSync(await (await download).path(), "utf8"));
    return { saved, warnings };
  } finally {
    await context.close();
    await server.stop();
    rmSync(folder, { recursive: true });
  }
}

/** Grows while the page works. */
function complaintsOf(page) {
  const found = /** @type {string[]} */ ([]);
  page.on("console", (line) => {
    // The driver of the graphics card has its own warnings.
    const isOfPage = !line.text().startsWith("[.WebGL");
    if (["warning", "error"].includes(line.type()) && isOfPage) found.push(line.text());
  });
  page.on("pageerror", (error) => found.push(error.message));
  page.on("dialog", (dialog) => {
    found.push(dialog.message());
    void dialog.dismiss();
  });
  return found;
}

/** Slices of tasks: process 1 has a lane for each CPU, whose number is 10 less than the lane's. */
function factsOf({ profiles, shared }) {
  const tasks = shared.frames.map(({ name }) => taskOf(name));
  const [ran, cpus] = [/** @type {Record<string, number>} */ ({}), /** @type {number[]} */ ([])];
  let [switches, worst] = [0, /** @type {number | undefined} */ (undefined)];
  for (const { name, events } of profiles) {
    const lane = / \(pid 1\), .* \(tid (\d+)\)$/.exec(name)?.[1];
    if (lane === undefined) continue;
    const times = new Set();
    let since = 0;
    for (const { type, frame, at } of events) {
      const task = tasks[frame];
      if (task === undefined) continue;
      const ns = Math.round(at * 1000);
      if (type === "O") {
        since = ns;
        times.add(ns);
        const { wakeup_ns: woken } = task.args;
        if (woken !== undefined) worst = Math.max(worst ?? 0, woken);
      } else if (task.args.prev_state !== undefined) {
        times.add(ns);
        ran[task.name] = (ran[task.name] ?? 0) + ns - since;
      }
    }
    switches += times.size;
    if (times.size > 0) cpus.push(Number(lane) - 10);
  }
  return { switches, cpus: cpus.sort((a, b) => a - b), ranNs: ran, worstWakeNs: worst };
}

/** A frame's name is that of its slice, then the arguments; undefined for what is not a task. */
function taskOf(frame) {
  const [, name, args = ""] = /^(.*) (\{"pid":.*\})$/s.exec(frame) ?? [];
  return name === undefined ? undefined : { name, args: JSON.parse(args) };
}
