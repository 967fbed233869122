// A finger: taps say what lies there, a vertical swipe scrolls, a sideways one pans, and a phone
// shows the picture first.

import { expect, QUICK, test, type Lab } from "./support/lab.ts";

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

test("no key is named beside the answers", async ({ lab }) => {
  await lab.open(QUICK);
  await lab.dock("why");
  await expect(lab.get("worst-a")).toBeVisible();
  await expect(lab.get("selected-wake").locator(".key").first()).toBeHidden();
});

test("the list of questions is closed by its own button, from wherever one has scrolled to", async ({
  lab,
}) => {
  await lab.open(QUICK);
  await lab.get("picker-open").tap();
  await lab.get("tile-paste").scrollIntoViewIfNeeded();
  await lab.get("picker-close").tap();
  await expect(lab.get("picker")).toHaveCount(0);
  await expect(lab.get("picker-open")).toBeFocused();
  await expect(lab.get("question")).toBeInViewport();
});

test("a tap on a lane, or on a lock's track, tells what lies there, and the next touch takes the words away", async ({
  lab,
}) => {
  await lab.open(QUICK);
  const lanes = lab.get("lanes-a");
  await lanes.tap({ position: { x: 200, y: 40 } });
  await expect(lab.get("lane-tip")).toContainText(/^cpu\d+: /);
  await expect(lab.get("lane-tip")).toBeInViewport({ ratio: 1 });
  const box = await lanes.boundingBox();
  if (box === null) throw new Error("no lanes");
  await swipe(lab, { x: box.x + 200, y: box.y + 40 }, { x: -60, y: 0 });
  await expect(lab.get("lane-tip")).toHaveCount(0);
  await lanes.tap({ position: { x: 200, y: 40 } });
  await expect(lab.get("lane-tip")).toBeVisible();
  await lab.get("lock-lane-a").tap({ position: { x: 200, y: 20 } });
  await expect(lab.page.locator(".tl-tip"), "one answer at a time").toHaveCount(1);
  await expect(lab.page.locator(".tl-tip")).toContainText(/^rq \d+ lock: /);
  await lab.get("loop").tap();
  await expect(lab.page.locator(".tl-tip"), "a tap elsewhere").toHaveCount(0);
});

test("a scenario of one's own shows its picture first, under a title of any length; its text is a press away", async ({
  lab,
}) => {
  await lab.page.setViewportSize({ width: 1440, height: 900 });
  await lab.open("lab/");
  await lab.write(
    (await lab.get("editor").inputValue()).replace(
      /"title": "[^"]*"/,
      `"title": "${"a long title ".repeat(20)}"`,
    ),
  );
  await expect(lab.page).toHaveURL(/lab\/#/);
  await lab.page.setViewportSize({ width: 390, height: 844 });
  await lab.page.reload();
  await lab.whenIdle();
  await expect(lab.get("drawer")).toHaveCount(0);
  await expect(lab.get("lanes-a").or(lab.get("lanes-b"))).toBeInViewport({ ratio: 0.5 });
  await lab.get("drawer-open").tap();
  await expect(lab.get("editor")).toBeInViewport();
});

test("a long answer leaves what it is of in sight and most of the picture, and scrolls under the finger", async ({
  lab,
}) => {
  await lab.open("s/quota-stranded/");
  const lanes = lab.get("lanes-a");
  await lanes.scrollIntoViewIfNeeded();
  const [tip, box] = [lab.get("lane-tip"), await lanes.boundingBox()];
  if (box === null) throw new Error("no lanes");
  // At the refill, where there is most to say.
  const at = { x: 213.5, y: box.height - 27 };
  await lab.page.touchscreen.tap(box.x + at.x, box.y + at.y);
  await expect(tip).toBeVisible();
  await lab.whenIdle();
  // The track of the task that was selected has come above it.
  const after = await lanes.boundingBox();
  const words = await tip.boundingBox();
  if (words === null) throw new Error("no answer");
  const [hidden, shown] = await tip.evaluate(
    (each) => [each.scrollHeight, each.clientHeight] as const,
  );
  expect(hidden, "not all of it has room").toBeGreaterThan(shown);
  expect(words.height).toBeLessThan(844 * 0.34);
  const inside = (from: number, length: number, point: number): boolean =>
    point > from && point < from + length;
  expect(
    inside(words.y, words.height, (after?.y ?? NaN) + at.y),
    "what was asked for is covered",
  ).toBe(false);
  await swipe(lab, { x: words.x + 40, y: words.y + words.height - 20 }, { x: 0, y: -90 });
  expect(await tip.evaluate((each) => each.scrollTop)).toBeGreaterThan(30);
  await lab.get("loop").tap();
  await expect(tip, "a tap elsewhere").toHaveCount(0);
});

test("a vertical swipe on the lanes scrolls the page, a sideways one pans", async ({ lab }) => {
  await lab.open(QUICK);
  const box = await lab.get("lanes-a").boundingBox();
  if (box === null) throw new Error("no lanes");
  const at = { x: box.x + box.width / 2, y: Math.min(600, box.y + box.height / 2) };
  const before = await lab.view();
  await swipe(lab, at, { x: -120, y: 0 });
  await lab.whenIdle();
  const panned = await lab.view();
  expect(panned).not.toEqual(before);
  await swipe(lab, at, { x: 0, y: -200 });
  await expect.poll(() => lab.page.evaluate(() => window.scrollY)).toBeGreaterThan(100);
  expect(await lab.view()).toEqual(panned);
});

/** One finger down, along in steps, and up, as the browser itself gets it. */
async function swipe(lab: Lab, { x, y }: Point, by: Point): Promise<void> {
  const session = await lab.page.context().newCDPSession(lab.page);
  const touch = (
    type: "touchStart" | "touchMove" | "touchEnd",
    touchPoints: readonly Point[],
  ): Promise<unknown> =>
    session.send("Input.dispatchTouchEvent", { type, touchPoints: [...touchPoints] });
  await touch("touchStart", [{ x, y }]);
  for (let step = 1; step <= 10; step += 1)
    await touch("touchMove", [{ x: x + (by.x * step) / 10, y: y + (by.y * step) / 10 }]);
  await touch("touchEnd", []);
}

interface Point {
  readonly x: number;
  readonly y: number;
}
