// A lesson as somebody takes it: bet, reveal, step back, puzzle, and on from where one stopped.

import { expectAccessible } from "./support/axe.ts";
import { expect, test } from "./support/lab.ts";
import { LONG } from "./support/thorough.ts";

test("a bet comes before its picture, step back works, the engine judges the puzzle, and a reload goes on from there", async ({ lab }) => {
  await lab.open("learn/migrate/");
  await expect(lab.page).toHaveTitle("The task that waited 20 ms for a weaker one · schedscope");
  await expect(lab.get("lesson-scene"), "the answer waits for the bet").not.toContainText("A breaks the promise");
  await lab.get("lesson-choice-1").click();
  await expect(lab.get("lesson-scene")).toContainText("The run says: In an old kernel sometimes a stronger one.");
  await expect(lab.get("lesson-scene"), "figures are those of the runs").toContainText(/task 1 waits [\d.]+ ms/);
  for (let scene = 2; scene <= 5; scene += 1) {
    await lab.get("lesson-next").click();
    await lab.whenIdle();
    await expect(lab.get("lesson")).toHaveAttribute("data-scene", String(scene));
  }
  await expect(lab.get("lesson-judge")).toContainText("Not there yet");
  await expectAccessible(lab, "a lesson");
  await lab.flip("kernel.rt_balance", "a", "active_plist");
  await expect(lab.get("lesson-judge")).toContainText("Solved");
  await lab.get("lesson-back").click();
  await lab.whenIdle();
  await lab.page.reload();
  await lab.whenIdle();
  await expect(lab.get("lesson"), "progress is kept").toHaveAttribute("data-scene", "4");
  await expect(lab.get("lesson-lab")).toHaveAttribute("href", /\/s\/rt-migrate\/#/);
  await lab.get("lesson-dot-1").click();
  await expect(lab.get("lesson-choice-1")).toBeDisabled();
});

test("the keys of the page work in a lesson: K tells the next event, arrows and page keys walk the scenes", async ({ lab }) => {
  await lab.open("learn/push-ipi/");
  await lab.get("lesson-dot-6").click();
  await lab.whenIdle();
  await expect(lab.get("lesson-scene")).toContainText("Press K to go from event to event.");
  const before = await lab.playhead();
  await lab.press("k");
  const event = await lab.playhead();
  expect(event).toBeGreaterThan(before);
  await expect(lab.get("event-line"), "what happens there is said").toContainText(/CPU \d/);
  await lab.press("j");
  expect(await lab.playhead()).toBeLessThan(event);
  await lab.press("k", "]");
  await expect(lab.get("event-line").or(lab.get("reply-line")), "along causes").toBeVisible();
  await lab.press("x", "v", "Control+Enter");
  await expect(lab.get("lesson-lab"), "no key makes other runs than those of the text").not.toHaveAttribute("href", /seed|rt_balance/);
  await lab.press("PageDown");
  await expect(lab.get("lesson")).toHaveAttribute("data-scene", "7");
  await lab.press("ArrowLeft", "PageUp");
  await expect(lab.get("lesson")).toHaveAttribute("data-scene", "5");
  await lab.press("ArrowRight");
  await expect(lab.get("lesson")).toHaveAttribute("data-scene", "6");
  await lab.get("lesson-scene").locator("h2").click();
  await lab.page.keyboard.press("Space");
  await expect(lab.get("play"), "no button has the focus: the key plays").toHaveAccessibleName("Pause");
  await lab.page.keyboard.press("Space");
  await expect(lab.get("play")).toHaveAccessibleName("Play");
  await lab.open("learn/herd/");
  const covered = await lab.playhead();
  await lab.press("k", "Space");
  expect(await lab.playhead(), "no key looks below the cover of a bet").toBe(covered);
});

test("a lesson that is not there says so; all lessons stand below the questions", LONG, async ({ lab }) => {
  await lab.open("");
  await lab.get("picker-open").click();
  await lab.get("lesson-lazy").click();
  await lab.whenIdle();
  await expect(lab.get("lesson")).toBeVisible();
  expect(new URL(lab.page.url()).pathname).toBe("/learn/lazy/");
});

test("words of a lesson and lanes of its picture mark each other, by pointer and by keyboard", LONG, async ({ lab }) => {
  await lab.open("learn/stranded-quota/");
  await lab.get("lesson-dot-4").click();
  await lab.whenIdle();
  const word = lab.get("lesson-word");
  const emphasised = lab.page.locator('[data-emphasis="0"]');
  await expect(word).toHaveText("The fast thread");
  await expect(word).toHaveAttribute("title", "In the picture: CPU 0");
  await expect(emphasised, "all lanes are alike").toHaveCount(0);
  await word.hover();
  await expect(emphasised.first()).toBeVisible();
  await lab.get("lesson-back").hover();
  await expect(emphasised, "the words are left").toHaveCount(0);
  await lab.get("lesson-back").focus();
  const terms = await lab.get("lesson-scene").getByTestId("term").count();
  for (let each = 0; each <= terms; each += 1) await lab.press("Shift+Tab");
  await expect(word, "it is reached by the keyboard, before the terms that follow it").toBeFocused();
  await expect(emphasised.first()).toBeVisible();
  await expect(word).toHaveAttribute("data-pointed", "false");
  await lab.page.locator('[data-cpu="0"]').first().focus();
  await expect(word, "a lane that is pointed at marks its words").toHaveAttribute("data-pointed", "true");
  await expect(emphasised, "the words are left by the keyboard").toHaveCount(0);
  await expectAccessible(lab, "a lesson with named words");
});
