// An embed in another author's page, and in a deck: the keyboard stays outside, steps follow the
// clicker, storage and address are left alone.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Frame, Page } from "@playwright/test";
import { Marked } from "marked";
import { expectAccessible } from "./support/axe.ts";
import { SITE, embedOf, fileOf, rested, withHost, type Answer } from "./support/hosts.ts";
import { expect, HERD, QUICK, test, type Lab } from "./support/lab.ts";
import { LONG } from "./support/thorough.ts";

const EMBED = HERD.replace(/^s\//, "embed/");
const IFRAME = `<iframe title="embed" width="960" height="540" loading="lazy" src="${SITE}${EMBED}"></iframe>`;
const HELPER = `<script type="module" src="${SITE}helpers/embed.js"></script>`;
/** Says in a title which keys have come. */
const HEARS = `<script>addEventListener("keydown", (e) => (document.title += " " + e.code))</script>`;
const REVEAL = join(import.meta.dirname, "../node_modules/reveal.js/dist");

/** A page of another site, which holds an embed; the embed is at rest when `use` gets it. */
async function hosted(
  page: Page,
  site: string,
  html: string,
  use: (embed: Frame) => Promise<void>,
): Promise<void> {
  const answer = (path: string): Answer =>
    path.startsWith("/reveal/")
      ? fileOf(REVEAL, path.slice("/reveal/".length))
      : { type: "text/html", body: html };
  await withHost(site, answer, async (address) => {
    await page.goto(address);
    await use(await embedOf(page));
  });
}

test("an embed shows question, picture, a switch and numbers; clicker keys and the focus go to the page around, the address stays", async ({
  lab,
  baseURL,
}) => {
  const { page } = lab;
  await hosted(
    page,
    baseURL ?? "",
    `<title>host</title>${IFRAME}${HELPER}${HEARS}`,
    async (embed) => {
      const address = embed.url();
      await expect(embed.getByTestId("question")).toHaveText("Why do 40 CPUs wait for one lock?");
      await expect(embed.getByTestId("headline-rq_lock.max_waiters-a")).toHaveText(/\d/);
      await expect(embed.getByTestId("embed-open")).toHaveAttribute("href", /\/s\/rt-pull-herd\/$/);
      for (const key of ["PageDown", "KeyB", "Period", "F5"]) {
        await embed.getByTestId("play").focus();
        await page.keyboard.press(key);
      }
      await expect(page).toHaveTitle("host PageDown KeyB Period F5");
      await expect(embed.getByTestId("story-count")).toHaveText(/^1 of/);
      await embed.getByTestId("knob-kernel.rt_push_ipi-a").selectOption("on");
      await rested(embed);
      await expect(embed.getByTestId("headline-rq_lock.max_waiters-a")).toHaveText("4");
      await embed.getByTestId("question").click();
      expect(
        await embed.evaluate(() => document.activeElement?.tagName),
        "a click leaves no focus in the embed",
      ).toBe("BODY");
      expect(embed.url(), "the address of an embed is its host's").toBe(address);
    },
  );
});

/** How a side's lanes lie in a frame: whether all of them are there, and their height, CSS px. */
async function expectAllLanes(lab: Lab, side: "a" | "b", what: string): Promise<void> {
  const lanes = lab.get(`lanes-${side}`);
  await expect(lanes, what).toBeInViewport({ ratio: 1 });
  const { high, whole, bottom, words } = await lanes.evaluate((box) => ({
    high: box.clientHeight,
    whole: box.scrollHeight,
    bottom: box.getBoundingClientRect().bottom,
    words: document.querySelector(".guided-words")?.getBoundingClientRect().top ?? Infinity,
  }));
  expect(whole, `${what}: no lane is scrolled out of sight`).toBeLessThanOrEqual(high);
  expect(bottom, `${what}: none lies below the sentence`).toBeLessThanOrEqual(words + 1);
  expect(high, what).toBeGreaterThanOrEqual(32);
}

test("an embed in the projector's theme shows all lanes of A and B, at every size that is promised", async ({
  lab,
}) => {
  // Machines of 4, 40 and 1 CPUs, the last two with quotas over their lanes.
  for (const slug of ["rt-fifo-preempt", "rt-pull-herd", "quota-pinned", "quota-tree"]) {
    await lab.page.setViewportSize({ width: 900, height: 520 });
    await lab.open(`embed/${slug}/?theme=projector`);
    for (const [width, height] of [
      [900, 520],
      [640, 480],
      [960, 540],
      [1280, 720],
      [390, 300],
    ] as const) {
      await lab.page.setViewportSize({ width, height });
      // Below 480 px an embed opens with one side.
      if (height < 480) await lab.page.reload();
      await lab.whenIdle();
      const what = `${slug} at ${width}x${height}`;
      for (const side of ["a", "b"] as const) {
        if (height < 480) await lab.get(`side-toggle-${side}`).click({ force: true });
        await lab.whenIdle();
        await expectAllLanes(lab, side, what);
      }
    }
  }
});

test("an embed has the whole caption, a switch and a number in sight at every size that is promised", async ({
  lab,
}) => {
  for (const [width, height] of [
    [390, 300],
    [640, 360],
    [960, 540],
  ] as const) {
    await lab.page.setViewportSize({ width, height });
    await lab.open("embed/quota-gomaxprocs/");
    const size = `${width}x${height}`;
    await expectAllLanes(lab, "a", size);
    if (height === 540) await expectAllLanes(lab, "b", size);
    const caption = lab.get("story-caption");
    expect(
      await caption.evaluate(
        (box) => box.scrollHeight <= box.clientHeight + 2 && box.scrollWidth <= box.clientWidth,
      ),
      size,
    ).toBe(true);
    await expect(caption, size).toBeInViewport({ ratio: 1 });
    await expect(lab.page.locator(".guided-number").first(), size).toBeInViewport({ ratio: 1 });
    await lab.page.locator(".embed-foot .input").last().scrollIntoViewIfNeeded();
    await expect(lab.page.locator(".embed-foot .input").last(), size).toBeInViewport({ ratio: 1 });
    await expect(lab.get("guide-legend")).toBeVisible({ visible: height >= 480 });
  }
});

for (const policy of ["require-corp", "credentialless"])
  test(`an embed loads and computes under a page with Cross-Origin-Embedder-Policy: ${policy}`, async ({
    lab,
    baseURL,
  }) => {
    const { page } = lab;
    const html = {
      type: "text/html",
      body: `<title>host</title>${IFRAME}`,
      headers: {
        "cross-origin-embedder-policy": policy,
        "cross-origin-opener-policy": "same-origin",
      },
    };
    await withHost(
      baseURL ?? "",
      () => html,
      async (address) => {
        await page.goto(address);
        // Only a page whose frames all permit it is isolated, so the policy was in force.
        expect(await page.evaluate(() => window.crossOriginIsolated)).toBe(true);
        const embed = await embedOf(page);
        await expect(embed.getByTestId("headline-rq_lock.max_waiters-a")).toHaveText("40");
        await embed.getByTestId("knob-kernel.rt_push_ipi-a").selectOption("on");
        await rested(embed);
        await expect(
          embed.getByTestId("headline-rq_lock.max_waiters-a"),
          "a worker of the embed has computed it",
        ).toHaveText("4");
      },
    );
  });

test("in a low, narrow frame nothing lies over the ways on, and a switch of two fields leaves the lanes their room", async ({
  lab,
}) => {
  await lab.page.setViewportSize({ width: 360, height: 300 });
  await lab.open("embed/quota-tree/");
  expect(
    await lab.get("lanes-a").evaluate(({ clientHeight }) => clientHeight),
  ).toBeGreaterThanOrEqual(32);
  await expect(lab.get("lanes-a")).toBeInViewport({ ratio: 1 });
  await lab.get("story-next").click();
  await expect(lab.get("story-caption")).toHaveAttribute("data-step", "2");
  await lab.page.locator(".embed-foot .input").last().focus();
  // All but the fraction of a pixel that rounding may cut.
  await expect(
    lab.page.locator(".embed-foot .input").last(),
    "the row scrolls to it",
  ).toBeInViewport({ ratio: 0.99 });
});

test("an embed works where storage is blocked, and does nothing that a message has no right to ask", async ({
  lab,
  baseURL,
}) => {
  const { page } = lab;
  await page.addInitScript(() => {
    const blocked = (): never => {
      throw new DOMException("blocked", "SecurityError");
    };
    for (const name of ["localStorage", "sessionStorage", "indexedDB", "caches"])
      Object.defineProperty(window, name, { get: blocked });
  });
  await hosted(page, baseURL ?? "", IFRAME, async (embed) => {
    const send = async (message: unknown): Promise<void> => {
      await page
        .locator("iframe")
        .evaluate(
          (frame, data) => (frame as HTMLIFrameElement).contentWindow?.postMessage(data, "*"),
          message,
        );
      await rested(embed);
    };
    await send({ schedscope: "step", n: 2 });
    await expect(embed.getByTestId("story-count")).toHaveText(/^2 of/);
    await send({ schedscope: "theme", theme: "light" });
    await expect(embed.locator("html")).toHaveAttribute("data-theme", "light");
    const before = embed.url();
    for (const message of [
      null,
      7,
      "step",
      { schedscope: "step", n: 1e9 },
      { schedscope: "step", n: "2" },
      { schedscope: "theme", theme: "<b>" },
      { schedscope: "go", to: "https://example.org" },
      { schedscope: "size", scale: 1e6 },
    ])
      await send(message);
    await expect(embed.getByTestId("story-count")).toHaveText(/^2 of/);
    expect(embed.url()).toBe(before);
  });
});

/**
 * Walks from an embed's first step to its last by the clicker, wherever the focus is: in the deck,
 * or in the embed after a click.
 */
async function walkThrough(page: Page, embed: Frame): Promise<void> {
  const count = Number(/of (\d)/.exec(await embed.getByTestId("story-count").innerText())?.[1]);
  for (let at = 2; at <= count; at += 1) {
    if (at === 3) await embed.getByTestId("play").focus();
    await page.keyboard.press("PageDown");
    await expect(embed.getByTestId("story-count")).toHaveText(`${at} of ${count}`);
    await rested(embed);
  }
}

/** A deck of reveal.js, started as docs/use/embeds.md says, with these slides. */
function revealDeck(...slides: readonly string[]): string {
  const [, code] =
    /^## reveal\.js\n\n```js\n([^]*?)```/m.exec(
      readFileSync(join(import.meta.dirname, "../docs/use/embeds.md"), "utf8"),
    ) ?? [];
  if (code === undefined) throw new Error("docs/use/embeds.md: no code for reveal.js");
  const sections = slides.map((slide) => `<section>${slide}</section>`).join("");
  return `<link rel="stylesheet" href="reveal/reveal.css"><div class="reveal"><div class="slides">${sections}</div></div>
    <script type="module">import Reveal from "./reveal/reveal.mjs"; window.deck = Reveal; ${code}</script>`;
}

