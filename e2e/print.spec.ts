// Paper: the picture as it is on screen, on white, whatever the theme and whatever moves.

import { expect, QUICK, test, type Lab } from "./support/lab.ts";
import { printed } from "./support/paper.ts";

/**
 * The canvases of the lanes and of the marks over them, of both sides, as they are on paper: of one
 * height with those on screen, or nearly.
 */
async function expectLanes(lab: Lab, near = 0): Promise<void> {
  const [width, height] = await lab
    .get("lanes-a")
    .locator("canvas")
    .first()
    .evaluate((canvas: HTMLCanvasElement) => [canvas.width, canvas.height]);
  const { images } = await printed(lab);
  const own = images.filter(
    (image) => image.width === width && Math.abs(image.height - height) <= near,
  );
  expect(
    own,
    "lanes and marks of both sides, as dots: drawn anew as shapes the marks would wipe the lanes",
  ).toHaveLength(4);
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

  test("the whole picture is printed, not what the playhead has passed, and playing has ended", async ({
    lab,
  }) => {
    await lab.open(QUICK);
    await lab.choose("dark");
    await lab.get("play").click();
    await expect(lab.get("play")).toHaveAttribute("aria-label", "Pause");
    await expectLanes(lab);
    await expect(lab.get("play")).toHaveAttribute("aria-label", "Play");
    await expect(lab.page.locator(".tl-veil-on")).toHaveCount(0);
  });
});

/** A sheet of A4 with the page's margins, CSS px. */
const UPRIGHT = { width: 688, height: 1016 };
const ON_ITS_SIDE = { width: 1016, height: 688 };

async function layOut(
  lab: Lab,
  sheet: { readonly width: number; readonly height: number },
): Promise<void> {
  await lab.page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  await lab.page.emulateMedia({ media: "print" });
  await lab.page.setViewportSize(sheet);
}

test("figures and the whole picture share the first sheet, upright and on its side", async ({
  lab,
}) => {
  await lab.open("s/quota-burst/");
  for (const sheet of [UPRIGHT, ON_ITS_SIDE]) {
    await layOut(lab, sheet);
    for (const id of ["headline", "stage", "paper-source-0", "paper-source-1"]) {
      const box = await lab.get(id).boundingBox();
      if (box === null) throw new Error(`${id} is not printed`);
      expect(box.x + box.width, id).toBeLessThanOrEqual(sheet.width + 1);
      expect(box.y + box.height, id).toBeLessThanOrEqual(sheet.height);
    }
    const stage = await lab.get("machine").boundingBox();
    expect(stage?.width, "the picture has most of the sheet's width").toBeGreaterThan(
      sheet.width * 0.6,
    );
  }
  expect((await printed(lab, { landscape: true })).pages).toBeLessThanOrEqual(6);
});

test("on half a sheet, too, what the runs come from stands right below the picture", async ({
  lab,
}) => {
  await lab.open(QUICK);
  const half = { width: 453, height: 688 };
  await layOut(lab, half);
  const [machine, ...sources] = await Promise.all(
    ["machine", "paper-source-0", "paper-source-1"].map((id) => lab.get(id).boundingBox()),
  );
  expect(sources[0]?.y).toBeLessThan((machine?.y ?? NaN) + (machine?.height ?? NaN) + 20);
  for (const box of sources)
    expect((box?.y ?? NaN) + (box?.height ?? NaN)).toBeLessThanOrEqual(half.height);
});

test("a phone's first sheet has figures, picture and where they come from", async ({ lab }) => {
  for (const scenario of [QUICK, "s/quota-burst/"]) {
    await lab.page.emulateMedia({ media: "screen" });
    await lab.page.setViewportSize({ width: 390, height: 844 });
    await lab.open(scenario);
    await expect(lab.get("paper-source-0"), "not on screen").toHaveCount(0);
    await layOut(lab, UPRIGHT);
    for (const id of ["headline", "machine", "paper-source-0", "paper-source-1"]) {
      const box = await lab.get(id).boundingBox();
      expect((box?.y ?? NaN) + (box?.height ?? NaN), `${id} of ${scenario}`).toBeLessThanOrEqual(
        UPRIGHT.height,
      );
    }
    expect(
      (await lab.get("machine").boundingBox())?.width,
      "the picture is as wide as the sheet",
    ).toBeGreaterThan(UPRIGHT.width * 0.9);
    await lab.page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
  }
});

test("a sheet says scenario, seed, stretch, engine and link, below the picture and above the answers", async ({
  lab,
}) => {
  await lab.open(QUICK);
  const link = await lab.copyLink();
  await layOut(lab, UPRIGHT);
  await expect(lab.get("paper-source-0")).toHaveText(
    /^schedscope · rt-pull-herd · seed 7 · .+ to .+ · engine \S+ · digests A \S+ B \S+$/,
  );
  await expect(lab.get("paper-source-1")).toHaveText(link);
  const tops = await Promise.all(
    ["machine", "paper-source-0", "dock"].map(
      async (id) => (await lab.get(id).boundingBox())?.y ?? NaN,
    ),
  );
  expect(tops).toEqual([...tops].sort((one, other) => one - other));
});

