// The pictures of the built site: a card of 1200 x 630 dots for previews of each scenario's and
// lesson's page, and tiles for the list of questions. They are runs drawn by the page's own code,
// under Node. What is drawn stays in target/pictures under a name made of everything it depends on;
// only what changed is drawn anew. `manifest.json` there says which pictures the site has.

import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT, isMain, main, say } from "../lib/run.mjs";

const HOME = join(ROOT, "target", "pictures");
const CODE = join(HOME, "code");
const FONTS = join(ROOT, "node_modules", "@expo-google-fonts", "inter");
const MODULES = join(ROOT, "src", "engine", "wasm");

/**
 * Draws what is missing of the scenarios in `slugs`, of all if it is not stated; with `found` the
 * manifest has those of others too that were drawn before. The packages and the wasm must be there.
 * @param {{ slugs?: readonly string[] | undefined, found?: boolean }} options
 */
export async function drawPictures({ slugs, found = false } = {}) {
  await bundle();
  const { jobs } = await load("jobs");
  const base = keyOf();
  const isChosen = ({ job }) => slugs === undefined || slugs.includes(job.entry.slug);
  const isDrawn = ({ folder }) => existsSync(join(HOME, folder));
  const placed = jobs(join(ROOT, "lessons")).map((job) => ({
    job,
    folder: `${job.entry.slug}-${digest(base, JSON.stringify(job))}`,
  }));
  const missing = placed.filter((each) => isChosen(each) && !isDrawn(each));
  if (missing.length > 0) await draw(missing);
  const shown = placed.filter((each) => isChosen(each) || (found && isDrawn(each)));
  const known = shown.map(({ job, folder }) => [
    job.entry.slug,
    { folder, ...JSON.parse(readFileSync(join(HOME, folder, "about.json"), "utf8")) },
  ]);
  writeFileSync(
    join(HOME, "manifest.json"),
    `${JSON.stringify(Object.fromEntries(known), undefined, 1)}\n`,
  );
  // With all drawn, what no page shows any more goes.
  if (slugs === undefined) forget(new Set(placed.map(({ folder }) => folder)));
}

/** What draws, in files that run under Node; those of `jobs` alone hold scenarios. */
async function bundle() {
  // In a fresh clone it is not there before the packages are installed.
  const { build } = await import("vite");
  const input = {
    draw: join(ROOT, "scripts/pictures/draw.ts"),
    jobs: join(ROOT, "scripts/pictures/jobs.ts"),
  };
  const output = { entryFileNames: "[name].mjs", chunkFileNames: "shared-[name].mjs" };
  await build({
    root: ROOT,
    configFile: false,
    logLevel: "error",
    build: {
      ssr: true,
      outDir: CODE,
      emptyOutDir: true,
      minify: false,
      target: "node20",
      rolldownOptions: { input, output },
    },
  });
}

function load(name) {
  return import(pathToFileURL(join(CODE, `${name}.mjs`)).href);
}

/** The key of all that every picture depends on. */
function keyOf() {
  const code = readdirSync(CODE).filter((file) => file.endsWith(".mjs") && file !== "jobs.mjs");
  const packages = ["@resvg/resvg-js", "@expo-google-fonts/inter"].map((name) =>
    join(ROOT, "node_modules", name, "package.json"),
  );
  const modules = ["engine_bg.wasm", "reader_bg.wasm"].map((file) => join(MODULES, file));
  return digest(
    ...[...code.sort().map((file) => join(CODE, file)), ...packages, ...modules].map((file) =>
      readFileSync(file),
    ),
  );
}

function digest(...parts) {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part).update("\0");
  return hash.digest("hex").slice(0, 16);
}

async function draw(missing) {
  const { painter } = await load("draw");
  const picturesOf = painter(MODULES, FONTS);
  for (const [index, { job, folder }] of missing.entries()) {
    const began = performance.now();
    const { files, ...about } = picturesOf(job);
    // A folder that has its name is whole.
    const half = join(HOME, `half-${folder}`);
    mkdirSync(half, { recursive: true });
    for (const [file, bytes] of Object.entries(files)) writeFileSync(join(half, file), bytes);
    writeFileSync(
      join(half, "about.json"),
      JSON.stringify({ files: Object.keys(files), ...about }),
    );
    renameSync(half, join(HOME, folder));
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    say(`drew the pictures of ${job.entry.slug} (${index + 1} of ${missing.length}, ${seconds} s)`);
  }
}

function forget(used) {
  for (const entry of readdirSync(HOME, { withFileTypes: true }))
    if (entry.isDirectory() && entry.name !== "code" && !used.has(entry.name))
      rmSync(join(HOME, entry.name), { recursive: true });
}

if (isMain(import.meta.url))
  await main(({ only }) => drawPictures({ slugs: only?.split(",") }), { only: "SLUG,SLUG" });