interface Deck {
  readonly getIndices: () => { readonly h: number };
  readonly isPaused: () => boolean;
  readonly isOverview: () => boolean;
}

/** What the deck says of itself. */
function ofDeck<T>(page: Page, ask: (deck: Deck) => T): Promise<T> {
  return page.evaluate<T>(`(${ask.toString()})(window.deck)`);
}

const slideOf = (page: Page): Promise<number> => ofDeck(page, (deck) => deck.getIndices().h);

test("in a deck of reveal.js the clicker walks through the embed's steps and then leaves the slide", async ({
  lab,
  baseURL,
}) => {
  const { page } = lab;
  await hosted(page, baseURL ?? "", revealDeck(IFRAME, "after"), async (embed) => {
    await walkThrough(page, embed);
    expect(await slideOf(page)).toBe(0);
    await page.keyboard.press("PageDown");
    await expect.poll(() => slideOf(page)).toBe(1);
  });
});

test("in a deck of reveal.js what is typed into a field of the slide stays there, whatever kind of field it is", async ({
  lab,
  baseURL,
}) => {
  const { page } = lab;
  const fields = `<input id="line"><textarea id="lines"></textarea><div id="free" contenteditable="true"></div>
    <select id="one"><option>a</option><option>p</option><option>n</option></select>`;
  await hosted(page, baseURL ?? "", revealDeck(`${fields}${IFRAME}`, "after"), async (embed) => {
    for (const id of ["line", "lines"]) {
      await page.locator(`#${id}`).focus();
      await page.keyboard.type("nap on");
      await page.keyboard.press("ArrowLeft");
      await page.keyboard.type("n");
      await expect(page.locator(`#${id}`)).toHaveValue("nap onn");
    }
    await page.locator("#free").focus();
    await page.keyboard.type("nap");
    await expect(page.locator("#free")).toHaveText("nap");
    // reveal.js itself turns the slide by this key.
    await page.locator("#one").focus();
    await page.keyboard.type("n");
    await expect(embed.getByTestId("story-count")).toHaveText(/^1 of/);
  });
});

