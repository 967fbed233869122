// Playing explains: what is ahead is faint, the view is played again and again, and every event has
// a sentence.

import { expect, QUICK, test } from "./support/lab.ts";
import { LONG } from "./support/thorough.ts";

test("while it plays, what lies ahead of the playhead is faint, and nothing is when it rests", async ({
  lab,
}) => {
  await lab.open(QUICK);
  const veil = lab.get("timeline-a").locator(".tl-veil");
  await expect(veil).toHaveCSS("opacity", "0");
  await lab.page.keyboard.press("Space");
  await expect(veil).toHaveCSS("opacity", "0.75");
  const line = await lab.get("timeline-a").getByTestId("playhead-line").boundingBox();
  const shade = await veil.boundingBox();
  expect(Math.abs((shade?.x ?? 0) - (line?.x ?? Infinity))).toBeLessThan(60);
  await lab.page.keyboard.press("Space");
  await expect(veil).toHaveCSS("opacity", "0");
});

test(
  "the view is played again and again, until the loop is switched off",
  LONG,
  async ({ lab }) => {
    await lab.open(QUICK);
    // Far more than a view a second.
    await lab.get("speed").selectOption({ label: "2 ms / s" });
    await lab.get("play").click();
    let last = await lab.playhead();
    await expect
      .poll(async () => {
        const before = last;
        last = await lab.playhead();
        return last < before;
      })
      .toBe(true);
    await expect(lab.get("play")).toHaveAccessibleName("Pause");
    await lab.get("loop").click();
    await expect(
      lab.get("play"),
      "without it the playhead runs to the end of the run and stops",
    ).toHaveAccessibleName("Play", {
      timeout: 30_000,
    });
  },
);

test("an event that is stepped to is told in a sentence, and the caption comes back when the playhead is elsewhere", async ({
  lab,
}) => {
  await lab.open(QUICK);
  await expect(lab.get("event-line")).toHaveCount(0);
  await lab.page.keyboard.press("k");
  await expect(lab.get("event-line")).toContainText(/CPU \d+ \w+/);
  const first = await lab.get("event-line").textContent();
  for (let step = 0; step < 5; step += 1) await lab.page.keyboard.press("k");
  await expect(lab.get("event-line")).not.toHaveText(first ?? "");
  await lab.get("scrubber").click();
  await expect(lab.get("event-line")).toHaveCount(0);
});

test("a sentence of an event that the line cuts off is whole behind a button, by pointer and by keyboard", async ({
  lab,
}) => {
  await lab.page.setViewportSize({ width: 1100, height: 760 });
  await lab.open(QUICK);
  const [whole, all] = [lab.get("event-whole"), lab.get("event-all")];
  for (let step = 0; step < 60 && (await whole.count()) === 0; step += 1) await lab.press("k");
  const line = await lab.get("event-line").locator(".event-words").allTextContents();
  await expect(all).toBeHidden();
  await whole.focus();
  await lab.page.keyboard.press("Enter");
  await expect(all).toBeInViewport({ ratio: 1 });
  const cut = await all.evaluate(
    (box) => box.scrollHeight > box.clientHeight + 1 || box.scrollWidth > box.clientWidth + 1,
  );
  expect(cut, "nothing of it is cut off").toBe(false);
  const told = (await all.innerText()).replaceAll(/\s+/g, " ");
  for (const words of line)
    for (const sentence of words.replace(/\.$/, "").split("; ")) expect(told).toContain(sentence);
  await lab.page.keyboard.press("Escape");
  await expect(all).toBeHidden();
});

test("an answer to a key that the line cuts off is whole behind the same button", async ({
  lab,
}) => {
  await lab.open(QUICK);
  await lab.press("Shift+X");
  const reply = (await lab.get("reply-line").textContent()) ?? "";
  await expect(lab.get("event-whole"), "whole as it stands").toHaveCount(0);
  // The width between two panels, or with a longer answer.
  await lab
    .get("reply-line")
    .evaluate(({ parentElement }) => parentElement?.style.setProperty("max-width", "16rem"));
  await lab.get("event-whole").click();
  await expect(lab.get("event-all")).toBeInViewport({ ratio: 1 });
  await expect(lab.get("event-all")).toHaveText(reply);
});

test("a step that would not be seen brings the view near, and the way through the steps stays", async ({
  lab,
}) => {
  await lab.open(QUICK);
  await lab.press("0");
  const [, end] = await lab.view();
  await lab.press("k");
  const [from, to] = await lab.view();
  expect(to - from).toBeLessThan(end / 100);
  expect([await lab.playhead()].every((ns) => ns > from && ns < to)).toBe(true);
  const { width = 0 } = (await lab.get("timeline-a").boundingBox()) ?? {};
  const before = await lab.playhead();
  await lab.press("k", "k", "k", "k");
  expect(((await lab.playhead()) - before) * (width / (to - from)), "it moves, px").toBeGreaterThan(
    2,
  );
  await expect(lab.get("story-count")).toHaveText(/^\d of \d$/);
  await expect(lab.get("event-line")).toBeVisible();
  const cut = await lab
    .get("event-line")
    .getByTestId("rule-link")
    .first()
    .evaluate((link) => link.scrollWidth > (link.parentElement?.clientWidth ?? 0) + 1);
  expect(cut, "the function's name is whole").toBe(false);
});
