// More than A and B: the previous run as a ghost, and a scenario's other variants as strips and as
// tiles.

import { expect, HERD, QUICK, test, type Lab } from "./support/lab.ts";
import { LONG } from "./support/thorough.ts";

const PUSH = "kernel.rt_push_ipi";
const DEPTH = "rq_lock.max_waiters";

/** Pixels that a layer of a side shows. */
async function inkOf(lab: Lab, id: string): Promise<number> {
  return lab.get(id).evaluate((element) => {
    if (!(element instanceof HTMLCanvasElement)) throw new Error("no canvas");
    const { width, height } = element;
    const data =
      element.getContext("2d")?.getImageData(0, 0, width, height).data ?? new Uint8ClampedArray(0);
    let ink = 0;
    for (let at = 3; at < data.length; at += 4) if (data[at] !== 0) ink += 1;
    return ink;
  });
}

test("the previous run stays as a ghost: its picture under the lanes, its figures, its distribution, said and explained; G shows and hides it", async ({
  lab,
}) => {
  await lab.open(QUICK);
  await expect(lab.get("ghost"), "there is no previous run yet").toHaveCount(0);
  const before = await lab.headline("a", DEPTH);
  await lab.flip(PUSH, "a", "on");
  await expect(lab.get("ghost-a"), "off until it is asked for").toHaveCount(0);
  await lab.page.locator("body").click({ position: { x: 2, y: 2 } });
  await lab.press("g");
  await expect(lab.get(`was-${DEPTH}`)).toHaveText(`before: A ${String(before)}`);
  await expect(lab.get("ghost-words-a")).toHaveText(/^before: .* off/);
  await expect(lab.get("ghost-words")).toHaveText(/^A before: .* off/);
  await expect(lab.get("timeline-legend")).toContainText("the other run, idle here");
  await expect.poll(() => inkOf(lab, "ghost-a")).toBeGreaterThan(100);
  await expect(lab.get("ghost-b"), "B is what it was").toHaveCount(0);
  await lab.dock("latency");
  await expect(lab.get("histogram-a-before")).toHaveAttribute("d", /^M.*V/);
  await expect(lab.get("histogram-b-before")).toHaveCount(0);
  await lab.get("ghost").click();
  await lab.whenIdle();
  await expect(
    lab
      .get("ghost-a")
      .or(lab.get(`was-${DEPTH}`))
      .or(lab.get("histogram-a-before")),
  ).toHaveCount(0);
});

test("A lies under B on demand: B’s lanes then show what only A does", async ({ lab }) => {
  await lab.open(QUICK);
  await lab.press("Shift+G");
  await expect(lab.get("ghost-words-b")).toHaveText(/^over A: /);
  await expect.poll(() => inkOf(lab, "ghost-b")).toBeGreaterThan(100);
  await expect(lab.get("ghost-a")).toHaveCount(0);
  await lab.press("Shift+G");
  await expect(lab.get("ghost-b")).toHaveCount(0);
});

const PUSHED = "push by IPI";
const ONE_PULL = "one herd at a time, pull";
const ONE_PUSH = "one herd at a time, push by IPI";

/** The figure of a strip; it has its value once it is of the present knobs. */
async function stripFigure(lab: Lab, letter: "c" | "d", metric = DEPTH): Promise<number> {
  const figure = lab.get(`strip-${letter}-${metric}`);
  await expect(figure).toHaveAttribute("data-value", /^\d+$/);
  return Number(await figure.getAttribute("data-value"));
}

