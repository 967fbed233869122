// A knob over many values and seeds, in the page: what people do with it, and what it promises.

import { readFileSync } from "node:fs";
import { PUSH_IPI, DEPTH, expect, framed, HERD, QUICK, SPIN, test } from "./support/lab.ts";
import { LONG } from "./support/thorough.ts";

/** The herd's first headline number, whose chart is the first. */
const FIRST = "latency.cyclictest.max_ns";

test("a sweep runs each value on each seed, and a point opens the run in the middle on the wake-up that made its figure", async ({
  lab,
}) => {
  await lab.open(HERD);
  const before = await lab.axis();
  await lab.get("sweep-open").click();
  await lab.get("sweep-knob").selectOption("machine.cpus");
  await lab.get("sweep-values").fill("4, 6..7");
  await lab.get("sweep-seeds").fill("2");
  await expect(lab.get("sweep-run")).toHaveText("Run 12 times");
  await lab.get("sweep-run").click();
  const progress = lab.get("sweep-progress");
  await expect(progress).toHaveAttribute("data-running", "false");
  await expect(progress).toHaveAttribute("data-done", "12");
  const point = lab.get("sweep-chart-0-0-2");
  const median = await point.getAttribute("data-median");
  await point.press("Enter");
  await expect(lab.get("sweep")).toHaveCount(0);
  await lab.whenIdle();
  expect(
    String(await lab.headline("a", FIRST)),
    "of the first headline number, as the chart is",
  ).toBe(median);
  await expect(lab.get("setup")).toContainText("7 CPUs");
  await expect(lab.get("waterfall-a-sum"), "the wake-up of the maximum").toHaveAttribute(
    "data-ns",
    median ?? "",
  );
  expect(await lab.axis(), "the view of the run before says nothing of this one").not.toEqual(
    before,
  );
});

test("a point of a figure that many moments made opens as the scenario opens, wherever the viewer looked before", async ({
  lab,
}) => {
  await lab.open(HERD);
  await lab.get("story-next").click();
  await lab.page.keyboard.press("0");
  await lab.whenIdle();
  const [, end] = await lab.view();
  await lab.get("sweep-open").click();
  await lab.get("sweep-knob").selectOption("machine.cpus");
  await lab.get("sweep-values").fill("7");
  await lab.get("sweep-seeds").fill("1");
  await lab.get("sweep-run").click();
  await lab.get("sweep-chart-1-0-0").click();
  await lab.whenIdle();
  await expect(lab.get("story-caption")).toHaveAttribute("data-step", "1");
  const [from, to] = await lab.view();
  expect(to - from, "the first step's view, not the whole run").toBeLessThan(end / 10);
});

test("a value that cannot be read is named before anything runs, and closing the window loses nothing", async ({
  lab,
}) => {
  await lab.open(QUICK);
  await lab.get("sweep-open").click();
  await lab.get("sweep-knob").selectOption("machine.cpus");
  await lab.get("sweep-values").fill("4, many");
  await expect(lab.get("sweep-error")).toContainText("“many”");
  await expect(lab.get("sweep-run")).toBeDisabled();
  await lab.get("sweep-close").click();
  await lab.get("sweep-open").click();
  await expect(lab.get("sweep-values")).toHaveValue("4, many");
});

test("a sweep that is stopped keeps what is done", async ({ lab }) => {
  await lab.open(QUICK);
  await lab.get("sweep-open").click();
  await lab.get("sweep-knob").selectOption("machine.cpus");
  await lab.get("sweep-values").fill("8");
  await lab.get("sweep-seeds").fill("900");
  await lab.get("sweep-run").click();
  const progress = lab.get("sweep-progress");
  await expect(progress).toHaveAttribute("data-done", /^[1-9]/);
  await lab.get("sweep-cancel").click();
  await expect(progress).toHaveAttribute("data-running", "false");
  const done = Number(await progress.getAttribute("data-done"));
  expect(done).toBeGreaterThan(0);
  expect(done).toBeLessThan(1800);
  await expect(lab.get("sweep-chart-0-0-0")).toHaveAttribute("data-median", /^\d+$/);
});

