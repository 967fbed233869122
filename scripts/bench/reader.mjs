// The reader's part of `npm run bench`: how long the page's module takes from a scenario's text to
// what a run needs, in this Node; alone, and for two commits in turn.

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { brotliCompressSync } from "node:zlib";
import { ROOT } from "../lib/run.mjs";

/** Each time is the best of so many. */
const ROUNDS = 40;
const BUILT = "src/engine/wasm";

/** A change that every scenario takes: of the seed, as a person presses "another seed". */
const CHANGED = JSON.stringify([["seed", 12_345]]);

/** Prints how long all shipped scenarios take to read, and the module's bytes. */
export async function measureReader() {
  const [here] = await measure([ROOT]);
  console.log("\nReader of scenarios, all shipped ones, one after another");
  console.table([here]);
}

/** Prints the reader of the work tree at `folder` beside this one's, each with its own scenarios. */
export async function compareReaders(folder) {
  const [before, after] = /** @type {[any, any]} */ (await measure([folder, ROOT]));
  const ratio = (key) => Number((after[key] / before[key]).toFixed(3));
  const times = Object.fromEntries(Object.keys(after).map((key) => [key, ratio(key)]));
  console.log("\nReader of scenarios: those that both commits ship, one after another");
  console.table({ before, after, "after / before": times });
}

async function measure(roots) {
  const slugs = roots
    .map(shippedIn)
    .reduce((some, others) => some.filter((s) => others.includes(s)));
  const sides = await Promise.all(roots.map((root) => open(root, slugs)));
  for (let round = 0; round < ROUNDS; round += 1) for (const side of sides) readAll(side);
  return sides.map(({ wasm, texts }) => ({
    scenarios: texts.length,
    "as shipped, ms": total(texts, "shipped"),
    "with a change, ms": total(texts, "changed"),
    "brotli, kB": Number((brotliCompressSync(wasm).length / 1000).toFixed(2)),
  }));
}

function shippedIn(root) {
  return readdirSync(join(root, "scenarios")).filter((slug) => existsSync(fileOf(root, slug)));
}

function fileOf(root, slug) {
  return join(root, "scenarios", slug, "scenario.json");
}

async function open(root, slugs) {
  const glue = await import(pathToFileURL(join(root, BUILT, "reader.js")).href);
  const wasm = readFileSync(join(root, BUILT, "reader_bg.wasm"));
  glue.initSync({ module: wasm });
  const texts = slugs.map((slug) => ({
    slug,
    text: readFileSync(fileOf(root, slug), "utf8"),
    shipped: Infinity,
    changed: Infinity,
  }));
  return { prepare: glue.prepare, wasm, texts };
}

/** Reads every text twice, and keeps the best time of each. */
function readAll({ prepare, texts }) {
  for (const each of texts) {
    each.shipped = Math.min(
      each.shipped,
      timed(() => prepare(each.slug, each.text, "[]", false)),
    );
    each.changed = Math.min(
      each.changed,
      timed(() => prepare(each.slug, each.text, CHANGED, false)),
    );
  }
}

function timed(work) {
  const began = performance.now();
  work();
  return performance.now() - began;
}

function total(texts, key) {
  return Number(texts.reduce((sum, each) => sum + each[key], 0).toFixed(2));
}