test("a third and a fourth variant stand below as strips: figures, the same axis, open and fold, in the link, and one becomes B", async ({
  lab,
  elsewhere,
}) => {
  await lab.open(QUICK);
  await lab.get("strip-add").click();
  await lab.get("strip-add").click();
  await expect(lab.get("strip-add"), "four runs are all there may be").toHaveCount(0);
  await lab.whenIdle();
  await expect(lab.get("variant-c")).toHaveValue(ONE_PULL);
  const figures = [await stripFigure(lab, "c"), await stripFigure(lab, "d")];
  await expect(lab.get("strip-c-said")).toContainText(`C, ${ONE_PULL}, CPUs 16: `);

  const left = async (id: string): Promise<number> => (await lab.get(id).boundingBox())?.x ?? NaN;
  expect(await left("strip-c-picture"), "one axis").toBe(await left("lanes-a"));
  const folded = (await lab.get("strip-c").boundingBox())?.height ?? NaN;
  expect(folded).toBeGreaterThanOrEqual(36);
  expect(folded).toBeLessThanOrEqual(48);
  await lab.get("strip-d-fold").focus();
  await lab.press("Enter");
  await expect(lab.get("strip-d")).toHaveAttribute("data-open", "true");
  await expect.poll(() => inkOfPicture(lab, "strip-d-picture")).toBeGreaterThan(200);
  await expect(lab.get("strip-d-picture")).toHaveAttribute("aria-label", /^At .+: .* idle\.$/);

  await lab.get("strip-c-picture").click({ position: { x: 300, y: 10 } });
  await lab.whenIdle();
  const ns = await lab.playhead();
  const [from, to] = await lab.view();
  expect(ns).toBeGreaterThan(from);
  expect(ns).toBeLessThan(to);

  await elsewhere.open(await lab.copyLink());
  expect([await stripFigure(elsewhere, "c"), await stripFigure(elsewhere, "d")]).toEqual(figures);
  await expect(elsewhere.get("strip-d")).toHaveAttribute("data-open", "true");

  const onB = await lab.headline("b", DEPTH);
  await lab.get("strip-c-promote").click();
  await lab.whenIdle();
  expect(await lab.headline("b", DEPTH)).toBe(figures[0]);
  await expect(lab.get("variant-c"), "what B was").toHaveValue(PUSHED);
  expect(await stripFigure(lab, "c")).toBe(onB);
  await lab.get("undo").click();
  await lab.whenIdle();
  expect(await lab.headline("b", DEPTH)).toBe(onB);
  expect(await stripFigure(lab, "c")).toBe(figures[0]);

  await lab.get("strip-c-remove").click();
  await expect(lab.get("strip-d")).toHaveCount(0);
  await expect(lab.get("variant-c"), "the other one moves up").toHaveValue(ONE_PUSH);
  await lab.flip("seed", "both", "11");
  expect(await stripFigure(lab, "c"), "a shared knob turns strips too").toBeGreaterThan(0);
});

test(
  "an open strip answers as the sides do: a row for each CPU, and its own of the selected wake-up; V adds a strip, Shift+V shows all",
  LONG,
  async ({ lab }) => {
    await lab.open(QUICK);
    await lab.press("v");
    await expect(lab.get("variant-c")).toHaveValue(ONE_PULL);
    await stripFigure(lab, "c");
    await lab.get("strip-c-fold").click();
    const rows = lab.get("strip-c-picture").locator("[role=row][data-cpu]");
    await expect(rows).toHaveCount(16);
    await expect(rows.first()).toHaveAttribute("aria-label", /^CPU 0, /);
    await lab.selectWorst();
    const name = /^cyclictest\.\d+ #\d+ late /;
    await expect(lab.get("strip-c-selected")).toHaveText(name);
    await lab.press("Escape");
    await expect(lab.get("strip-c-selected")).toBeEmpty();
    await lab.press("Shift+V");
    await expect(lab.get("variants")).toBeVisible();
  },
);

/** Pixels of any colour but the most frequent one, over all canvases of a picture. */
async function inkOfPicture(lab: Lab, id: string): Promise<number> {
  return lab.get(id).evaluate((element) => {
    let ink = 0;
    for (const canvas of element.querySelectorAll("canvas")) {
      const image = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height);
      const pixels = new Uint32Array(image?.data.buffer ?? new ArrayBuffer(0));
      const counts = new Map<number, number>();
      for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
      ink += pixels.length - Math.max(0, ...counts.values());
    }
    return ink;
  });
}

test("all variants as tiles: computed one by one, a picture and two figures each; a press makes one side B", async ({
  lab,
}) => {
  await lab.open(QUICK);
  const [a, b] = [await lab.headline("a", DEPTH), await lab.headline("b", DEPTH)];
  await lab.get("variants-open").click();
  const progress = lab.get("variants-progress");
  await expect(progress).toHaveAttribute("data-running", "false", { timeout: 60_000 });
  await expect(progress).toHaveAttribute("data-done", "5");
  for (const index of [0, 1, 2, 3, 4])
    expect(await inkOfPicture(lab, `variant-tile-${String(index)}`)).toBeGreaterThan(200);
  const figure = (index: number): Promise<string | null> =>
    lab.get(`variant-tile-${String(index)}-${DEPTH}`).getAttribute("data-value");
  expect([await figure(0), await figure(1)], "a tile's figures are its side's").toEqual([
    String(a),
    String(b),
  ]);
  const third = await figure(2);
  await lab.get("variant-tile-2-b").click();
  await expect(lab.get("variants")).toHaveCount(0);
  await lab.whenIdle();
  expect(String(await lab.headline("b", DEPTH))).toBe(third);
  expect(await lab.headline("a", DEPTH)).toBe(a);
});

test("the computing of tiles can be stopped; what is done stays", LONG, async ({ lab }) => {
  await lab.open(HERD); // Long enough to be stopped in the middle.
  await lab.get("variants-open").click();
  await lab.get("variants-stop").click();
  const progress = lab.get("variants-progress");
  await expect(progress).toHaveAttribute("data-running", "false");
  expect(Number(await progress.getAttribute("data-done"))).toBeLessThan(5);
  await expect(lab.get("variant-tile-4")).toHaveAttribute("data-state", "waiting");
});