test("the command beside a sweep gives the figures of its table", LONG, async ({ lab }) => {
  await lab.open(QUICK);
  await lab.get("sweep-open").click();
  await lab.get("sweep-knob").selectOption("machine.cpus");
  // Few and small: on a busy machine one worker does them all.
  await lab.get("sweep-values").fill("4, 5");
  await lab.get("sweep-run").click();
  await expect(lab.get("sweep-progress")).toHaveAttribute("data-running", "false");
  await lab.get("sweep").getByText("The same as a command").click();
  await expect(lab.get("sweep-command")).toContainText(
    /^schedscope sweep rt-pull-herd .*--over .* --seeds 1\.\.5/,
  );
});

test("the smallest value that keeps a bound is found, with how sure the seeds make it", async ({
  lab,
}) => {
  await lab.open(QUICK);
  await lab.get("sweep-open").click();
  await lab.get("sweep-knob").selectOption("machine.cpus");
  await lab.get("sweep-seeds").fill("3");
  await lab.get("sweep-search").locator("summary").click();
  await lab.get("sweep-search-metric").selectOption(DEPTH);
  await lab.get("sweep-search-bound").fill("4000");
  await lab.get("sweep-search-from").fill("4");
  await lab.get("sweep-search-to").fill("10");
  await lab.get("sweep-find").click();
  await expect(lab.get("sweep-answer")).toHaveAttribute("data-value", "4");
  await expect(lab.get("sweep-answer")).toContainText(
    "held in 3 of 3 runs with different random numbers",
  );
});

test("a bare number bounds a time in the unit beside the field, and the search says how many runs it takes at most", async ({
  lab,
}) => {
  await lab.open(QUICK);
  await lab.get("sweep-open").click();
  await lab.get("sweep-knob").selectOption("machine.cpus");
  await lab.get("sweep-seeds").fill("3");
  await lab.get(`sweep-metric-${SPIN}`).check();
  await lab.get("sweep-search").locator("summary").click();
  await lab.get("sweep-search-metric").selectOption(SPIN);
  const unit = lab.get("sweep-search-bound-unit");
  await expect(unit).toHaveText(/^(s|ms|µs)$/);
  const said = (await unit.textContent()) ?? "";
  await lab.get("sweep-search-bound").fill("4000");
  await lab.get("sweep-search-from").fill("4");
  await lab.get("sweep-search-to").fill("400");
  await expect(lab.get("sweep-search-bound"), "the unit stays with the number").toHaveValue(
    `4000 ${said}`,
  );
  await expect(unit).toHaveCount(0);
  await lab.get("sweep-find").click();
  await expect(lab.get("sweep-progress")).toContainText(
    /^\d+ runs? done, at most \d+ more, \d+ workers?$/,
  );
  await lab.get("sweep-cancel").click();
  await expect(lab.get("sweep-progress")).toHaveText(/^\d+ runs? done, at most \d+ more, stopped$/);
});

test("a search over a switch says one thing, that there is nothing to look for; ends of a time are read bare, in the unit beside them", async ({
  lab,
}) => {
  await lab.open(QUICK);
  await lab.get("sweep-open").click();
  await lab.get("sweep-knob").selectOption(PUSH_IPI);
  await lab.get("sweep-search").locator("summary").click();
  await expect(lab.get("sweep-off-line")).toContainText("there is no smallest value to look for");
  await expect(lab.get("sweep-missing"), "nothing is asked for").toHaveCount(0);
  await expect(lab.get("sweep-search-from")).toHaveCount(0);
  await lab.get("sweep-knob").selectOption("workload.cyclictest.interval");
  await expect(lab.get("sweep-off-line")).toHaveCount(0);
  const unit = lab.get("sweep-search-from-unit");
  await expect(unit).toHaveText(/^(?:s|ms|µs)$/);
  const said = (await unit.textContent()) ?? "";
  for (const [end, typed] of [
    ["from", "2"],
    ["to", "9"],
  ] as const) {
    await lab.get(`sweep-search-${end}`).fill(typed);
    await lab.get(`sweep-search-${end}`).blur();
    await expect(lab.get(`sweep-search-${end}`)).toHaveValue(`${typed} ${said}`);
  }
  await lab.get("sweep-search-bound").fill("40");
  await expect(lab.get("sweep-find")).toBeEnabled();
});

