// `npm run bench`: rates, frame times and load times on this machine. It prints and decides nothing; bytes decide tests, times never do.
// Native and browser runs alternate, so that a ratio compares runs of the same minute.

import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { buildSite } from "./build.mjs";
import { nativeCommand, runNatively, withChromium, withChromiumEngine } from "./engines.mjs";
import { ROOT, main, say } from "./run.mjs";
import { serve } from "./serve.mjs";
import { measureLoad, measurePanning } from "./bench-page.mjs";
import { measureW1 } from "./bench-peers/w1.mjs";
import { setUp } from "./setup.mjs";

const ROUNDS = 3;
const FILE = join("scripts", "bench-site", "cyclictest.json");
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
    file: join("scenarios", "quota-stranded", "scenario.json"),
    set: [
      ["machine.cpus", 80],
      ["duration", "20s"],
    ],
  },
];

await main(async () => {
  await setUp({ browser: true });
  await buildSite();
  const command = await nativeCommand();
  say(`${ROUNDS} rounds each, best shown; ${cpus().length} × ${cpus()[0]?.model ?? "CPU"}, Node ${process.versions.node}`);
  const engine = [];
  await withChromiumEngine(async (runInChromium) => {
    for (const machine of MACHINES) engine.push(...(await engineRows(machine, command, runInChromium)));
  });
  console.log("\nEngine (performance rows 1, 2, 5; row 4: fibtest; row 13: 1024 CPUs against 40)");
  console.table(engine);

  console.log("\nOther simulators on the same work (performance row 3)");
  console.table(measureW1(command));

  const server = await serve({ firstPort: 4400 });
  try {
    const page = await withChromium(async (browser) => [
      ...(await measureLoad(browser, server.address)),
      ...(await measurePanning(browser, server.address, [40, 256])),
    ]);
    console.log("\nPage (performance rows 6, 10)");
    console.table(page);
  } finally {
    await server.stop();
  }
});

async function engineRows({ name, file = FILE, set }, command, runInChromium) {
  const text = readFileSync(join(ROOT, file), "utf8");
  // What a process costs before and after its simulation is not the engine's.
  const start = runNatively(command, file, [...set, ["duration", "1us"]]).wallMs;
  const rows = [];
  for (const trace of ["full", "none"]) {
    const request = { slug: "bench", text, set, maxRecords: MAX_RECORDS, trace };
    const native = [];
    const chromium = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const { report, wallMs } = runNatively(command, file, set, ["--trace", trace, "--max-records", String(MAX_RECORDS)]);
      native.push({ records: report.records, simulatedNs: report.simulated_ns, wallMs: wallMs - start });
      chromium.push(await runInChromium(request));
    }
    rows.push(engineRow(`${name}, ${trace === "full" ? "full log" : "metrics only"}`, best(native), best(chromium)));
  }
  return rows;
}

function best(runs) {
  return runs.reduce((one, other) => (other.wallMs < one.wallMs ? other : one));
}

function engineRow(name, native, chromium) {
  const rate = ({ records, wallMs }) => records / wallMs / 1000;
  return {
    what: name,
    records: chromium.records,
    "records per wake-up": Number((chromium.records / chromium.wakeUps).toFixed(1)),
    "native M/s": Number(rate(native).toFixed(2)),
    "Chromium M/s": Number(rate(chromium).toFixed(2)),
    "Chromium / native": Number((rate(chromium) / rate(native)).toFixed(2)),
    "Chromium simulated / wall": Number((chromium.simulatedNs / 1e6 / chromium.wallMs).toFixed(2)),
  };
}