test("in a deck of reveal.js a black screen and the overview leave the embed where it is", async ({
  lab,
  baseURL,
}) => {
  const { page } = lab;
  await hosted(page, baseURL ?? "", revealDeck(IFRAME, "after", "last"), async (embed) => {
    await page.keyboard.press("b");
    await expect.poll(() => ofDeck(page, (deck) => deck.isPaused())).toBe(true);
    await page.keyboard.press("n");
    await page.keyboard.press("b");
    await expect.poll(() => ofDeck(page, (deck) => deck.isPaused())).toBe(false);
    await expect(embed.getByTestId("story-count")).toHaveText(/^1 of/);
    await page.keyboard.press("o");
    await expect.poll(() => ofDeck(page, (deck) => deck.isOverview())).toBe(true);
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => slideOf(page)).toBe(1);
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("o");
    await expect.poll(() => slideOf(page)).toBe(0);
    await expect(embed.getByTestId("story-count")).toHaveText(/^1 of/);
  });
});

test("a deck of reveal.js that cannot load the helper starts without it", async ({
  page,
  baseURL,
}) => {
  await page.route("**/helpers/reveal.js", (route) => route.abort());
  await hosted(page, baseURL ?? "", revealDeck(IFRAME, "after"), async () => {
    await page.keyboard.press("PageDown");
    await expect.poll(() => slideOf(page)).toBe(1);
  });
});