test(
  "the smallest quota that keeps a bound is found as a time of its period, and the quota is swept as times",
  LONG,
  async ({ lab }) => {
    await lab.open("s/quota-stranded/");
    await lab.get("sweep-open").click();
    await lab.get("sweep-knob").selectOption("cgroups.fibtest.cpu_max");
    await expect(lab.get("sweep-values")).toHaveValue("2.5 ms, 5 ms, 10 ms, 20 ms, 40 ms");
    await lab.get("sweep-seeds").fill("1");
    await lab.get("sweep-metric-groups.fibtest.nr_throttled").check();
    await lab.get("sweep-values").fill("0.5ms");
    await expect(lab.get("sweep-error")).toContainText("“0.5ms”: expected a quota of 1 ms or more");
    await lab.get("sweep-values").fill("10ms, 50000 100000");
    await lab.get("sweep-search").locator("summary").click();
    await lab.get("sweep-search-metric").selectOption("groups.fibtest.nr_throttled");
    await lab.get("sweep-search-bound").fill("0");
    await lab.get("sweep-search-from").fill("10ms");
    await lab.get("sweep-search-to").fill("200ms");
    await lab.get("sweep-find").click();
    await expect(lab.get("sweep-answer")).toContainText(
      /^\d+ ms in every 100 ms\. \d+ ms in every 100 ms goes above/,
      {
        timeout: 60_000,
      },
    );
  },
);

test(
  "a sweep of two knobs has a line for each value of the second; its link opens the window filled in, and runs nothing",
  LONG,
  async ({ lab, elsewhere }) => {
    await lab.open(QUICK);
    await lab.get("sweep-open").click();
    await lab.get("sweep-knob").selectOption("machine.cpus");
    await lab.get("sweep-values").fill("4, 6");
    await lab.get("sweep-second").selectOption("kernel.hz");
    await lab.get("sweep-second-values").fill("100, 1000");
    await lab.get("sweep-seeds").fill("1");
    await expect(lab.get("sweep-run")).toHaveText("Run 8 times");
    await lab.get("sweep-search").locator("summary").click();
    await lab.get("sweep-search-bound").fill("3");
    await expect
      .poll(async () => lab.page.evaluate(() => window.location.hash))
      .toContain("sweep.lines.kernel.hz=100~2C~201000");
    await expect
      .poll(async () => lab.page.evaluate(() => window.location.hash))
      .toContain("sweep.find.bound=3");
    await elsewhere.open(
      await lab.page.evaluate(() => window.location.pathname + window.location.hash),
    );
    await expect(elsewhere.get("sweep-knob")).toHaveValue("machine.cpus");
    await expect(elsewhere.get("sweep-values")).toHaveValue("4, 6");
    await expect(elsewhere.get("sweep-second-values")).toHaveValue("100, 1000");
    await expect(elsewhere.get("sweep-search-bound")).toHaveValue("3");
    await expect(elsewhere.get("sweep-progress")).toHaveCount(0);
    await elsewhere.get("sweep-run").click();
    await expect(elsewhere.get("sweep-chart-0-3-1")).toBeAttached();
    await elsewhere.get("sweep-close").click();
    await expect
      .poll(async () => elsewhere.page.evaluate(() => window.location.hash))
      .not.toContain("sweep.");
  },
);

