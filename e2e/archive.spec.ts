// The archive of the site (`npm run archive`): unpacked into a folder, served by the server in it,
// and opened without one.

import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { unzipSync } from "fflate";
import { archiveOf } from "../scripts/archive.mjs";
import { version } from "../scripts/lib/run.mjs";
import { DEPTH, expect, test } from "./support/lab.ts";

let folder = "";
test.beforeAll(async () => {
  const unpacked = mkdtempSync(join(tmpdir(), "schedscope-archive-"));
  for (const [name, bytes] of Object.entries(unzipSync(await archiveOf()))) {
    mkdirSync(dirname(join(unpacked, name)), { recursive: true });
    writeFileSync(join(unpacked, name), bytes);
  }
  folder = join(unpacked, `schedscope-${version()}`);
});
test.afterAll(() => {
  rmSync(dirname(folder), { recursive: true, force: true });
});

test("the server in the archive serves the site, and a scenario computes", async ({ lab }) => {
  const server = spawn(process.execPath, ["scripts/serve.mjs", "--port", "0"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    await lab.open(`${await firstLine(server)}s/rt-pull-herd/`);
    expect(await lab.headline("a", DEPTH)).toBe(40);
  } finally {
    server.kill();
  }
});

test("opened as files, pages to read are whole and scenarios are text, as README.txt says", async ({
  page,
}) => {
  await page.goto(`file://${folder}/dist/glossary/index.html`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Glossary");
  expect(await page.evaluate(() => getComputedStyle(document.body).fontFamily)).toContain("Inter");
  await page.goto(`file://${folder}/dist/s/rt-pull-herd/index.html`);
  await expect(page.locator("body")).toContainText("Why do 40 CPUs wait for one lock?");
  await expect(page.locator("canvas")).toHaveCount(0);
  // A page without a script of its own says why nothing moves, and what to do.
  for (const path of ["s/rt-pull-herd", "learn/herd", ""]) {
    await page.goto(`file://${folder}/dist/${path === "" ? "" : `${path}/`}index.html`);
    await expect(page.locator(".file-line"), path).toBeVisible();
    await expect(page.locator(".file-line"), path).toContainText("node scripts/serve.mjs");
    await expect(page.locator(".shell-story"), path).toBeVisible();
  }
  expect(
    await page.evaluate(() => getComputedStyle(document.body).margin),
    "it has its styles",
  ).toBe("0px");
});

/** What a program says first: the server's address. */
function firstLine(program: ChildProcess): Promise<string> {
  return new Promise((told, fail) => {
    program.stdout?.setEncoding("utf8").once("data", (text: string) => told(text.trim()));
    program
      .once("error", fail)
      .once("exit", (code) => fail(new Error(`the server ended with ${code}`)));
  });
}
