// Moving in time: playhead, playback, zoom.

import { expect, HERD, QUICK, test } from "./support/lab.ts";
import { LONG } from "./support/thorough.ts";

const DURATION_NS = 100_000_000;

test("the playhead follows mouse and keys on the scrubber, single events, and the axis", async ({
  lab,
}) => {
  await lab.open(HERD);
  await lab.scrub(0.25);
  expect(Math.abs((await lab.playhead()) - DURATION_NS / 4)).toBeLessThan(DURATION_NS / 200);
  await lab.scrub(0.25, 0.75);
  expect(Math.abs((await lab.playhead()) - 0.75 * DURATION_NS)).toBeLessThan(DURATION_NS / 200);

  const scrubber = lab.get("scrubber");
  const at = await lab.playhead();
  await scrubber.press("ArrowLeft");
  await expect(lab.clock).toHaveAttribute("data-ns", String(at - DURATION_NS / 100));
  await scrubber.press("Home");
  await expect(lab.clock).toHaveAttribute("data-ns", "0");
  await expect(scrubber).toHaveAttribute("aria-valuenow", "0");

  await lab.press("k", "k");
  const second = await lab.playhead();
  expect(second).toBeGreaterThan(0);
  await lab.get("step-on").click();
  await expect.poll(() => lab.playhead()).toBeGreaterThan(second);
  await lab.press("j");
  await expect(lab.clock).toHaveAttribute("data-ns", String(second));
});

test("W, S and 0 zoom the axis; panning moves it", async ({ lab }) => {
  await lab.open(QUICK);
  await lab.press("0");
  const whole = await lab.axis();
  await lab.press("w", "w", "w");
  await expect.poll(() => lab.axis()).not.toEqual(whole);
  const near = await lab.axis();
  // Some of the view a time: after a few, another label is in sight. The stretch shown may end
  // where the run does.
  await lab.press("d", "d", "d", "d");
  await expect.poll(() => lab.axis()).not.toEqual(near);
  await lab.press("a", "a", "a", "a");
  await expect.poll(() => lab.axis()).toEqual(near);
  await lab.press("s", "s", "s", "s", "s", "s", "s", "s");
  await expect.poll(() => lab.axis()).toEqual(whole);
});

test(
  "the speed follows the view, wherever one has come to, until it is chosen",
  LONG,
  async ({ lab }) => {
    const speed = async (): Promise<number> =>
      Number(await lab.get("speed").getAttribute("data-ns-per-second"));
    await lab.open("s/quota-tree/");
    await lab.press("0");
    const duration = await lab.get("scrubber").getAttribute("aria-valuemax");
    expect(await speed()).toBe(Math.round(Number(duration) / 8));
    await lab.press("w");
    expect(await speed()).toBeLessThan(Number(duration) / 8);
    await lab.get("speed").selectOption({ index: 3 });
    const chosen = await speed();
    await lab.press("0");
    expect(await speed(), "the viewer's own").toBe(chosen);
    await lab.get("picker-open").click();
    await lab.get("tile-rt-pull-herd").click();
    await lab.whenIdle();
    await lab.press("0");
    expect(await speed(), "another scenario, by its view again").toBe(DURATION_NS / 8);
  },
);

test("under reduced motion playing moves in steps, and nothing animates", async ({ lab }) => {
  await lab.open(QUICK);
  const start = await lab.playhead();
  await lab.page.keyboard.press("Space");
  await expect(lab.get("play")).toHaveAccessibleName("Pause");
  // In frames, not in ms: a loaded machine delays what a clock would measure.
  const between = await lab.clock.evaluate(
    (clock) =>
      new Promise<readonly number[]>((done) => {
        let frames = 0;
        const count = (): void => {
          frames += 1;
          requestAnimationFrame(count);
        };
        count();
        const steps: number[] = [];
        new MutationObserver((_, observer) => {
          steps.push(frames);
          if (steps.length < 3) return;
          observer.disconnect();
          done(steps.slice(1).map((at, index) => at - (steps[index] ?? 0)));
        }).observe(clock, { attributes: true, attributeFilter: ["data-ns"] });
      }),
  );
  expect(Math.min(...between), "frames between two steps").toBeGreaterThan(5);
  const animations = await lab.page.evaluate(
    () => document.getAnimations().filter(({ playState }) => playState === "running").length,
  );
  expect(animations).toBe(0);
  await lab.press("Space");
  await expect(lab.get("play")).toHaveAccessibleName("Play");
  expect(await lab.playhead(), "on, or anew from the left edge").not.toBe(start);
});

test.describe("with motion", () => {
  test.use({ motion: "no-preference" });

  test("the first step plays once, a press on the picture ends it, and Space plays and pauses", async ({
    lab,
  }) => {
    await lab.page.goto(HERD);
    await expect(lab.get("play")).toHaveAccessibleName("Pause");
    await lab.get("lanes-a").click({ position: { x: 300, y: 50 } });
    await expect(lab.get("play")).toHaveAccessibleName("Play");
    await lab.whenIdle();
    const start = await lab.playhead();
    await lab.page.keyboard.press("Space");
    await expect(lab.get("play")).toHaveAccessibleName("Pause");
    await expect.poll(() => lab.playhead()).toBeGreaterThan(start);
    await lab.press("Space");
    const rest = await lab.playhead();
    await lab.press("Shift");
    expect(await lab.playhead()).toBe(rest);
  });
});
