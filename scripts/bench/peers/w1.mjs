// W1, the work three simulators do: M CPUs, 4M rate-monotonic periodic tasks, global and
// preemptive, 10 simulated seconds. Task i: period {10, 20, 25, 40, 50, 100}[i % 6] ms, work 0.175
// of it, phase ((i * 37) % 1000) / 100 ms; utilisation 0.70.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runNatively, timeNatively } from "../../lib/engines.mjs";
import { Explained, ROOT, say } from "../../lib/run.mjs";

const CPUS = 16;
const PERIODS_MS = [10, 20, 25, 40, 50, 100];
const SECONDS = 10;
const ROUNDS = 3;
const FOLDER = join(ROOT, "target", "bench-peers");

/** The peers and the release of each that is measured. */
const PEERS = [
  { name: "SimSo 0.8.5", package: "simso==0.8.5", script: "simso_w1.py", goal: 250 },
  { name: "SimPy 4.1", package: "simpy==4.1.1", script: "simpy_w1.py", goal: 10 },
];

/**
 * One row per peer: its time, ours and the ratio. A peer that cannot be installed is a row that
 * says so.
 */
export function measureW1(command) {
  const ours = measureOurs(command);
  /** @type {Record<string, string | number>[]} */
  const rows = [
    { what: `schedscope, W1 M=${CPUS}`, ms: round(ours.ms), jobs: ours.jobs, ratio: 1, goal: "" },
  ];
  for (const peer of PEERS) {
    const python = environment(peer);
    if (python === undefined) {
      rows.push({
        what: `${peer.name}: not installed (pip install ${peer.package})`,
        ms: "",
        jobs: "",
        ratio: "",
        goal: `>= ${peer.goal}`,
      });
      continue;
    }
    const theirs = measurePeer(python, peer);
    rows.push({
      what: peer.name,
      ms: round(theirs.ms),
      jobs: theirs.jobs,
      ratio: round(theirs.ms / ours.ms),
      goal: `>= ${peer.goal}`,
    });
  }
  return rows;
}

/** The command's own time and jobs. */
export function measureOurs(command) {
  mkdirSync(FOLDER, { recursive: true });
  const file = join(FOLDER, "w1.json");
  writeFileSync(file, JSON.stringify(scenario()));
  const best = (set) =>
    Math.min(
      ...Array.from({ length: ROUNDS }, () =>
        timeNatively(command, file, set, ["--trace", "none"]),
      ),
    );
  const tasks = Object.values(
    runNatively(command, file, [], ["--trace", "none"]).report.metrics.tasks,
  );
  return {
    ms: best([]) - best([["duration", "1us"]]),
    jobs: tasks.reduce((sum, task) => sum + task.loops, 0),
  };
}

/**
 * The product's RT class with no costs, as the peers have none: rate-monotonic is FIFO by period.
 */
function scenario() {
  const tasks = {};
  for (let index = 0; index < 4 * CPUS; index += 1) {
    const period = (PERIODS_MS[index % PERIODS_MS.length] ?? 0) * 1000;
    tasks[`t${index}`] = {
      policy: "SCHED_FIFO",
      priority: 90 - PERIODS_MS.indexOf(period / 1000),
      delay: ((index * 37) % 1000) * 10,
      run: (period * 175) / 1000,
      timer: { ref: "unique", period, mode: "absolute" },
    };
  }
  return {
    schema: 1,
    title: "W1",
    source: "benchmark",
    seed: 1,
    duration: `${SECONDS}s`,
    machine: { cpus: CPUS, topology: "auto", costs: "zero" },
    kernel: { version: "3.19", hz: 100 },
    cgroups: {},
    workload: { tasks },
  };
}

/** The name that Python imports a peer by. */
function moduleOf({ name }) {
  return name.replace(/ .*/, "").toLowerCase();
}

/**
 * A virtual environment with the peer in it; undefined without Python or when the package cannot be
 * had.
 */
function environment(peer) {
  const folder = join(FOLDER, moduleOf(peer));
  const python = join(folder, process.platform === "win32" ? "Scripts/python.exe" : "bin/python");
  const quiet = (program, args) => spawnSync(program, args, { stdio: "ignore" }).status === 0;
  if (!existsSync(python) && !quiet("python3", ["-m", "venv", folder])) return undefined;
  const has = () => quiet(python, ["-c", `import ${moduleOf(peer)}`]);
  if (has()) return python;
  say(`installing ${peer.package} for the comparison`);
  return quiet(python, ["-m", "pip", "install", "--quiet", peer.package]) && has()
    ? python
    : undefined;
}

/** The script prints the milliseconds of its simulation alone and the jobs it finished. */
function measurePeer(python, peer) {
  const runs = Array.from({ length: ROUNDS }, () => {
    const result = spawnSync(
      python,
      [join(import.meta.dirname, peer.script), String(CPUS), String(SECONDS)],
      { encoding: "utf8" },
    );
    if (result.status !== 0) throw new Explained(`${peer.script} failed: ${result.stderr}`);
    return JSON.parse(result.stdout.trim().split("\n").at(-1) ?? "");
  });
  return runs.reduce((one, other) => (other.ms < one.ms ? other : one));
}

function round(number) {
  return Number(number.toPrecision(3));
}
