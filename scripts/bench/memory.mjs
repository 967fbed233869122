// What the page holds after many scenarios. Driven without the browser's account of the network,
// which Playwright always asks for: with it a renderer keeps the body of each file that a script
// has read, 4.5 MB for each round of the scenarios.

/* global history, PopStateEvent */

import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { chromium } from "@playwright/test";
import puppeteer from "puppeteer-core";
import { fragment, row } from "./page.mjs";
import { CHROMIUM_FLAGS, findChromium } from "../lib/chromium.mjs";

/**
 * A dump of memory that is to be the same each time: before it the browser collects what its own
 * objects, styles and code no longer need.
 */
async function collectAll(system, client) {
  for (let round = 0; round < 3; round += 1) await client.send("HeapProfiler.collectGarbage");
  const traceConfig = {
    includedCategories: ["disabled-by-default-memory-infra"],
    excludedCategories: ["*"],
    memoryDumpConfig: {},
  };
  const complete = new Promise((resolve) => system.once("Tracing.tracingComplete", resolve));
  await system.send("Tracing.start", { traceConfig, transferMode: "ReportEvents" });
  await system.send("Tracing.requestMemoryDump", { deterministic: true, levelOfDetail: "light" });
  await system.send("Tracing.end");
  await complete;
}

/**
 * Private memory of the process that has the page and its workers, bytes; NaN where the system does
 * not say. By sessions of DevTools.
 */
export async function privateBytes(system, client) {
  await collectAll(system, client);
  const { processInfo } = await system.send("SystemInfo.getProcessInfo");
  try {
    const sizes = processInfo
      .filter(({ type }) => type === "renderer")
      .map(
        ({ id }) =>
          Number(
            /Private_Dirty:\s+(\d+)/.exec(readFileSync(`/proc/${id}/smaps_rollup`, "utf8"))?.[1] ??
              Number.NaN,
          ) * 1024,
      );
    return Math.max(...sizes);
  } catch {
    return Number.NaN;
  }
}

/**
 * What scripts made and hold, bytes: objects, texts, lists and functions, and neither code that the
 * browser compiled nor what is its own.
 */
async function madeByScripts(client) {
  const parts = [];
  const take = ({ chunk }) => parts.push(chunk);
  client.on("HeapProfiler.addHeapSnapshotChunk", take);
  await client.send("HeapProfiler.takeHeapSnapshot", { reportProgress: false });
  client.off("HeapProfiler.addHeapSnapshotChunk", take);
  const { snapshot, nodes } = JSON.parse(parts.join(""));
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const [type, size] = [fields.indexOf("type"), fields.indexOf("self_size")];
  const others = new Set(
    ["code", "native", "hidden", "synthetic"].map((name) => types[type].indexOf(name)),
  );
  let sum = 0;
  for (let node = 0; node < nodes.length; node += fields.length)
    if (!others.has(nodes[node + type])) sum += nodes[node + size];
  return sum;
}

/**
 * A browser gives back what it used for a moment only when nothing is going on, and the page reads
 * what it may need next, ms.
 */
const REST_MS = 12_000;

/**
 * Memory after 10 changes of the scenario, and each time that all scenarios were seen once more,
 * past 200.
 */
export async function measureGrowth(address, slugs) {
  const executablePath = findChromium() ?? chromium.executablePath();
  const browser = await puppeteer.launch({
    executablePath,
    headless: "shell",
    args: CHROMIUM_FLAGS,
    networkEnabled: false,
  });
  try {
    const page = await browser.newPage();
    await page.setViewport({ width: 1440, height: 900 });
    await page.goto(address, { waitUntil: [] });
    await page.waitForFunction(() => globalThis.schedscope !== undefined);
    return await growthOf(browser, page, slugs);
  } finally {
    await browser.close();
  }
}

async function growthOf(browser, page, slugs) {
  const [system, client] = [
    await browser.target().createCDPSession(),
    await page.createCDPSession(),
  ];
  const rows = [];
  for (let count = 1; count <= 200 || (count - 10) % slugs.length !== 1; count += 1) {
    await page.evaluate(open, `/s/${slugs[count % slugs.length]}/#${fragment(["k.duration=5ms"])}`);
    if ((count - 10) % slugs.length !== 0) continue;
    await setTimeout(REST_MS);
    const bytes = await privateBytes(system, client);
    const { usedSize, backingStorageSize = 0 } = await client.send("Runtime.getHeapUsage");
    rows.push(
      row(`memory after ${count} scenario changes (MB)`, [bytes / 1e6]),
      row("… of it JavaScript’s objects, columns and compiled code", [
        (usedSize + backingStorageSize) / 1e6,
      ]),
      row("… of these what scripts made, columns among it", [
        ((await madeByScripts(client)) + backingStorageSize) / 1e6,
      ]),
    );
  }
  return rows;
}

/** Runs in the page: goes to another scenario, as a link does. */
async function open(address) {
  history.pushState(undefined, "", address);
  globalThis.dispatchEvent(new PopStateEvent("popstate"));
  await globalThis.schedscope.whenIdle();
}
