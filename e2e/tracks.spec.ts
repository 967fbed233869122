// The tracks over the lanes, and the scrubber under them: pointing at one says what lies there, a
// click goes there.

import { expect, HERD, test, type Lab, type Side } from "./support/lab.ts";

/** Points of a track in one row. */
const SPOTS = 60;

interface Spot {
  readonly x: number;
  readonly y: number;
}

/** Points of a track right of the widest gutter, which has silos, row by row from the top. */
async function spotsOf(
  lab: Lab,
  testId: string,
  rows: readonly number[],
): Promise<readonly Spot[]> {
  const box = await lab.get(testId).boundingBox();
  if (box === null) throw new Error(`no ${testId}`);
  const left = 120;
  const columns = Array.from(
    { length: SPOTS },
    (_, at) => left + ((box.width - left - 10) * at) / SPOTS,
  );
  return rows.flatMap((row) => columns.map((x) => ({ x, y: box.height * row })));
}

/** The first of the points at which the track says what is wanted, with its words. */
async function toldOn(
  lab: Lab,
  track: string,
  tip: string,
  rows: readonly number[],
  wanted: RegExp,
): Promise<Spot & { words: string }> {
  const told: string[] = [];
  for (const spot of await spotsOf(lab, track, rows)) {
    await lab.get(track).hover({ position: spot, force: true });
    await expect(lab.get(tip)).toBeVisible();
    const words = await lab.get(tip).innerText();
    if (wanted.test(words)) return { ...spot, words };
    told.push(words);
  }
  throw new Error(`${track} does not say ${String(wanted)}:\n${told.slice(0, 5).join("\n---\n")}`);
}

/** The instant under a place of a side's lanes, ns. */
async function nsUnder(lab: Lab, side: Side, x: number): Promise<number> {
  const [fromNs, toNs] = await lab.view();
  const box = await lab.get(`lock-lane-${side}`).boundingBox();
  const gutter = 48;
  return fromNs + ((x - gutter) / ((box?.width ?? 0) - gutter)) * (toNs - fromNs);
}

test("the lock lane says who holds the lock and who waits since when; a click goes there and selects", async ({
  lab,
}) => {
  await lab.open(HERD);
  const waiter = await toldOn(
    lab,
    "lock-lane-a",
    "lock-tip",
    [0.6, 0.7],
    /CPU \d+ is number \d+ in the queue/,
  );
  expect(waiter.words).toMatch(
    /rq \d+ lock: (held by CPU \d+|being handed over), \d+ CPUs? waits?/,
  );
  expect(waiter.words).toMatch(
    /(holds the lock|nobody holds the lock) for [\d.]+ [nµm]s, from [\d.]+ ms to [\d.]+ ms/,
  );
  expect(waiter.words).toMatch(/CPU \d+ waits since [\d.]+ ms, [\d.]+ [nµ]s so far/);
  const before = await lab.playhead();
  await lab.get("lock-lane-a").click({ position: waiter, force: true });
  await lab.whenIdle();
  expect(await lab.playhead()).not.toBe(before);
  expect(Math.abs((await lab.playhead()) - (await nsUnder(lab, "a", waiter.x)))).toBeLessThan(300);
  await expect(lab.get("waterfall-a")).toBeVisible();
});

test("the task track says state, CPU and length; a click goes there and selects the wake-up it belongs to", async ({
  lab,
}) => {
  await lab.open(HERD);
  await lab.selectWorst();
  await lab.press("0");
  await lab.press("f");
  const late = await lab.get("waterfall-a-name").innerText();
  const before = await lab.playhead();
  const told = await toldOn(lab, "task-lane-a", "task-tip", [0.5], /runs on CPU \d+/);
  expect(told.words).toMatch(
    /cyclictest\.\d+: runs on CPU \d+\s+[\d.]+ [µm]s, from [\d.]+ ms to [\d.]+ ms\s+wake-up #\d+: due/,
  );
  const nth = /wake-up #(\d+)/.exec(told.words)?.[1] ?? "";
  await lab.get("task-lane-a").click({ position: told, force: true });
  await lab.whenIdle();
  expect(await lab.playhead()).not.toBe(before);
  await expect(lab.get("waterfall-a-name")).toContainText(nth);
  expect(late).toContain("wake-up");
  await expect(lab.get("task-lane-a")).toHaveAttribute(
    "aria-label",
    /^cyclictest\.\d+: runs on CPU \d+, /,
  );
});

test("a tick of the scrubber says what happens at its moment, and a click goes there", async ({
  lab,
}) => {
  await lab.open(HERD);
  await lab.press("0");
  const herd = lab.page.locator("[data-testid=scrubber-tick][data-kind=herd][data-side=a]");
  await herd.hover();
  await expect(lab.get("scrubber-tip")).toContainText(
    /A: 40 CPUs wait for the rq \d+ lock, the deepest queue/,
  );
  await herd.click();
  await lab.whenIdle();
  const ns = Number(await herd.getAttribute("data-ns"));
  expect(await lab.playhead()).toBe(ns);
  const [fromNs, toNs] = await lab.view();
  expect([fromNs <= ns, ns <= toNs, toNs - fromNs]).toEqual([true, true, 100_000]);
  await expect(lab.get("lock-words-a")).toContainText("depth 40");
  // In between, the scrubber still scrubs.
  await lab.scrub(0.25);
  expect(await lab.playhead()).toBeLessThan(ns / 2);
});