test("what a page of another site needs may be read by any", async ({ request }) => {
  for (const path of [
    "helpers/embed.js",
    "helpers/reveal.js",
    "helpers/slidev.js",
    "embed/rt-pull-herd/",
  ]) {
    const answer = await request.get(path);
    expect(answer.headers()["access-control-allow-origin"], path).toBe("*");
  }
});

/**
 * What Slidev's page is to a helper: slides kept in the page, one of them shown; keys heard at the
 * window, and repeated until released.
 */
const SLIDEV = `<div id="slide-content"><div id="slideshow">
    <div class="slidev-page slidev-page-1" data-slidev-no="1"><div class="slidev-layout">${IFRAME}</div></div>
    <div class="slidev-page slidev-page-2" data-slidev-no="2" style="display: none"><div class="slidev-layout">after</div></div>
    <div class="slidev-page slidev-page-3" data-slidev-no="3" style="display: none"><div class="slidev-layout">last</div></div>
  </div></div>
  <div id="overview" style="position: fixed; inset: 0; background: #888" hidden></div>
  <script>
    const slides = [...document.querySelectorAll(".slidev-page")];
    const held = new Map();
    let at = 0;
    const next = () => {
      at = Math.min(at + 1, slides.length - 1);
      slides.forEach((slide, i) => (slide.style.display = i === at ? "" : "none"));
    };
    addEventListener("keydown", ({ key, repeat }) => {
      if (repeat || key !== "PageDown") return;
      next();
      // Soon in a real deck; here a slow machine must not be taken for a held key.
      held.set(key, setInterval(next, 60_000));
    });
    addEventListener("keyup", ({ key }) => {
      clearInterval(held.get(key));
      held.delete(key);
    });
  </script>
  <script type="module" src="${SITE}helpers/slidev.js"></script>`;

