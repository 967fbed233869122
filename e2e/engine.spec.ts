// What a person sees when an engine dies: the fault with its replay command, and an engine that works again.

import { expect, test } from "@playwright/test";

test("a crashed worker shows scenario, seed and replay command; the other side stays, and its own side can be run again", async ({ page }) => {
  await page.goto("s/rt-pull-herd/");
  await page.waitForFunction(() => window.schedscope !== undefined);
  await page.evaluate(() => window.schedscope?.whenIdle());
  const [worker] = page.workers(); // The first one made is side A's.
  if (worker === undefined) throw new Error("the page has no worker");
  await worker.evaluate(() => self.dispatchEvent(new MessageEvent("message", { data: { type: "crash" } })));

  await expect(page.getByTestId("fault-a-message")).toContainText("crashed on request of a test");
  await expect(page.getByTestId("fault-a-message")).toContainText("scenario rt-pull-herd, seed 7");
  await expect(page.getByTestId("fault-a-replay")).toContainText("schedscope run rt-pull-herd");
  await expect(page.getByTestId("fault-b")).toHaveCount(0);
  await expect(page.getByTestId("timeline")).toBeVisible();

  await page.getByTestId("again-a").click();
  await page.evaluate(() => window.schedscope?.whenIdle());
  await expect(page.getByTestId("fault-a")).toHaveCount(0);
  await expect(page.getByTestId("lanes-a")).toBeVisible();
});
