// Run time on its way between pool and CPUs: where each drop is follows from the playhead, whether
// it plays, rests or is stepped.

import { SCENARIO } from "./support/quota.ts";
import { expect, test, type Lab } from "./support/lab.ts";
import { LONG } from "./support/thorough.ts";

interface Seen {
  readonly kind: string;
  readonly cpu: number;
  readonly at: number;
  readonly progress: number;
  readonly from: number;
  readonly to: number;
  readonly x: number;
  readonly y: number;
}

/** The drops on A, as the page holds them. */
async function drops(lab: Lab): Promise<readonly Seen[]> {
  return lab
    .get("drops-a")
    .getByTestId("drop")
    .evaluateAll((all) =>
      all.map((drop) => {
        const read = (name: string): number => Number(drop.getAttribute(`data-${name}`));
        const [x = 0, y = 0] = (drop.getAttribute("transform")?.match(/[\d.-]+/g) ?? []).map(
          Number,
        );
        const [kind, cpu, at, progress, from, to] = [
          drop.getAttribute("data-kind") ?? "",
          read("cpu"),
          read("at"),
          read("progress"),
          read("from"),
          read("to"),
        ];
        return { kind, cpu, at, progress, from, to, x, y };
      }),
    );
}

async function openDrops(lab: Lab): Promise<void> {
  await lab.open("lab/");
  await lab.write(SCENARIO);
  await expect(lab.get("tank-web-a")).toBeVisible();
  await lab.press("Shift", "0");
  await lab.get("scrubber").press("Home");
}

/**
 * Steps on until a drop is under way, and looks at all of the run again: a step too short to be
 * seen from afar brings the view near.
 */
async function stepToDrop(lab: Lab): Promise<Seen> {
  const whole = await lab.axis();
  for (let step = 0; step < 400; step += 1) {
    if ((await drops(lab)).length > 0) break;
    await lab.page.keyboard.press("k");
  }
  await lab.press("Shift", "0");
  await expect.poll(() => lab.axis()).toEqual(whole);
  const [first] = await drops(lab);
  if (first === undefined) throw new Error("no drop in 400 events");
  return first;
}

test.describe("with motion", () => {
  test.use({ motion: "no-preference" });

  test("a take falls from the tank to its CPU as the playhead is stepped on, and climbs back when it is stepped back", async ({
    lab,
  }) => {
    await openDrops(lab);
    const start = await stepToDrop(lab);
    expect(start.kind).toBe("take");
    expect(start.progress).toBe(0);
    expect(start.at).toBe(await lab.playhead());
    expect(start.y).toBeCloseTo(start.from, 0);
    const box = await lab.get("tank-web-a").locator("canvas").boundingBox();
    const layer = await lab.get("drops-a").boundingBox();
    if (box === null || layer === null) throw new Error("no tank");
    expect(
      Math.abs(layer.y + start.from - (box.y + box.height)),
      "it sets out from the tank's floor",
    ).toBeLessThan(3);
    const again = async (): Promise<Seen | undefined> =>
      (await drops(lab)).find(({ at, cpu }) => at === start.at && cpu === start.cpu);
    const seen: Seen[] = [];
    for (let step = 0; step < 3; step += 1) {
      await lab.get("scrubber").press("ArrowRight");
      const now = await again();
      if (now !== undefined) seen.push(now);
    }
    expect(seen.length).toBeGreaterThan(1);
    let before = start;
    for (const now of seen) {
      expect(now.progress).toBeGreaterThan(before.progress);
      expect(now.progress).toBeLessThan(1);
      expect(now.y).toBeCloseTo(now.from + (now.to - now.from) * now.progress, 0);
      expect(now.y).toBeGreaterThan(before.y);
      expect(now.x, "it stays at the place of its event").toBe(start.x);
      before = now;
    }
    const lanes = await lab.get("lanes-a").boundingBox();
    expect(layer.y + start.to, "it goes to a lane").toBeGreaterThanOrEqual(lanes?.y ?? Infinity);
    for (let step = 0; step < 3; step += 1) await lab.get("scrubber").press("ArrowLeft");
    expect((await again())?.y, "a function of the playhead alone").toBe(start.y);
  });
});

test(
  "under reduced motion drops are shown where they arrive, none in between",
  LONG,
  async ({ lab }) => {
    await openDrops(lab);
    const first = await stepToDrop(lab);
    expect(first.progress).toBe(1);
    await lab.get("scrubber").press("ArrowRight");
    const later = await drops(lab);
    expect(later.length).toBeGreaterThan(0);
    for (const drop of later) expect(drop.y).toBeCloseTo(drop.to, 0);
  },
);

test("what is spent twice falls as a finding that says how much", async ({ lab }) => {
  await lab.open("s/quota-double-spend/");
  const double = lab.page.locator('[data-testid="drop"][data-kind="double"]');
  await lab.press("0");
  for (let share = 0; share <= 100 && (await double.count()) === 0; share += 1) {
    await lab.scrub(share / 100);
  }
  await expect(double.first()).toContainText(/finding: .* spent twice/);
});

test("what is spent twice later in the run is the next finding, though the report tells the first alone", async ({
  lab,
}) => {
  await lab.open("s/quota-double-spend/");
  await lab.get("find-open").click();
  const found = new Set<number>();
  for (let nth = 0; nth < 3; nth += 1) {
    await lab.get("find-finding").click();
    await expect(lab.get("find-said")).toContainText(/finding: .* is spent twice/);
    await expect.poll(async () => found.has(await lab.playhead())).toBe(false);
    found.add(await lab.playhead());
  }
});
