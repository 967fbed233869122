// A run saved for other tools: the page writes what the command writes, with a module that it
// fetches only then.

import { readFileSync } from "node:fs";
import crc32 from "crc-32";
import { expectAccessible } from "./support/axe.ts";
import { expect, QUICK, SIDES, test, type Side } from "./support/lab.ts";
import { openFormat, openRunFiles, savedRun } from "./support/runs-out.ts";

/** What the command writes of QUICK: crates/cli/tests/cli/export.rs. */
const EXPECTED = JSON.parse(
  readFileSync(new URL("fixtures/ftrace.json", import.meta.url), "utf8"),
) as Readonly<Record<Side, { readonly bytes: number; readonly crc32: string }>>;

const WRITER = /\/assets\/writer_bg-[^/]+\.wasm$/;

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
  await openRunFiles(lab);
  await openFormat(lab, "ftrace");
  expect(asked.filter((url) => WRITER.test(url))).toEqual([]);
  await lab.get("run-span").selectOption("whole");
  for (const side of SIDES) {
    await lab.get("run-sides").selectOption(side);
    const text = await savedRun(lab, `rt-pull-herd-${side}-ftrace.txt`);
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
  await openRunFiles(lab);
  await openFormat(lab, "ftrace");
  const view = linesOf(await savedRun(lab, "rt-pull-herd-a-ftrace.txt"));
  await lab.get("run-span").selectOption("whole");
  const whole = linesOf(await savedRun(lab, "rt-pull-herd-a-ftrace.txt"));
  const first = whole.indexOf(view[0] ?? "");
  expect(first).toBeGreaterThanOrEqual(0);
  expect(whole.slice(first, first + view.length)).toEqual(view);
  expect(view.length).toBeGreaterThan(10);
});

test("every format opens by keyboard, alone, and says what it carries and loses; axe finds nothing on a phone either", async ({
  lab,
}) => {
  await lab.open(QUICK);
  await openRunFiles(lab);
  const lines = lab.page.getByTestId(/^run-format-/);
  for (const line of await lines.all()) {
    await line.focus();
    if ((await line.getAttribute("aria-expanded")) === "false")
      await lab.page.keyboard.press("Enter");
    await expect(lab.get("picture").locator("[aria-expanded=true]")).toHaveCount(1);
    await expect(line).toHaveAttribute("aria-expanded", "true");
    const body = lab.page.locator(`[id="${(await line.getAttribute("aria-controls")) ?? ""}"]`);
    await expect(body).toContainText(/Carries.+\..*Loses.+\./s);
    await expect(body.getByRole("button", { name: "Save" })).toBeEnabled();
  }
  await expectAccessible(lab, "the list of formats", "picture");
  await lab.page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(lab, "the list of formats on a phone", "picture");
  const wide = await lab
    .get("picture")
    .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
  expect(wide, "px beyond the window").toBeLessThanOrEqual(0);
});

test("a file that cannot be made says why, and the choice is there for the next try", async ({
  lab,
}) => {
  await lab.open(QUICK);
  await openRunFiles(lab);
  await openFormat(lab, "ftrace");
  await lab.get("run-sides").selectOption("b");
  await lab.get("run-span").selectOption("whole");
  await lab.page.route(WRITER, (route) =>
    route.fulfill({ contentType: "application/wasm", body: "no module" }),
  );
  await lab.get("run-save").click();
  await expect(lab.get("picture-error")).toHaveText(
    /^The file could not be made: This browser does not compile the writer of files: /,
  );
  await lab.page.unroute(WRITER);
  expect((await savedRun(lab, "rt-pull-herd-b-ftrace.txt")).length).toBe(EXPECTED.b.bytes);
  await expect(lab.get("picture-error")).toHaveCount(0);
});
