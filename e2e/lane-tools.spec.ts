// Timeline craft: areas and their sums, markers, events of one CPU, and the way along causes.

import { expect, fieldsOf, framed, HERD, QUICK, test, type Lab, type Side } from "./support/lab.ts";
import { LONG } from "./support/thorough.ts";

interface Drag {
  /** Shares of the element's width. */
  readonly from: number;
  readonly to: number;
  /** CSS px from its top. */
  readonly top: number;
  readonly bottom?: number;
  readonly shift?: boolean;
}

async function drag(
  lab: Lab,
  testId: string,
  { from, to, top, bottom = top, shift = false }: Drag,
): Promise<void> {
  const box = await lab.get(testId).first().boundingBox();
  if (box === null) throw new Error(`no ${testId}`);
  if (shift) await lab.page.keyboard.down("Shift");
  await lab.page.mouse.move(box.x + box.width * from, box.y + top);
  await lab.page.mouse.down();
  await lab.page.mouse.move(box.x + box.width * to, box.y + bottom, { steps: 5 });
  await lab.page.mouse.up();
  if (shift) await lab.page.keyboard.up("Shift");
  await lab.whenIdle();
}

/** A column of the table shown of the area, by the name of its row. */
async function sums(
  lab: Lab,
  tab: "states" | "tasks" | "locks" | "causes",
  side: Side,
): Promise<ReadonlyMap<string, number>> {
  await lab.get(`area-tab-${tab}`).check({ force: true });
  const rows = lab.get(`numbers-area-${tab}`).locator(".data-body [role=row]");
  await expect(lab.get(`numbers-area-${tab}`)).toHaveAttribute("data-rows", /^\d+$/);
  const sideways = await lab
    .get(`numbers-area-${tab}`)
    .evaluate((table) => table.scrollWidth - table.clientWidth);
  expect(sideways, `${tab}: all columns are in sight`).toBe(0);
  const read = await rows.evaluateAll(
    (all, column) =>
      all.map((row) => {
        const value = (id: string): string =>
          row.querySelector(`[data-column="${id}"]`)?.getAttribute("data-value") ?? "";
        const name = row.querySelector("[data-column]")?.getAttribute("data-value") ?? "";
        return [name, Number(value(column))] as const;
      }),
    `ns_${side}`,
  );
  return new Map(read);
}

const total = (rows: ReadonlyMap<string, number>): number =>
  [...rows.values()].reduce((sum, ns) => sum + ns, 0);

async function sumOf(lab: Lab, side: Side): Promise<number> {
  const sum = lab.get(`area-sum-${side}`);
  await expect(sum).toHaveAttribute("data-ns", /^\d+$/);
  return Number(await sum.getAttribute("data-ns"));
}

test("a double click on a lane fits what lies under it and selects no area", async ({ lab }) => {
  await lab.open(QUICK);
  const box = await lab.get("lanes-a").boundingBox();
  if (box === null) throw new Error("no lanes");
  const [from, to] = await lab.view();
  await lab.page.mouse.dblclick(box.x + box.width * 0.55, box.y + 40);
  await lab.whenIdle();
  const [near, far] = await lab.view();
  expect(far - near, "closer").toBeLessThan(to - from);
  const at = await lab.playhead();
  expect(near < at && at < far, `${at} in ${near} to ${far}`).toBe(true);
  await expect(lab.get("area")).toHaveCount(0);
  await lab.get("help-open").click();
  await expect(lab.page.getByRole("dialog")).toContainText("double-click");
});

test("a drag on the lanes selects CPUs and a stretch whose sums add up on both sides; Shift+drag pans, Escape clears", async ({
  lab,
}) => {
  await lab.open(QUICK);
  const axis = await lab.axis();
  await drag(lab, "lanes-a", { from: 0.3, to: 0.6, top: 20, bottom: 60 });
  await expect(lab.get("area")).toBeVisible();
  await expect(lab.get("area-hint"), "the first area says what else a drag does").toContainText(
    "Shift+drag pans",
  );
  expect(await lab.axis(), "the view stays").toEqual(axis);
  await lab.dock("numbers");
  await lab.get("numbers-tab-wake-ups").click();
  await expect(lab.get("numbers-scope"), "its runs are what Numbers lists").toHaveValue("area");
  await lab.get("dock-area").click();
  const area = lab.get("area");
  const [fromNs, toNs] = [
    Number(await area.getAttribute("data-from")),
    Number(await area.getAttribute("data-to")),
  ];
  const cpus = ((await area.getAttribute("data-cpus")) ?? "").split(" ");
  expect(cpus.length).toBeGreaterThan(1);
  expect(cpus.length).toBeLessThan(16);
  await expect(lab.get("area-frame"), "drawn on both sides").toHaveCount(2);
  for (const side of ["a", "b"] as const) {
    expect(total(await sums(lab, "tasks", side))).toBe(cpus.length * (toNs - fromNs));
    expect(total(await sums(lab, "states", side))).toBe(cpus.length * (toNs - fromNs));
    expect(await sumOf(lab, side)).toBe(cpus.length * (toNs - fromNs));
  }
  await drag(lab, "lanes-a", { from: 0.6, to: 0.4, top: 30, shift: true });
  expect(await lab.axis(), "panned").not.toEqual(axis);
  await lab.press("Escape");
  await expect(lab.get("area")).toHaveCount(0);
  await expect(lab.get("area-frame")).toHaveCount(0);
});

