// Back, forward, undo, redo: every settled change can be left and returned to, with the numbers it
// had.

import { DEPTH, expect, PUSH_IPI, QUICK, SPIN, test } from "./support/lab.ts";
import { LONG } from "./support/thorough.ts";

test("back and forward walk through knob changes", async ({ lab }) => {
  await lab.open(QUICK);
  await lab.mark();
  const first = await lab.headlines(DEPTH, SPIN);
  await lab.flip(PUSH_IPI, "a", "on");
  await expect(lab.page).toHaveURL(/a\.kernel\.rt_push_ipi=on/);
  const second = await lab.headlines(DEPTH, SPIN);
  expect(second).not.toEqual(first);
  await lab.get("reroll").click();
  await lab.whenIdle();
  await expect(lab.page).toHaveURL(/seed=8/);
  const third = await lab.headlines(DEPTH, SPIN);

  await lab.page.goBack();
  await lab.whenIdle();
  expect(await lab.headlines(DEPTH, SPIN)).toEqual(second);
  await lab.page.goBack();
  await lab.whenIdle();
  expect(await lab.headlines(DEPTH, SPIN)).toEqual(first);
  await lab.page.goForward();
  await lab.page.goForward();
  await lab.whenIdle();
  await expect(lab.page).toHaveURL(/seed=8/);
  expect(await lab.headlines(DEPTH, SPIN)).toEqual(third);
  await lab.expectNoReload();
});

test("undo and redo, by key and by button", async ({ lab }) => {
  await lab.open(QUICK);
  const first = await lab.headlines(DEPTH, SPIN);
  await lab.flip(PUSH_IPI, "a", "on");
  const second = await lab.headlines(DEPTH, SPIN);
  await lab.knob(PUSH_IPI, "a").blur();
  await lab.press("Control+z");
  expect(await lab.headlines(DEPTH, SPIN)).toEqual(first);
  await expect(lab.get("undo")).toBeDisabled();
  await lab.press("Control+Shift+Z");
  expect(await lab.headlines(DEPTH, SPIN)).toEqual(second);
  await lab.get("undo").click();
  await lab.whenIdle();
  expect(await lab.headlines(DEPTH, SPIN)).toEqual(first);
  await lab.get("redo").click();
  await lab.whenIdle();
  expect(await lab.headlines(DEPTH, SPIN)).toEqual(second);
});

test("a text that was run in the editor or the drawer is taken back by undo on the page, which says so", async ({
  lab,
}) => {
  await lab.open(QUICK);
  const first = await lab.headlines(DEPTH, SPIN);
  await lab.get("drawer-open").click();
  await lab.get("scenario-editor-open").click();
  await lab.get("scenario-editor-start").selectOption("two tasks, one CPU");
  await expect(lab.get("scenario-editor-fine")).toContainText("This text is a valid scenario");
  await lab.get("scenario-editor-run").click();
  await lab.whenIdle();
  await expect(lab.page).toHaveURL(/\/lab\//);
  const own = await lab.get("question").innerText();
  await lab.get("scenario-editor-open").focus();
  await lab.press("Control+z");
  await expect(lab.page).toHaveURL(/\/s\/rt-pull-herd\/#/);
  await expect(lab.get("reply-line")).toHaveText(
    /^Undone: the text “.*” in place of “.*”\. Nothing more can be undone\.$/,
  );
  await expect(lab.get("replied")).toContainText("Undone: the text");
  expect(await lab.headlines(DEPTH, SPIN)).toEqual(first);
  await lab.press("Control+Shift+Z");
  await expect(lab.get("question")).toHaveText(own);
  await expect(lab.get("reply-line")).toHaveText(/^Redone: the text/);
  await lab.press("Control+z");
  await lab.write((await lab.get("editor").inputValue()).replace('"seed": 7', '"seed": 8'));
  await expect(lab.page).toHaveURL(/\/lab\//);
  await lab.press("Control+z");
  await expect(lab.get("reply-line")).toHaveText(/^Undone: an edit of the scenario’s text\./);
  expect(await lab.headlines(DEPTH, SPIN)).toEqual(first);
  await lab.press("Control+z");
  await expect(lab.get("reply-line")).toHaveText("There is nothing to undo.");
});

test("another question and back: each address shows its own scenario", LONG, async ({ lab }) => {
  await lab.open(QUICK);
  const first = await lab.headlines(DEPTH, SPIN);
  await lab.get("picker-open").click();
  await lab.get("picker-search").fill("fifo");
  await lab.get("tile-rt-fifo-preempt").click();
  await lab.whenIdle();
  await expect(lab.page).toHaveURL(/\/s\/rt-fifo-preempt\/$/);
  await expect(lab.get("question")).not.toHaveText("Why do 16 CPUs wait for one lock?");
  await lab.page.goBack();
  await lab.whenIdle();
  await expect(lab.get("question")).toHaveText("Why do 16 CPUs wait for one lock?");
  expect(await lab.headlines(DEPTH, SPIN)).toEqual(first);
});

test("a question in one's own words finds the scenarios nearest to it; on a phone nothing lies over the bar of time", async ({
  lab,
}) => {
  await lab.page.setViewportSize({ width: 390, height: 844 });
  await lab.open("s/priority-inheritance/");
  const over = await lab.get("lanes-open").evaluate((button) => {
    const { left, top, width, height } = button.getBoundingClientRect();
    return (
      document.elementFromPoint(left + width / 2, top + height / 2) === button &&
      top > window.innerHeight - 100
    );
  });
  expect(over).toBe(false);
  await lab.get("picker-open").click();
  await lab.get("picker-search").fill("why is my pod throttled below its limit");
  await expect(lab.get("tile-quota-average-lies")).toBeVisible();
  await lab.get("picker-search").fill("qqq zzz");
  await expect(lab.get("picker").getByText("No scenario speaks of")).toBeVisible();
  await lab.get("picker-topic-nohz_full").click();
  await expect(lab.get("tile-quiet-core")).toBeVisible();
});
