// States in which there is nothing to show, or the browser denies something: what the page says
// then, and the way on.

import { expect, framed, PUSH_IPI, QUICK, test } from "./support/lab.ts";
import { LONG } from "./support/thorough.ts";

test(
  "two sides that are the same say so and offer three changes, each of which tells them apart",
  LONG,
  async ({ lab }) => {
    await lab.open(QUICK);
    await expect(lab.get("alike")).toHaveCount(0);
    await lab.flip(PUSH_IPI, "b", "off");
    const alike = lab.get("alike");
    await expect(alike).toContainText("Both sides are identical");
    expect(await lab.digest("a")).toBe(await lab.digest("b"));
    const [bar, dock] = await Promise.all([alike.boundingBox(), lab.get("dock").boundingBox()]);
    expect(
      (bar?.x ?? NaN) + (bar?.width ?? NaN),
      "the answers beside the picture stay in sight",
    ).toBeLessThanOrEqual(dock?.x ?? NaN);
    for (const offer of ["alike-1", "alike-2", "alike-3"]) {
      await lab.get(offer).click();
      await lab.whenIdle();
      await expect(alike, await lab.get("setup").innerText()).toHaveCount(0);
      await lab.get("undo").click();
      await lab.whenIdle();
      await expect(alike).toBeVisible();
    }
    await lab.get("alike-one").click();
    await expect(alike, "one side has nothing to be the same as").toHaveCount(0);
  },
);

test("what says that both sides are identical lies over no lane of theirs", async ({ lab }) => {
  await lab.open(QUICK);
  await lab.flip(PUSH_IPI, "b", "off");
  for (const [width, height] of [
    [1280, 720],
    [1920, 1080],
    [390, 844],
  ] as const) {
    await lab.page.setViewportSize({ width, height });
    const [words, lanes] = [lab.get("alike"), lab.page.locator("[data-testid^='lanes-']").last()];
    await expect(words).toContainText("Both sides are identical");
    await expect
      .poll(
        async () => {
          const [above, below] = await Promise.all([lanes.boundingBox(), words.boundingBox()]);
          return (above?.y ?? NaN) + (above?.height ?? NaN) <= (below?.y ?? NaN);
        },
        `${String(width)} x ${String(height)}`,
      )
      .toBe(true);
  }
});

test("a step whose answer is that nothing differs says so itself: the picture keeps its room until a knob is turned", async ({
  lab,
}) => {
  await lab.open("s/ipi-storm/");
  for (let step = 1; step < 5; step += 1) await lab.get("story-next").click();
  await lab.whenIdle();
  await expect(lab.get("story-count")).toHaveText("5 of 5");
  await expect(lab.get("alike")).toHaveCount(0);
  await lab.flip("machine.cpus", "both", "12");
  await expect(lab.get("alike")).toContainText("Both runs are the same");
});

test("a task that never woke has no histogram but says so and names who did; where nobody did, nothing is selected by its key", async ({
  lab,
}) => {
  await lab.open("lab/");
  const tasks = {
    hog: { loop: -1, run: 1_000_000, cpus: [0] },
    nap: { loop: -1, run: 100, sleep: 900, cpus: [1] },
  };
  const scenario = (of: object): string =>
    JSON.stringify({
      schema: 1,
      title: "who woke?",
      duration: "20ms",
      machine: { cpus: 2, topology: "1x2", costs: "zero" },
      kernel: { version: "6.1" },
      workload: { tasks: of },
    });
  await lab.write(scenario(tasks));
  await lab.dock("latency");
  await lab.get("latency-kind").selectOption("hog");
  for (const side of ["a", "b"])
    await expect(lab.get(`no-samples-${side}`)).toContainText(
      "No wake-up of hog ended in this run",
    );
  await lab.get("no-samples-a-take-nap").click();
  await expect(lab.get("no-samples-a")).toHaveCount(0);
  await expect(lab.get("latency-max-a")).toHaveAttribute("data-ns", /\d/);

  await lab.write(scenario({ hog: tasks.hog }));
  await expect(lab.get("no-samples-a")).toContainText("Nor did any other task");
  await lab.dock("why");
  await expect(lab.get("nothing-selected")).toContainText("No wake-up ended in these runs");
  await expect(lab.get("worst-a")).toBeDisabled();
  await lab.get("question").focus();
  await lab.press("l");
  await expect(lab.get("waterfall-a")).toHaveCount(0);
});

