// The three places the same engine runs: natively, in Node and in Chromium. Each takes a scenario
// with changes laid over it.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CHROMIUM_FLAGS, findChromium } from "./chromium.mjs";
import { Explained, ROOT, output, run, runBin } from "./run.mjs";
import { serve } from "../serve.mjs";

/** Page and native default (docs/use/command-line.md). */
export const MAX_RECORDS = 8_000_000;

/** Builds the native command and returns its path. */
export async function nativeCommand() {
  await run("cargo", ["build", "--release", "--quiet", "--locked", "--package", "schedscope-cli"]);
  return built("release");
}

/**
 * The native command as Rust's tests have it, built with them: a build of its own would have other
 * features, and compile the engine again.
 */
export async function testedCommand() {
  await run("cargo", ["test", "--quiet", "--locked", "--workspace", "--no-run"]);
  return built("debug");
}

function built(profile) {
  const metadata = output("cargo", [
    "metadata",
    "--format-version",
    "1",
    "--no-deps",
    "--locked",
    "--offline",
  ]);
  const folder =
    metadata === undefined ? join(ROOT, "target") : JSON.parse(metadata).target_directory;
  return join(folder, profile, process.platform === "win32" ? "schedscope.exe" : "schedscope");
}

/** The flags that lay `set` over a scenario. */
export function setFlags(set) {
  return set.flatMap(([path, value]) => [
    "--set",
    `${path}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  ]);
}

/** A native run's report. */
export function runNatively(command, scenario, set, flags = []) {
  return {
    report: JSON.parse(native(command, [scenario, "--json", ...setFlags(set), ...flags], "pipe")),
  };
}

/**
 * Wall time of a native run in ms, its process and its figures for people included. As JSON they
 * would take up to half as long again: each task's activations are among them.
 */
export function timeNatively(command, scenario, set, flags = []) {
  const began = performance.now();
  native(command, [scenario, ...setFlags(set), ...flags], "ignore");
  return performance.now() - began;
}

function native(command, args, output) {
  const result = spawnSync(command, ["run", ...args], {
    cwd: ROOT,
    encoding: "utf8",
    maxBuffer: 1 << 28,
    stdio: ["ignore", output, "pipe"],
  });
  if (result.status !== 0)
    throw new Explained(`${command} run ${args[0]} ended with ${result.status}: ${result.stderr}`);
  return result.stdout;
}

/**
 * The report of a run in this Node, through the modules of the engine and the reader alone. `see`
 * is given the trace's columns as they come.
 * @param {(columns: any) => void} see
 */
export async function runInNode(slug, text, set, see = () => undefined) {
  const [{ Engine }, { prepare }] = await Promise.all(["engine", "reader"].map(load));
  const { setup, head } = JSON.parse(prepare(slug, text, JSON.stringify(set)));
  const engine = new Engine(Buffer.from(setup, "hex"), MAX_RECORDS, true);
  for (;;) {
    const progress = engine.advance(Number.MAX_VALUE, 1 << 18, 0xffff_ffff);
    const columns = engine.takeTrace();
    see(columns);
    columns.free();
    engine.takeWakes().free();
    if (progress === "finished" || progress.startsWith("limit: ")) break;
    if (progress !== "running") throw new Explained(`${slug} in Node: ${progress}`);
  }
  const report = { ...head, ...JSON.parse(engine.report()) };
  engine.free();
  return report;
}

async function load(name) {
  const glue = await import(`../../src/engine/wasm/${name}.js`);
  glue.initSync({ module: readFileSync(join(ROOT, `src/engine/wasm/${name}_bg.wasm`)) });
  return glue;
}

/**
 * Opens the engine's own page in Chromium for `use(run)`, where `run(request)` is that page's
 * `window.engine.run`.
 */
export function withChromiumEngine(use) {
  return withBrowserEngine(withChromium, use);
}

/**
 * `withChromiumEngine` for any browser: `open(use)` starts one for `use(browser)`. Playwright's and
 * Puppeteer's browsers agree on what is asked here.
 */
export async function withBrowserEngine(open, use) {
  await runBin("vite", [
    "build",
    "--logLevel",
    "warn",
    "--config",
    "scripts/bench/site/vite.config.ts",
  ]);
  const server = await serve({ folder: join(ROOT, "target", "bench-site"), firstPort: 4300 });
  try {
    await open(async (browser) => {
      const page = await browser.newPage();
      await page.goto(server.address);
      await page.waitForFunction(() => "engine" in globalThis);
      await use((request) => page.evaluate((asked) => globalThis.engine.run(asked), request));
    });
  } finally {
    await server.stop();
  }
}

/** A headless Chromium for `use(browser)`. */
export async function withChromium(use) {
  const { chromium } = await import("@playwright/test");
  const executablePath = findChromium();
  const browser = await chromium.launch({
    args: [...CHROMIUM_FLAGS],
    ...(executablePath === undefined ? {} : { executablePath }),
  });
  try {
    return await use(browser);
  } finally {
    await browser.close();
  }
}
