// `node scripts/readers/check.mjs`: files of each format, read by the tools that people use, against
// the rows of the run itself. `--only TOOL` asks one tool; `--all` adds the large case; `--command
// PATH` states a built command, else the release is built. One line for each file; ends with 1 if a
// tool finds anything else than the run has.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nativeCommand } from "../lib/engines.mjs";
import { Explained, ROOT, isMain, main, say } from "../lib/run.mjs";
import { READER as chrome } from "./chrome.mjs";
import { factsOf } from "./facts.mjs";
import { NotInstalled, install } from "./install.mjs";
import { READER as perfetto } from "./perfetto.mjs";
import { READER as speedscope } from "./speedscope.mjs";
import { READER as traceCmd } from "./trace-cmd.mjs";

/** @type {readonly import("./facts.mjs").Reader[]} */
const READERS = [perfetto, chrome, speedscope, traceCmd];

/** Runs: the scenario and its flags. */
const CASES = [
  ["rt-pull-herd", "--for", "20ms"],
  ["quota-pinned", "--for", "200ms"],
  ["lazy-or-now", "--for", "20ms"],
  ["hackbench", "--for", "20ms"],
  ["priority-inheritance", "--for", "50ms"],
];
/** 256 CPUs and more than 200 000 switches. */
const LARGE = [["rt-pull-herd", "--for", "200ms", "--set", "machine.cpus=256"]];

/**
 * A sentence on each tool; throws `Explained` with every difference. Where a tool cannot be
 * installed: outside CI it is left out and named, in CI that is a failure.
 * @param {{ command: string, only?: string, all?: boolean }} options
 * @returns {Promise<string[]>}
 */
export async function checkReaders({ command, only, all = false }) {
  const chosen = READERS.filter(({ tool }) => only === undefined || tool === only);
  if (chosen.length === 0)
    throw new Explained(
      `--only: expected one of ${READERS.map(({ tool }) => tool).join(", ")}, got "${only}"`,
    );
  const missing = new Map(chosen.map((reader) => [reader, whyNotTried(reader)]));
  const readers = chosen.filter((reader) => missing.get(reader) === undefined);
  const folder = mkdtempSync(join(tmpdir(), "schedscope-readers-"));
  try {
    const wrong = await differences(command, readers, all ? [...CASES, ...LARGE] : CASES, folder);
    if (wrong.length > 0) throw new Explained(wrong.join("\n"));
    return chosen.map((reader) => {
      const why = missing.get(reader);
      return why === undefined
        ? `${reader.tool} finds in ${reader.formats.join(" and ")} what the runs have`
        : `${reader.tool}: not tried, because ${why}`;
    });
  } finally {
    for (const { close } of readers) await close?.();
    rmSync(folder, { recursive: true });
  }
}

/** @param {import("./facts.mjs").Reader} reader */
function whyNotTried({ tool }) {
  try {
    install(tool);
    return undefined;
  } catch (error) {
    if (!(error instanceof NotInstalled)) throw error;
    if (process.env["CI"]) throw new Explained(`${tool}: ${error.message}`);
    say(`not tried: ${tool}: ${error.message}`);
    return error.message;
  }
}

async function differences(command, readers, cases, folder) {
  const wrong = [];
  for (const reader of readers) console.log(`${reader.tool}: ${await reader.version()}`);
  for (const run of readers.length === 0 ? [] : cases) {
    const facts = await factsOf(command, run);
    for (const reader of readers)
      for (const format of reader.formats)
        wrong.push(...(await differencesOf({ command, run, facts, reader, format, folder })));
  }
  return wrong;
}

async function differencesOf({ command, run, facts, reader, format, folder }) {
  const path = join(folder, `trace.${format}`);
  const args = ["export", ...run, "--to", format, "--out", path];
  const { status, stderr } = spawnSync(command, args, { cwd: ROOT, encoding: "utf8" });
  if (status !== 0) throw new Explained(`${command} ${args.join(" ")}: ${stderr}`);
  const began = performance.now();
  const read = await reader.read(path, format);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const found = compare(facts, read, reader, format);
  const name = `${reader.tool}, ${format}, ${run.join(" ")}`;
  console.log(
    `${found.length === 0 ? "equal" : "DIFFERS"}: ${name}: ${read.switches} switches on ` +
      `${read.cpus.length} CPUs, ${Object.keys(read.ranNs).length} names, worst wake-up ` +
      `${read.worstWakeNs} ns (${seconds} s)`,
  );
  for (const line of found) console.log(`  ${line}`);
  return found.map((line) => `${name}: ${line}`);
}

/**
 * What a reader finds different from the run, a sentence each.
 * @param {import("./facts.mjs").Facts & { stays: Record<string, number> }} facts
 * @param {import("./facts.mjs").Facts & { warnings: string[] }} read
 * @param {import("./facts.mjs").Reader} reader
 * @param {string} format
 */
function compare(facts, read, reader, format) {
  const { roundingNs, comm = (name) => name } = reader;
  const rounding = typeof roundingNs === "number" ? roundingNs : (roundingNs[format] ?? 0);
  const off = (a, b, most) => (a === undefined) !== (b === undefined) || Math.abs(a - b) > most;
  const found = read.warnings.map((line) => `${reader.tool} complains: ${line}`);
  if (read.switches !== facts.switches)
    found.push(`expected ${facts.switches} switches, got ${read.switches}`);
  if (read.events !== undefined && read.events !== facts.events)
    found.push(`expected ${facts.events} trace events, got ${read.events}`);
  if (read.cpus.join() !== facts.cpus.join())
    found.push(`expected switches on CPUs ${facts.cpus.join()}, got ${read.cpus.join()}`);
  if (off(read.worstWakeNs, facts.worstWakeNs, rounding))
    found.push(`expected a worst wake-up of ${facts.worstWakeNs} ns, got ${read.worstWakeNs} ns`);
  const [ran, stays] = [byComm(facts.ranNs, comm), byComm(facts.stays, comm)];
  for (const name of new Set([...Object.keys(ran), ...Object.keys(read.ranNs)])) {
    const [expected = 0, got = 0] = [ran[name], read.ranNs[name]];
    if (off(expected, got, rounding * (stays[name] ?? 0)))
      found.push(`expected ${name} to run for ${expected} ns, got ${got} ns`);
  }
  return found;
}

/** Sums by the names that a file can hold. */
function byComm(sums, comm) {
  const found = {};
  for (const [name, value] of Object.entries(sums))
    found[comm(name)] = (found[comm(name)] ?? 0) + value;
  return found;
}

if (isMain(import.meta.url)) {
  await main(
    async ({ command, ...options }) =>
      checkReaders({ command: command ?? (await nativeCommand()), ...options }),
    { command: "PATH", only: "TOOL", all: "" },
  );
}
