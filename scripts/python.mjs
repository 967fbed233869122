// The Python package (docs/use/python.md): `npm run python` builds the wheel with the scenarios and,
// if `dist/` is built, the site. `npm test` builds one quickly, without the site, installs it in a
// fresh environment and runs `python/tests`. Tools go below `.python/`, what is compiled below
// `target/python/`: cargo would compile the bindings anew whenever another Python asks for them.

import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Explained, ROOT, isMain, main, output, run, say } from "./lib/run.mjs";

const MATURIN = "maturin==1.16.0";
/** The oldest Python that the wheel is for: `requires-python` of python/pyproject.toml. */
const OLDEST = /** @type {const} */ ([3, 10]);
const HOME = join(ROOT, ".python");
const PACKAGE = join(ROOT, "python", "schedscope");
const WHEELS = join(HOME, "wheels");
const PINNED = join(ROOT, "python", "requirements-test.txt");

/** The first Python of the right version: `PYTHON`, then the usual names; undefined if none. */
function findPython() {
  const stated = process.env["PYTHON"];
  const names = stated ? [stated] : ["python3", "python", "python3.14", "python3.13", "python3.12"];
  return names.find((name) => {
    const version = output(name, ["-c", "import sys; print(*sys.version_info[:2])"]);
    const [major = 0, minor = 0] = (version ?? "").split(" ").map(Number);
    return (
      major === OLDEST[0] &&
      minor >= OLDEST[1] &&
      output(name, ["-c", "import venv, ensurepip"]) !== undefined
    );
  });
}

/** A program of an environment below `.python/`. */
function programOf(environment, name) {
  return process.platform === "win32"
    ? join(HOME, environment, "Scripts", `${name}.exe`)
    : join(HOME, environment, "bin", name);
}

/** Makes an environment with these packages, unless it has them; throws `Explained`. */
async function environment(python, name, packages) {
  // One whose making was broken off has no pip.
  if (output(programOf(name, "python"), ["-m", "pip", "--version"]) === undefined)
    await run(python, ["-m", "venv", "--clear", join(HOME, name)]);
  const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", ...packages];
  await run(programOf(name, "python"), pip, {
    failure: `${packages.join(" ")} cannot be installed: is there a network?`,
  });
}

/** Lays what Git does not keep beside the package: scenarios, licences and the site. */
function layOut(withSite) {
  for (const name of ["_scenarios", "_notice", "_site"])
    rmSync(join(PACKAGE, name), { recursive: true, force: true });
  const scenarios = join(ROOT, "scenarios");
  for (const slug of readdirSync(scenarios))
    for (const file of ["scenario.json", "README.md"])
      if (existsSync(join(scenarios, slug, file)))
        cpSync(join(scenarios, slug, file), join(PACKAGE, "_scenarios", slug, file));
  for (const file of ["LICENSE", "LICENSE-MIT", "LICENSE-APACHE", "NOTICE"])
    cpSync(join(ROOT, file), join(PACKAGE, "_notice", file));
  const site = join(ROOT, "dist");
  if (withSite) cpSync(site, join(PACKAGE, "_site"), { recursive: true });
}

/** Builds the wheel and returns its path. */
async function buildWheel(python, { profile, withSite }) {
  await environment(python, "build", [MATURIN]);
  layOut(withSite);
  rmSync(WHEELS, { recursive: true, force: true });
  mkdirSync(WHEELS, { recursive: true });
  const args = [
    ...["build", "--quiet", "--locked", "--profile", profile],
    ...["--target-dir", join(ROOT, "target", "python")],
    ...["--interpreter", programOf("build", "python")],
    ...["--out", WHEELS],
  ];
  // maturin reads the pyproject.toml of the folder it runs in.
  await run(programOf("build", "maturin"), args, { cwd: join(ROOT, "python") });
  const wheel = readdirSync(WHEELS).find((name) => name.endsWith(".whl"));
  if (wheel === undefined) throw new Explained("maturin wrote no wheel");
  return join(WHEELS, wheel);
}

/** The stage of `npm test`. */
export async function tryPython() {
  const reason = await tried();
  if (reason === undefined) return;
  if (process.env["CI"]) throw new Explained(`${reason}; with CI set that is a failure`);
  say(`not tried: ${reason}`);
}

/** Runs the tests; why they could not be run, if they could not. */
async function tried() {
  const python = findPython();
  if (python === undefined) return `there is no Python from ${OLDEST.join(".")} on`;
  try {
    await environment(python, "build", [MATURIN]);
    await environment(python, "test", ["--requirement", PINNED]);
  } catch (error) {
    if (error instanceof Explained) return error.message;
    throw error;
  }
  await run(await install(python, "dev"), ["-m", "pytest", join(ROOT, "python")]);
  return undefined;
}

/** Builds the wheel without the site, installs it in `.python/test`, and returns that Python. */
async function install(python, profile) {
  const wheel = await buildWheel(python, { profile, withSite: false });
  const flags = ["--quiet", "--disable-pip-version-check", "--no-deps", "--force-reinstall"];
  await run(programOf("test", "python"), ["-m", "pip", "install", ...flags, wheel]);
  return programOf("test", "python");
}

/** A Python with the wheel as it is released, and with what its tests need; throws `Explained`. */
export async function withWheel() {
  const python = pythonOrWhy();
  await environment(python, "test", ["--requirement", PINNED]);
  return install(python, "release");
}

function pythonOrWhy() {
  const python = findPython();
  if (python !== undefined) return python;
  throw new Explained(`there is no Python from ${OLDEST.join(".")} on; PYTHON names one`);
}

/** `--lay-out` only lays files beside the package, for a maturin that runs elsewhere. */
async function build({ "lay-out": onlyLayOut = false }) {
  if (onlyLayOut) return layOut(existsSync(join(ROOT, "dist", "index.html")));
  const python = pythonOrWhy();
  const withSite = existsSync(join(ROOT, "dist", "index.html"));
  const wheel = await buildWheel(python, { profile: "release", withSite });
  say(withSite ? "with the site in dist/" : "without a site: `npm run build` builds one");
  say(`pip install ${wheel}`);
}

if (isMain(import.meta.url)) await main(build, { "lay-out": "" });
