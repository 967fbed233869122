// An embed in a frame without an origin (`sandbox="allow-scripts"`), where no engine loads: what
// the build has drawn stays, with a way out, from a web server that lets other sites read it and
// from one that does not.

import type { Frame, Page } from "@playwright/test";
import { SITE, withHost } from "./support/hosts.ts";
import { expect, test } from "./support/lab.ts";

/** The embed in the only frame of a page of another site. */
async function framed(
  page: Page,
  site: string,
  sandbox: string,
  use: (embed: Frame) => Promise<void>,
  path = EMBED,
): Promise<void> {
  const body = `<iframe sandbox="${sandbox}" width="960" height="540" src="${SITE}${path}"></iframe>`;
  await withHost(
    site,
    () => ({ type: "text/html", body }),
    async (address) => {
      await page.goto(address, { waitUntil: "networkidle" });
      const embed = page.frames()[1];
      if (embed === undefined) throw new Error("no frame");
      await use(embed);
    },
  );
}

const EMBED = "embed/rt-pull-herd/";

for (const readable of [true, false])
  test(`the built question, numbers and picture stay, from a web server that ${readable ? "lets others read it" : "lets nobody read it"}`, async ({
    page,
    baseURL,
  }) => {
    if (!readable)
      await page.route(`${baseURL ?? ""}**`, async (route) => {
        const response = await route.fetch();
        const headers = Object.fromEntries(
          Object.entries(response.headers()).filter(
            ([name]) => name !== "access-control-allow-origin",
          ),
        );
        await route.fulfill({ response, headers });
      });
    await framed(page, baseURL ?? "", "allow-scripts", async (embed) => {
      expect(await embed.evaluate("self.origin")).toBe("null");
      await expect(embed.locator(".sandbox-line")).toContainText(
        "This frame has no origin of its own, so nothing can run here.",
      );
      await expect(embed.locator(".guided-title")).toHaveText("Why do 40 CPUs wait for one lock?");
      const figures = await embed.locator(".guided-figure").allTextContents();
      expect(figures.length).toBeGreaterThan(3);
      for (const figure of figures) expect(figure).toMatch(/\d/);
      await expect(embed.locator(".shell-story")).toBeVisible();
      await expect(embed.getByRole("alert")).toHaveCount(0);
    });
  });

test("the link opens the lab with what the address says", async ({ page, baseURL }) => {
  await framed(
    page,
    baseURL ?? "",
    "allow-scripts allow-popups allow-popups-to-escape-sandbox",
    async (embed) => {
      const opened = page.waitForEvent("popup");
      await embed.getByRole("link", { name: "Open in schedscope" }).click();
      const lab = await opened;
      await expect(lab.getByTestId("question")).toContainText("96 CPUs");
      expect(new URL(lab.url()).pathname).toBe("/s/rt-pull-herd/");
    },
    `${EMBED}#v=3.35&k.machine.cpus=96&c=b4cf0919`,
  );
});

test("in a small frame the picture is a scroll away", async ({ page, baseURL }) => {
  await framed(page, baseURL ?? "", "allow-scripts", async (embed) => {
    await page
      .locator("iframe")
      .evaluate((frame) => frame.setAttribute("style", "width: 390px; height: 300px"));
    const picture = embed.locator(".shell-story").first();
    await page.mouse.move(200, 280);
    await expect(async () => {
      await page.mouse.wheel(0, 200);
      await expect(picture).toBeInViewport({ timeout: 500 });
    }).toPass({ timeout: 10_000 });
  });
});

test("a page with an origin says nothing of it", async ({ lab }) => {
  await lab.open(EMBED);
  await expect(lab.page.locator(".sandbox-line")).toBeHidden();
});
