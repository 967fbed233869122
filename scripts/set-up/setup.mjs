// Makes a fresh clone ready: npm packages, Rust's wasm32 target, the wasm, and a Chromium for tests
// that need one. Everything it installs is announced first; what it cannot install is named with
// the command that does. Run by every command of package.json.

import { existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { homedir } from "node:os";
import { clearTimeout, setTimeout } from "node:timers";
import { findChromium } from "../lib/chromium.mjs";
import { Explained, ROOT, isMain, main, output, run, runBin, say } from "../lib/run.mjs";

const WASM_TARGET = "wasm32-unknown-unknown";
/**
 * How long the compiler may be silent before it is said that it works: longer than it needs where
 * there is nothing to do.
 */
const SILENCE_MS = 2_000;

/** `checks` adds rustfmt and clippy, `browser` a Chromium. */
export async function setUp({ checks = false, browser = false } = {}) {
  await prepareMachine({ checks });
  await prepareProject({ browser });
}

/** What Rust alone needs: compilers, and rustfmt and clippy with `checks`. */
export async function prepareMachine({ checks = false } = {}) {
  checkNode();
  checkRust();
  await installWasmTarget();
  if (checks) await installComponents();
}

/** What the page needs besides: packages, the wasm, and a Chromium with `browser`. */
export async function prepareProject({ browser = false } = {}) {
  await installPackages();
  await buildWasm();
  if (browser) await installChromium();
}

/**
 * Cargo is quiet and may take minutes, after changes and after other flags too: silence would look
 * like a hang.
 */
async function buildWasm() {
  const news = setTimeout(
    () => say("building the engine for the browser (some minutes the first time)"),
    SILENCE_MS,
  );
  try {
    await run("cargo", ["xtask", "wasm"], {
      failure: "the engine's wasm does not build; the compiler's words are above",
    });
  } finally {
    clearTimeout(news);
  }
}

function checkNode() {
  const wanted = { major: 20, minor: 19 };
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > wanted.major || (major === wanted.major && minor >= wanted.minor)) return;
  throw new Explained(
    `this is Node ${process.versions.node}, and ${wanted.major}.${wanted.minor} or newer is needed: install it from https://nodejs.org`,
  );
}

async function installPackages() {
  if (packagesAreInstalled()) return;
  say("installing the npm packages of package-lock.json (npm ci)");
  const npm = process.env["npm_execpath"];
  const ci = ["ci", "--no-audit", "--no-fund"];
  const failure = "npm ci failed; its words are above";
  if (npm?.endsWith(".js")) await run(process.execPath, [npm, ...ci], { failure });
  else await run(process.platform === "win32" ? "npm.cmd" : "npm", ci, { failure });
}

/** Whether node_modules holds what the lock file says, platform packages of other systems aside. */
function packagesAreInstalled() {
  const installedLock = join(ROOT, "node_modules", ".package-lock.json");
  if (!existsSync(installedLock)) return false;
  const wanted = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")).packages;
  const installed = JSON.parse(readFileSync(installedLock, "utf8")).packages;
  return Object.entries(wanted).every(
    ([path, entry]) =>
      path === "" ||
      (installed[path]?.integrity ?? (entry.optional && entry.integrity)) === entry.integrity,
  );
}

function checkRust() {
  if (output("cargo", ["--version"]) !== undefined) return;
  const cargoBin = join(homedir(), ".cargo", "bin");
  process.env["PATH"] = `${cargoBin}${delimiter}${process.env["PATH"] ?? ""}`;
  if (output("cargo", ["--version"]) !== undefined) return;
  throw new Explained(
    "Rust is missing (no cargo on the PATH): install it with rustup from https://rustup.rs, then run this again",
  );
}

async function installWasmTarget() {
  const sysroot = output("rustc", ["--print", "sysroot"]);
  if (sysroot !== undefined && existsSync(join(sysroot, "lib", "rustlib", WASM_TARGET, "lib")))
    return;
  const fix = `\`rustup target add ${WASM_TARGET}\``;
  if (output("rustup", ["--version"]) === undefined) {
    throw new Explained(
      `Rust's ${WASM_TARGET} target is missing and there is no rustup to add it: install Rust from https://rustup.rs, then run ${fix}`,
    );
  }
  say(`adding Rust's ${WASM_TARGET} target (rustup, about 20 MB)`);
  await run("rustup", ["target", "add", WASM_TARGET], {
    env: { RUST_BACKTRACE: "0" },
    failure: `the target could not be added; with a network, ${fix} does it`,
  });
}

async function installComponents() {
  const missing = [
    { component: "rustfmt", command: "fmt" },
    { component: "clippy", command: "clippy" },
  ].filter(({ command }) => output("cargo", [command, "--version"]) === undefined);
  for (const { component } of missing) {
    say(`adding Rust's ${component} (rustup)`);
    await run("rustup", ["component", "add", component], {
      env: { RUST_BACKTRACE: "0" },
      failure: `${component} is missing: \`rustup component add ${component}\` adds it`,
    });
  }
}

async function installChromium() {
  if (findChromium() !== undefined) return;
  if (
    process.platform === "linux" &&
    process.getuid?.() === 0 &&
    output("apt-get", ["--version"]) !== undefined
  ) {
    if (await chromiumFromApt()) return;
  }
  say("no Chromium found: installing Playwright's own (a download of about 180 MB)");
  await runBin("@playwright/test", ["install", "chromium"], {
    failure:
      "no Chromium could be installed: install Chromium or Chrome, or set CHROMIUM_PATH to one, then run this again",
  });
}

/** The headless shell where the distribution has one: tests take a quarter less CPU time in it. */
async function chromiumFromApt() {
  for (const name of ["chromium-headless-shell", "chromium"]) {
    const install = ["install", "--yes", "--no-install-recommends", name];
    try {
      await run("apt-get", ["update", "--quiet=2"]);
      const plan = output("apt-get", [...install, "--print-uris"]) ?? "";
      const size = /Need to get (.+?B) of/.exec(plan)?.[1] ?? "about 100 MB";
      say(`no Chromium found: installing Debian's ${name} with apt-get (a download of ${size})`);
      await run("apt-get", ["--quiet=2", ...install], {
        env: { DEBIAN_FRONTEND: "noninteractive" },
      });
    } catch (error) {
      if (!(error instanceof Explained)) throw error;
      say(`apt-get did not install it (${error.message})`);
    }
    if (findChromium() !== undefined) return true;
  }
  return false;
}

if (isMain(import.meta.url)) {
  await main(({ checks = false, browser = false }) => setUp({ checks, browser }), {
    checks: "",
    browser: "",
  });
}
