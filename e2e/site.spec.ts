// The built site as a host serves it: its policy, its pages, its addresses.

import AxeBuilder from "@axe-core/playwright";
import { expect, test, type Page, type Route } from "@playwright/test";
import { LONG } from "./support/thorough.ts";

/**
 * Everything the page must never do: break its policy, fail to load a file, throw, or ask another
 * host.
 */
function watch(page: Page): readonly string[] {
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.text().includes("Content Security Policy"))
      complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("response", (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()} for ${response.url()}`);
  });
  page.on("request", (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (protocol.startsWith("http") && hostname !== "127.0.0.1")
      complaints.push(`a request to ${hostname}`);
  });
  return complaints;
}

async function settle(page: Page): Promise<void> {
  await page.waitForFunction(() => window.schedscope !== undefined);
  await page.evaluate(() => window.schedscope?.whenIdle());
}

test("every static page loads the app under its policy, without a violation or a missing file", async ({
  page,
}) => {
  const complaints = watch(page);
  for (const path of ["", "lab/", "s/nohz-sizes/"]) {
    await page.goto(path);
    await settle(page);
    await expect(page.getByTestId("timeline").or(page.getByTestId("editor")).first()).toBeVisible();
  }
  expect(complaints).toEqual([]);
});

test("the policy is the first element of the page, and inline script is refused", async ({
  page,
  request,
}) => {
  const html = await (await request.get("s/rt-pull-herd/")).text();
  expect(/<head>\s*<(\w+)\s+([\w-]+="[^"]*")/.exec(html)?.slice(1)).toEqual([
    "meta",
    'http-equiv="Content-Security-Policy"',
  ]);
  expect(html).not.toMatch(/<style|<script(?![^>]*\bsrc=)|\son\w+=|\sstyle=/);
  await page.goto("");
  const refused = await page.evaluate(
    () =>
      new Promise<string>((done) => {
        document.addEventListener("securitypolicyviolation", (event) =>
          done(event.effectiveDirective),
        );
        const script = document.createElement("script");
        // A text node: what no Trusted Type guards when it is made.
        script.append("window.inlineScriptRan = true");
        document.body.append(script);
      }),
  );
  expect(refused).toMatch(/^(script-src-elem|require-trusted-types-for)$/);
  expect(await page.evaluate(() => "inlineScriptRan" in window)).toBe(false);
});

test("the server answers with right types and nothing from outside its folder", async ({
  request,
}) => {
  expect((await request.get("")).headers()["content-type"]).toBe("text/html; charset=utf-8");
  expect((await request.get("favicon.svg")).headers()["content-type"]).toBe("image/svg+xml");
  expect((await request.get("manifest.webmanifest")).headers()["content-type"]).toContain(
    "application/manifest+json",
  );
  for (const path of [
    "%2e%2e/package.json",
    "..%2fpackage.json",
    "s/%2e%2e/%2e%2e/package.json",
    "nothing-here",
  ]) {
    expect((await request.get(path)).status(), path).toBe(404);
  }
  for (const path of ["s/", "s/nothing-here/", "s/nothing.html", "nothing"]) {
    const missing = await request.get(path);
    expect([missing.status(), missing.headers()["content-type"]], path).toEqual([
      404,
      "text/html; charset=utf-8",
    ]);
  }
});

test(
  "the model, the glossary and the sources are pages without scripts: a link leads to the rule, another back to the lab",
  LONG,
  async ({ page }) => {
    const complaints = watch(page);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto("model/rt-balancing/#push-ipi-chain");
      const rule = page.getByRole("heading", { name: "Push IPI chain" });
      await expect(rule).toBeInViewport();
      await expect(page.locator(":target")).toHaveText("Push IPI chain");
      expect(await page.evaluate(() => document.scripts.length)).toBe(0);
      const axe = new AxeBuilder({ page })
        .setLegacyMode(true)
        .options({ resultTypes: ["violations"] });
      expect(
        (await axe.analyze()).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ""}`),
      ).toEqual([]);
    }
    await page.getByRole("link", { name: "Rostedt 2015" }).first().click();
    await expect(page).toHaveURL(/\/sources\/#rostedt-2015$/);
    await page
      .getByRole("navigation", { name: "Pages" })
      .getByRole("link", { name: "Glossary" })
      .click();
    await expect(page.getByRole("heading", { level: 1, name: "Glossary" })).toBeVisible();
    await page.getByRole("link", { name: "schedscope", exact: true }).click();
    await settle(page);
    await expect(page.getByTestId("timeline").first()).toBeVisible();
    expect(complaints).toEqual([]);
  },
);

