// What the page shows before anything is computed: the question and the numbers that every shipped
// scenario is known to give.

import { test as bare, type Route } from "@playwright/test";
import { expect, framed, PUSH_IPI, test } from "./support/lab.ts";

const ENGINE = /\/assets\/engine_bg-[^/]+\.wasm$/;

bare(
  "without scripts the question, both variants, the numbers, the first sentence and the story can be read; the front page leads to all",
  async ({ browser, baseURL }) => {
    const context = await browser.newContext({
      javaScriptEnabled: false,
      viewport: { width: 390, height: 844 },
      ...(baseURL && { baseURL }),
    });
    const page = await context.newPage();
    await page.goto("s/quota-stranded/");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(
      "Where does half of the quota go?",
    );
    const results = page.getByRole("region", { name: "Results" });
    await expect(results).toContainText("4.19: expires");
    await expect(results).toContainText(
      /5\d\.\d %\s*fibtest: used of its limit[^]*1\d\d\.\d %\s*fibtest: used of its limit/,
    );
    await expect(page.getByText(/^Of 500 ms of quota, A uses 2\d\d(\.\d)? ms/)).toBeInViewport();
    await expect(page.locator("noscript .notice-line")).toBeVisible();
    await expect(page.locator(".file-line")).toBeHidden();
    await expect(page.locator(".lost-line"), "nothing was asked for").toBeHidden();
    const card = page.locator(".shell-card img");
    await card.scrollIntoViewIfNeeded();
    await expect(card).toHaveJSProperty("naturalWidth", 1200);
    await expect(page.locator(".shell-story")).toContainText("4.18 to 5.3");
    expect(
      await page.locator(".shell-story").innerText(),
      "no mark of the file is left",
    ).not.toMatch(/<!--|\*\*|`/);
    await page.goto("");
    await expect(
      page.locator(".guided-setup"),
      "the first screen says what schedscope is",
    ).toBeInViewport({ ratio: 1 });
    await expect(card, "and has a picture").toBeInViewport();
    await expect(card).toHaveJSProperty("naturalWidth", 1200);
    await page.getByRole("link", { name: "Forty CPUs and one lock" }).click();
    await expect(page.locator(".shell-story")).toContainText("In A 40 CPUs wait for one lock.");
    for (const path of ["s/nope/", "embed/nope/"]) {
      await page.goto(path);
      await expect(
        page.getByRole("heading", { name: "There is no such page" }),
        path,
      ).toBeVisible();
    }
    await page.getByRole("link").click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(
      "Why do 40 CPUs wait for one lock?",
    );
    await context.close();
  },
);

bare(
  "the theme that the system prefers is there before the first script of the app",
  async ({ browser, baseURL }) => {
    const context = await browser.newContext({ colorScheme: "light", ...(baseURL && { baseURL }) });
    const page = await context.newPage();
    await page.route(/\/assets\/page-[^/]+\.js$/, (route) => route.abort());
    await page.goto("");
    await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(
      "Why do 40 CPUs wait for one lock?",
    );
    await context.close();
  },
);

test("the numbers of every variant stand while its run is computed, and are the ones that the run gives", async ({
  page,
  lab,
}) => {
  const held: Route[] = [];
  await page.route(ENGINE, (route) => void held.push(route), { times: 1 });
  await page.goto("s/beside-idle/");
  const figures = page.locator("output.score-figure");
  const told = async (): Promise<readonly string[]> =>
    (await figures.allTextContents()).map((text) => text.trim());
  await expect(figures.first()).toHaveText(/\d/);
  await expect(lab.get("story-caption")).not.toContainText("…");
  const before = await told();
  expect(before.length).toBeGreaterThan(8);
  expect(before.filter((text) => !/\d/.test(text))).toEqual([]);
  expect(
    await figures.evaluateAll((all) => all.some((each) => each.hasAttribute("data-value"))),
  ).toBe(false);
  await Promise.all(held.map((route) => route.continue()));
  await lab.whenIdle();
  expect(await told()).toEqual(before);
  expect(
    await figures.evaluateAll((all) => all.every((each) => each.hasAttribute("data-value"))),
  ).toBe(true);
});

test("the next scenario's numbers stand as soon as it is opened", async ({ page, lab }) => {
  await page.route(ENGINE, () => undefined);
  await page.goto("s/beside-idle/");
  await expect(page.locator("output.score-figure").first()).toHaveText(/\d/);
  await lab.get("home").click();
  await expect(lab.get("question")).toHaveText("Why do 40 CPUs wait for one lock?");
  await expect(lab.get("headline-rq_lock.max_waiters-a")).toHaveText("40");
});

test("a knob that no variant names takes the known numbers away", async ({ page, lab }) => {
  await page.route(ENGINE, () => undefined);
  await page.goto(`s/beside-idle/#${framed("k.seed=9")}`);
  await expect(lab.get("question")).toBeVisible();
  await expect(page.locator("output.score-figure").first()).toHaveText("…");
});

bare(
  "the engine, the opening runs and a worker for each side are asked for before the page's own script has come",
  async ({ page }) => {
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.route(/\/assets\/page-[^/]+\.js$/, () => undefined);
    await page.goto("s/beside-idle/", { waitUntil: "commit" });
    await expect.poll(() => asked.filter((url) => ENGINE.test(url)).length).toBe(1);
    await expect
      .poll(() => asked.filter((url) => /\/assets\/beside-idle-[^/]+\.json$/.test(url)).length)
      .toBe(1);
    await expect.poll(() => page.workers().length).toBe(2);
  },
);

test("the engine is fetched and compiled once for both sides", async ({ page, lab }) => {
  await page.addInitScript(() => {
    const compile = WebAssembly.compileStreaming.bind(WebAssembly);
    const compiled: string[] = [];
    Object.assign(window, { compiled });
    WebAssembly.compileStreaming = async (source) => {
      compiled.push((await source).url);
      return compile(source);
    };
  });
  await lab.open("s/beside-idle/");
  const compiled = await page.evaluate(
    () => (window as unknown as { compiled: readonly string[] }).compiled,
  );
  expect(compiled.filter((url) => ENGINE.test(url))).toHaveLength(1);
});

test("the lanes stand before the first row of a run, and say nothing of what is not known", async ({
  page,
  lab,
}) => {
  await page.route(/\/assets\/engine\.worker-[^/]+\.js$/, () => undefined);
  await page.goto("s/beside-idle/");
  for (const side of ["a", "b"] as const) {
    const timeline = lab.get(`timeline-${side}`);
    await expect(timeline).toBeVisible();
    await expect(timeline.locator("canvas").first()).toBeVisible();
    await expect(timeline.locator("[data-cpu]")).toHaveCount(0);
    await expect(timeline).not.toContainText(/idle|waited/);
  }
});

test("scripts that the first picture does not need are fetched when the page has a moment for them", async ({
  page,
  lab,
}) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.addInitScript(() => {
    const put: IdleRequestCallback[] = [];
    Object.assign(window, {
      leisure: () =>
        put.splice(0).forEach((work) => work({ didTimeout: false, timeRemaining: () => 5 })),
    });
    window.requestIdleCallback = (work) => put.push(work);
  });
  await page.goto("s/beside-idle/");
  await expect(page.locator("output.score-figure[data-value]").first()).toBeVisible();
  await expect(lab.get("timeline-a")).toBeVisible();
  const later = (): readonly string[] =>
    asked.filter((url) => /\/assets\/(Story|SelectedWake|Provenance|Picker)-[^/]+\.js$/.test(url));
  expect(later()).toEqual([]);
  await page.evaluate(() => (window as unknown as { leisure: () => void }).leisure());
  await expect(lab.get("story")).toBeVisible();
  expect(later()).toHaveLength(4);
});

test("the first screen says what schedscope is and which switch to try, until one has been tried in this browser", async ({
  lab,
}) => {
  await lab.open("");
  await expect(lab.get("about")).toHaveText(/^schedscope simulates the Linux scheduler/);
  await expect(lab.get("about")).toBeInViewport({ ratio: 1 });
  await expect(lab.get(`knob-card-${PUSH_IPI}`).getByTestId("try-this")).toBeInViewport({
    ratio: 1,
  });
  await expect(lab.get("try-this")).toHaveCount(1);
  await lab.flip(PUSH_IPI, "a", "on");
  await expect(lab.get("try-this")).toHaveCount(0);
  await lab.open("");
  await expect(lab.get("about")).toBeVisible();
  await expect(lab.get("try-this")).toHaveCount(0);
});
