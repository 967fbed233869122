// The frame: the picture first, on one screen; switches left, answers right, nothing lost on the
// way down to a phone.

import { readdirSync, readFileSync } from "node:fs";
import { measureFrame } from "./support/frame.ts";
import { DEPTH, expect, HERD, PUSH_IPI, QUICK, test } from "./support/lab.ts";
import { LONG } from "./support/thorough.ts";

test("a larger window gives the stage more, without a limit", async ({ lab }) => {
  await lab.open(QUICK);
  const shares: number[] = [];
  for (const [width, height] of [
    [1440, 900],
    [1920, 1080],
    [2560, 1440],
  ] as const) {
    await lab.page.setViewportSize({ width, height });
    shares.push((await measureFrame(lab)).share);
  }
  expect(shares).toEqual([...shares].sort((one, other) => one - other));
});

test("B hides the rail and Q the dock, and both come back", async ({ lab }) => {
  await lab.open(QUICK);
  const before = (await measureFrame(lab)).share;
  await lab.press("b", "q");
  await expect(lab.get("rail")).toHaveCount(0);
  await expect(lab.get("dock")).toHaveCount(0);
  expect((await measureFrame(lab)).share).toBeGreaterThan(before + 0.2);
  await lab.press("b", "q");
  await expect(lab.get("rail")).toBeVisible();
  await expect(lab.get("dock")).toBeVisible();
});

test("every variant can be chosen on either side, one step of undo each; a knob that leaves its variant takes the name away", async ({
  lab,
}) => {
  await lab.open(HERD);
  const names = await lab.get("variant-a").locator("option").allTextContents();
  expect(names.length).toBe(5);
  await expect(lab.get("variant-a")).toHaveValue("pull");
  await expect(lab.get("variant-b")).toHaveValue("push by IPI");
  for (const name of names) {
    await lab.get("variant-a").selectOption(name);
    await expect(lab.get("variant-a")).toHaveValue(name);
    await expect(lab.get("variant-b"), "the other side stays").toHaveValue("push by IPI");
  }
  await lab.whenIdle();
  await lab.get("undo").click();
  await expect(lab.get("variant-a")).toHaveValue(names.at(-2) ?? "");
  await lab.get("variant-a").selectOption("pull");
  await lab.flip(PUSH_IPI, "a", "auto_gt16");
  await expect(lab.get("variant-a")).toHaveValue("");
  await expect(lab.get("variant-a").locator("option").first()).toHaveText(
    "RT_PUSH_IPI auto_gt16 (custom)",
  );
  await expect(lab.get("timeline-a")).not.toContainText("pull", { useInnerText: true });
  await lab.flip(PUSH_IPI, "a", "on");
  await expect(lab.get("variant-a"), "what is on is called so").toHaveValue("push by IPI");
});

test("a number leads to the moment that made it, and a latency to its wake-up with the culprits named", async ({
  lab,
}) => {
  await lab.open(QUICK);
  await lab.press("0");
  const depth = await lab.headline("a", DEPTH);
  await lab.get(`headline-${DEPTH}-a`).click();
  await lab.whenIdle();
  await expect(lab.get("lock-words-a"), "the queue at the playhead").toContainText(
    `depth ${String(depth)}`,
  );
  const maximum = "latency.cyclictest.max_ns";
  const longest = await lab.headline("a", maximum);
  await lab.get(`headline-${maximum}-a`).click();
  await lab.whenIdle();
  await expect(lab.get("dock-why")).toHaveAttribute("aria-selected", "true");
  expect((await lab.waterfall("a")).latencyNs).toBe(longest);
  const culprit = lab.get("culprits-a").getByRole("listitem").first();
  await expect(culprit).toContainText(/^For [\d.]+ [nµm]s, .+\./);
  const at = await culprit.getAttribute("data-ns");
  await culprit.getByRole("button").click();
  await expect(lab.clock).toHaveAttribute("data-ns", at ?? "");
});

