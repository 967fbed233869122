// Addresses, tabs and themes: what is not there is said so and opens nothing else, and a link is a
// link of the browser.

import { serve } from "../scripts/serve.mjs";
import { expect, fieldsOf, framed, HERD, Lab, QUICK, test } from "./support/lab.ts";
import { LONG, THOROUGH } from "./support/thorough.ts";

const CHANGES = framed("k.machine.cpus=16");

const UNKNOWN = [
  ["s/quota-strandd/", "s/quota-stranded/"],
  ["s/quota-stranded/more/and/more/", "s/quota-stranded/"],
  ["learn/herdd/", "learn/herd/"],
  ["learn/Herd/", "learn/herd/"],
  ["present/herdd/", "present/herd/"],
  ["nothing", undefined],
] as const;
const MORE_UNKNOWN = [
  ["s/Quota-Stranded/", "s/quota-stranded/"],
  ["embed/Quota-Stranded/", "embed/quota-stranded/"],
  ["slides/rt-pull-herd/", "s/rt-pull-herd/"],
  ["learn/first/steps", undefined],
  ["s/", undefined],
] as const;

// Not through `lab`: an address without a page answers 404, which is what it asks for.
for (const base of THOROUGH ? ["/", "/x/y/"] : ["/x/y/"]) {
  test(`below ${base} an unknown address refuses with the nearest name, which keeps what the link says`, async ({
    page,
  }) => {
    const { DIST_FOLDER: folder } = process.env;
    const server = await serve({
      base,
      firstPort: 4700,
      ...(folder === undefined ? {} : { folder }),
    });
    const lab = new Lab(page);
    try {
      for (const [path, near] of THOROUGH ? [...UNKNOWN, ...MORE_UNKNOWN] : UNKNOWN) {
        await test.step(path, async () => {
          await page.goto("about:blank");
          await page.goto(`${server.address}${path}#${CHANGES}`);
          await expect(lab.get("link-refused")).toBeVisible();
          if (path.startsWith("embed/"))
            await expect(lab.get("link-refused"), "as it was typed").toContainText(path);
          await expect(lab.get("lab")).toHaveCount(0);
          await expect(page).toHaveTitle("No such page · schedscope");
          const font = await page.evaluate(() => getComputedStyle(document.body).fontFamily);
          expect(font, "the style sheets came").toContain("Inter");
          if (near === undefined) await expect(lab.get("link-near")).toHaveCount(0);
          else
            await expect(lab.get("link-near")).toHaveAttribute("href", `${base}${near}#${CHANGES}`);
        });
      }
      await page.goto(`${server.address}s/rt-pull-hedr/#${CHANGES}`);
      await lab.get("link-near").click();
      await lab.whenIdle();
      await expect(lab.get("question")).toHaveText("Why do 16 CPUs wait for one lock?");
      await expect.poll(() => fieldsOf(page.url())).toMatchObject({ "k.machine.cpus": "16" });
      await page.goto(`${server.address}nothing`);
      await lab.get("link-go-home").click();
      await lab.whenIdle();
      await expect(page).toHaveURL(server.address);
      await expect(lab.get("tile-lab")).toBeVisible();
    } finally {
      await server.stop();
    }
  });
}

test("changes without a scenario's name open nothing", async ({ lab }) => {
  await lab.page.goto(`#${CHANGES}`);
  await expect(lab.get("link-refused")).toHaveAttribute("data-code", "no_page");
  await expect(lab.get("lab")).toHaveCount(0);
});

test("a tab is called by its question, and says that it was changed", LONG, async ({ lab }) => {
  await lab.open("");
  await expect(lab.page).toHaveTitle("schedscope: why was this wake-up late?");
  await lab.open(HERD);
  await expect(lab.page).toHaveTitle("Why do 40 CPUs wait for one lock? · schedscope");
  await lab.open(QUICK);
  await expect(lab.page).toHaveTitle("Why do 16 CPUs wait for one lock? (changed) · schedscope");
});

test("a click with Ctrl on a tile opens a new tab and leaves this one", LONG, async ({ lab }) => {
  await lab.open("");
  const [tab] = await Promise.all([
    lab.page.context().waitForEvent("page"),
    lab
      .get("picker-open")
      .click()
      .then(() => lab.get("tile-quota-tree").click({ modifiers: ["ControlOrMeta"] })),
  ]);
  await expect(tab).toHaveURL(/\/s\/quota-tree\/$/);
  expect(new URL(lab.page.url()).pathname).toBe("/");
});

test("P leads to the projector's theme and back to the one before", async ({ lab }) => {
  await lab.open(QUICK);
  for (const theme of ["light", "dark"] as const) {
    await lab.choose(theme);
    await lab.press("p");
    await expect(lab.page.locator("html")).toHaveAttribute("data-theme", "projector");
    await lab.press("p");
    await expect(lab.page.locator("html")).toHaveAttribute("data-theme", theme);
  }
});
