// A lesson as somebody takes it: bet, reveal, step back, puzzle, and on from where one stopped.

import { expectAccessible } from "./support/axe.ts";
import { expect, test } from "./support/lab.ts";

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

test("a lesson that is not there says so; all lessons stand below the questions", async ({ lab }) => {
  await lab.open("");
  await lab.get("picker-open").click();
  await lab.get("lesson-lazy").click();
  await lab.whenIdle();
  await expect(lab.get("lesson")).toBeVisible();
  expect(new URL(lab.page.url()).pathname).toBe("/learn/lazy/");
});
