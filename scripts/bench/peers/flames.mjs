// Two viewers of flame charts with our slices, measured as our own page is. A slice is a stretch
// of one state of one CPU. speedscope shows one lane at a time, so that its frames draw one lane of
// all that it has loaded; flame-chart-js shows them all.

/* global document */

import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { panned, row } from "../page.mjs";
import { runInNode } from "../../lib/engines.mjs";
import { ROOT, say } from "../../lib/run.mjs";
import { serve } from "../../serve.mjs";

const FOLDER = join(ROOT, "target", "bench-peers", "flames");
const PEERS = [
  {
    name: "speedscope",
    version: "1.25.0",
    page: "node_modules/speedscope/dist/release/index.html#profileURL=/slices.speedscope.json",
  },
  { name: "flame-chart-js", version: "3.3.0", page: "flame-chart.html" },
];
/** Runs in the page: the data is there and has been drawn. */
const READY = {
  speedscope: () => document.title.includes("cpu0"),
  "flame-chart-js": () => globalThis.drawn === true,
};

/** Rows for each viewer that can be had. `set`: the run whose slices they get. */
export async function measureFlames(browser, slug, set) {
  mkdirSync(FOLDER, { recursive: true });
  const had = PEERS.filter(installed);
  const rows = PEERS.filter((peer) => !had.includes(peer)).map(({ name, version }) =>
    row(`${name}: not installed (npm install ${name}@${version})`, []),
  );
  if (had.length === 0) return rows;
  const lanes = await lanesOf(slug, set);
  const slices = lanes.reduce((sum, lane) => sum + lane.length, 0);
  writeInputs(lanes);
  const server = await serve({ folder: FOLDER, firstPort: 4500 });
  try {
    for (const peer of had)
      rows.push(
        ...(await measurePeer(
          browser,
          peer,
          server.address,
          `${lanes.length} lanes, ${(slices / 1e6).toFixed(2)} M slices`,
        )),
      );
  } finally {
    await server.stop();
  }
  return rows;
}

async function measurePeer(browser, { name, page: path }, address, what) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const client = await page.context().newCDPSession(page);
  await client.send("Performance.enable", { timeDomain: "threadTicks" });
  const began = performance.now();
  await page.goto(address + path);
  await page.waitForFunction(READY[name], undefined, { timeout: 300_000 });
  const ms = performance.now() - began;
  const { metrics } = await client.send("Performance.getMetrics");
  const rows = [
    row(`${name}, ${what}: loaded and drawn (ms)`, [ms]),
    row("… CPU of the main thread until then (ms)", [
      1000 * (metrics.find((each) => each.name === "TaskDuration")?.value ?? Number.NaN),
    ]),
    ...(await panned(browser, page, name, 720, 300)),
  ];
  await page.close();
  return rows;
}

/** Whether the package is there, installed on the way into a folder of the bench's own. */
function installed({ name, version }) {
  const own = join(FOLDER, "node_modules", name, "package.json");
  const has = () => existsSync(own) && JSON.parse(readFileSync(own, "utf8")).version === version;
  if (has()) return true;
  say(`installing ${name}@${version} for the comparison`);
  if (!existsSync(join(FOLDER, "package.json")))
    writeFileSync(join(FOLDER, "package.json"), '{ "private": true }\n');
  const args = [
    "install",
    "--prefix",
    FOLDER,
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--silent",
    `${name}@${version}`,
  ];
  return (
    spawnSync("npm", args, { stdio: "ignore", shell: process.platform === "win32" }).status === 0 &&
    has()
  );
}

/** A number that src/engine/gen/catalogue.ts declares. */
function declared(pattern) {
  const [, ...numbers] =
    pattern.exec(readFileSync(join(ROOT, "src", "engine", "gen", "catalogue.ts"), "utf8")) ?? [];
  return numbers.map(Number);
}

/**
 * The slices of each CPU: where they begin and end, µs, and what they are. Rows of one instant
 * replace each other, as on the page.
 */
async function lanesOf(slug, set) {
  const [cpuState] = declared(/\bCpuState: (\d+)/);
  const [shift, mask] = declared(/\bState: \{ shift: (\d+), mask: (\d+) \}/);
  const lanes = [];
  let endNs = 0;
  const text = readFileSync(join(ROOT, "scenarios", slug, "scenario.json"), "utf8");
  await runInNode(slug, text, set, (columns) => {
    const [time, kind, cpu, a, b] = [
      columns.time(),
      columns.kind(),
      columns.cpu(),
      columns.a(),
      columns.b(),
    ];
    endNs = time.at(-1) ?? endNs;
    for (let at = 0; at < time.length; at += 1) {
      if (kind[at] !== cpuState) continue;
      const lane = (lanes[cpu[at]] ??= []);
      if (lane.at(-1)?.ns === time[at]) lane.pop();
      lane.push({ ns: time[at], name: `state ${(a[at] >>> shift) & mask}, task ${b[at]}` });
    }
  });
  return lanes.map((lane) =>
    lane.map(({ ns, name }, at) => ({
      name,
      from: ns / 1000,
      to: (lane[at + 1]?.ns ?? endNs) / 1000,
    })),
  );
}

function writeInputs(lanes) {
  const names = [...new Set(lanes.flatMap((lane) => lane.map(({ name }) => name)))];
  const frameOf = new Map(names.map((name, frame) => [name, frame]));
  const profiles = lanes.map((lane, cpu) => ({
    type: "evented",
    name: `cpu${cpu}`,
    unit: "microseconds",
    startValue: 0,
    endValue: lane.at(-1)?.to ?? 0,
    events: lane.flatMap(({ name, from, to }) => [
      { type: "O", frame: frameOf.get(name), at: from },
      { type: "C", frame: frameOf.get(name), at: to },
    ]),
  }));
  const file = {
    $schema: "https://www.speedscope.app/file-format-schema.json",
    shared: { frames: names.map((name) => ({ name })) },
    profiles,
  };
  writeFileSync(join(FOLDER, "slices.speedscope.json"), JSON.stringify(file));
  writeFileSync(
    join(FOLDER, "slices.json"),
    JSON.stringify(lanes.map((lane) => lane.map(({ name, from, to }) => [name, from, to - from]))),
  );
  for (const name of ["flame-chart.html", "flame-chart.js"])
    copyFileSync(join(import.meta.dirname, name), join(FOLDER, name));
}
