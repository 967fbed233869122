// A run saved as a trace for other tools: the page writes what the command writes, with a module
// that it fetches only then.

import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import crc32 from "crc-32";
import { expect, QUICK, SIDES, test, type Lab, type Side } from "./support/lab.ts";

/** What the command writes of QUICK: crates/cli/tests/cli/export.rs. */
const EXPECTED = JSON.parse(
  readFileSync(new URL("fixtures/ftrace.json", import.meta.url), "utf8"),
) as Readonly<Record<Side, { readonly bytes: number; readonly crc32: string }>>;

const WRITER = /\/assets\/writer_bg-[^/]+\.wasm$/;

async function saved(lab: Lab, file: string): Promise<Buffer> {
  const [download] = await Promise.all([
    lab.page.waitForEvent("download"),
    lab.get("picture-ftrace").click(),
  ]);
  expect(download.suggestedFilename()).toBe(file);
  await expect(lab.get("picture-said")).toContainText(`Saved as ${file}.`);
  return readFile(await download.path());
}

function linesOf(text: Buffer): readonly string[] {
  return text
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
}

test("ftrace text equals the command’s byte for byte, and its writer is fetched only then", async ({
  lab,
}) => {
  const asked: string[] = [];
  lab.page.on("request", (request) => asked.push(request.url()));
  await lab.open(QUICK);
  await lab.page.keyboard.press("Control+Shift+KeyS");
  await expect(lab.get("picture-preview").locator("canvas")).toBeVisible();
  expect(asked.filter((url) => WRITER.test(url))).toEqual([]);
  for (const side of SIDES) {
    await lab.get("picture-span").selectOption({ label: `${side.toUpperCase()}, the whole run` });
    const text = await saved(lab, `rt-pull-herd-${side}.txt`);
    const found = {
      bytes: text.length,
      crc32: (crc32.buf(text) >>> 0).toString(16).padStart(8, "0"),
    };
    expect(found, side).toEqual(EXPECTED[side]);
  }
  expect(asked.filter((url) => WRITER.test(url))).toHaveLength(1);
});

test("what is in view is a part of the whole run's lines", async ({ lab }) => {
  await lab.open(QUICK);
  await lab.page.keyboard.press("Control+Shift+KeyS");
  const view = linesOf(await saved(lab, "rt-pull-herd-a.txt"));
  await lab.get("picture-span").selectOption({ label: "A, the whole run" });
  const whole = linesOf(await saved(lab, "rt-pull-herd-a.txt"));
  const first = whole.indexOf(view[0] ?? "");
  expect(first).toBeGreaterThanOrEqual(0);
  expect(whole.slice(first, first + view.length)).toEqual(view);
  expect(view.length).toBeGreaterThan(10);
});
