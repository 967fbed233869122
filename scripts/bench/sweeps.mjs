// `npm run bench -- --sweeps`: one sweep by the command's own threads, by two processes and by
// Dask's workers on this machine, and what a manifest takes as it grows (sweeps.py).

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT, run, say } from "../lib/run.mjs";
import { withWheel } from "../python.mjs";

/** Prints what each way takes, and how it compares with the command's own threads. */
export async function measureSweeps() {
  const python = await withWheel();
  say("some minutes: three rounds of five ways, then a manifest of 100 000 runs");
  const { usual, empty, growth } = await measured(python);
  console.log(`\nRuns a second: ${usual.runs} runs of 20 ms in ${usual.batches} batches`);
  console.table(Object.fromEntries(Object.entries(usual.seconds).map(rateRow(usual))));
  console.log(`\nCost a run of the machinery: ${empty.runs} runs of 1 us`);
  console.table(Object.fromEntries(Object.entries(empty.seconds).map(costRow(empty))));
  console.log("\nA manifest as it grows, runs of 1 us on two Dask workers, seconds");
  console.table(growth.map(growthRow));
}

async function measured(python) {
  const folder = mkdtempSync(join(tmpdir(), "schedscope-"));
  try {
    const out = join(folder, "sweeps.json");
    await run(python, [join(ROOT, "scripts", "bench", "sweeps.py"), out]);
    return JSON.parse(readFileSync(out, "utf8"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The threads of the command that do as much at once. */
function threadsBeside(name, seconds) {
  return seconds[`own threads, ${name.at(-1)}`];
}

function rateRow({ runs, seconds }) {
  return ([name, took]) => [
    name,
    {
      seconds: rounded(took),
      "runs a second": rounded(runs / took),
      "own threads = 1": rounded(threadsBeside(name, seconds) / took),
    },
  ];
}

function costRow({ runs, seconds }) {
  return ([name, took]) => [
    name,
    {
      seconds: rounded(took),
      "us a run": rounded((took * 1e6) / runs),
      "more than own threads, us a run": rounded(
        ((took - threadsBeside(name, seconds)) * 1e6) / runs,
      ),
    },
  ];
}

function growthRow({ runs, batches, bytes, plan, run, collect }) {
  return {
    runs,
    batches,
    "manifest, kB": rounded(bytes / 1000),
    plan: rounded(plan),
    run: rounded(run),
    collect: rounded(collect),
    "us a run": rounded(((plan + run + collect) * 1e6) / runs),
  };
}

function rounded(number) {
  return Number(number.toPrecision(3));
}