test(
  "at 1200 px and less the dock is a drawer that opens on selection; at 900 and less the rail is a sheet",
  LONG,
  async ({ lab }) => {
    await lab.page.setViewportSize({ width: 1100, height: 800 });
    await lab.open(QUICK);
    await expect(lab.get("dock")).toHaveCount(0);
    const before = await lab.get("stage").boundingBox();
    await lab.selectWorst();
    await expect(lab.get("dock")).toBeVisible();
    expect(await lab.get("stage").boundingBox(), "the drawer moves nothing").toEqual(before);
    await lab.press("Escape");
    await expect(lab.get("dock")).toHaveCount(0);
    await lab.page.setViewportSize({ width: 800, height: 800 });
    await expect(lab.get("rail")).toHaveCount(0);
    await lab.get("rail-open").click();
    await expect(lab.get("rail")).toBeVisible();
  },
);

test("the list of questions is a layer: nothing below it moves", LONG, async ({ lab }) => {
  await lab.open("");
  const before = await lab.get("stage").boundingBox();
  await lab.get("gallery-open").click();
  await expect(lab.get("picker")).toBeVisible();
  expect(await lab.get("stage").boundingBox()).toEqual(before);
  await lab.page.keyboard.press("Escape");
  await expect(lab.get("picker")).toHaveCount(0);
});

test("on a phone: question, numbers, picture with its switch, answers, knobs, one below the other", async ({
  lab,
}) => {
  await lab.page.setViewportSize({ width: 390, height: 844 });
  await lab.open(QUICK);
  const tops: number[] = [];
  for (const id of ["question", `headline-${DEPTH}`, "stage", "dock", "knobs"])
    tops.push((await lab.get(id).boundingBox())?.y ?? NaN);
  expect(tops).toEqual([...tops].sort((one, other) => one - other));
  await expect(lab.get("timeline-a")).toBeVisible();
  await expect(lab.get("timeline-b")).toHaveCount(0);
  await lab.get("side-toggle-b").check({ force: true });
  await expect(lab.get("timeline-b")).toBeVisible();
});

test("on a phone every figure, and what B comes to beside A, is whole and in sight, without scrolling sideways", async ({
  lab,
}) => {
  await lab.page.setViewportSize({ width: 360, height: 780 });
  await lab.open("s/quota-burst/");
  const score = await lab
    .get("headline")
    .evaluate((element) => [element.scrollWidth, element.clientWidth] as const);
  expect(score[0]).toBe(score[1]);
  const figures = lab.get("headline").locator(".score-figure");
  expect(await figures.count()).toBe(14);
  const ratios = lab.get("headline").locator(".score-ratio");
  await expect(ratios.first()).toHaveText("0.41 × A");
  for (const words of [...(await figures.all()), ...(await ratios.all())])
    await expect(words).toBeInViewport({ ratio: 1 });
  for (const ratio of await ratios.all())
    expect(
      await ratio.evaluate((words) => [words.scrollWidth > words.clientWidth, words.textContent]),
    ).toEqual([false, expect.stringMatching(/./)]);
});

test("on a low phone the first figures stand over the picture, and one press opens all of them; paper has all", async ({
  lab,
}) => {
  await lab.page.setViewportSize({ width: 360, height: 640 });
  await lab.open("s/quota-burst/");
  const seen = lab.get("headline").locator(".score-row:visible");
  const all = lab.get("score-all");
  for (const [width, height, first] of [
    [360, 640, 2],
    [740, 360, 1],
    [360, 780, 7],
  ] as const) {
    await lab.page.setViewportSize({ width, height });
    await expect(seen, `${width} x ${height}`).toHaveCount(first);
  }
  await lab.page.setViewportSize({ width: 360, height: 640 });
  await expect(all).toHaveText("All 7 figures");
  await lab.page.emulateMedia({ media: "print" });
  await expect(seen).toHaveCount(7);
  await lab.page.emulateMedia({ media: null });
  await all.click();
  await expect(seen).toHaveCount(7);
  await all.click();
  await expect(seen).toHaveCount(2);
});

