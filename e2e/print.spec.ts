// Paper: the picture as it is on screen, on white, whatever the theme and whatever moves.

import { expect, QUICK, test, type Lab } from "./support/lab.ts";
import { printed } from "./support/paper.ts";

/** The canvases of the lanes and of the marks over them, of both sides, as they are on paper. */
async function expectLanes(lab: Lab): Promise<void> {
  const [width, height] = await lab
    .get("lanes-a")
    .locator("canvas")
    .first()
    .evaluate((canvas: HTMLCanvasElement) => [canvas.width, canvas.height]);
  const { images } = await printed(lab);
  const own = images.filter((image) => image.width === width && image.height === height);
  expect(own, "lanes and marks of both sides, as dots: drawn anew as shapes the marks would wipe the lanes").toHaveLength(4);
  for (const lanes of [own[0], own[2]]) {
    expect(lanes?.hue, "states are in colour").toBeGreaterThan(0.01);
    expect(lanes?.white, "on white").toBeGreaterThan(0.3);
  }
}

test("the lanes are printed on white from every theme", async ({ lab }) => {
  await lab.open(QUICK);
  for (const theme of ["dark", "light", "dark"] as const) {
    await lab.choose(theme);
    await expectLanes(lab);
  }
});

test.describe("while it plays", () => {
  test.use({ contextOptions: { reducedMotion: "no-preference" } });

  test("the whole picture is printed, not what the playhead has passed, and playing has ended", async ({ lab }) => {
    await lab.open(QUICK);
    await lab.choose("dark");
    await lab.get("play").click();
    await expect(lab.get("play")).toHaveAttribute("aria-label", "Pause");
    await expectLanes(lab);
    await expect(lab.get("play")).toHaveAttribute("aria-label", "Play");
    await expect(lab.page.locator(".tl-veil-on")).toHaveCount(0);
  });
});
