// Starting other programs from the scripts: one place for paths, failure and what a person sees.
// Node built-ins only.

import { AsyncLocalStorage } from "node:async_hooks";
import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

/** The project's root folder. */
export const ROOT = resolve(import.meta.dirname, "../..");

/** A failure that is explained by its message alone; no stack trace helps. */
export class Explained extends Error {}

/** One line of news. */
export function say(line) {
  console.log(`schedscope: ${line}`);
}

/**
 * @typedef {object} RunOptions
 * @property {Record<string, string>} [env] laid over the environment of this process
 * @property {string} [cwd] where it runs, the project's root else
 * @property {string} [failure] the message in place of the command and its exit code
 */

/**
 * Runs a program with the terminal as its own; throws `Explained` unless it
 * ends with 0.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 */
export async function run(command, args, { env = {}, cwd = ROOT, failure } = {}) {
  const code = await exitCode(command, args, env, cwd);
  if (code === 0) return;
  throw new Explained(failure ?? `\`${[command, ...args].join(" ")}\` ended with ${code}`);
}

/**
 * Programs under way.
 * @type {Set<import("node:child_process").ChildProcess>}
 */
const running = new Set();
/**
 * Where what is printed goes while it is collected.
 * @type {AsyncLocalStorage<string[]>}
 */
const collected = new AsyncLocalStorage();
const print = console.log;
console.log = (...words) => {
  const lines = collected.getStore();
  if (lines === undefined) print(...words);
  else lines.push(`${words.join(" ")}\n`);
};

/**
 * Does `action`; what it and its programs print comes out at its end in one piece, so that two can
 * be done at once.
 */
export function inOnePiece(action) {
  const lines = [];
  return collected.run(lines, action).finally(() => process.stdout.write(lines.join("")));
}

/** Ends every program under way: what waits for one fails. */
export function endPrograms() {
  for (const child of running) child.kill();
}

/** @returns {Promise<number | string>} the code, or in words why there is none */
function exitCode(command, args, env, cwd) {
  const lines = collected.getStore();
  /** @type {import("node:child_process").StdioOptions} */
  const stdio = lines === undefined ? ["ignore", "inherit", "inherit"] : ["ignore", "pipe", "pipe"];
  return new Promise((done) => {
    const child = spawn(command, args, { cwd, stdio, env: { ...process.env, ...env } });
    running.add(child);
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (text) => lines?.push(text));
    child.on("error", (/** @type {NodeJS.ErrnoException} */ error) =>
      done(error.code === "ENOENT" ? `"${command} not found"` : error.message),
    );
    child.on("close", (code, signal) => {
      running.delete(child);
      done(code ?? signal ?? "no code");
    });
  });
}

/** What a program prints, trimmed; undefined if it cannot be started or fails. */
export function output(command, args) {
  const result = spawnSync(command, args, {
    cwd: ROOT,
    encoding: "utf8",
    maxBuffer: 1 << 28,
    stdio: ["ignore", "pipe", "ignore"],
  });
  return result.status === 0 ? result.stdout.trim() : undefined;
}

/**
 * Runs the program of an installed npm package with this Node.
 * @param {string} packageName
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 */
export function runBin(packageName, args, options = {}) {
  const folder = join(ROOT, "node_modules", packageName);
  const { bin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file =
    typeof bin === "string" ? bin : (bin[packageName.replace(/.*\//, "")] ?? Object.values(bin)[0]);
  return run(process.execPath, [join(folder, file), ...args], options);
}

/**
 * Runs a script's main function with the options that the script was given, which `known` lists
 * (`optionsOf`); an explained failure is printed as one line, anything else with its stack.
 */
export async function main(action, known = {}) {
  try {
    await action(optionsOf(process.argv.slice(2), known));
  } catch (error) {
    console.error(error instanceof Explained ? `schedscope: ${error.message}` : error);
    process.exitCode = 1;
  }
}

/** Takes the place of `known` where a script reads its arguments by itself. */
export const ANY = Symbol("any arguments");

/**
 * The options in `args`: `{ seeds: "1..3", record: true }`. `known` has what each option is
 * followed by, in words, or "" for one that nothing follows: `{ seeds: "1..30", record: "" }`.
 * Whatever else is there is an error that says where.
 * @param {readonly string[]} args
 * @param {Readonly<Record<string, string>> | typeof ANY} known
 * @returns {Record<string, any>}
 */
export function optionsOf(args, known) {
  if (known === ANY) return {};
  const types = Object.fromEntries(
    Object.entries(known).map(([name, value]) => [
      name,
      { type: /** @type {"boolean" | "string"} */ (value === "" ? "boolean" : "string") },
    ]),
  );
  // Not strict: what is wrong is said in words of ours, with what would be right.
  const parsed = parseArgs({ args: [...args], options: types, strict: false, tokens: true });
  const found = {};
  for (const token of /** @type {any[]} */ (parsed.tokens)) {
    const wrong = faultOf(token, known, found);
    if (wrong !== undefined) throw new Explained(`argument ${token.index + 1}: ${wrong}`);
    found[token.name] = token.value ?? true;
  }
  return found;
}

function faultOf({ kind, name, rawName, value, inlineValue }, known, found) {
  const forms = Object.entries(known).map(
    ([each, follows]) => `--${each}${follows === "" ? "" : ` ${follows}`}`,
  );
  const wanted = forms.length === 0 ? "no arguments" : `only ${forms.join(", ")}`;
  if (kind !== "option") return `expected ${wanted}, got "${kind === "positional" ? value : "--"}"`;
  if (!Object.hasOwn(known, name) || !rawName.startsWith("--"))
    return `expected ${wanted}, got "${rawName}"`;
  if (Object.hasOwn(found, name)) return `--${name} stands twice: leave one out`;
  const follows = known[name];
  if (follows === "")
    return value === undefined ? undefined : `--${name} stands alone, got "--${name}=${value}"`;
  const missing = value === undefined || value === "" || (!inlineValue && value.startsWith("--"));
  return missing ? `expected --${name} ${follows}, got nothing after --${name}` : undefined;
}

/** Whether the script at `url` is the one that was started. */
export function isMain(url) {
  return (
    process.argv[1] !== undefined && url === new URL(`file://${resolve(process.argv[1])}`).href
  );
}
