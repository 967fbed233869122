// A hand on the picture: bars and levels are dragged, bars are pressed. Each is a write to the
// running kernel that the link keeps and Ctrl+Z takes back.

import { expect, test, type Lab } from "./support/lab.ts";

const QUOTA = "s/quota-burst/";

interface Place {
  readonly x: number;
  readonly y: number;
}

/** A bar of side A on one of the CPUs that the group runs on, in the window. */
async function barOf(lab: Lab): Promise<Place> {
  const box = await lab.get("lanes-a").boundingBox();
  if (box === null) throw new Error("side A has no lanes");
  return { x: box.x + box.width * 0.2, y: box.y + box.height * 0.1 };
}

/** Without the bet that lies over its first step. */
async function openQuota(lab: Lab): Promise<void> {
  await lab.open(QUOTA);
  await lab.get("bet-skip").click();
  await lab.whenIdle();
}

async function drag(lab: Lab, from: Place, downPx: number): Promise<void> {
  const { mouse } = lab.page;
  await mouse.move(from.x, from.y);
  await mouse.down();
  await mouse.move(from.x, from.y + downPx / 2, { steps: 4 });
  await mouse.move(from.x, from.y + downPx, { steps: 4 });
}

test.use({ form: "guided" });

test("a bar dragged to another lane keeps its task there from that instant on, and Ctrl+Z takes it back", async ({
  lab,
}) => {
  await openQuota(lab);
  const box = await lab.get("lanes-a").boundingBox();
  await drag(lab, await barOf(lab), (box?.height ?? 0) * 0.62);
  await expect(lab.get("hand-task")).toContainText(/→ cpu\d+ only/);
  await lab.page.mouse.up();
  await expect(lab.page).toHaveURL(/tasks\..*\.cpus=\d+/);
  await lab.page.keyboard.press("Control+KeyZ");
  await expect(lab.page).not.toHaveURL(/tasks\./);
});

test("a tank's level dragged up is the group's quota", async ({ lab }) => {
  await openQuota(lab);
  const tank = await lab.page.locator("[data-tank]").first().boundingBox();
  if (tank === null) throw new Error("there is no tank");
  await drag(lab, { x: tank.x + tank.width / 2, y: tank.y + tank.height * 0.7 }, -40);
  await expect(lab.get("hand-level")).toContainText("quota");
  await lab.page.mouse.up();
  await expect(lab.page).toHaveURL(/cpu_max=\d+/);
});

test("a refill dragged along the time axis is the group's period, and the run refills there", async ({
  lab,
}) => {
  await openQuota(lab);
  const { mouse } = lab.page;
  const tank = await lab.page.locator("[data-tank]").first().boundingBox();
  if (tank === null) throw new Error("there is no tank");
  const y = tank.y + tank.height / 2;
  const hand = lab.page.locator("[data-tank]").first();
  let x = tank.x + tank.width * 0.4;
  // Refills are a period apart; the cursor says where one can be taken.
  for (; x < tank.x + tank.width; x += 4) {
    await mouse.move(x, y);
    if ((await hand.evaluate(({ style }: HTMLElement) => style.cursor)) === "ew-resize") break;
  }
  await mouse.down();
  await mouse.move(x - 20, y, { steps: 4 });
  await expect(lab.get("hand-refill")).toContainText(/period [\d.]+ ms/);
  await mouse.up();
  await expect(lab.page).toHaveURL(/cpu_max=\d+[+%20 ]+\d+/);
  await expect(lab.get("reply-line")).toContainText("Ctrl+Z takes it back");
});

test("Escape gives a drag up, and a drag to the side changes nothing of the machine", async ({
  lab,
}) => {
  await openQuota(lab);
  await drag(lab, await barOf(lab), 100);
  await expect(lab.get("hand-task")).toBeVisible();
  await lab.page.keyboard.press("Escape");
  await expect(lab.get("hand-task")).toBeHidden();
  await lab.page.mouse.up();
  await expect(lab.page).not.toHaveURL(/tasks\./);
});

test("a press on a bar offers three writes; the one that is chosen is in the link", async ({
  lab,
}) => {
  await openQuota(lab);
  const { x, y } = await barOf(lab);
  await lab.page.mouse.click(x, y);
  await expect(lab.get("hand-verb")).toHaveCount(3);
  await lab.page.keyboard.press("Escape");
  await expect(lab.get("hand-verbs")).toBeHidden();
  // The wake-up that is selected now has a lane over the others.
  const moved = await barOf(lab);
  await lab.page.mouse.click(moved.x, moved.y);
  await lab.get("hand-verb").first().click();
  await expect(lab.page).toHaveURL(/at\.k\./);
});
