// What the page fetches, and when: a shipped scenario opens without the reader of scenarios,
// everything else waits for it.

import { test as bare, type Page, type Route } from "@playwright/test";
import { expect, HERD, Lab, PUSH_IPI, QUICK, test } from "./support/lab.ts";
import { LONG } from "./support/thorough.ts";

const READER = /\/assets\/reader_bg-[^/]+\.wasm$/;
/** On with 40 CPUs, as side B is, but not what either side opens with. */
const UNPREPARED = "auto_gt16";
const FIRST_RUNS = /\/assets\/[^/]+\.json$/;

test("a shipped scenario's first picture needs no reader, which then comes by itself; a changed knob is read by it", async ({
  lab,
}) => {
  const asked: string[] = [];
  lab.page.on("request", (request) => asked.push(request.url()));
  let letGo = (): void => undefined;
  const held = new Promise<void>((done) => (letGo = done));
  await lab.page.route(READER, async (route) => {
    await held;
    await route.continue();
  });
  await lab.open(HERD);
  await expect(lab.get("timeline-a")).toBeVisible();
  const first = await lab.digest("a");
  expect(first).not.toBe("");
  await expect
    .poll(() => asked.filter((url) => READER.test(url)).length, "warmed for the first change")
    .toBe(1);
  expect(asked.filter((url) => FIRST_RUNS.test(url))).toEqual([
    expect.stringContaining("/rt-pull-herd-"),
  ]);
  letGo();
  await lab.flip(PUSH_IPI, "a", UNPREPARED);
  expect(await lab.digest("a")).not.toBe(first);
  expect(await lab.digest("a"), "read, it is the schedule of the prepared side B").toBe(
    await lab.digest("b"),
  );
});

async function withReader(page: Page, answer: (route: Route) => Promise<void>): Promise<Lab> {
  await page.route(READER, answer);
  return new Lab(page);
}

bare(
  "a missing reader leaves the first picture, and a change says what could not be loaded",
  LONG,
  async ({ page }) => {
    const lab = await withReader(page, (route) => route.fulfill({ status: 404 }));
    await lab.open(HERD);
    const first = await lab.digest("b");
    await lab.knob(PUSH_IPI, "a").selectOption(UNPREPARED);
    await expect(lab.get("fault-a")).toContainText(
      "the reader of scenarios could not be loaded: 404",
    );
    expect(await lab.digest("b")).toBe(first);
    await page.unroute(READER);
    await lab.get("again-a").click();
    await lab.whenIdle();
    await expect(lab.get("fault-a")).toHaveCount(0);
  },
);

bare("a reader that is no wasm is reported, not awaited", async ({ page }) => {
  const lab = await withReader(page, (route) =>
    route.fulfill({ contentType: "application/wasm", body: "no wasm" }),
  );
  await page.goto(QUICK);
  const fault = lab.get("fault-ab"); // No side can be read.
  await expect(fault).toContainText("WebAssembly");
});

bare(
  "without its prepared runs a shipped scenario is read like any other",
  LONG,
  async ({ page }) => {
    await page.route(FIRST_RUNS, (route) => route.fulfill({ status: 404 }));
    const lab = new Lab(page);
    await lab.open(HERD);
    const { a, b } = { a: await lab.digest("a"), b: await lab.digest("b") };
    await page.unroute(FIRST_RUNS);
    await page.reload();
    await lab.whenIdle();
    expect([await lab.digest("a"), await lab.digest("b")]).toEqual([a, b]);
  },
);
