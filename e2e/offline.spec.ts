// The copy of the whole site: made after the first visit, whole, handed out without a network, and
// never changed under a viewer's hands.

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { listFiles } from "../scripts/site/offline.ts";
import { serve } from "../scripts/serve.mjs";
import { expect, HERD, PUSH_IPI, test as base, watch, framed } from "./support/lab.ts";
import { LONG, THOROUGH } from "./support/thorough.ts";

const DIST = join(import.meta.dirname, "../dist");
const TALK = "present/quota-stranded/";

/** A site below a folder of a plain host, which can get a new build and go away. */
interface Site {
  readonly address: string;
  /** Where it lies. */
  readonly folder: string;
  readonly stop: () => Promise<void>;
}

const test = base.extend<{ readonly site: Site }>({
  site: async ({ context }, use) => {
    const folder = mkdtempSync(join(tmpdir(), "schedscope-offline-"));
    cpSync(DIST, folder, { recursive: true });
    const server = await serve({ folder, base: "/deep/sub/", port: 0 });
    await use({ address: server.address, folder, stop: () => server.stop() });
    await context.setOffline(false); // The next test goes on in it.
    await server.stop();
    rmSync(folder, { recursive: true });
  },
});
test.use({ serviceWorkers: "allow" });

async function rested(page: Page): Promise<void> {
  await page.waitForFunction(() => window.schedscope !== undefined);
  await page.evaluate(() => window.schedscope?.whenIdle());
}

/** Stays in the talk until it says that everything is kept. */
async function kept(page: Page, site: Site): Promise<void> {
  await page.goto(site.address + TALK);
  await expect(page.getByTestId("offline")).toHaveText("Ready offline", { timeout: 60_000 });
}

/** A newer build: another text on the page at the root, and a list that says so. */
function rebuild({ folder }: Site): void {
  const index = join(folder, "lab/index.html");
  writeFileSync(index, readFileSync(index, "utf8").replace("</title>", " (newer)</title>"));
  listFiles(folder);
}

test("after “Ready offline” every scenario, lesson, talk and link opens without a network, the pages nobody has seen too", async ({
  page,
  site,
}) => {
  const complaints = await watch(page);
  await kept(page, site);
  expect(complaints).toEqual([]);
  await page.context().setOffline(true);
  await site.stop();
  const open = async (path: string): Promise<void> => {
    await page.goto("about:blank");
    await page.goto(site.address + path);
    await rested(page);
  };
  await open("");
  await expect(page.getByTestId("lanes-a")).toBeVisible();
  await open("s/nohz-kick/");
  await expect(page.getByTestId("digest-a")).toHaveAttribute("data-digest", /[0-9a-f]{16}/);
  if (THOROUGH) {
    await open("present/rt-pull-herd/");
    await expect(page.getByTestId("offline"), "counted anew, without a network").toHaveText(
      "Ready offline",
      { timeout: 60_000 },
    );
    await open("lab/");
    await expect(page.getByTestId("editor").or(page.getByTestId("timeline")).first()).toBeVisible();
  }
  await open(`${HERD}?from=a-mail#${framed(`k.duration=20ms&k.machine.cpus=16&k.${PUSH_IPI}=on`)}`);
  await expect(page.getByTestId("setup")).toContainText("16 CPUs");
  await open(TALK);
  await expect(page.getByTestId("talk")).toBeVisible();
  const [speaker] = await Promise.all([
    page.context().waitForEvent("page"),
    page.getByTestId("talk-speaker").click(),
  ]);
  await expect(speaker.getByTestId("speaker-title")).toContainText("1 of");
  await speaker.close();
  await open("learn/push-ipi/");
  await expect(page.getByTestId("lesson")).toBeVisible();
  await page.goto(`${site.address}s/nohz-kick`);
  await expect(page, "a folder without its slash").toHaveURL(`${site.address}s/nohz-kick/`);
  await page.goto(`${site.address}s/nothing-here/`);
  await expect(page.getByTestId("link-refused")).toBeVisible();
});

test(
  "a newer build is announced, changes nothing until the viewer says so, and loses nothing that was typed",
  LONG,
  async ({ page, site }) => {
    await kept(page, site);
    await page.goto(`${site.address}lab/`);
    await rested(page);
    await expect(page).not.toHaveTitle(/newer/);
    rebuild(site);
    await page.reload();
    await rested(page);
    const file = JSON.stringify({
      ...(JSON.parse(readFileSync("scenarios/rt-pull-herd/scenario.json", "utf8")) as object),
      title: "Mine",
    });
    await page.getByTestId("editor").fill(file);
    await page.evaluate(() => (document.documentElement.dataset["mark"] = "here"));
    await expect(page.getByTestId("newer")).toBeVisible({ timeout: 60_000 });
    await expect(page.locator("html"), "no reload by itself").toHaveAttribute("data-mark", "here");
    const html = async (): Promise<string> =>
      page.evaluate(async () => (await fetch(location.pathname)).text());
    expect(await html(), "one build at a time").not.toContain("(newer)");
    await page.getByTestId("newer-reload").click();
    await expect.poll(async () => html().catch(() => ""), { timeout: 60_000 }).toContain("(newer)");
    await rested(page);
    await expect(page.locator("html")).not.toHaveAttribute("data-mark", "here");
    await expect(page.getByTestId("editor")).toContainText("Mine");
    await expect(page.getByTestId("newer")).toHaveCount(0);
  },
);

test(
  "what a browser threw away is fetched again; a file that the host changed is refused, and the talk says so",
  LONG,
  async ({ page, site }) => {
    await kept(page, site);
    await page.evaluate(async () => {
      for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const key of (await cache.keys()).slice(0, 9)) await cache.delete(key);
      }
    });
    await page.goto("about:blank");
    await kept(page, site);
    expect(await keptFiles(page)).toBeGreaterThan(200);
    await page.evaluate(() =>
      caches.keys().then((names) => Promise.all(names.map((name) => caches.delete(name)))),
    );
    writeFileSync(join(site.folder, "favicon.svg"), "<svg><!-- improved --></svg>");
    await page.goto(site.address + TALK);
    await expect(page.getByTestId("offline")).toHaveText(/^Not offline: \d+ of \d+ files$/, {
      timeout: 60_000,
    });
  },
);

function keptFiles(page: Page): Promise<number> {
  return page.evaluate(
    async () =>
      (
        await Promise.all(
          (await caches.keys()).map(async (name) => (await caches.open(name)).keys()),
        )
      ).flat().length,
  );
}

test(
  "an embed keeps nothing, and a talk where service workers are refused says so and goes on",
  LONG,
  async ({ page, site }) => {
    await page.goto(`${site.address}embed/quota-stranded/`);
    await rested(page);
    const refused = (): Promise<string> =>
      page.evaluate(async () =>
        navigator.serviceWorker.register("../../offline-worker.js").then(() => "allowed", String),
      );
    expect(await refused(), "the embed's policy").toMatch(/TypeError|SecurityError/);
    expect(
      await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length),
    ).toBe(0);
    await page.goto(`${site.address}s/nohz-kick/`);
    expect(await refused(), "a page's script cannot name a worker").toMatch(
      /TypeError.*TrustedScriptURL/,
    );
    await page.addInitScript(() => {
      navigator.serviceWorker.register = () =>
        Promise.reject(new DOMException("blocked", "SecurityError"));
    });
    await page.goto(site.address + TALK);
    await expect(page.getByTestId("offline")).toHaveText("Needs the network", { timeout: 60_000 });
    await page.keyboard.press("PageDown");
    await expect(page.getByTestId("talk-bet")).toHaveCount(0);
  },
);
