// The engine's part of `npm run bench`: natively and in Chromium in turn, so that a ratio compares
// runs of the same minute; and the same for two commits, `npm run bench -- --against COMMIT`.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import * as here from "../lib/engines.mjs";
import { measureOurs, measureW1 } from "./peers/w1.mjs";
import { Explained, ROOT, output, run, say } from "../lib/run.mjs";

/** Each figure is the best of so many. */
export const ROUNDS = 5;
/** Where a work tree has what is compared: here first, then where older commits have it. */
const FILE = ["scripts/bench/site/cyclictest.json", "scripts/bench-site/cyclictest.json"];
const ENGINES = ["scripts/lib/engines.mjs", "scripts/engines.mjs"];
const SETUP = ["scripts/set-up/setup.mjs", "scripts/setup.mjs"];
const MAX_RECORDS = 50_000_000;

/** Machine time is chosen for about two million records a run. */
const MACHINES = [
  {
    name: "cyclictest -i 100, 40 CPUs",
    set: [
      ["machine.cpus", 40],
      ["duration", "300ms"],
    ],
  },
  {
    name: "cyclictest -i 100, 256 CPUs",
    set: [
      ["machine.cpus", 256],
      ["duration", "50ms"],
    ],
  },
  {
    name: "cyclictest -i 100, 1024 CPUs",
    set: [
      ["machine.cpus", 1024],
      ["duration", "12ms"],
    ],
  },
  {
    name: "fibtest, 80 CPUs",
    file: ["scenarios/quota-stranded/scenario.json"],
    set: [
      ["machine.cpus", 80],
      ["duration", "20s"],
    ],
  },
];

/** Prints this commit's rates, and other simulators' times for the same work. */
export async function measureEngine() {
  const command = await here.nativeCommand();
  const rows = [];
  await here.withChromiumEngine(async (runInChromium) => {
    for (const [machine, trace] of cases()) {
      const [best] = await measure(machine, trace, [{ root: ROOT, command, runInChromium }]);
      rows.push(engineRow(`${machine.name}, ${trace}`, best));
    }
  });
  console.log("\nEngine (performance rows 1, 2, 5; row 4: fibtest; row 13: 1024 CPUs against 40)");
  console.table(rows);

  console.log("\nOther simulators on the same work (performance row 3)");
  console.table(measureW1(command));
}

/** Prints this commit's engine beside that of `commit`, whose work tree is at `folder`. */
export async function compareEngines(commit, folder) {
  const there = await import(pathToFileURL(placeOf(ENGINES, folder)).href);
  const commands = [await there.nativeCommand(), await here.nativeCommand()];
  const rows = [];
  // One Chromium for both: Playwright cannot be loaded twice.
  await here.withChromium(async (browser) => {
    const pageOf = (engines, use) => engines.withBrowserEngine((open) => open(browser), use);
    await pageOf(there, (before) =>
      pageOf(here, async (after) => {
        const sides = [before, after].map((runInChromium, side) => ({
          root: [folder, ROOT][side],
          command: commands[side],
          runInChromium,
        }));
        for (const [machine, trace] of cases())
          rows.push(comparedRow(`${machine.name}, ${trace}`, await measure(machine, trace, sides)));
      }),
    );
  });
  console.log(`\nThe engine of ${commit} (before) and of this work tree (after)`);
  console.table(rows);
  console.log("\nW1 (performance row 3)");
  console.table(
    Object.fromEntries(
      commands.map((command, side) => [["before", "after"][side], measureOurs(command)]),
    ),
  );
}

/**
 * A work tree of `commit`, made ready to build by its own scripts; the one of an earlier comparison
 * is used again.
 */
export async function workTree(commit) {
  const hash = output("git", [
    "rev-parse",
    "--verify",
    "--quiet",
    "--short=12",
    `${commit}^{commit}`,
  ]);
  if (hash === undefined)
    throw new Explained(`--against wants a commit of this repository, and "${commit}" is none`);
  const folder = join(ROOT, "target", "bench-against", hash);
  if (!existsSync(folder)) await run("git", ["worktree", "add", "--detach", folder, hash]);
  say(`building ${hash} in ${folder} (some minutes the first time)`);
  const { setUp } = await import(pathToFileURL(placeOf(SETUP, folder)).href);
  await setUp();
  return folder;
}

/** The first of these files that is in the work tree at `root`. */
function placeOf(files, root) {
  const found = files.map((file) => join(root, file)).find((path) => existsSync(path));
  if (found === undefined) throw new Explained(`${root} has no ${files.join(" and no ")}`);
  return found;
}

/**
 * Every machine, with its log and without.
 * @returns {[machine: typeof MACHINES[number], trace: string][]}
 */
function cases() {
  return MACHINES.flatMap((machine) => [
    [machine, "full log"],
    [machine, "metrics only"],
  ]);
}

/**
 * The best run of each side, natively and in Chromium; sides and places take turns. Each reads its
 * own form of the scenario's file.
 */
async function measure({ file = FILE, set }, trace, sides) {
  const kept = trace === "full log" ? "full" : "none";
  const flags = ["--trace", kept, "--max-records", String(MAX_RECORDS)];
  const measured = sides.map(({ root, command, runInChromium }) => {
    const path = placeOf(file, root);
    const request = {
      slug: "bench",
      text: readFileSync(path, "utf8"),
      set,
      maxRecords: MAX_RECORDS,
      trace: kept,
    };
    // What a process costs before and after its simulation is not the engine's.
    const start = here.timeNatively(command, path, [...set, ["duration", "1us"]]);
    const { records } = here.runNatively(command, path, set, flags).report;
    const natively = () => ({
      records,
      wallMs: here.timeNatively(command, path, set, flags) - start,
    });
    return { natively, inChromium: () => runInChromium(request), native: [], chromium: [] };
  });
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { natively, inChromium, native, chromium } of measured) {
      native.push(natively());
      chromium.push(await inChromium());
    }
  }
  return measured.map(({ native, chromium }) => ({
    native: best(native),
    chromium: best(chromium),
  }));
}

function best(runs) {
  return runs.reduce((one, other) => (other.wallMs < one.wallMs ? other : one));
}

function engineRow(name, { native, chromium }) {
  return {
    what: name,
    records: chromium.records,
    "records per wake-up": Number((chromium.records / chromium.wakeUps).toFixed(1)),
    "native M/s": rate(native),
    "Chromium M/s": rate(chromium),
    "Chromium / native": Number((rate(chromium) / rate(native)).toFixed(2)),
    "Chromium simulated / wall": Number((chromium.simulatedNs / 1e6 / chromium.wallMs).toFixed(2)),
  };
}

function comparedRow(name, [before, after]) {
  return {
    what: name,
    "records before": before.native.records,
    "records after": after.native.records,
    "native before, ms": round(before.native.wallMs),
    "native after, ms": round(after.native.wallMs),
    "native M/s after": rate(after.native),
    "native, times as fast": round(rate(after.native) / rate(before.native)),
    "Chromium before, ms": round(before.chromium.wallMs),
    "Chromium after, ms": round(after.chromium.wallMs),
    "Chromium M/s after": rate(after.chromium),
    "Chromium, times as fast": round(rate(after.chromium) / rate(before.chromium)),
    "Chromium / native after": round(rate(after.chromium) / rate(after.native)),
    "machine time by native time after": round(
      after.chromium.simulatedNs / 1e6 / after.native.wallMs,
    ),
  };
}

/** Millions of records a second. */
function rate({ records, wallMs }) {
  return Number((records / wallMs / 1000).toFixed(2));
}

function round(number) {
  return Number(number.toPrecision(3));
}
