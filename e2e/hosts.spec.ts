// An embed in a real deck of Slidev and in real notebooks of Jupyter. Both are too large to be
// packages of the project: `node scripts/test/embed-hosts.mjs` fetches them and runs these tests,
// and so does `npm run test:long`; `npm test` skips them.

import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import type { Frame, Locator, Page } from "@playwright/test";
import { SITE, embedOf, fileOf, rested, withHost } from "./support/hosts.ts";
import { expect, test } from "./support/lab.ts";

/** The folder of a built deck: title, embed, after, last. */
const DECK = process.env["EMBED_DECK"];
/** The folder with the notebook of docs/use/embeds.md and the page that nbconvert made of it. */
const NOTEBOOK = process.env["EMBED_NOTEBOOK"];
/** The program `jupyter`. */
const JUPYTER = process.env["EMBED_JUPYTER"];

test.describe("in a deck of Slidev", () => {
  test.skip(DECK === undefined, "there is no deck: `node scripts/test/embed-hosts.mjs` builds one");

  /** The deck at its second slide, which has the embed. Its pages read their own address. */
  async function deck(
    page: Page,
    site: string,
    use: (embed: Frame, count: number) => Promise<void>,
    path = "2",
  ): Promise<void> {
    await withHost(
      site,
      (asked) => fileOf(DECK ?? "", asked, "index.html"),
      async (address) => {
        await page.goto(address + path);
        const embed = await embedOf(page);
        await use(embed, Number(/of (\d)/.exec(await step(embed).innerText())?.[1]));
      },
    );
  }

  test("the clicker walks through the embed's steps and then goes on by one slide, wherever the focus is", async ({
    lab,
    baseURL,
  }) => {
    const { page } = lab;
    await deck(page, baseURL ?? "", async (embed, count) => {
      for (let at = 2; at <= count; at += 1) {
        // A click into the embed, then one into the deck.
        if (at === 3) await embed.getByTestId("play").focus();
        await page.keyboard.press("PageDown");
        await expect(step(embed)).toHaveText(`${at} of ${count}`);
        await rested(embed);
      }
      await expect(page).toHaveURL(/\/2$/);
      await embed.getByTestId("play").focus();
      await page.keyboard.press("PageDown");
      await expect(page).toHaveURL(/\/3/);
      await expect(page.getByRole("heading", { name: "after" })).toBeVisible();
    });
  });

  test("arrow keys walk there and back, and leave the slide at either end", async ({
    lab,
    baseURL,
  }) => {
    const { page } = lab;
    await deck(page, baseURL ?? "", async (embed, count) => {
      await page.keyboard.press("ArrowRight");
      await expect(step(embed)).toHaveText(`2 of ${count}`);
      await page.keyboard.press("ArrowLeft");
      await expect(step(embed)).toHaveText(`1 of ${count}`);
      await page.keyboard.press("ArrowLeft");
      await expect(page).toHaveURL(/\/1/);
      await page.keyboard.press("ArrowRight");
      await expect(page).toHaveURL(/\/2/);
      for (let at = 2; at <= count; at += 1) {
        await page.keyboard.press("ArrowRight");
        await expect(step(embed)).toHaveText(`${at} of ${count}`);
      }
      await page.keyboard.press("ArrowRight");
      await expect(page).toHaveURL(/\/3/);
    });
  });

  test("keys that the embed has no use for reach the deck", async ({ lab, baseURL }) => {
    const { page } = lab;
    await page.addInitScript(() => {
      if (window === top)
        addEventListener("keydown", ({ code, key }) => console.log(`deck hears ${code} ${key}`));
    });
    const heard: string[] = [];
    page.on("console", (message) => {
      const [, code] = /^deck hears (.+)$/.exec(message.text()) ?? [];
      if (code !== undefined) heard.push(code);
    });
    await deck(page, baseURL ?? "", async (embed) => {
      for (const key of ["KeyB", "Period", "F5", "Escape"]) {
        await embed.getByTestId("play").focus();
        await page.keyboard.press(key);
      }
      await expect.poll(() => heard).toEqual(["KeyB b", "Period .", "F5 F5", "Escape Escape"]);
      await embed.getByTestId("play").focus();
      await page.keyboard.press("PageUp");
      await expect(page).toHaveURL(/\/1/);
    });
  });

  test("in the quick overview arrow keys choose a slide, and the embed stays where it is", async ({
    lab,
    baseURL,
  }) => {
    const { page } = lab;
    await deck(page, baseURL ?? "", async (embed, count) => {
      await page.keyboard.press("o");
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("Enter");
      await expect(page).toHaveURL(/\/3/);
      await page.keyboard.press("ArrowLeft");
      await expect(page).toHaveURL(/\/2/);
      await expect(step(embed)).toHaveText(`1 of ${count}`);
    });
  });

  test("in the presenter's view the clicker walks through the embed's steps", async ({
    lab,
    baseURL,
  }) => {
    const { page } = lab;
    await deck(
      page,
      baseURL ?? "",
      async (embed, count) => {
        await page.keyboard.press("PageDown");
        await expect(step(embed)).toHaveText(`2 of ${count}`);
        await expect(page).toHaveURL(/presenter\/2/);
      },
      "presenter/2",
    );
  });
});

