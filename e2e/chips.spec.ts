// The line under the picture: which marks are in view, how many, and the way to the next one.

import { expect, framed, HERD, QUICK, test, type Lab } from "./support/lab.ts";
import { LONG, inTurn } from "./support/thorough.ts";

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

test("counts follow the window, chips keep their places while it plays, and no reader is told", async ({
  lab,
}) => {
  await lab.open(QUICK);
  const before = await chips(lab);
  const boxes = async (): Promise<unknown> =>
    await Promise.all(before.map((id) => lab.get(id).boundingBox()));
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
    .evaluate(
      (line) => line.closest("[aria-live], [role=status], [role=log], [role=alert]") === null,
    );
  expect(live).toBe(true);
  await expect(lab.get("mark-chips").locator("[aria-live], [role=status]")).toHaveCount(0);
});

test("the rest of the marks and the whole legend open over the lanes, and close with Escape", async ({
  lab,
}) => {
  await lab.open(QUICK);
  await expect(lab.get("timeline-legend")).toBeHidden();
  await lab.get("mark-more").click();
  await expect(lab.get("timeline-legend")).toBeVisible();
  await expect(lab.get("timeline-legend")).toContainText("spinning for a lock");
  await lab.page.keyboard.press("Escape");
  await expect(lab.get("timeline-legend")).toBeHidden();
});

test(
  "names and numbers of the chips are whole at every size, and the room of each is the same whatever it counts",
  LONG,
  async ({ lab }) => {
    const cut = (): Promise<readonly string[]> =>
      lab
        .get("mark-chips")
        .locator(":scope > .tl-chips > button")
        .evaluateAll((all) =>
          all
            .flatMap((chip) =>
              [chip, ...chip.querySelectorAll(".tl-chip-name")].filter(
                (each) => each.scrollWidth > each.clientWidth,
              ),
            )
            .map((each) => each.textContent),
        );
    const sizes = [
      { width: 1440, height: 900 },
      { width: 1920, height: 1080 },
      { width: 390, height: 844 },
    ];
    for (const [number, address] of [
      HERD,
      "s/quota-burst/",
      `${HERD}#${framed("k.machine.cpus=256&k.duration=4ms")}`,
    ].entries()) {
      await lab.open(address);
      for (const size of inTurn(sizes, number)) {
        await lab.page.setViewportSize(size);
        await lab.whenIdle();
        expect(await cut(), `${address} at ${size.width}`).toEqual([]);
        const widths = await lab
          .get("mark-chips")
          .locator(":scope > .tl-chips > button")
          .evaluateAll((all) => [
            ...new Set(all.map((chip) => Math.round(chip.getBoundingClientRect().width))),
          ]);
        expect(widths.length, "equal columns").toBeLessThanOrEqual(2);
      }
    }
  },
);
