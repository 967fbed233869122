// `npm test`: set up, then every check in stages, cheapest first. Stops at the first stage that fails and names it.
// The last line is `N passed, N failed`, counted in stages. `-- --only NAME` runs the stages whose name holds NAME.

import { buildSite } from "./build.mjs";
import { compareDigests } from "./digests.mjs";
import { checkNotice } from "./notice.mjs";
import { option, run, runBin } from "./run.mjs";
import { setUp } from "./setup.mjs";

const cargo = (...args) => run("cargo", args);

const STAGES = [
  ["set-up", () => setUp({ checks: true, browser: true })],
  ["rustfmt", () => cargo("fmt", "--all", "--check")],
  ["clippy", () => cargo("clippy", "--quiet", "--locked", "--workspace", "--all-targets", "--", "--deny", "warnings")],
  ["tidy", () => cargo("xtask", "tidy")],
  ["generated files", () => cargo("xtask", "gen", "--check")],
  ["types (tsc)", () => runBin("typescript", ["--noEmit", "--project", "."])],
  ["eslint", () => runBin("eslint", ["."])],
  ["prettier", () => runBin("prettier", ["--check", "--log-level", "warn", "."])],
  ["knip", () => runBin("knip", ["--no-progress"])],
  ["notice", checkNotice],
  ["Rust tests", () => cargo("test", "--quiet", "--locked", "--workspace")],
  ["Vitest", () => runBin("vitest", ["run"])],
  ["build", buildSite],
  ["sizes", () => runBin("size-limit", [])],
  ["digests: native = Node = Chromium", compareDigests],
  ["Playwright", () => runBin("@playwright/test", ["test"])],
];

const only = option("only");
const stages = only === undefined ? STAGES : STAGES.filter(([name]) => name.includes(only));
const began = performance.now();
let passed = 0;
for (const [name, check] of stages) {
  console.log(`\n=== ${name}`);
  const start = performance.now();
  try {
    await check();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    console.error(`\n=== FAILED: ${name} (${seconds(start)})`);
    process.exitCode = 1;
    break;
  }
  console.log(`--- ok: ${name} (${seconds(start)})`);
  passed += 1;
}
console.log(`\n${stages.length - passed - (process.exitCode ?? 0)} not run, ${seconds(began)} in all`);
console.log(`${passed} passed, ${process.exitCode ?? 0} failed`);

function seconds(since) {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}
