// `node scripts/release/command.mjs`: builds the command for this system and packs it with the
// scenarios and licences into target/release-files/schedscope-<version>-<target>.tar.gz, on Windows
// a .zip. The command finds the scenarios beside itself.

import { cpSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Explained, ROOT, isMain, main, output, run, say, version } from "../lib/run.mjs";

const LICENCES = ["LICENSE", "LICENSE-APACHE", "LICENSE-MIT", "NOTICE", "CHANGELOG.md"];
const FILES = join(ROOT, "target", "release-files");

/** The target of the compiler's own machine: `x86_64-unknown-linux-gnu`. */
function host() {
  const found = /^host: (.+)$/m.exec(output("rustc", ["-vV"]) ?? "")?.[1];
  if (found === undefined) throw new Explained("rustc -vV names no host");
  return found;
}

/** Copies what a person needs of each scenario: its file and its story. */
function copyScenarios(/** @type {string} */ to) {
  for (const { name } of readdirSync(join(ROOT, "scenarios"), { withFileTypes: true }).filter(
    (entry) => entry.isDirectory(),
  ))
    for (const file of ["scenario.json", "README.md"])
      cpSync(join(ROOT, "scenarios", name, file), join(to, "scenarios", name, file));
}

if (isMain(import.meta.url)) {
  await main(async () => {
    const isWindows = process.platform === "win32";
    const name = `schedscope-${version()}-${host()}`;
    await run("cargo", ["build", "--release", "--locked", "--package", "schedscope-cli"]);
    const folder = join(FILES, name);
    rmSync(FILES, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const program = isWindows ? "schedscope.exe" : "schedscope";
    cpSync(join(ROOT, "target", "release", program), join(folder, program));
    for (const file of LICENCES) cpSync(join(ROOT, file), join(folder, file));
    copyScenarios(folder);
    const archive = `${name}.${isWindows ? "zip" : "tar.gz"}`;
    await run("tar", ["-a", "-c", "-f", join(FILES, archive), "-C", FILES, name]);
    rmSync(folder, { recursive: true });
    say(`wrote target/release-files/${archive}`);
  });
}