test("the pages of the model fit a phone's width", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  for (const path of ["model/", "model/bandwidth/", "glossary/", "sources/", "versions/"]) {
    await page.goto(path);
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth),
      path,
    ).toBeLessThanOrEqual(390);
  }
});

/** `content` of a `meta` element. */
function metaOf(html: string, name: string): string | undefined {
  return new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)"`).exec(html)?.[1];
}

test(
  "the pages of a scenario and of a lesson name their own picture for previews, and it has the size they say",
  LONG,
  async ({ page, request }) => {
    for (const path of ["s/rt-pull-herd/", "learn/herd/", "embed/rt-pull-herd/", ""]) {
      const html = await (await request.get(path)).text();
      const own = path === "learn/herd/" ? "learn-herd" : "s-rt-pull-herd";
      expect(metaOf(html, "og:image"), path).toBe(
        `${"../".repeat(path.split("/").length - 1)}pictures/${own}.png`,
      );
      expect(metaOf(html, "og:image:alt"), path).toMatch(
        /^cyclictest: maximum latency: A \d.* µs \(pull\), B \d.* µs \(push by IPI\)$/,
      );
      expect(metaOf(html, "og:description"), path).toBe(metaOf(html, "description"));
      expect(
        [
          metaOf(html, "twitter:card"),
          metaOf(html, "og:image:width"),
          metaOf(html, "og:image:height"),
        ],
        path,
      ).toEqual(["summary_large_image", "1200", "630"]);
      await page.goto(path);
      const size = await page.evaluate(
        async (source) => {
          const image = new Image();
          image.src = source;
          await image.decode();
          return [image.naturalWidth, image.naturalHeight];
        },
        metaOf(html, "og:image") ?? "",
      );
      expect(size, path).toEqual([1200, 630]);
    }
    // A scenario whose picture was not drawn names none.
    expect(metaOf(await (await request.get("s/no-such/")).text(), "og:image")).toBeUndefined();
  },
);

test(
  "the tile of a scenario shows its picture in the theme's colours, and says its numbers",
  LONG,
  async ({ page }) => {
    const complaints = watch(page);
    await page.emulateMedia({ colorScheme: "dark" });
    await page.goto("s/rt-pull-herd/");
    await settle(page);
    await page.getByTestId("picker-open").click();
    const picture = page.getByTestId("tile-rt-pull-herd").getByRole("img");
    await expect(picture).toHaveAttribute(
      "alt",
      /^cyclictest: maximum latency: A .* µs \(pull\), B .* µs \(push by IPI\)$/,
    );
    await expect(picture).toHaveAttribute("src", /pictures\/tile-rt-pull-herd-dark\.png$/);
    await expect
      .poll(() =>
        picture.evaluate((image: HTMLImageElement) => [
          image.complete,
          image.naturalWidth,
          image.naturalHeight,
        ]),
      )
      .toEqual([true, 640, 288]);
    expect(complaints).toEqual([]);
  },
);

test("without scripts the front page shows the first step, drawn, with its numbers", async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    viewport: { width: 1440, height: 900 },
    ...(baseURL && { baseURL }),
  });
  const page = await context.newPage();
  await page.goto("");
  const picture = page.getByRole("img", { name: /^cyclictest: maximum latency: A .* µs/ });
  await expect(picture).toBeInViewport();
  await expect(picture).toHaveJSProperty("naturalWidth", 1440);
  await expect(page.getByRole("region", { name: "Results" })).toContainText(
    /40\s*Deepest queue[^]*\d\s*Deepest queue/,
  );
  await context.close();
});

test("the drawn first step stays over the stage until the live one has come to it, and nothing shifts", async ({
  page,
}) => {
  const held: Route[] = [];
  await page.route(/\/assets\/engine_bg-[^/]+\.wasm$/, (route) => void held.push(route), {
    times: 1,
  });
  await page.goto("");
  await expect(page.getByTestId("guided")).toBeVisible();
  const picture = page.locator("body > .shell-picture");
  await expect(picture).toBeVisible();
  const drawn = await picture.boundingBox();
  await Promise.all(held.map((route) => route.continue()));
  await settle(page);
  await expect(picture).toHaveCount(0);
  expect(await page.locator(".stage-picture").boundingBox()).toEqual(drawn);
  const shift = await page.evaluate(
    () =>
      new Promise<number>((done) => {
        new PerformanceObserver((list) =>
          done(
            list
              .getEntries()
              .reduce((sum, each) => sum + (each as PerformanceEntry & { value: number }).value, 0),
          ),
        ).observe({
          type: "layout-shift",
          buffered: true,
        });
        setTimeout(() => done(0), 500); // There was none to report.
      }),
  );
  expect(shift).toBeLessThan(0.1);
});
