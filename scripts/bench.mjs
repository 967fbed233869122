// `npm run bench`: rates, frame times and load times on this machine. It prints and decides nothing; bytes decide tests, times never do.
// Native and browser runs alternate, so that a ratio compares runs of the same minute.

import { readdirSync, readFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { buildSite } from "./build.mjs";
import { nativeCommand, runNatively, timeNatively, withChromium, withChromiumEngine } from "./engines.mjs";
import { ROOT, main, say } from "./run.mjs";
import { serve } from "./serve.mjs";
import { measureFlip, measureGrowth, measureRecords, measureTasks } from "./bench-frame.mjs";
import { measureLoad, measurePanning } from "./bench-page.mjs";
import { measureFlames } from "./bench-peers/flames.mjs";
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

/** What is panned: both sides push by IPI, which has the most slices. The page keeps at most 8 M records a side. */
const PUSH = "a.kernel.rt_push_ipi=on";
const PANNED = [
  { name: "2 × 40 CPUs", set: ["k.machine.cpus=40"] },
  { name: "2 × 256 CPUs, 1 M slices each", set: ["k.machine.cpus=256", "k.duration=38ms", PUSH] },
  { name: "2 × 1024 CPUs, 2.5 M slices each: the record limit", set: ["k.machine.cpus=1024", "k.duration=30ms", PUSH] },
];

/** Side A of the second of those. */
const FLAME_SET = [
  ["machine.cpus", 256],
  ["duration", "38ms"],
  ["kernel.rt_push_ipi", "on"],
];

await main(async () => {
  await setUp({ browser: true });
  await buildSite();
  say(`${ROUNDS} rounds each, best shown; ${cpus().length} × ${cpus()[0]?.model ?? "CPU"}, Node ${process.versions.node}`);
  if (!process.argv.includes("--page")) await measureEngine();
  await measurePage();
});

async function measureEngine() {
  const command = await nativeCommand();
  const engine = [];
  await withChromiumEngine(async (runInChromium) => {
    for (const machine of MACHINES) engine.push(...(await engineRows(machine, command, runInChromium)));
  });
  console.log("\nEngine (performance rows 1, 2, 5; row 4: fibtest; row 13: 1024 CPUs against 40)");
  console.table(engine);

  console.log("\nOther simulators on the same work (performance row 3)");
  console.table(measureW1(command));
}

/** `npm run bench -- --page` measures this alone. */
async function measurePage() {
  const slugs = readdirSync(join(ROOT, "scenarios"), { withFileTypes: true }).flatMap((each) => (each.isDirectory() ? [each.name] : []));
  const server = await serve({ firstPort: 4400 });
  const { address } = server;
  try {
    const parts = [
      ["Cold load (row 10)", (browser) => measureLoad(browser, address)],
      ["A switch (row 7)", (browser) => measureFlip(browser, address)],
      ["Main thread at 1024 CPUs (row 12)", (browser) => measureTasks(browser, address)],
      ["Panning and zooming (row 6)", (browser) => measurePanning(browser, address, PANNED)],
      ["The slices of side A at 256 CPUs in other viewers", (browser) => measureFlames(browser, "rt-pull-herd", FLAME_SET)],
      ["Memory (row 9)", (browser) => measureRecords(browser, address)],
      ["Memory over many scenarios", (browser) => measureGrowth(browser, address, slugs)],
    ];
    for (const [title, measure] of parts) {
      console.log(`\n${title}`);
      console.table(await withChromium(measure));
    }
  } finally {
    await server.stop();
  }
}

async function engineRows({ name, file = FILE, set }, command, runInChromium) {
  const text = readFileSync(join(ROOT, file), "utf8");
  // What a process costs before and after its simulation is not the engine's.
  const start = timeNatively(command, file, [...set, ["duration", "1us"]]);
  const rows = [];
  for (const trace of ["full", "none"]) {
    const request = { slug: "bench", text, set, maxRecords: MAX_RECORDS, trace };
    const flags = ["--trace", trace, "--max-records", String(MAX_RECORDS)];
    const { records } = runNatively(command, file, set, flags).report;
    const native = [];
    const chromium = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      native.push({ records, wallMs: timeNatively(command, file, set, flags) - start });
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