test("the ruler carries the moments in view, each leads to its moment, and nothing on it hides a label", async ({
  lab,
}) => {
  await lab.open(HERD);
  await lab.press("0", "Shift+A", "k", "k", "Shift+B");
  await expect(lab.get("divergence").first()).toBeVisible();
  for (const id of ["ruler-tick", "marker-from", "marker-to", "marker-delta"])
    await expect(lab.get(id).first()).toBeVisible();
  const boxes = async (selector: string): Promise<readonly DOMRect[]> =>
    lab.page
      .locator(selector)
      .evaluateAll((each) => each.map((one) => one.getBoundingClientRect().toJSON() as DOMRect));
  const labels = await boxes("[data-testid=time-axis] .tick text");
  expect(labels.length).toBeGreaterThan(2);
  for (const { width, height } of await boxes("[data-testid=ruler-tick] rect"))
    expect([width, height]).toEqual([24, 24]);
  for (const id of [
    "ruler-tick] path",
    "ruler-tick] text",
    "divergence]",
    "marker-from]",
    "marker-to]",
    "marker-delta]",
  ]) {
    const marks = await boxes(`[data-testid=${id}`);
    // A number is only where several moments are too close.
    if (id !== "ruler-tick] text") expect(marks.length, id).toBeGreaterThan(0);
    for (const mark of marks)
      for (const label of labels) {
        const apart =
          mark.right <= label.left ||
          label.right <= mark.left ||
          mark.bottom <= label.top ||
          label.bottom <= mark.top;
        expect(apart, `${id} beside a label`).toBe(true);
      }
  }
  await lab.press("Delete");
  const herd = lab.page.locator("[data-testid=ruler-tick][data-kind=herd]").first();
  await herd.hover();
  await expect(lab.get("ruler-tip")).toContainText(
    /40 CPUs wait for the rq \d+ lock, the deepest queue/,
  );
  await herd.click();
  await lab.whenIdle();
  expect(await lab.playhead()).toBe(Number(await herd.getAttribute("data-ns")));
  const letters = await lab.get("scrubber").evaluate((scrubber) => {
    const left = scrubber.getBoundingClientRect().left;
    return [...scrubber.querySelectorAll("[data-testid=scrubber-tick] path")].map(
      (tick) => tick.getBoundingClientRect().left - left,
    );
  });
  expect(Math.min(...letters), "A and B stand free").toBeGreaterThan(15);
});

test("a tank says what happens where it is pointed at, and a click goes to that event", async ({
  lab,
}) => {
  await lab.open("s/quota-stranded/");
  const told = await toldOn(
    lab,
    "tank-fibtest-a",
    "tank-tip",
    [0.6],
    /takes [\d.]+ [mµ]s from the pool of fibtest|the refill throws away|loses/,
  );
  expect(told.words).toMatch(/fibtest: [\d.]+ [nmµ]?s in the pool/);
  const before = await lab.playhead();
  await lab.get("tank-fibtest-a").click({ position: told, force: true });
  await lab.whenIdle();
  expect(await lab.playhead()).not.toBe(before);
});

test("nothing of the run lies over the letters of the sides on the scrubber, wherever view and playhead stand", async ({
  lab,
}) => {
  /** The letters' ground: it has no colours but theirs, the ground's and those between. */
  const letters = (): Promise<string> =>
    lab
      .get("scrubber")
      .locator("canvas")
      .evaluate((canvas: HTMLCanvasElement) => {
        const wide = Math.round((15 * canvas.width) / canvas.clientWidth);
        return String(canvas.getContext("2d")?.getImageData(0, 0, wide, canvas.height).data);
      });
  for (const [address, width] of [
    ["s/ipi-storm/", 1440],
    ["s/half-the-throughput/", 1024],
    ["s/ipi-storm/", 390],
  ] as const) {
    await lab.page.setViewportSize({ width, height: 844 });
    await lab.open(address);
    for (const theme of ["dark", "light", "projector"] as const) {
      await lab.choose(theme);
      await lab.page.evaluate(() => document.fonts.ready);
      const opening = await letters();
      await lab.get("scrubber").press("End");
      await lab.whenIdle();
      expect((await letters()) === opening, `${address} at ${String(width)}, ${theme}`).toBe(true);
      for (const tick of await lab.get("scrubber-tick").locator("path").all()) {
        const from =
          ((await tick.boundingBox())?.x ?? 0) -
          ((await lab.get("scrubber").boundingBox())?.x ?? 0);
        expect(from, "a tick stands beside them").toBeGreaterThan(13);
      }
      await lab.get("scrubber").press("Home");
    }
  }
});