test(
  "going back closes the window and keeps what was typed and what came of it; going forward opens it again",
  LONG,
  async ({ lab }) => {
    await lab.open(QUICK);
    const hash = (): Promise<string> => lab.page.evaluate(() => window.location.hash);
    await lab.get("sweep-open").click();
    await expect.poll(hash).toContain("sweep.");
    await lab.get("sweep-knob").selectOption("machine.cpus");
    await lab.get("sweep-values").fill("4, 5");
    await lab.get("sweep-seeds").fill("1");
    await expect.poll(hash).toContain("sweep.seeds=1&");
    await lab.get("sweep-run").click();
    await expect(lab.get("sweep-progress")).toHaveAttribute("data-running", "false");
    await lab.page.goBack();
    await expect(lab.get("sweep")).toHaveCount(0);
    await expect(lab.get("sweep-open")).toBeFocused();
    await expect.poll(hash).not.toContain("sweep.");
    await lab.page.goForward();
    await expect(lab.get("sweep-values")).toHaveValue("4, 5");
    await expect(lab.get("sweep-chart-0-0-1")).toBeAttached();
    await lab.page.goBack();
    await expect(lab.get("sweep")).toHaveCount(0);
    await lab.get("sweep-open").click();
    await expect(lab.get("sweep-values")).toHaveValue("4, 5");
    await expect(lab.get("sweep-chart-0-0-1")).toBeAttached();
  },
);

test("names that a link puts into the window are shown with what does not show written out", async ({
  lab,
}) => {
  await lab.open(
    `${HERD}#${framed("sweep.over.machine.cpus=4~2C~E2~80~AEmany&sweep.metric.latency.a~E2~80~AEb~07.max_ns=")}`,
  );
  await expect(lab.get("sweep").locator("label", { hasText: "\\u{202e}" })).toHaveAttribute(
    "title",
    "latency.a\\u{202e}b\\u{7}.max_ns",
  );
  await expect(lab.get("sweep-error")).toContainText("“\\u{202e}many”");
});

test("seeds that have no figure are counted beside the median that leaves them out: at the point, in the table and in its file", async ({
  lab,
}) => {
  await lab.open("s/quota-web-p95/");
  await lab.get("sweep-open").click();
  await lab.get("sweep-knob").selectOption("duration");
  // Too short for an answer of some seeds, and of any.
  await lab.get("sweep-values").fill("5ms, 50ms, 100ms");
  await lab.get("sweep-seeds").fill("8");
  await lab.get("sweep-run").click();
  await expect(lab.get("sweep-progress")).toHaveAttribute("data-running", "false", {
    timeout: 60_000,
  });
  const some = /\b[1-7] of 8 seeds ha(?:s|ve) no figure/;
  await expect(lab.get("sweep-chart-0-0-1")).toHaveAttribute("aria-label", some);
  await expect(lab.get("sweep-chart-0-0-0"), "no seed of it has one").toHaveCount(0);
  await expect(lab.get("sweep-chart-0-0-2"), "all have one").toHaveAttribute(
    "aria-label",
    /, 8 seeds\)/,
  );
  await lab.get("sweep-table").locator("xpath=ancestor::details").locator("summary").click();
  const row = lab.get("sweep-table").getByRole("row");
  await expect(row.filter({ hasText: some }).first()).toBeVisible();
  await expect(row.filter({ hasText: "8 of 8 seeds have no figure" }).first()).toBeVisible();
  const [file] = await Promise.all([
    lab.page.waitForEvent("download"),
    lab.get("sweep-table-csv").click(),
  ]);
  const text = readFileSync(await file.path(), "utf8");
  expect(text).toMatch(
    /tool_samples\.web_front\.request\.p95_ns: [1-7] of 8 seeds ha(?:s|ve) no figure/,
  );
});
