// The line under the picture: which marks are in view, how many, and the way to the next one.

import { expect, HERD, test, type Lab } from "./support/lab.ts";

/** Ids and counts in the line, in order. */
async function chips(lab: Lab): Promise<readonly string[]> {
  return await lab
    .get("mark-chips")
    .locator(":scope > .tl-chips > button")
    .evaluateAll((all) => all.map((chip) => chip.getAttribute("data-testid") ?? ""));
}

async function playheadNs(lab: Lab): Promise<number> {
  return Number(await lab.get("transport").getByTestId("playhead").getAttribute("data-ns"));
}

test("the herd's first chip is its lock waits, counted in view; a press leads to the next, with Shift to the one before", async ({
  lab,
}) => {
  await lab.open(HERD);
  const [first] = await chips(lab);
  expect(first).toBe("mark-chip-tether");
  expect(Number(await lab.get("mark-chip-tether").getAttribute("data-count"))).toBeGreaterThan(30);
  await lab.press("0");
  const before = await playheadNs(lab);
  await lab.get("mark-chip-tether").click();
  await lab.whenIdle();
  const next = await playheadNs(lab);
  expect(next).toBeGreaterThan(before);
  await expect(lab.get("event-line")).toContainText("starts to spin for the");
  await lab.get("mark-chip-tether").click();
  await lab.whenIdle();
  await lab.get("mark-chip-tether").click({ modifiers: ["Shift"] });
  await lab.whenIdle();
  expect(await playheadNs(lab)).toBe(next);
});

test("counts follow the window, chips keep their places while it plays, and no reader is told", async ({ lab }) => {
  await lab.open(HERD);
  const before = await chips(lab);
  const boxes = async (): Promise<unknown> => await Promise.all(before.map((id) => lab.get(id).boundingBox()));
  const still = await boxes();
  const from = await playheadNs(lab);
  // Not by `lab.press`, which waits until nothing plays.
  await lab.page.keyboard.press("Space");
  await expect.poll(() => playheadNs(lab)).not.toBe(from);
  expect(await boxes()).toEqual(still);
  expect(await chips(lab)).toEqual(before);
  await lab.page.keyboard.press("Space");
  const live = await lab
    .get("mark-chips")
    .evaluate((line) => line.closest("[aria-live], [role=status], [role=log], [role=alert]") === null);
  expect(live).toBe(true);
  await expect(lab.get("mark-chips").locator("[aria-live], [role=status]")).toHaveCount(0);
});

test("the rest of the marks and the whole legend open over the lanes, and close with Escape", async ({ lab }) => {
  await lab.open(HERD);
  await expect(lab.get("timeline-legend")).toBeHidden();
  await lab.get("mark-more").click();
  await expect(lab.get("timeline-legend")).toBeVisible();
  await expect(lab.get("timeline-legend")).toContainText("spinning for a lock");
  await lab.page.keyboard.press("Escape");
  await expect(lab.get("timeline-legend")).toBeHidden();
});