test.describe("in a notebook of Jupyter", () => {
  test.skip(
    NOTEBOOK === undefined,
    "there is no notebook: `node scripts/test/embed-hosts.mjs` makes one",
  );

  test("the page that nbconvert makes of it shows the embed in its output, and the embed plays", async ({
    page,
    baseURL,
  }) => {
    // The page asks other hosts for MathJax and RequireJS, which are no matter of ours.
    await page.route(/^https:/, (route) => route.abort());
    await withHost(
      baseURL ?? "",
      (path) => fileOf(NOTEBOOK ?? "", path),
      async (address) => {
        await page.goto(`${address}notebook.html`);
        await plays(await embedOf(page), page.locator(".jp-OutputArea-output iframe"));
      },
    );
  });

  test("Notebook shows the embed when the cell is run, and for an untrusted file an empty output", async ({
    page,
    baseURL,
  }) => {
    const folder = join(NOTEBOOK ?? "", "served");
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    for (const name of ["notebook", "executed"]) {
      const text = readFileSync(join(NOTEBOOK ?? "", `${name}.ipynb`), "utf8");
      writeFileSync(join(folder, `${name}.ipynb`), text.replaceAll(SITE, baseURL ?? ""));
    }
    await withJupyter(folder, async (address) => {
      await page.goto(`${address}notebooks/notebook.ipynb`);
      const output = page.locator(".jp-OutputArea-output iframe");
      // Keys that come before the notebook is ready are lost.
      await expect(async () => {
        await page.locator(".jp-CodeCell").first().click();
        await page.keyboard.press("Shift+Enter");
        await expect(output).toBeVisible({ timeout: 15_000 });
      }).toPass();
      await plays(await embedOf(page), output);
      await page.goto(`${address}notebooks/executed.ipynb`);
      await expect(page.locator(".jp-OutputArea-output")).toHaveCount(1);
      await expect(page.locator(".jp-OutputArea-output iframe")).toHaveCount(0);
    });
  });
});

function step(embed: Frame): Locator {
  return embed.getByTestId("story-count");
}

/** The embed is in an output, computes, and its picture moves when play is pressed. */
async function plays(embed: Frame, output: Locator): Promise<void> {
  await expect(output).toBeVisible();
  await expect(embed.getByTestId("question")).toHaveText("Why do 40 CPUs wait for one lock?");
  await expect(embed.getByTestId("headline-rq_lock.max_waiters-a")).toHaveText(/\d/);
  const before = await embed.getByTestId("stage").screenshot();
  await embed.getByTestId("play").click();
  await expect(embed.getByTestId("play")).toHaveAccessibleName("Pause");
  await expect
    .poll(() =>
      embed
        .getByTestId("stage")
        .screenshot()
        .then((now) => now.equals(before)),
    )
    .toBe(false);
}

/** Notebook on a free port, with no password, for the notebooks of `folder`. */
async function withJupyter(folder: string, use: (address: string) => Promise<void>): Promise<void> {
  const port = await freePort();
  const settings = [
    "ip=127.0.0.1",
    `port=${port}`,
    "open_browser=False",
    `root_dir=${folder}`,
    "allow_root=True",
  ];
  const args = [
    "notebook",
    ...settings.map((each) => `--ServerApp.${each}`),
    "--IdentityProvider.token=",
  ];
  const server = spawn(JUPYTER ?? "", args, { stdio: "ignore" });
  try {
    const address = `http://127.0.0.1:${port}/`;
    await expect
      .poll(
        () =>
          fetch(`${address}api`).then(
            ({ ok }) => ok,
            () => false,
          ),
        { timeout: 120_000 },
      )
      .toBe(true);
    await use(address);
  } finally {
    server.kill();
  }
}

/** A port that no process listens on now. */
function freePort(): Promise<number> {
  return new Promise((found, fail) => {
    const server = createServer().once("error", fail);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => found(port));
    });
  });
}