test("a task that wakes and never runs has no greatest latency: the score calls it unfinished, and Numbers has no 0", async ({
  lab,
}) => {
  await lab.open(`s/softirq-live-lock/#${framed("k.seed=10")}`);
  const worst = lab.get("headline-latency.cyclictest.max_ns-a");
  await expect(worst).toHaveText("unfinished");
  await expect(
    lab.page.getByTitle("None ended in this run. Under way at its end: 1"),
  ).toBeVisible();
  expect(await lab.headline("b", "latency.cyclictest.max_ns")).toBeGreaterThan(0);
  await lab.dock("numbers");
  await lab.get("numbers-search").fill("latency.cyclictest.max");
  const row = lab.get("numbers-metrics").locator(".data-body [role=row]").first();
  await expect(row).toContainText("n = 0");
});

test("without a clipboard the link stands selected, to be copied by hand", async ({ lab }) => {
  await lab.page.addInitScript(() => {
    Object.defineProperty(navigator, "clipboard", {
      value: { writeText: () => Promise.reject(new Error("denied")) },
    });
  });
  await lab.open(QUICK);
  await lab.get("share-open").click();
  await lab.get("share-copy-link").click();
  const field = lab.get("share-copy-link-manual");
  await expect(field).toBeFocused();
  const link = await lab.get("share-link").inputValue();
  const selected = await field.evaluate((area: HTMLTextAreaElement) =>
    area.value.slice(area.selectionStart, area.selectionEnd),
  );
  expect(selected).toBe(link);
});

test("without storage everything works until the page is left: themes, settings, a scenario of one's own", async ({
  lab,
}) => {
  await lab.page.addInitScript(() => {
    Object.defineProperty(window, "localStorage", {
      get: () => {
        throw new DOMException("denied", "SecurityError");
      },
    });
  });
  await lab.open(QUICK);
  // Nothing says that this browser was left in the lab.
  await lab.get("lab-open").click();
  await lab.whenIdle();
  await lab.choose("light");
  await lab.get("help-open").click();
  await lab.get("letters-on").uncheck();
  await lab.get("drag-pans").check();
  await lab.get("help-close").click();
  await lab.get("drawer-open").click();
  await lab.write("no scenario");
  await expect(lab.get("scenario-error-ab")).toContainText("This scenario cannot run");
  await lab.get("scenario-editor-open").click();
  await expect(lab.get("scenario-editor")).toBeVisible();
  await expect(lab.get("crashed")).toHaveCount(0);
});

test("a run that would pass the record limit says so while it is typed, before anything is computed, and at the last known rate when asked for", async ({
  lab,
}) => {
  await lab.open("s/rt-pull-herd/");
  await lab.get("knobs-more").click();
  const field = lab.get("knob-duration");
  await field.fill("200ms");
  await expect(lab.get("limit-typed"), "it comes through").toHaveCount(0);
  const before = await lab.digest("a");
  await field.fill("100s");
  await expect(lab.get("limit-typed")).toContainText("This run would be too long for the page");
  await expect(lab.get("limit-typed")).toContainText("of 100 s");
  await expect(lab.get("limit-typed")).toContainText(/A run of [\d.]+.(s|ms) fits\./);
  expect(await lab.digest("a"), "nothing was run").toBe(before);
  await field.press("Escape");
  await expect(lab.get("limit-typed")).toHaveCount(0);
  await field.fill("100s");
  await field.press("Enter");
  await expect(lab.get("limit-foreseen")).toContainText(
    "the rate of the last run known of this scenario",
  );
  await lab.get("limit-foreseen").getByRole("button", { name: "Stop now" }).click();
});

test("a run that another run's rate ends near its end may be too long, while it is typed and as it starts; one that ends far before is", async ({
  lab,
}) => {
  await lab.open(QUICK);
  await lab.get("knobs-more").click();
  const field = lab.get("knob-duration");
  const typed = lab.get("limit-typed");
  await field.fill("1000s");
  await expect(typed).toContainText("This run would be too long for the page");
  const [, digits = "", unit = ""] =
    /stops at about ([\d.]+)\s(s|ms) of/.exec(await typed.innerText()) ?? [];
  expect(Number(digits), "where the limit lies, in one digit").toBeGreaterThan(0);
  // Behind any place that is written with this digit, and less than twice as far.
  const near = `${String(Number(digits) * 1.7)}${unit}`;
  await field.fill(near);
  await expect(typed).toContainText("This run may be too long for the page");
  await field.press("Enter");
  await expect(lab.get("limit-foreseen")).toContainText("This run may be too long for the page");
  await lab.get("limit-foreseen").getByRole("button", { name: "Stop now" }).click();
  await lab.flip("duration", "both", "20ms");
  await expect(lab.get("limit-foreseen")).toHaveCount(0);
  await field.fill("1000s");
  await field.press("Enter");
  await expect(lab.get("limit-foreseen")).toContainText("This run is too long for the page");
  await lab.get("limit-foreseen").getByRole("button", { name: "Stop now" }).click();
});