test("a lesson's sheet says where its runs come from, and not while a bet on them is open", async ({
  lab,
}) => {
  for (const [scene, lines] of [
    [1, 0],
    [2, 1],
  ] as const) {
    await lab.page.emulateMedia({ media: "screen" });
    await lab.open(`learn/migrate/?seed=5#${String(scene)}`);
    await expect(lab.get("lesson")).toHaveAttribute("data-scene", String(scene));
    await expect(lab.get("lesson")).toHaveAttribute("data-betting", String(lines === 0));
    await lab.page.emulateMedia({ media: "print" });
    await expect(lab.get("machine"), "a bet hides the answer").toBeVisible({
      visible: lines === 1,
    });
    await expect(lab.get("paper-source-0")).toHaveCount(lines);
  }
});

test("histograms are as wide as the sheet, upright and on its side, and no wider than the dock on screen again", async ({
  lab,
}) => {
  await lab.open(QUICK);
  await lab.dock("latency");
  const chart = lab.get("dock").locator(".chart svg").first();
  const wide = (await chart.boundingBox())?.width ?? NaN;
  for (const sheet of [UPRIGHT, ON_ITS_SIDE]) {
    await layOut(lab, sheet);
    await expect
      .poll(async () => (await chart.boundingBox())?.width, `on ${String(sheet.width)} px`)
      .toBeGreaterThan(sheet.width * 0.9);
    expect((await chart.boundingBox())?.width).toBeLessThanOrEqual(sheet.width);
  }
  await lab.page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
  await lab.page.emulateMedia({ media: "screen" });
  await lab.page.setViewportSize({ width: 1440, height: 900 });
  await expect.poll(async () => (await chart.boundingBox())?.width).toBe(wide);
});

test("an open table is printed whole, row after row, without its controls; of a long one the first rows, and how many there are", async ({
  lab,
}) => {
  await lab.open(QUICK);
  await lab.dock("numbers");
  const expectRows = async (table: string, most: number): Promise<void> => {
    const rows = lab.get(`numbers-${table}`).locator(".data-body [role=row]");
    const all = Number(await lab.get(`numbers-${table}`).getAttribute("data-rows"));
    await expect(rows).toHaveCount(Math.min(all, most));
    const boxes = await rows.evaluateAll((each) =>
      each.map((row) => row.getBoundingClientRect()).map(({ top, bottom }) => [top, bottom]),
    );
    for (const [at, [top = NaN]] of boxes.entries())
      expect(top).toBeGreaterThanOrEqual(boxes[at - 1]?.[1] ?? 0);
    const [inside, seen] = await lab
      .get(`numbers-${table}`)
      .evaluate((grid) => [grid.scrollHeight, grid.clientHeight] as const);
    expect(seen, "nothing is cut").toBe(inside);
  };
  await expect(lab.get("numbers-metrics")).toHaveAttribute("data-rows", /^\d\d+$/);
  await lab.page.emulateMedia({ media: "print" });
  await expectRows("metrics", Infinity);
  for (const id of ["numbers-search", "numbers-tab-tasks", "numbers-csv"])
    await expect(lab.get(id)).toBeHidden();
  await lab.page.emulateMedia({ media: "screen" });
  await lab.get("numbers-tab-wake-ups").click();
  await lab.get("numbers-scope").selectOption("all");
  await expect(lab.get("numbers-wakeups")).toHaveAttribute("data-rows", /^\d{4,}$/);
  await lab.page.emulateMedia({ media: "print" });
  await expectRows("wakeups", 200);
  await expect(lab.get("numbers").getByRole("status").last()).toHaveText(
    /^[\d\u202f]+ rows, the first 200 printed: the CSV file has all$/,
  );
});

test("bars and swatches are printed though they are backgrounds, and no ring of the focus is", async ({
  lab,
}) => {
  await lab.open("s/quota-burst/");
  await lab.dock("numbers");
  await lab.page.keyboard.press("Tab");
  await expect(lab.get("dock-panel-numbers")).toBeFocused();
  const ring = (): Promise<string> =>
    lab.get("dock-panel-numbers").evaluate((panel) => getComputedStyle(panel).outlineStyle);
  await expect.poll(ring).toBe("solid");
  await lab.page.emulateMedia({ media: "print" });
  await expect.poll(ring).toBe("none");
  for (const part of [".quota-part", ".quota-key", ".bar-a", ".badge.side-a"])
    expect(
      await lab.page
        .locator(part)
        .first()
        .evaluate((swatch) => getComputedStyle(swatch).getPropertyValue("print-color-adjust")),
    ).toBe("exact");
});

