// A talk: a clicker walks the steps, a bet comes before its answer, the speaker's window follows
// and leads.

import type { Locator } from "@playwright/test";
import { expectAccessible } from "./support/axe.ts";
import { expect, test, type Lab } from "./support/lab.ts";

const TALK = "present/quota-stranded/";

/** The step on the screen, from 1. */
async function standsAt(lab: Lab): Promise<number> {
  return Number(await lab.get("story-caption").getAttribute("data-step"));
}

test("a clicker walks through the steps: a bet covers its picture until the next press; B is black, 0 begins the step anew", async ({
  lab,
}) => {
  await lab.open(TALK);
  await expect(lab.page.locator("html")).toHaveAttribute("data-theme", "projector");
  await expect(lab.get("talk-bet")).toBeVisible();
  await lab.press("PageDown");
  await expect(lab.get("talk-bet")).toHaveCount(0);
  await expectAccessible(lab, "a talk");
  expect(await standsAt(lab), "the press revealed, it did not go on").toBe(1);
  await lab.press("PageDown");
  await lab.whenIdle();
  expect(await standsAt(lab)).toBe(2);
  await lab.press("b");
  await expect(lab.get("talk-black")).toBeVisible();
  await lab.press("PageDown");
  await expect(lab.get("talk-black"), "the first press brings the picture back").toHaveCount(0);
  expect(await standsAt(lab)).toBe(2);
  await lab.press("b");
  await lab.press("PageUp");
  await expect(lab.get("talk-black"), "so does the other way").toHaveCount(0);
  expect(await standsAt(lab)).toBe(2);
  await lab.press("PageUp");
  await expect(lab.get("talk-bet"), "on the way back the bet stands again").toBeVisible();
  await lab.press("0");
  await expect(lab.get("talk-bet")).toBeVisible();
  const size = (): Promise<string> =>
    lab.page.evaluate(() => getComputedStyle(document.documentElement).fontSize);
  const before = parseFloat(await size());
  await lab.press("=");
  expect(parseFloat(await size())).toBeGreaterThan(before);
  for (let press = 0; press < 6; press += 1) await lab.press("=");
  await expect(
    lab.get("talk").locator(".guided-number").first(),
    "the numbers stay in sight whatever the size",
  ).toBeInViewport({ ratio: 1 });
  await lab.press("0");
  expect(parseFloat(await size()), "0 takes the size back").toBe(before);
  await lab.press("h");
  await expect(lab.get("talk-halo")).toHaveCount(1);
  await expect(lab.get("talk-leave")).toHaveAttribute("href", /\/s\/quota-stranded\//);
  await lab.press("Escape");
  await expect(lab.page, "Escape leaves").toHaveURL(/\/s\/quota-stranded\//);
});

test("the speaker's window shows notes, the next step and the time, leads the talk, and can hold the screen", async ({
  lab,
}) => {
  await lab.open(TALK);
  const [speaker] = await Promise.all([
    lab.page.context().waitForEvent("page"),
    lab.get("talk-speaker").click(),
  ]);
  await expect(speaker.locator("body"), "it was not opened as a file").not.toContainText(
    "opened as a file",
  );
  await expect(speaker.getByTestId("speaker-clock")).toHaveText("0:00of  minutes");
  const caption = speaker.getByTestId("speaker-now-caption");
  const next = speaker.getByTestId("speaker-next-caption");
  await expect(caption).toHaveText((await lab.get("story-caption").getAttribute("title")) ?? "");
  await expect(speaker.getByTestId("speaker-title")).toContainText("1 of");
  for (const slide of ["now", "next"])
    await expect(speaker.getByTestId(`speaker-${slide}-picture`), slide).toBeVisible();
  await expectAccessible({ page: speaker }, "the speaker's window");
  const alone = await lab.page.context().newPage();
  await alone.goto(new URL("speaker/", lab.page.url().split("present/")[0]).href);
  await expect(alone.getByTestId("speaker-alone")).toBeVisible();
  await expectAccessible({ page: alone }, "the speaker's window without a talk");
  await alone.close();
  await speaker.keyboard.press("PageDown");
  await expect(lab.get("talk-bet")).toHaveCount(0);
  const second = await next.innerText();
  await speaker.keyboard.press("PageDown");
  await expect(caption).toHaveText(second);
  await lab.whenIdle();
  await expect.poll(() => standsAt(lab)).toBe(2);
  await expect(next).not.toHaveText(second);
  await speaker.getByTestId("speaker-do-hold").click();
  const third = await next.innerText();
  await speaker.keyboard.press("PageDown");
  await expect(caption).toHaveText(third);
  expect(await standsAt(lab), "the audience's picture holds still").toBe(2);
  await speaker.getByTestId("speaker-do-hold").click();
  await expect(lab.get("story-caption")).toHaveAttribute("data-step", "3");
  await speaker.getByTestId("speaker-do-black").click();
  await expect(lab.get("talk-black")).toBeVisible();
  await expect(speaker.getByTestId("speaker-closed")).toBeHidden();
  await speaker.locator("body").click();
  for (const [key, step] of [
    ["End", /^[456]$/],
    ["Home", /^1$/],
  ] as const) {
    await speaker.keyboard.press(key);
    await expect(lab.get("story-caption"), key).toHaveAttribute("data-step", step);
  }
  await speaker.keyboard.press("n");
  await expect(lab.get("talk-bet"), "n shows the answer to the bet").toHaveCount(0);
  await speaker.keyboard.press("Enter");
  await expect(lab.get("story-caption")).toHaveAttribute("data-step", "2");
  await lab.page.reload();
  await lab.whenIdle();
  await expect(
    speaker.getByTestId("speaker-closed"),
    "a talk that is loaded anew is found",
  ).toBeHidden();
  await speaker.keyboard.press("End");
  await expect(lab.get("story-caption")).toHaveAttribute("data-step", /^[456]$/);
  await lab.page.goto("about:blank");
  await expect(speaker.getByTestId("speaker-closed")).toContainText("closed or reloaded");
  await speaker.close();
});

test("terms in a bet lead to the glossary, and the clicker goes on", async ({ lab }) => {
  await lab.open("present/rt-throttling/");
  await expect(lab.get("talk-bet").getByTestId("term").first()).toHaveAttribute(
    "href",
    /glossary\/#/,
  );
  await lab.press("PageDown");
  await expect(lab.get("talk-bet")).toHaveCount(0);
});

test("a lesson is presented: its scenes are slides, a bet stands before its answer, and the address names the scene", async ({
  lab,
  page,
}) => {
  await lab.open("learn/herd/");
  await lab.get("lesson-present").click();
  await expect(page).toHaveURL(/present\/herd\/(#1)?$/);
  await lab.whenIdle();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "projector");
  const scene = lab.get("scene-dots");
  await expect(scene).toHaveAttribute("data-scene", "1");
  await expect(lab.get("talk-bet"), "the bet covers its picture").toBeVisible();
  await expect(lab.get("talk-bet").getByRole("listitem"), "each choice has a line").toHaveText([
    "2 or 3",
    "About 10",
    "Nearly all of them",
  ]);
  await lab.press("PageDown");
  await expect(lab.get("talk-bet")).toHaveCount(0);
  await expect(scene, "the press revealed, it did not go on").toHaveAttribute("data-scene", "1");
  await expect(lab.get("talk-scene")).toContainText("Nearly all of them");
  await lab.press("PageDown");
  await lab.whenIdle();
  await expect(scene).toHaveAttribute("data-scene", "2");
  await expect(lab.get("talk-count"), "the room reads the slide's number").toHaveText("2 of 6");
  await expect(page).toHaveURL(/present\/herd\/#2$/);
  await expectAccessible(lab, "a lesson as a talk");
  await lab.press("PageUp");
  await expect(scene).toHaveAttribute("data-scene", "1");
  await expect(lab.get("talk-leave")).toHaveAttribute("href", /learn\/herd\/#1$/);
});

test("in the speaker's window of a lesson title, goal, text, hint and closing stand apart, and a bet has its choices below", async ({
  lab,
}) => {
  await lab.open("present/herd/");
  const [speaker] = await Promise.all([
    lab.page.context().waitForEvent("page"),
    lab.get("talk-speaker").click(),
  ]);
  const now = (part: string): Locator => speaker.getByTestId(`speaker-now-${part}`);
  await expect(now("caption")).toHaveText("How deep can a queue for a lock be?");
  await expect(now("sentence")).toHaveText("Answer: Nearly all of them.");
  await expect(now("bet").getByRole("listitem")).toHaveText([
    "2 or 3",
    "About 10",
    "Nearly all of them",
  ]);
  await speaker.keyboard.press("End");
  await expect(now("caption")).toHaveText("Your turn");
  await expect(now("sentence")).toHaveText(/^Goal: Turn one knob/);
  await expect(now("notes").getByRole("paragraph")).toHaveText([
    /^A and B/,
    /^Hint: /,
    /^What to do: /,
  ]);
  await speaker.close();
});

test("on a phone every button of a talk is on the screen, and the switch between the sides lies over no word", async ({
  lab,
}) => {
  await lab.page.setViewportSize({ width: 360, height: 740 });
  for (const address of ["present/quota-tree/", "present/herd/"]) {
    await lab.open(address);
    await lab.page.keyboard.press("ArrowRight");
    await lab.whenIdle();
    for (const button of await lab.page.locator(".talk-buttons > *:visible").all())
      await expect(button, address).toBeInViewport({ ratio: 1 });
    const [toggle, caption] = await Promise.all(
      ["side-toggle", "story-caption"].map((id) => lab.get(id).boundingBox()),
    );
    expect((toggle?.y ?? NaN) + (toggle?.height ?? NaN), address).toBeLessThanOrEqual(
      (caption?.y ?? NaN) + 4,
    );
  }
});

test("on a phone on its side both sides have lanes above the foot, the first figure is whole, and so are a bet's choices", async ({
  lab,
}) => {
  await lab.page.setViewportSize({ width: 740, height: 360 });
  for (const address of ["present/quota-stranded/", "present/herd/"]) {
    await lab.open(address);
    const hint = lab.get("talk-bet").getByText("Place your bet");
    await expect(hint, address).toBeInViewport({ ratio: 1 });
    const foot = await lab.page.locator(".talk-foot").boundingBox();
    const end = await hint.boundingBox();
    expect((end?.y ?? NaN) + (end?.height ?? NaN), address).toBeLessThanOrEqual(foot?.y ?? NaN);
    await lab.press("PageDown");
    for (const side of ["a", "b"] as const) {
      const lanes = await lab.get(`lanes-${side}`).boundingBox();
      expect(lanes?.height, address).toBeGreaterThan(30);
      expect((lanes?.y ?? NaN) + (lanes?.height ?? NaN), address).toBeLessThanOrEqual(
        (foot?.y ?? NaN) + 1,
      );
    }
    const number = await lab.get("talk").locator(".guided-figure").first().boundingBox();
    expect((number?.x ?? NaN) + (number?.width ?? NaN), address).toBeLessThanOrEqual(740);
  }
});

test("in a large room the letters grow with the window, and the lanes fill it", async ({ lab }) => {
  await lab.open("present/rt-pull-herd/");
  await lab.press("PageDown");
  const sizes: number[] = [];
  for (const [width, height] of [
    [1280, 720],
    [1920, 1080],
    [2560, 1440],
  ] as const) {
    await lab.page.setViewportSize({ width, height });
    await lab.whenIdle();
    const what = `${width}x${height}`;
    const letters = await lab
      .get("story-caption")
      .evaluate((words) => parseFloat(getComputedStyle(words).fontSize));
    expect(letters / height, what).toBeGreaterThan(0.028);
    sizes.push(letters);
    const [lanes, legend] = await Promise.all([
      lab.get("lanes-b").boundingBox(),
      lab.get("guide-legend").boundingBox(),
    ]);
    const gap = (legend?.y ?? NaN) - ((lanes?.y ?? NaN) + (lanes?.height ?? NaN));
    expect(gap, `${what}: what the lanes leave free`).toBeLessThan(0.05 * height);
  }
  expect(sizes).toEqual([...sizes].sort((one, other) => one - other));
});