test("on a phone the lanes begin on the first screen in every theme; a projector's type fits a frame of that width", async ({
  lab,
}) => {
  const type = (): Promise<string> =>
    lab.page.evaluate(() => getComputedStyle(document.documentElement).fontSize);
  await lab.page.setViewportSize({ width: 390, height: 844 });
  await lab.open("s/quota-unthrottle-storm/");
  for (const theme of ["dark", "light", "projector"] as const) {
    await lab.choose(theme);
    await expect
      .poll(async () => (await measureFrame(lab)).lanesPx[0], { message: theme })
      .toBeGreaterThanOrEqual(100);
    expect(await type(), theme).toBe("16px");
    const sideways = await lab.page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(sideways, theme).toBe(0);
  }
  await lab.open("embed/quota-unthrottle-storm/?theme=projector");
  await expect.poll(type, { message: "as large as the page's, which a lane needs" }).toBe("16px");
  await lab.page.setViewportSize({ width: 1280, height: 720 });
  await expect.poll(type, { message: "a slide may be what frames it" }).toBe("24px");
});

test("in a window too low for the frame the page scrolls, and the lanes of both sides can be reached", async ({
  lab,
}) => {
  await lab.page.setViewportSize({ width: 640, height: 400 });
  await lab.open("s/quota-stranded/");
  for (const [width, height] of [
    [640, 400],
    [720, 450],
    [1280, 450],
  ] as const) {
    await lab.page.setViewportSize({ width, height });
    await lab.whenIdle();
    for (const id of ["lanes-a", "lanes-b", "transport", "dock", "knob-search"]) {
      await lab.get(id).scrollIntoViewIfNeeded();
      await expect(lab.get(id), `${id} at ${String(width)} x ${String(height)}`).toBeInViewport();
    }
    await lab.get("lanes-b").scrollIntoViewIfNeeded();
    const { scrolls, lanesPx, beside } = await measureFrame(lab);
    expect(scrolls && !beside).toBe(true);
    expect(lanesPx[1], "B's lanes are in sight").toBeGreaterThan(60);
    const sideways = await lab.page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(sideways).toBe(0);
  }
});

test("at 400 % of 1280 x 1024 lanes are on the first screen, and everything is reached by scrolling down", async ({
  lab,
}) => {
  await lab.page.setViewportSize({ width: 320, height: 256 });
  for (const scenario of [
    "s/quota-five-fixes/",
    "s/jvm-gc-threads/",
    "s/quota-unthrottle-storm/",
    "s/quota-tree/",
  ]) {
    await lab.open(scenario);
    expect(
      (await measureFrame(lab)).lanesPx[0],
      `lanes of ${scenario} on the first screen`,
    ).toBeGreaterThanOrEqual(12);
    await lab.get("score-all").click();
    for (const id of [
      "lanes-a",
      "side-toggle",
      "story-next",
      "transport",
      "step-on",
      "dock",
      "knob-search",
    ]) {
      await lab.get(id).scrollIntoViewIfNeeded();
      await expect(lab.get(id), `${id} of ${scenario}`).toBeInViewport();
    }
    const figures = lab.get("headline").locator(".score-figure");
    await figures.last().scrollIntoViewIfNeeded();
    await expect(figures.last()).toBeInViewport({ ratio: 1 });
    expect(await lab.page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  }
});

test("where the window has no room for the scenario's text beside the picture, the text lies over it, whole", async ({
  lab,
}) => {
  await lab.page.setViewportSize({ width: 720, height: 900 });
  await lab.open(QUICK);
  await lab.get("drawer-open").click();
  for (const width of [620, 720, 900]) {
    await lab.page.setViewportSize({ width, height: 900 });
    const drawer = lab.get("drawer");
    await expect.poll(async () => (await drawer.boundingBox())?.width).toBe(width);
    expect((await drawer.boundingBox())?.height).toBeGreaterThan(600);
  }
  await lab.page.setViewportSize({ width: 640, height: 400 });
  const ends = await lab
    .get("drawer")
    .evaluate((drawer) => [drawer.scrollHeight, drawer.clientHeight] as const);
  expect(ends[0], "in a low window it is as high as what is in it").toBe(ends[1]);
  await lab.get("drawer-close").click();
  await expect(lab.get("drawer")).toHaveCount(0);
});

test("nothing shifts when the numbers arrive, at first and after a knob", async ({ lab }) => {
  await lab.page.addInitScript(() => {
    const shifts: number[] = [];
    (window as unknown as { shifts: number[] }).shifts = shifts;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        shifts.push((entry as unknown as { value: number }).value);
    }).observe({ type: "layout-shift", buffered: true });
  });
  const shifted = (): Promise<number> =>
    lab.page.evaluate(() =>
      (window as unknown as { shifts: number[] }).shifts.reduce((sum, value) => sum + value, 0),
    );
  await lab.open(QUICK);
  await lab.flip(PUSH_IPI, "a", "on");
  expect(await shifted()).toBeLessThan(0.1);
});

