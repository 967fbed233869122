// rt-app itself (Debian package rt-app) plays the workloads that `export --to rt-app` writes, for a
// second each. `node scripts/readers/rt-app.mjs` ends with 1 if it refuses one, or says that
// something is wrong. `--command PATH` states a built command, else it is target/debug/schedscope.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { Explained, ROOT, isMain, main } from "../lib/run.mjs";
import { install } from "./install.mjs";

/** Runs: the scenario and its flags; rt-app refuses CPUs that the machine has not. */
const CASES = [
  ["rt-fifo-preempt"],
  ["priority-inheritance"],
  ["lazy-or-now"],
  ["polling-or-halt"],
  ["eevdf-slices"],
  ["long-system-call"],
  ["kernbench-switches", "--set", "machine.cpus=2"],
  ["rt-pull-herd", "--set", "machine.cpus=2"],
];
/** rt-app also waits for its threads and calibrates. */
const PATIENCE_MS = 60_000;

/**
 * Throws `Explained` with what rt-app says against a workload, and `NotInstalled` without an rt-app.
 * @param {string} command
 */
export function playWorkloads(command) {
  install("rt-app");
  const folder = mkdtempSync(join(tmpdir(), "schedscope-rt-app-"));
  try {
    const wrong = CASES.flatMap((run) => playOne(command, run, folder));
    if (wrong.length > 0) throw new Explained(wrong.join("\n"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What is wrong with one workload. */
function playOne(command, run, folder) {
  const path = join(folder, "workload.json");
  const args = ["export", ...run, "--to", "rt-app", "--out", path];
  const exported = spawnSync(command, args, { cwd: ROOT, encoding: "utf8" });
  if (exported.status !== 0) throw new Explained(`${run.join(" ")}: ${exported.stderr}`);
  const workload = JSON.parse(readFileSync(path, "utf8"));
  /** @type {{ instance: number; cpus?: number[] }[]} */
  const tasks = Object.values(workload.tasks);
  if (tasks.flatMap(({ cpus = [] }) => cpus).some((cpu) => cpu >= availableParallelism())) {
    console.log(`not tried: ${run.join(" ")}: this machine has too few CPUs`);
    return [];
  }
  workload.global.duration = 1;
  writeFileSync(path, JSON.stringify(workload));
  const { error, status, signal, stdout, stderr } = spawnSync("rt-app", [path], {
    cwd: folder,
    encoding: "utf8",
    timeout: PATIENCE_MS,
  });
  if (error !== undefined && signal === null) throw new Explained(`rt-app: ${error.message}`);
  const said = `${stdout}\n${stderr}`.split("\n").filter((line) => /<(error|crit)/.test(line));
  const instances = tasks.reduce((sum, { instance }) => sum + instance, 0);
  console.log(`${run.join(" ")}: ${instances} threads, exit ${status ?? signal}`);
  return status === 0 && said.length === 0
    ? []
    : [`${run.join(" ")}: exit ${status ?? signal}`, ...said.slice(0, 5)];
}

if (isMain(import.meta.url))
  await main(({ command = join(ROOT, "target/debug/schedscope") }) => playWorkloads(command), {
    command: "PATH",
  });
