// `npm test`: set up, then every check in stages. Rust's and the page's go side by side, each
// cheapest first; what the page's print comes out when each is done, but for those of the browsers,
// which come last and take long. Stops at the first stage that fails and names it. The last line is
// `N passed, N failed`, counted in stages. `-- --only NAME` runs the stages whose name holds NAME;
// `-- --record` writes how long each took to docs/records/test-times.md.

import { existsSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { buildSite } from "./build.mjs";
import { compareDigests } from "./test/digests.mjs";
import { checkNotice } from "./release/notice.mjs";
import { findFirefox, tryFirefox } from "./firefox.mjs";
import { testedCommand } from "./lib/engines.mjs";
import { tryPython } from "./python.mjs";
import {
  Explained,
  ROOT,
  endPrograms,
  inOnePiece,
  main,
  output,
  run,
  runBin,
  say,
} from "./lib/run.mjs";
import { checkReaders } from "./readers/check.mjs";
import { prepareMachine, prepareProject } from "./set-up/setup.mjs";
import { checkSiteLinks } from "./test/site-links.mjs";

// In a fresh clone nothing is there to build upon, and what is kept for the next build costs a
// third of the CPU time of this one.
if (!existsSync(join(ROOT, "target", "debug"))) process.env["CARGO_INCREMENTAL"] ??= "0";

const cargo = (...args) => run("cargo", args);

const FIRST = [["set-up", () => prepareMachine({ checks: true })]];
const RUST = [
  ["rustfmt", () => cargo("fmt", "--all", "--check")],
  [
    "clippy",
    () =>
      cargo(
        "clippy",
        "--quiet",
        "--locked",
        "--workspace",
        "--all-targets",
        "--",
        "--deny",
        "warnings",
      ),
  ],
  ["tidy", () => cargo("xtask", "tidy")],
  ["generated files", () => cargo("xtask", "gen", "--check")],
  ["Rust tests", () => cargo("test", "--quiet", "--locked", "--workspace")],
  ["Python", tryPython],
];
const PAGE = [
  // Beside Rust's: in a fresh clone the wasm takes minutes and keeps one core busy.
  ["packages, wasm, browser", () => prepareProject({ browser: true })],
  ["types (tsc)", checkTypes],
  ["eslint", () => runBin("eslint", ["--max-warnings", "0", "."])],
  ["prettier", () => runBin("prettier", ["--check", "--log-level", "warn", "."])],
  ["knip", () => runBin("knip", ["--no-progress"])],
  ["notice", checkNotice],
  ["Vitest", () => runBin("vitest", ["run"])],
  // All pictures would take a minute of CPU time: two show that they are drawn, named and found.
  ["build", () => buildSite({ pictures: ["rt-pull-herd", "quota-stranded"] })],
  ["links of the site", () => checkSiteLinks()],
  ["sizes", () => runBin("size-limit", [])],
  ["digests: native = Node = Chromium", compareDigests],
];
const BROWSERS = [
  ["Playwright", () => runBin("@playwright/test", ["test"])],
  ["real readers", async () => checkReaders({ command: await testedCommand() })],
  ["Firefox", inFirefox],
];

const ALL = [FIRST, RUST, PAGE, BROWSERS];
let only;
let isRecorded = false;
const chosen = (stages) =>
  only === undefined ? stages : stages.filter(([name]) => name.includes(only));
await main(readOptions, { only: "NAME", record: "" });
if (process.exitCode) process.exit();

const began = performance.now();
const times = [];
let failed;

await inOrder(chosen(FIRST));
await Promise.all([
  inOrder(chosen(RUST)),
  inOrder(chosen(PAGE), inOnePiece).then(() => inOrder(chosen(BROWSERS))),
]);

const count = ALL.flatMap(chosen).length;
if (isRecorded && failed === undefined && only === undefined) record();
console.log(
  `\n${count - times.length - (failed === undefined ? 0 : 1)} not run, ${seconds(began)} in all`,
);
console.log(`${times.length} passed, ${failed === undefined ? 0 : 1} failed`);

function readOptions(given) {
  ({ only, record: isRecorded = false } = given);
  if (ALL.flatMap(chosen).length > 0) return;
  const names = ALL.flat().map(([name]) => name);
  throw new Explained(
    `--only: expected part of a stage's name (${names.join(", ")}), got "${only}"`,
  );
}

/** The page with its tests, then the scripts in JavaScript. */
async function checkTypes() {
  for (const project of [".", "scripts"])
    await runBin("typescript", ["--noEmit", "--project", project]);
}

async function inFirefox() {
  if (findFirefox() !== undefined) await tryFirefox({ every: 4 });
  else
    say(
      "not tried: there is no Firefox on this machine; `npm run test:firefox` installs one and tries all scenarios",
    );
}

/** One stage after the other, until one fails here or beside. */
async function inOrder(stages, how = (action) => action()) {
  for (const [name, check] of stages) {
    if (failed !== undefined) return;
    await how(() => stage(name, check));
  }
}

async function stage(name, check) {
  console.log(`\n=== ${name}`);
  const start = performance.now();
  try {
    await check();
  } catch (error) {
    if (failed !== undefined) {
      console.log(`--- ended: ${name}, because "${failed}" failed`);
      return;
    }
    failed = name;
    process.exitCode = 1;
    console.log(error instanceof Error ? error.message : error);
    console.log(`\n=== FAILED: ${name} (${seconds(start)})`);
    endPrograms();
    return;
  }
  console.log(`--- ok: ${name} (${seconds(start)})`);
  times.push([name, seconds(start)]);
}

function record() {
  const commit = output("git", ["rev-parse", "--short", "HEAD"]) ?? "unknown";
  const rows = times.map(([name, time]) => `| ${name} | ${time} |`);
  const text = `# Times of the tests

Written by \`npm test -- --record\` on commit ${commit}, ${new Date().toISOString().slice(0, 10)}: ${availableParallelism()} CPUs, load ${(loadavg()[0] ?? 0).toFixed(1)} at the end,
${seconds(began)} in all. Rust's stages and the page's run side by side.

| stage | time |
|---|---|
${rows.join("\n")}
`;
  writeFileSync(join(ROOT, "docs", "records", "test-times.md"), text);
}

function seconds(since) {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}
