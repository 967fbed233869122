// What a person sees when an engine dies: the fault with its replay command, and an engine that works again.

import { expect, test } from "@playwright/test";

test("a crashed worker shows scenario, seed and replay command; the other side stays, and its own side can be run again", async ({
  page,
}) => {
  await page.goto("s/rt-pull-herd/");
  await page.waitForFunction(() => window.schedscope !== undefined);
  await page.evaluate(() => window.schedscope?.whenIdle());
  const [worker] = page.workers();
  if (worker === undefined) throw new Error("the page has no worker");
  await worker.evaluate(() => self.dispatchEvent(new MessageEvent("message", { data: { type: "crash" } })));

  const fault = page.getByTestId(/^fault-[ab]$/);
  await expect(fault).toHaveCount(1); // Which side the worker served is the page's business.
  const side = (await fault.getAttribute("data-testid")) === "fault-a" ? "a" : "b";
  await expect(page.getByTestId(`fault-${side}-message`)).toContainText("crashed on request of a test");
  await expect(page.getByTestId(`fault-${side}-message`)).toContainText("scenario rt-pull-herd, seed 7");
  await expect(page.getByTestId(`fault-${side}-replay`)).toContainText("schedscope run rt-pull-herd");
  await expect(page.getByTestId("lanes-a")).toBeVisible();
  await expect(page.getByTestId("lanes-b")).toBeVisible();

  await page.getByTestId(`again-${side}`).click();
  await page.evaluate(() => window.schedscope?.whenIdle());
  await expect(fault).toHaveCount(0);
  await expect(page.getByTestId(`lanes-${side}`)).toBeVisible();
});
