// What a reader of other tools must find in a file, counted from the rows of the run itself.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { ROOT } from "../lib/run.mjs";

/**
 * What a reader says of a file.
 * @typedef {object} Facts
 * @property {number} switches
 * @property {number[]} cpus numbers of the CPUs with a switch, ascending
 * @property {Record<string, number>} ranNs ns on a CPU by a task's name, idle left out: from each
 *   switch to the task to the next switch on that CPU
 * @property {number} [events] events of the kernel's tracing
 * @property {number | undefined} worstWakeNs longest time from a `sched_waking` of a task that
 *   neither runs nor waits already, to the switch to it; undefined if there is no such wake-up
 */

/**
 * A reader of files, as each scripts/readers/<tool>.mjs exports it under the name READER.
 * @typedef {object} Reader
 * @property {string} tool
 * @property {readonly string[]} formats
 * @property {() => Promise<string>} version
 * @property {(path: string, format: string) => Promise<Facts & { warnings: string[] }>} read
 *   `warnings`: what the tool complains of, a line each
 * @property {number | Record<string, number>} roundingNs what a time in the file may be off, for
 *   all formats or by format
 * @property {(name: string) => string} [comm] a task's name as the file can hold it
 * @property {() => Promise<void>} [close] ends what `read` left running
 */

const NONE = "-";

/** Rows that are events of the kernel's tracing. */
const EVENTS = new Set([
  ...["sched_switch", "sched_waking", "sched_wakeup", "sched_wakeup_new", "sched_migrate_task"],
  ...["sched_pi_setprio", "irq_handler_entry", "irq_handler_exit", "ipi_send_cpu"],
  ...["softirq_raise", "softirq_entry", "softirq_exit"],
]);

/**
 * The facts of a run of `command`, and how many stays on a CPU each task's time is the sum of.
 * @param {string} command
 * @param {readonly string[]} run the scenario and its flags
 * @returns {Promise<Facts & { stays: Record<string, number> }>}
 */
export async function factsOf(command, run) {
  const [names, counted] = await Promise.all([namesOf(command, run), countedOf(command, run)]);
  const byName = (/** @type {Map<string, number>} */ found) => {
    /** @type {Record<string, number>} */
    const sums = {};
    for (const [task, value] of found) {
      const name = names.get(task) ?? "?";
      sums[name] = (sums[name] ?? 0) + value;
    }
    return sums;
  };
  return {
    switches: counted.switches,
    events: counted.events,
    cpus: [...counted.cpus].map(Number).sort((a, b) => a - b),
    ranNs: byName(counted.ran),
    stays: byName(counted.stays),
    worstWakeNs: counted.worst,
  };
}

/** Counts over the rows, by the task's number. */
async function countedOf(command, run) {
  const curr = new Map();
  const waking = new Map();
  const runs = new Set();
  const found = { switches: 0, events: 0, cpus: new Set(), ran: new Map(), stays: new Map() };
  const worst = { ns: /** @type {number | undefined} */ (undefined) };
  const add = (sums, task, value) => sums.set(task, (sums.get(task) ?? 0) + value);
  await eachLine(command, [...run, "--to", "tsv"], (line) => {
    const [stamp, cpu, event = "", a = NONE, b = NONE] = line.split("\t");
    if (!EVENTS.has(event)) return;
    found.events += 1;
    const time = Number(stamp);
    if (event === "sched_waking" && !runs.has(a) && !waking.has(a)) waking.set(a, time);
    if (event !== "sched_switch") return;
    found.switches += 1;
    found.cpus.add(cpu);
    const stay = curr.get(cpu);
    if (stay !== undefined && stay.task !== NONE) {
      add(found.ran, stay.task, time - stay.since);
      add(found.stays, stay.task, 1);
    }
    curr.set(cpu, { task: b, since: time });
    runs.delete(a);
    runs.add(b);
    const woken = waking.get(b);
    if (woken !== undefined) worst.ns = Math.max(worst.ns ?? 0, time - woken);
    waking.delete(b);
  });
  return { ...found, worst: worst.ns };
}

/** Rows hold numbers; the names that belong to them are in ftrace text, where a pid is 1000 on. */
async function namesOf(command, run) {
  const names = new Map();
  await eachLine(command, [...run, "--to", "ftrace"], (line) => {
    const [, name, pid] = / next_comm=(.*) next_pid=(\d+) next_prio=/.exec(line) ?? [];
    if (pid !== undefined && pid !== "0") names.set(String(Number(pid) - 1000), name);
  });
  return names;
}

/** @param {(line: string) => void} use */
async function eachLine(command, args, use) {
  const child = spawn(command, ["export", ...args], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", done);
  });
  for await (const line of createInterface({ input: child.stdout })) use(line);
  const code = await ended;
  if (code !== 0) throw new Error(`${command} export ${args.join(" ")} ended with ${code}`);
}