test(
  "the area of the whole run has the sums that the tables of numbers have, and its link opens it again",
  LONG,
  async ({ lab, elsewhere }) => {
    await lab.open(QUICK);
    await lab.press("0");
    await drag(lab, "time-axis", { from: 0.01, to: 1.05, top: 8 });
    const area = lab.get("area");
    expect(await area.getAttribute("data-from")).toBe("0");
    expect(await area.getAttribute("data-to")).toBe("20000000");
    expect(await area.getAttribute("data-cpus"), "all CPUs").toBeNull();
    const causes = { a: await sums(lab, "causes", "a"), b: await sums(lab, "causes", "b") };
    const spin = {
      a: (await sums(lab, "states", "a")).get("spin"),
      b: (await sums(lab, "states", "b")).get("spin"),
    };
    const link = await lab.copyLink();
    expect(fieldsOf(link)["area"]).toBe("0us-20ms");
    await lab.dock("numbers");
    await lab.get("numbers-tab-causes").click();
    await lab.get("numbers-search").fill("all");
    for (const side of ["a", "b"] as const) {
      const rows = lab.get("numbers-causes").locator(".data-body [role=row]");
      // The table draws only the rows in sight, so the search must have been applied.
      await expect(rows.filter({ hasText: ", all" }).nth(3)).toBeAttached();
      const inNumbers = await rows.evaluateAll(
        (all, column) =>
          all.flatMap((row) => {
            const value = (id: string): string =>
              row.querySelector(`[data-column="${id}"]`)?.getAttribute("data-value") ?? "";
            const ofAll =
              row.querySelector('[data-column="cause"]')?.textContent.endsWith(", all") === true;
            return ofAll ? [[value("cause"), Number(value(column))] as const] : [];
          }),
        `latency_ns_${side}`,
      );
      expect(inNumbers.length).toBeGreaterThan(3);
      for (const [cause, ns] of inNumbers)
        expect(causes[side].get(cause), `${side} ${cause}`).toBe(ns);
      expect(spin[side]).toBeGreaterThan(0);
    }
    await elsewhere.open(link);
    await elsewhere.get("dock-area").click();
    expect(await sums(elsewhere, "causes", "a")).toEqual(causes.a);
  },
);

test("Shift+A and Shift+B measure between two instants, M takes the wait of the selected wake-up", async ({
  lab,
}) => {
  await lab.open(QUICK);
  await lab.press("Shift+A");
  const from = await lab.playhead();
  await lab.press("k", "k", "k", "Shift+B");
  const to = await lab.playhead();
  expect(to).toBeGreaterThan(from);
  await expect(lab.get("marker-from").first()).toHaveAttribute("data-ns", String(from));
  await expect(lab.get("marker-to").first()).toHaveAttribute("data-ns", String(to));
  await expect(lab.get("marker-delta").first()).toHaveAttribute("data-ns", String(to - from));
  const ns = to - from;
  await expect(lab.get("marker-delta").first()).toHaveText(
    ns < 1_000 ? `${ns} ns` : `${Number((ns / 1_000).toFixed(3))} µs`,
  );
  await expect(lab.get("rail"), "B with Shift hides no rail").toBeVisible();
  await lab.press("Delete");
  await expect(lab.get("marker-delta")).toHaveCount(0);
  await expect.poll(() => fieldsOf(lab.page.url())["markers"]).toBeUndefined();

  await lab.selectWorst();
  const { latencyNs } = await lab.waterfall("a");
  await lab.press("m");
  expect(await sumOf(lab, "a"), "one CPU for as long as the wake-up took").toBe(latencyNs);
  expect(total(await sums(lab, "causes", "a")), "the area holds that wake-up and its causes").toBe(
    latencyNs,
  );
  await lab.press("Escape");
  await expect(lab.get("area")).toHaveCount(0);
  await expect(lab.get("waterfall-a"), "the selection is another layer").toBeVisible();
});