test("answers that were never opened are on the first sheets, where the dock is closed", async ({
  lab,
}) => {
  await lab.page.setViewportSize({ width: 1024, height: 768 });
  await lab.open(QUICK);
  await expect(lab.get("dock")).toHaveCount(0);
  const first = await printed(lab);
  // Sources alone take more than a sheet; by the second print whatever the first one asked for has
  // come.
  expect(first.pages).toBeGreaterThan(2);
  expect((await printed(lab)).pages).toBe(first.pages);
});

test("what opens for paper takes no width from the picture's dots", async ({ lab }) => {
  await lab.open(QUICK);
  await lab.press("KeyQ");
  await expect(lab.get("dock")).toHaveCount(0);
  const wide = (await lab.get("machine").boundingBox())?.width;
  const printedWide = await lab.page.evaluate(() => {
    window.dispatchEvent(new Event("beforeprint"));
    return document.documentElement.style.getPropertyValue("--stage-width");
  });
  expect(printedWide).toBe(`${String(wide)}px`);
  await expect(lab.get("dock"), "its answers are printed").toHaveCount(1);
  await lab.page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
  await expect(lab.get("dock")).toHaveCount(0);
});

test("a phone, which shows one side, prints both, drawn as wide as the sheet, and shows one again as it was", async ({
  lab,
}) => {
  for (const [scenario, width, height] of [
    [QUICK, 390, 844],
    ["s/quota-tree/", 360, 640],
  ] as const) {
    await lab.page.setViewportSize({ width, height });
    await lab.open(scenario);
    await expect(lab.get("lanes-b")).toHaveCount(0);
    const canvas = lab.get("lanes-a").locator("canvas").first();
    const before = await canvas.evaluate((lanes: HTMLCanvasElement) => [lanes.width, lanes.height]);
    const { images } = await printed(lab);
    const wide = images.filter((image) => image.width > UPRIGHT.width - 10 && image.height > 80);
    expect(wide.length, "lanes and marks of both sides").toBeGreaterThanOrEqual(4);
    expect(wide[0]?.hue, "states are in colour").toBeGreaterThan(0.01);
    expect(wide[0]?.white, "on white").toBeGreaterThan(0.1);
    await expect(lab.get("lanes-b")).toHaveCount(0);
    await expect
      .poll(() => canvas.evaluate((lanes: HTMLCanvasElement) => [lanes.width, lanes.height]))
      .toEqual(before);
    expect(await lab.page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
});

test("what a sheet may break is no grid, and a total is printed once, below the last row", async ({
  lab,
}) => {
  await lab.open("s/quota-burst/");
  await lab.dock("numbers");
  await lab.press("KeyL");
  await lab.dock("why");
  await expect(lab.get("selected-wake")).toBeVisible();
  await layOut(lab, UPRIGHT);
  for (const part of [".selected-wake", ".waterfalls", ".side-waterfall", ".provenance"])
    await expect(lab.page.locator(part).first(), part).toHaveCSS("display", "block");
  await expect(
    lab.get("selected-wake").locator("tfoot").first(),
    "not a foot, which each sheet repeats",
  ).toHaveCSS("display", "table-row-group");
  await lab.page.emulateMedia({ media: "screen" });
  await lab.dock("numbers");
  await lab.page.emulateMedia({ media: "print" });
  for (const part of [".quota-group", ".quota-sides", ".quota-side"])
    await expect(lab.page.locator(part).first(), part).toHaveCSS("display", "block");
});

test("a dialog or a note that is open is not printed over the page", async ({ lab }) => {
  await lab.open(QUICK);
  await lab.page.keyboard.press("?");
  const dialog = lab.page.locator("dialog[open]");
  await expect(dialog).toBeVisible();
  await lab.page.emulateMedia({ media: "print" });
  await expect(dialog).toBeHidden();
  await lab.page.emulateMedia({ media: "screen" });
  await lab.page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  const note = lab.page.locator(".knob-reasons").first();
  await note.evaluate((popover: HTMLElement) => popover.showPopover());
  await expect(note).toBeVisible();
  await lab.page.emulateMedia({ media: "print" });
  await expect(note).toBeHidden();
});

test("a sheet says how many of the rows it has, where the screen had not room for all", async ({
  lab,
}) => {
  await lab.open(QUICK);
  await layOut(lab, UPRIGHT);
  await expect(lab.get("lanes-a")).toBeVisible();
  await expect(lab.get("cut-a"), "all are there").toHaveCount(0);
  await lab.page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
  await lab.page.emulateMedia({ media: "screen" });
  await lab.page.setViewportSize({ width: 1440, height: 480 });
  await expect(lab.get("cut-a"), "the screen scrolls").toHaveCount(0);
  await layOut(lab, UPRIGHT);
  for (const side of ["a", "b"])
    await expect(lab.get(`cut-${side}`)).toHaveText(/^\d+ of \d+ CPUs shown$/);
});
