// The guided page: what every address opens that carries nothing of the lab. Each step plays, ends
// on its answer and offers the next; the lab is one press away and loses nothing.

import { readdirSync } from "node:fs";
import type { Page } from "@playwright/test";
import { expect, framed, HERD, test, type Lab } from "./support/lab.ts";
import { expectAccessible } from "./support/axe.ts";
import { LONG } from "./support/thorough.ts";

test.use({ form: "guided" });

const SLUGS = readdirSync("scenarios", { withFileTypes: true }).flatMap((each) =>
  each.isDirectory() ? [each.name] : [],
);
/** Quick to compute, with five steps and a difference that is seen. */
const QUICK = "s/quota-stranded/";

interface Screen {
  readonly controls: number;
  readonly words: number;
  /** Share of the window that the stage has. */
  readonly stage: number;
  /** The smallest letters, CSS px. */
  readonly letters: number;
}

/** What a visitor sees on the first screen. */
async function screenOf(page: Page): Promise<Screen> {
  return page.evaluate(() => {
    const seen = (element: Element): boolean => {
      const { width, height, top, left, bottom, right } = element.getBoundingClientRect();
      // For a screen reader alone, or under a bet.
      if (element.closest(".visually-hidden, .tl-twin, [inert]") !== null) return false;
      const inWindow = bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
      return (
        width > 1 &&
        height > 1 &&
        inWindow &&
        element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
      );
    };
    const texts: Element[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    let words = 0;
    while (walker.nextNode()) {
      const { parentElement, textContent } = walker.currentNode;
      if (parentElement === null || !seen(parentElement)) continue;
      const here = (textContent ?? "").trim();
      if (here === "") continue;
      // Times on the axis and figures are read as a picture is.
      if (parentElement.closest("svg") === null)
        words += here.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length;
      texts.push(parentElement);
    }
    const controls = "button, a[href], input, select, textarea, summary, [role=slider], [role=tab]";
    const box = document.querySelector("[data-testid=stage]")?.getBoundingClientRect();
    return {
      controls: Array.from(document.querySelectorAll(controls)).filter(seen).length,
      words,
      stage: ((box?.width ?? 0) * (box?.height ?? 0)) / (innerWidth * innerHeight),
      letters: Math.min(...texts.map((each) => parseFloat(getComputedStyle(each).fontSize))),
    };
  });
}

/** The step plays from its beginning. */
async function expectPlays(lab: Lab, step: number): Promise<void> {
  await expect(lab.get("story-caption")).toHaveAttribute("data-step", String(step));
  await expect(lab.get("play")).toHaveAccessibleName("Pause");
}

/** The step plays now, and ends on its answer with the next one offered. */
async function expectPlayed(lab: Lab, step: number): Promise<void> {
  await expectPlays(lab, step);
  const seek = lab.get("step-seek");
  const begun = Number(await seek.inputValue());
  // A busy machine draws few frames, and no frame counts as more than 50 ms.
  await expect(lab.get("play")).not.toHaveAccessibleName("Pause", { timeout: 150_000 });
  const answer = Number(await seek.inputValue());
  const [from, to] = await seek.evaluate((each: HTMLInputElement) => [
    Number(each.min),
    Number(each.max),
  ]);
  expect(answer).toBeGreaterThan(begun);
  expect(answer).toBeGreaterThan(from + 0.2 * (to - from));
  expect(answer).toBeLessThanOrEqual(to);
  await expect(lab.get("step-offer")).toBeVisible();
}

/** Several tests, so that one worker does not open all scenarios. */
const PARTS = 10;
for (let part = 0; part < PARTS; part += 1) {
  const slugs = SLUGS.filter((_, index) => index % PARTS === part);
  test(`the first screen has at most 25 controls and 150 words, a stage of 65 %, no letters below 13 px: ${slugs.join(", ")}`, async ({
    lab,
  }) => {
    for (const slug of slugs) {
      await lab.open(`s/${slug}/`);
      await expect(lab.get("guided")).toBeVisible();
      // With a bet over the stage, and without.
      const first = await screenOf(lab.page);
      expect.soft(first.controls, `${slug}: controls beside the bet`).toBeLessThanOrEqual(25);
      expect.soft(first.words, `${slug}: words beside the bet`).toBeLessThanOrEqual(150);
      await lab.get("bet-skip").click();
      await lab.whenIdle();
      const screen = await screenOf(lab.page);
      expect.soft(screen.controls, `${slug}: controls`).toBeLessThanOrEqual(25);
      expect.soft(screen.words, `${slug}: words`).toBeLessThanOrEqual(150);
      expect.soft(screen.stage, `${slug}: stage`).toBeGreaterThanOrEqual(0.65);
      expect.soft(screen.letters, `${slug}: letters`).toBeGreaterThanOrEqual(13);
    }
  });
}

test.describe("with motion", () => {
  test.use({ motion: "no-preference" });

  test("a step plays up to its answer, however it is opened, as often as it is opened, and offers the next", async ({
    lab,
  }) => {
    const { page } = lab;
    await page.goto(QUICK);
    await lab.get("bet-skip").click();
    await expectPlayed(lab, 1);
    await lab.get("step-offer").click();
    await expectPlays(lab, 2);
    await lab.get("story-next").click();
    await expectPlays(lab, 3);
    await page.keyboard.press("ArrowLeft");
    await expectPlays(lab, 2);
    await lab.get("step-dot-5").click();
    await expectPlays(lab, 5);
    await page.keyboard.press("PageUp");
    await expectPlays(lab, 4);
    await page.keyboard.press("Space");
    await expect(lab.get("play")).toHaveAccessibleName("Play the step");
    await page.keyboard.press("Space");
    await expectPlays(lab, 4);
    await page.goto("about:blank");
    await page.goto(`${QUICK}#${framed("step=4")}`);
    await expectPlayed(lab, 4);
  });

  test("a press on the picture ends the playing there, and play begins anew", async ({ lab }) => {
    await lab.page.goto(QUICK);
    await lab.get("bet-skip").click();
    await expect(lab.get("play")).toHaveAccessibleName("Pause");
    await lab.get("lanes-a").click({ position: { x: 400, y: 60 } });
    await expect(lab.get("play")).toHaveAccessibleName("Play the step");
    await lab.get("play").click();
    await expectPlays(lab, 1);
  });

  test(
    "from the last step all steps play one after another until a press",
    LONG,
    async ({ lab }) => {
      await lab.open(`${QUICK}#${framed("step=5")}`);
      await expect(lab.get("play")).toHaveAccessibleName("Play all steps");
      await lab.get("play").click();
      await expect(lab.get("story-caption")).toHaveAttribute("data-step", "1");
      await expect(lab.get("story-caption")).toHaveAttribute("data-step", "2");
      await lab.get("play").click();
      await expect(lab.get("play")).toHaveAccessibleName("Play the step");
    },
  );
});

test.describe("a bet", () => {
  test.use({ motion: "no-preference" });

  test("is asked over the dimmed stage before the first play; the answer's picture comes with what was bet, and the bet is not asked again", async ({
    lab,
  }) => {
    const { page } = lab;
    await page.goto(QUICK);
    const bet = lab.get("bet");
    await expect(bet).toContainText("How much of its quota can the group use?");
    await expect(lab.get("story-caption"), "nothing gives the answer away").toBeHidden();
    await lab.get("bet-choice-1").click();
    await expect(bet).toHaveCount(0);
    await expectPlayed(lab, 1);
    await expect(lab.get("bet-outcome")).toHaveText(
      /^You bet “All of it.*The run says: “About half/,
    );
    await page.reload();
    await lab.whenIdle();
    await expect(lab.get("bet-outcome"), "this session has made its bet").toBeVisible();
    await expect(bet).toHaveCount(0);
  });

  test("offers a step's own choices in a fixed order, and says whether the bet was right", async ({
    lab,
  }) => {
    await lab.open("s/quota-tree/");
    const choices = lab.get("bet").locator(".bet-choice");
    const RIGHT = "The one that runs out of quota";
    await expect(choices).toHaveText(["All three", "Always the parent's", RIGHT]);
    await lab.get("bet-choice-3").click();
    await expectPlayed(lab, 1);
    await expect(lab.get("bet-outcome")).toHaveText(`You bet “${RIGHT}”, and so it is.`);
  });

  test("is passed over by Escape, by play and by the way to another step; a link to a step asks for none", async ({
    lab,
  }) => {
    const { page } = lab;
    await page.goto("s/quota-burst/");
    await expect(lab.get("bet")).toBeVisible();
    await page.keyboard.press("Escape");
    await expectPlays(lab, 1);
    await page.goto("s/quota-pinned/");
    await expect(lab.get("bet")).toBeVisible();
    await page.keyboard.press("Space");
    await expectPlays(lab, 1);
    await page.goto("s/quota-period/");
    await expect(lab.get("bet")).toBeVisible();
    await page.keyboard.press("ArrowRight");
    await expectPlays(lab, 2);
    await lab.open(`s/quota-boundary/#${framed("step=1")}`);
    await expect(lab.get("story-caption")).toBeVisible();
    await expect(lab.get("bet")).toHaveCount(0);
  });
});

test("without motion a step shows its answer at once", async ({ lab }) => {
  await lab.open(QUICK);
  await lab.get("story-next").click();
  await lab.whenIdle();
  await expect(lab.get("play")).toHaveAccessibleName("Play the step");
  await expect(lab.get("step-offer")).toBeVisible();
});

test("the lab is one press or key away, with the runs, the step and the switches as they were; the link says it, and so does the browser", async ({
  lab,
  elsewhere,
}) => {
  await lab.open(HERD);
  await lab.get("story-next").click();
  await lab.whenIdle();
  await lab.get("guided-toggle").click();
  await lab.whenIdle();
  const depth = await lab.headline("b", "rq_lock.max_waiters");
  await lab.get("lab-open").click();
  await lab.whenIdle();
  await expect(lab.get("lab")).toBeVisible();
  await expect(lab.get("story-caption")).toHaveAttribute("data-step", "2");
  expect(await lab.headline("b", "rq_lock.max_waiters")).toBe(depth);
  await expect(lab.page).toHaveURL(/[#&]lab=1/);
  await elsewhere.open(lab.page.url());
  await expect(elsewhere.get("lab")).toBeVisible();
  await elsewhere.open(QUICK);
  await expect(elsewhere.get("guided"), "a link decides about itself alone").toBeVisible();
  await lab.page.keyboard.press("z");
  await expect(lab.get("guided")).toBeVisible();
  await expect(lab.page).not.toHaveURL(/lab=1/);
  await lab.page.keyboard.press("z");
  await lab.open(QUICK);
  await expect(lab.get("lab"), "this browser was left in the lab").toBeVisible();
});

test("a link that carries things of the lab opens there; one that names a step or a knob opens guided", async ({
  lab,
}) => {
  for (const carried of [
    "area=10ms-12ms",
    "markers=4ms-",
    "strip.c=4.19~3A~20expires",
    "t=10ms-12ms",
  ]) {
    await lab.page.goto("about:blank");
    await lab.open(`${QUICK}#${framed(carried)}`);
    await expect(lab.get("lab"), carried).toBeVisible();
  }
  for (const carried of ["step=2", "k.seed=9"]) {
    await lab.page.goto("about:blank");
    await lab.open(`${QUICK}#${framed(carried)}`);
    await expect(lab.get("guided"), carried).toBeVisible();
  }
});

test("one press on the switch gives B what A has, and the ratio says so in words; the next gives it back", async ({
  lab,
}) => {
  await lab.open(HERD);
  await expect(lab.get("guided-ratio")).toContainText("times less");
  const was = await lab.headline("b", "rq_lock.max_waiters");
  await lab.get("guided-toggle").click();
  await lab.whenIdle();
  await expect(lab.get("guided-ratio")).toContainText("the same");
  await expect(lab.get("guided-now"), "the caption is of the runs as shipped").toContainText(
    /^Now .* in A, .* in B/,
  );
  await lab.get("guided-toggle").click();
  await lab.whenIdle();
  expect(await lab.headline("b", "rq_lock.max_waiters")).toBe(was);
});

test("the guided page is clean to axe in every theme, and on a phone all of it is in reach", async ({
  lab,
}) => {
  await lab.open(HERD);
  await expect(lab.get("bet")).toBeVisible();
  await expectAccessible(lab, "a bet over the stage");
  await lab.get("bet-skip").click();
  for (const key of ["", "p"]) {
    if (key !== "") await lab.page.keyboard.press(key);
    await lab.whenIdle();
    await expectAccessible(lab, `guided ${key}`);
  }
  await lab.page.keyboard.press("p");
  await lab.page.setViewportSize({ width: 390, height: 844 });
  await lab.whenIdle();
  for (const id of ["question", "story-caption", "play", "guided-toggle", "lab-open"])
    await expect(lab.get(id)).toBeInViewport();
  await expectAccessible(lab, "guided on a phone");
});

test(
  "sizes of the machine are computed as tiles, one is marked, and a press on one is undone by Ctrl+Z",
  LONG,
  async ({ lab }) => {
    await lab.open(HERD);
    await lab.whenIdle();
    await lab.get("sizes-open").click();
    await expect(lab.get("size-160")).toHaveAttribute("data-state", "done", { timeout: 120_000 });
    await expect(lab.get("size-40")).toHaveAttribute("data-marked", "true");
    await expect(lab.get("size-40-a")).toHaveAttribute("data-value", "276008");
    await lab.get("sizes-slider").press("Home");
    await expect(lab.get("size-4")).toHaveAttribute("data-current", "true");
    await lab.get("size-16").click();
    await expect(lab.get("sizes")).toHaveCount(0);
    await expect(lab.get("question")).toHaveText("Why do 16 CPUs wait for one lock?");
    await lab.press("Control+z");
    await expect(lab.get("question")).toHaveText("Why do 40 CPUs wait for one lock?");
  },
);

test("the list of questions answers a symptom, reads a file, keeps what was typed, and has arrows and Enter", async ({
  lab,
}) => {
  await lab.open("");
  await lab.get("picker-open").click();
  const field = lab.get("picker-search");
  await field.fill("throttled at 30 %");
  await expect(lab.get("picker").locator(".tile").first()).toHaveAttribute(
    "data-testid",
    "tile-quota-average-lies",
  );
  await field.press("ArrowDown");
  await expect(lab.get("tile-quota-average-lies")).toBeFocused();
  await lab.page.keyboard.press("ArrowUp");
  await expect(field).toBeFocused();
  await lab.page.keyboard.press("Escape");
  await expect(lab.get("picker")).toHaveCount(0);
  await lab.get("picker-open").click();
  await expect(field).toHaveValue("throttled at 30 %");
  const file = { name: "x", mimeType: "text/plain", buffer: Buffer.from("50000 100000") };
  await lab.get("symptom-file").setInputFiles(file);
  await expect(lab.get("symptom-read")).toContainText("50 ms in every 100 ms");
  await lab.get("symptom-file").setInputFiles({ ...file, buffer: Buffer.alloc(300_000) });
  await expect(lab.get("symptom-problem")).toContainText("at most 256 kB");
  await field.fill("7.0 halved my throughput");
  await field.press("Enter");
  await expect(lab.page).toHaveURL(/\/s\/half-the-throughput\/$/);
});