test(
  "markers are dragged along the ruler, and the link opens them where they are; one beyond the run is named and left out",
  LONG,
  async ({ lab, elsewhere }) => {
    await lab.open(
      `${HERD}#${framed("k.duration=20ms&k.machine.cpus=16&t=2ms-12ms&markers=4ms-6ms")}`,
    );
    await expect(lab.get("marker-delta").first()).toHaveAttribute("data-ns", "2000000");
    await expect(
      lab.get("marker-delta").first(),
      "milliseconds under an axis of milliseconds",
    ).toHaveText("2 ms");
    const { from, box } = await lab
      .get("marker-from")
      .first()
      .evaluate((name) => {
        const { left, top, width, height } = name.getBoundingClientRect();
        return {
          from: Number(name.getAttribute("data-ns")),
          box: { x: left + width / 2, y: top + height / 2 },
        };
      });
    expect(from).toBe(4_000_000);
    const playhead = await lab.playhead();
    await lab.page.mouse.move(box.x, box.y);
    await lab.page.mouse.down();
    await lab.page.mouse.move(box.x + 300, box.y, { steps: 5 });
    await lab.page.mouse.up();
    await lab.whenIdle();
    const moved = Number(await lab.get("marker-from").first().getAttribute("data-ns"));
    expect(moved).toBeGreaterThan(6_000_000);
    await expect(lab.get("marker-delta").first(), "the later one first").toHaveAttribute(
      "data-ns",
      String(6_000_000 - moved),
    );
    expect(await lab.playhead(), "nothing else moves").toBe(playhead);
    await expect(lab.get("area")).toHaveCount(0);
    const link = await lab.copyLink();
    expect(fieldsOf(link)["markers"]).toMatch(/^\d[\d.]*(ns|us|ms)-6ms$/);
    await elsewhere.open(link);
    await expect(elsewhere.get("marker-from").first()).toHaveAttribute("data-ns", String(moved));
    await elsewhere.page.goto("about:blank");
    await elsewhere.open(`${HERD}#${framed("k.duration=20ms&k.machine.cpus=16&markers=4ms-21ms")}`);
    await expect(elsewhere.page.getByText("markers=4ms-21ms")).toBeVisible();
    await expect(elsewhere.get("marker-from")).toHaveCount(0);
  },
);

test("a press of [ where nothing has a cause says so", async ({ lab }) => {
  await lab.open(QUICK);
  await lab.press("Escape", "Escape", "Home");
  await lab.scrub(0.001);
  await lab.press("[");
  await expect(lab.get("reply-line")).toContainText(
    "The trace names no cause of what stands here.",
  );
  await expect(lab.get("replied")).toContainText("no cause");
});

test("comma and full stop walk the events of one CPU and say each", async ({ lab }) => {
  await lab.open(QUICK);
  await lab.cpuRow("a", 5).focus();
  const start = await lab.playhead();
  const instants: number[] = [];
  for (let step = 0; step < 6; step += 1) {
    await lab.press(".");
    instants.push(await lab.playhead());
    await expect(lab.get("event-line")).toContainText("CPU 5 ");
    await expect(lab.get("event-line").locator(".event-words")).toHaveCount(1);
  }
  expect(instants).toEqual([...instants].sort((one, other) => one - other));
  expect(instants[0]).toBeGreaterThan(start);
  await lab.press(",");
  expect(await lab.playhead()).toBe(instants[4]);
});

test("[ walks from an event of side B that was stepped to, whichever side is in focus", async ({
  lab,
}) => {
  await lab.open(`s/quota-tree/#${framed("t=60ms-80ms&p=72830us")}`);
  const line = lab.get("event-line");
  let said = "";
  for (let step = 0; !/^B\W+CPU \d+ unthrottles/.test(said); step += 1) {
    expect(step, "a group of side B was unthrottled").toBeLessThan(120);
    await lab.press("j");
    said = await line.innerText();
  }
  await lab.press("[");
  await expect(line).toContainText(/refill: CPU \d+ refills group/);
});

test("[ walks from the selected wake-up to a cause and on, Ctrl+] chooses among several, ] walks back the same way", async ({
  lab,
}) => {
  await lab.open(QUICK);
  await lab.selectWorst();
  const line = lab.get("event-line");
  const words = line.locator("[data-causes]");
  const start = await lab.playhead();
  await lab.page.keyboard.press("[");
  await expect(line, "the worst wake-up of a herd waits for a lock").toContainText(
    /lock holder: CPU \d+ takes the rq \d+ lock/,
  );
  const first = await lab.playhead();
  const causes = Number(await words.getAttribute("data-causes"));
  expect(causes).toBeGreaterThan(1);
  await expect(line).toContainText(`1 of ${causes}`);
  await lab.press("Control+]");
  await expect(words).toHaveAttribute("data-cause", "2");
  expect(await lab.playhead()).not.toBe(first);
  await lab.press("Control+[");
  await expect(words).toHaveAttribute("data-cause", "1");
  expect(await lab.playhead()).toBe(first);
  for (let choice = 1; !(await line.innerText()).includes("waker: "); choice += 1) {
    expect(choice, "one of the causes is the waker").toBeLessThan(causes);
    await lab.press("Control+]");
    await expect(words).toHaveAttribute("data-cause", String(choice + 1));
  }
  const waker = await lab.playhead();
  await lab.press("[");
  await expect(line).toContainText(/interrupt: CPU \d+ enters/);
  expect(await lab.playhead()).toBeLessThanOrEqual(waker);
  await lab.press("]");
  await expect(line).toContainText("waker: ");
  expect(await lab.playhead()).toBe(waker);
  await lab.press("]");
  expect(await lab.playhead(), "back where the way began").toBe(start);
  await expect(line, "where one stood at no event").toHaveCount(0);
  await lab.press("k");
  const event = (await line.textContent()) ?? "";
  await lab.press("[", "]");
  await expect(line, "back at the event one had stepped to").toHaveText(event);
  await expect(lab.get("waterfall-a"), "the wake-up is still selected").toBeVisible();
});
