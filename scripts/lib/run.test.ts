// What the scripts make of their arguments.

import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT, optionsOf } from "./run.mjs";

const KNOWN = { seeds: "1..30", lesson: "ID", record: "" };

test("options are read in both forms, and those that are not there are not there", () => {
  expect(optionsOf(["--seeds", "1..3", "--record"], KNOWN)).toEqual({
    seeds: "1..3",
    record: true,
  });
  expect(optionsOf(["--seeds=-1"], KNOWN), "what is no option of ours is a value").toEqual({
    seeds: "-1",
  });
  expect(optionsOf([], KNOWN)).toEqual({});
});

test.each([
  [["herd"], 'argument 1: expected only --seeds 1..30, --lesson ID, --record, got "herd"'],
  [
    ["--record", "--bogus"],
    'argument 2: expected only --seeds 1..30, --lesson ID, --record, got "--bogus"',
  ],
  [
    ["--toString"],
    'argument 1: expected only --seeds 1..30, --lesson ID, --record, got "--toString"',
  ],
  [["-s"], 'argument 1: expected only --seeds 1..30, --lesson ID, --record, got "-s"'],
  [["--"], 'argument 1: expected only --seeds 1..30, --lesson ID, --record, got "--"'],
  [["--lesson"], "argument 1: expected --lesson ID, got nothing after --lesson"],
  [["--lesson", "--record"], "argument 1: expected --lesson ID, got nothing after --lesson"],
  [["--lesson", ""], "argument 1: expected --lesson ID, got nothing after --lesson"],
  [["--record=yes"], 'argument 1: --record stands alone, got "--record=yes"'],
  [["--seeds", "1", "--seeds", "2"], "argument 3: --seeds stands twice: leave one out"],
])("%j is refused, with the place and what would be right", (args, words) => {
  expect(() => optionsOf(args, KNOWN)).toThrow(words);
});

test("a script without options takes no arguments", () => {
  expect(() => optionsOf(["all"], {})).toThrow('argument 1: expected no arguments, got "all"');
});

const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
  readonly scripts: Readonly<Record<string, string>>;
};
const OWN = Object.entries(scripts).flatMap(([name, command]) => {
  const file = /^node (scripts\/[\w-]+\.mjs)$/.exec(command)?.[1];
  return file === undefined ? [] : [[name, file] as const];
});

/** The scripts as a fresh clone has them: without packages. */
let clone = "";
beforeAll(() => {
  clone = mkdtempSync(join(tmpdir(), "schedscope-clone-"));
  cpSync(join(ROOT, "scripts"), join(clone, "scripts"), { recursive: true });
});
afterAll(() => {
  rmSync(clone, { recursive: true });
});

test.each([...OWN, ["the server of the archive", "scripts/serve.mjs"] as const])(
  "in a fresh clone %s refuses an argument that it does not know, before it does anything",
  (_name, file) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [file, "bogus"], {
      cwd: clone,
      encoding: "utf8",
    });
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^schedscope: argument 1: expected .*, got "bogus"\n$/);
  },
);