test(
  "in a deck like Slidev's the clicker walks through the embed's steps and then goes on by one slide",
  LONG,
  async ({ lab, baseURL }) => {
    const { page } = lab;
    await hosted(page, baseURL ?? "", SLIDEV, async (embed) => {
      await walkThrough(page, embed);
      await embed.getByTestId("play").focus();
      await page.keyboard.press("PageDown");
      await expect(page.locator("[data-slidev-no='2']")).toBeVisible();
      expect(await page.evaluate("held.size"), "a key that stays down would be repeated").toBe(0);
    });
  },
);

test("in a deck like Slidev's an overview that covers the embed leaves it where it is", async ({
  lab,
  baseURL,
}) => {
  const { page } = lab;
  await hosted(page, baseURL ?? "", SLIDEV, async (embed) => {
    const count = embed.getByTestId("story-count");
    await page.evaluate("overview.hidden = false");
    await page.keyboard.press("ArrowRight");
    await page.evaluate("overview.hidden = true");
    await expect(count).toHaveText(/^1 of/);
    await page.keyboard.press("ArrowRight");
    await expect(count).toHaveText(/^2 of/);
  });
});

test(
  "what Share gives for Markdown is a link, a link with its picture, and where HTML is let through an iframe that plays",
  LONG,
  async ({ lab, baseURL }) => {
    const { page } = lab;
    const site = baseURL ?? "";
    await lab.open(QUICK);
    await lab.get("share-open").click();
    await lab.get("share-more").locator("summary").click();
    await expect(lab.get("share-cors")).toContainText("Access-Control-Allow-Origin");
    const forms = ["share-markdown", "share-markdown-picture", "share-iframe"].map((form) =>
      lab.get(form).inputValue(),
    );
    const text = (await Promise.all(forms)).join("\n\n").replaceAll(site, SITE);
    const strict = new Marked({ renderer: { html: () => "" } }).parse(text, { async: false });
    expect(strict).not.toContain("<iframe");
    await hosted(page, site, new Marked().parse(text, { async: false }), async (embed) => {
      const links = page.getByRole("link", { name: "Why do 16 CPUs wait for one lock?" });
      await expect(links).toHaveCount(2);
      await expect(links.getByRole("img")).toHaveJSProperty("naturalWidth", 1200);
      await expect(embed.getByTestId("question")).toHaveText("Why do 16 CPUs wait for one lock?");
      // Without the helper the keys end in the embed, which does nothing with them.
      await embed.getByTestId("play").focus();
      await page.keyboard.press("PageDown");
      await expect(embed.getByTestId("story-count")).toHaveText(/^1 of/);
      await links.first().click();
      await lab.whenIdle();
      await expect(page.locator(".question")).toContainText("16 CPUs");
    });
  },
);

test("an embed alone is accessible, and one that names nothing says so", LONG, async ({ lab }) => {
  await lab.open(EMBED);
  await expectAccessible(lab, "an embed");
  await lab.open("embed/lab/");
  await expect(lab.get("no-scenario")).toBeVisible();
});
