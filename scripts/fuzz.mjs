// Runs one fuzz target under libFuzzer with the stable compiler: `npm run fuzz -- engine
// -max_total_time=60`. New inputs stay in target/fuzz; the committed corpus is only read.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { ANY, Explained, ROOT, main, output, run } from "./lib/run.mjs";

const TARGETS = ["scenario", "link", "setup", "engine", "words"];

// What `cargo fuzz` asks of rustc, but for the sanitizer, which only nightly has.
const COVERAGE = [
  "--cfg=fuzzing",
  "-Cpasses=sancov-module",
  "-Cllvm-args=-sanitizer-coverage-level=4",
  "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
  "-Cllvm-args=-sanitizer-coverage-pc-table",
  "-Cllvm-args=-sanitizer-coverage-trace-compares",
  "-Ccodegen-units=1",
  "-Cdebug-assertions",
  "-Coverflow-checks",
];

await main(async () => {
  const [target, ...rest] = process.argv.slice(2);
  if (target === undefined || !TARGETS.includes(target))
    throw new Explained(
      `argument 1: expected a target, one of ${TARGETS.join(", ")}, got ${target === undefined ? "none" : `"${target}"`}`,
    );
  const found = join(ROOT, "target", "fuzz", target);
  mkdirSync(found, { recursive: true });
  const host = /^host: (.+)$/m.exec(output("rustc", ["-vV"]) ?? "")?.[1];
  if (host === undefined)
    throw new Explained(
      "Rust is missing: install it with rustup from https://rustup.rs, then run this again",
    );
  // A target triple of its own keeps build scripts and macros without coverage.
  const build = [
    "run",
    "--release",
    "--locked",
    "--package",
    "schedscope-fuzz",
    "--features",
    "libfuzzer",
    "--bin",
    target,
  ];
  const cargo = [...build, "--target", host, "--target-dir", join(ROOT, "target", "fuzz-build")];
  await run(
    "cargo",
    [...cargo, "--", found, join(ROOT, "fuzz", "corpus", target), "-max_len=20000", ...rest],
    {
      env: { RUSTFLAGS: COVERAGE.join(" ") },
    },
  );
}, ANY);