/** The questions of all scenarios. */
const QUESTIONS = readdirSync(new URL("../scenarios/", import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(
    ({ name }) =>
      JSON.parse(
        readFileSync(new URL(`../scenarios/${name}/scenario.json`, import.meta.url), "utf8"),
      ) as { title: string },
  )
  .map(({ title }) => title);

test("what is said beside a knob never lies over its field, however wide the rail is", async ({
  lab,
}) => {
  await lab.open("s/eevdf-slices/");
  for (const width of [1440, 1920, 2560]) {
    await lab.page.setViewportSize({ width, height: 1080 });
    await lab.whenIdle();
    const field = await lab.knob("kernel.base_slice").boundingBox();
    const words = await lab
      .get("knob-card-kernel.base_slice")
      .getByText("A only. B: kernel.fair is cfs")
      .boundingBox();
    if (field === null || words === null) throw new Error("no knob");
    const beside = words.x >= field.x + field.width || words.y >= field.y + field.height;
    expect(beside, `${width}: ${JSON.stringify({ field, words })}`).toBe(true);
  }
});

test("every question is read whole at 1440 px, in every theme", LONG, async ({ lab }) => {
  // The most steps that there may be: their dots need room, too.
  await lab.open("s/rt-pull-herd/");
  for (const theme of ["dark", "projector"] as const) {
    await lab.choose(theme);
    const cut = await lab.get("question").evaluate((title, questions) => {
      const own = title.textContent;
      const found = questions.filter((question) => {
        title.textContent = question;
        const bar = title.closest(".topbar")?.getBoundingClientRect();
        const box = title.getBoundingClientRect();
        const inside = bar !== undefined && box.top >= bar.top && box.bottom <= bar.bottom;
        return (
          !inside ||
          title.scrollHeight > title.clientHeight + 1 ||
          title.scrollWidth > title.clientWidth + 1
        );
      });
      title.textContent = own;
      return found;
    }, QUESTIONS);
    expect(cut, theme).toEqual([]);
  }
});

test("a sum leads to its longest part, and nothing selected before is said to be that; a count to an event it counts", async ({
  lab,
}) => {
  await lab.open("s/beside-idle/");
  await lab.selectWorst();
  const before = await lab.playhead();
  await lab.get("headline-tasks.request.*.ready_ns-a").click();
  await lab.whenIdle();
  expect(await lab.playhead()).not.toBe(before);
  await expect(lab.get("nothing-selected")).toBeVisible();
  await lab.open("s/rt-throttling/");
  await lab.get("headline-tasks.runaway.0.run_ns-a").click();
  await lab.whenIdle();
  await expect(lab.cpuRow("a", 0)).toHaveAttribute("aria-label", /runaway\.0/);
  await lab.open("s/ipi-storm/");
  await lab.get("headline-ipi.reschedule.sent-a").click();
  await lab.whenIdle();
  await expect(lab.get("headline-ipi.reschedule.sent-a").locator("..")).toHaveAttribute(
    "title",
    /You see the first (in view|of all)\./,
  );
});

test("on a phone the header leads to the knobs", async ({ lab }) => {
  await lab.page.setViewportSize({ width: 390, height: 844 });
  await lab.open(QUICK);
  await expect(lab.get("knob-search")).not.toBeInViewport();
  await lab.get("to-knobs").click();
  await expect(lab.get("knob-search")).toBeInViewport();
});
