// NOTICE: the licences of everything that the built site, the command and the Python package
// contain, read from the installed packages and crates. `node scripts/release/notice.mjs` writes the
// file; the test stage checks that it is up to date.

import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Explained, ROOT, isMain, main, output } from "../lib/run.mjs";

const FILE = join(ROOT, "NOTICE");
const INTRO = `schedscope is licensed under MIT OR Apache-2.0, at your choice: see LICENSE-MIT and LICENSE-APACHE.

The built site, the command and the Python package contain the packages below, each under its own licence. Written by scripts/release/notice.mjs.
The Rust standard library, part of the wasm, the command and the Python package, is licensed under MIT OR Apache-2.0.
`;
/** The crates that are delivered. */
const LINKED = ["schedscope-wasm", "schedscope-reader", "schedscope-cli", "schedscope-python"];

/** Throws when NOTICE does not say what is installed. */
export async function checkNotice() {
  if (existsSync(FILE) && readFileSync(FILE, "utf8") === notice()) return;
  throw new Explained(
    "NOTICE is out of date: run `node scripts/release/notice.mjs` and commit the result",
  );
}

function notice() {
  return [INTRO, section("npm packages", npmPackages()), section("Rust crates", crates())].join(
    "\n",
  );
}

function section(title, entries) {
  return `${heading(title)}\n${entries.map(entryText).join("\n")}`;
}

function heading(title) {
  return `${"=".repeat(78)}\n${title}\n${"=".repeat(78)}\n`;
}

function entryText({ name, version, licence, text }) {
  return `${name} ${version} (${licence})\n${"-".repeat(78)}\n${text}\n`;
}

/** Production packages, type packages aside: those leave nothing in the build. */
function npmPackages() {
  const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"));
  const shipped = Object.entries(packages).filter(
    ([path, entry]) => path !== "" && !entry.dev && !entry.devOptional && !path.includes("@types/"),
  );
  return shipped
    .map(([path, { version }]) => {
      const folder = join(ROOT, path);
      const { license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
      return {
        name: path.replace(/^.*node_modules\//, ""),
        version,
        licence: license,
        text: licenceText(folder),
      };
    })
    .sort(byName);
}

/**
 * Crates linked into the wasm, the command or the Python package; what only runs while building leaves nothing there.
 */
function crates() {
  const json = output("cargo", ["metadata", "--format-version", "1", "--locked"]);
  if (json === undefined) throw new Explained("cargo metadata failed");
  const { packages, resolve, workspace_members: members } = JSON.parse(json);
  const nodes = new Map(resolve.nodes.map((node) => [node.id, node]));
  const byId = new Map(packages.map((entry) => [entry.id, entry]));
  const linked = new Set();
  const visit = (id) => {
    if (linked.has(id) || byId.get(id).targets.some(({ kind }) => kind.includes("proc-macro")))
      return;
    linked.add(id);
    for (const { pkg, dep_kinds: kinds } of nodes.get(id).deps) {
      if (
        kinds.some(({ kind, target }) => kind === null && !/windows|hermit|wasi/.test(target ?? ""))
      )
        visit(pkg);
    }
  };
  packages.filter(({ name }) => LINKED.includes(name)).forEach(({ id }) => visit(id));
  return [...linked]
    .filter((id) => !members.includes(id))
    .map((id) => byId.get(id))
    .map(({ name, version, license, manifest_path: manifest }) => ({
      name,
      version,
      licence: license,
      text: licenceText(dirname(manifest)),
    }))
    .sort(byName);
}

function byName(a, b) {
  const [one, other] = [`${a.name} ${a.version}`, `${b.name} ${b.version}`];
  return one < other ? -1 : Number(one > other);
}

/** The package's licence files; MIT alone where it offers a choice, since one of them is enough. */
function licenceText(folder) {
  const files = readdirSync(folder)
    .filter(
      (file) => /^(licen[cs]e|copying|unlicense|notice)/i.test(file) && !/\.(c?js|ts)$/.test(file),
    )
    .sort();
  const mit = files.filter((file) => /mit/i.test(file));
  const chosen = mit.length > 0 ? mit : files;
  const texts = chosen.map((file) =>
    readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").trim(),
  );
  return texts.length > 0
    ? `${texts.join("\n\n")}\n`
    : "The package carries no licence text of its own; its licence is the one named above.\n";
}

if (isMain(import.meta.url)) {
  await main(async () => {
    writeFileSync(FILE, notice());
    console.log("wrote NOTICE");
  });
}
