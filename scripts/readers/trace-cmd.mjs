// What `trace-cmd report` prints of a trace.dat.

import { spawn, spawnSync } from "node:child_process";
import { createInterface } from "node:readline";

// `  cyclictest.12-1012  [003] dNh3.     0.010503250: sched_switch:  …`
const LINE = /^\s*(.+)-(\d+)\s+\[(\d+)\](?:\s+\S+)?\s+(\d+)\.(\d{9}):\s+(\w+):\s*(.*)$/;
// `cyclictest.12:1012 [4] S ==> swapper/3:0 [120]`
const SWITCH = /:(\d+) \[\d+\] \S+ ==> .*:(\d+) \[\d+\]$/;
// `comm=cyclictest.12 pid=1012 prio=4 target_cpu=003`, or `cyclictest.12:1012 [4] CPU:003`
const WOKEN = / pid=(\d+) |:(\d+) \[\d+\]/;

/** @type {import("./facts.mjs").Reader} */
export const READER = {
  tool: "trace-cmd",
  formats: ["trace.dat"],
  roundingNs: 0,
  comm,

  version: () => {
    const { stdout = "" } = spawnSync("trace-cmd", ["--version"], { encoding: "utf8" });
    return Promise.resolve(/trace-cmd version (\S+)/.exec(stdout)?.[1] ?? "?");
  },

  /** @param {string} path */
  read: async (path) => {
    const found = new Found();
    const child = spawn("trace-cmd", ["report", "-t", path], { stdio: ["ignore", "pipe", "pipe"] });
    const ended = new Promise((done, fail) => {
      child.on("error", fail);
      child.on("close", done);
    });
    const each = async (/** @type {import("node:stream").Readable} */ input, use) => {
      for await (const line of createInterface({ input })) use(line);
    };
    await Promise.all([
      each(child.stdout, (line) => found.line(line)),
      each(child.stderr, (line) => found.complaint(line)),
    ]);
    const code = await ended;
    if (code !== 0) found.complaint(`ended with ${code}`);
    return found.facts();
  },
};

/**
 * A name as an event holds it: 15 characters, with the number behind its last dot.
 * @param {string} name
 */
function comm(name) {
  if (name.length < 16) return name;
  const [number = ""] = /\.\d{0,9}$/.exec(name) ?? [];
  return name.slice(0, 15 - number.length) + number;
}

/** Counts over the lines of a report. */
class Found {
  #switches = 0;
  #warnings = /** @type {string[]} */ ([]);
  #names = new Map();
  #ran = new Map();
  #since = new Map();
  #waking = new Map();
  #running = new Set();
  #worst = /** @type {number | undefined} */ (undefined);

  complaint(line) {
    if (line.trim() !== "") this.#warnings.push(line);
  }

  line(text) {
    const [, name, pid, cpu, seconds, ns, event, fields = ""] = LINE.exec(text) ?? [];
    if (event === undefined) {
      if (!/^cpus=\d+$/.test(text)) this.complaint(text);
      return;
    }
    const time = Number(seconds) * 1_000_000_000 + Number(ns);
    // The list of tasks has whole names, events have cut ones: which is shown depends on what was
    // printed before.
    if (pid !== "0") this.#names.set(pid, name);
    if (event === "sched_waking") this.#woken(fields, time);
    if (event === "sched_switch") this.#switched(Number(cpu), fields, time);
  }

  #woken(fields, time) {
    const [, named, short] = WOKEN.exec(fields) ?? [];
    const pid = named ?? short;
    if (pid === undefined) this.complaint(`sched_waking: ${fields}`);
    else if (!this.#running.has(pid) && !this.#waking.has(pid)) this.#waking.set(pid, time);
  }

  #switched(cpu, fields, time) {
    const [, prev, next] = SWITCH.exec(fields) ?? [];
    if (next === undefined) {
      this.complaint(`sched_switch: ${fields}`);
      return;
    }
    this.#switches += 1;
    const since = this.#since.get(cpu);
    if (since !== undefined && prev !== "0")
      this.#ran.set(prev, (this.#ran.get(prev) ?? 0) + time - since);
    this.#since.set(cpu, time);
    this.#running.delete(prev);
    this.#running.add(next);
    const woken = this.#waking.get(next);
    if (woken !== undefined) this.#worst = Math.max(this.#worst ?? 0, time - woken);
    this.#waking.delete(next);
  }

  facts() {
    const ranNs = /** @type {Record<string, number>} */ ({});
    for (const [pid, ns] of this.#ran) {
      const name = comm(this.#names.get(pid) ?? "?");
      ranNs[name] = (ranNs[name] ?? 0) + ns;
    }
    return {
      switches: this.#switches,
      cpus: [...this.#since.keys()].sort((a, b) => a - b),
      ranNs,
      worstWakeNs: this.#worst,
      warnings: this.#warnings,
    };
  }
}
