// The first minute with the page: the herd is there, one switch ends it, and nothing is reloaded.

import { DEPTH, expect, HERD, ONE_HERD, PUSH_IPI, SPIN, test } from "./support/lab.ts";
import { LONG, THOROUGH } from "./support/thorough.ts";

for (const address of THOROUGH ? ["", HERD] : [""]) {
  test(`/${address} shows the herd: A waits, B does not`, async ({ lab }) => {
    await lab.open(address);
    await expect(lab.get("question")).toHaveText("Why do 40 CPUs wait for one lock?");
    await expect(lab.get("timeline-a")).toBeVisible();
    await expect(lab.get("timeline-b")).toBeVisible();
    const [depthA = 0, depthB = 0, spinA = 0, spinB = 0] = await lab.headlines(DEPTH, SPIN);
    expect(depthA).toBeGreaterThanOrEqual(8);
    expect(depthA).toBeLessThanOrEqual(40);
    expect(depthB).toBeLessThan(depthA / 4);
    expect(spinA).toBeGreaterThan(5 * spinB);
    await expect(lab.get(`headline-${DEPTH}-a`)).toHaveText(String(depthA));
  });
}

test("flipping RT_PUSH_IPI on A makes both numbers fall; flipping it back restores them exactly; nothing reloads", async ({
  lab,
}) => {
  await lab.open(HERD);
  await lab.mark();
  const before = await lab.headlines(DEPTH, SPIN);
  const digest = await lab.digest("a");

  await lab.flip(PUSH_IPI, "a", "on");
  const [depthA = NaN, depthB, spinA = NaN, spinB] = await lab.headlines(DEPTH, SPIN);
  expect(depthA).toBeLessThan(before[0] ?? 0);
  expect(spinA).toBeLessThan((before[2] ?? 0) / 5);
  expect([depthB, spinB], "B is not touched").toEqual([before[1], before[3]]);
  expect(await lab.digest("a"), "the same machine on both sides").toBe(await lab.digest("b"));

  await lab.flip(PUSH_IPI, "a", "off");
  expect(await lab.headlines(DEPTH, SPIN)).toEqual(before);
  expect(await lab.digest("a")).toBe(digest);
  await lab.expectNoReload();
});

test(
  "CPUs, costs, seed and phase window are turned, and the numbers follow",
  LONG,
  async ({ lab }) => {
    await lab.open(ONE_HERD);
    await lab.mark();
    const slider = lab.get("knob-machine.cpus-slider");
    await slider.focus();
    await slider.press("End");
    await lab.whenIdle();
    await expect(lab.page.locator(".question")).toContainText("256 CPUs");
    const wide = await lab.headline("a", SPIN);
    await slider.focus();
    await slider.press("Home");
    await lab.whenIdle();
    await expect(lab.page.locator(".question")).toContainText("4 CPUs");
    expect(await lab.headline("a", SPIN)).toBeLessThan(wide);
    expect(await lab.headline("a", DEPTH)).toBeLessThanOrEqual(3);
    await lab.get("knob-machine.cpus-reset").click();
    await lab.whenIdle();

    const seen = [await lab.digest("a")];
    const changed = async (): Promise<void> => {
      const digest = await lab.digest("a");
      expect(seen).not.toContain(digest);
      seen.push(digest);
    };
    await lab.flip("machine.costs", "both", "modern_2s_qspin");
    await changed();
    await lab.get("reroll").click();
    await lab.whenIdle();
    await changed();
    await lab.flip("workload.cyclictest.phase_window", "both", "12us");
    await changed();
    await lab.expectNoReload();
  },
);
