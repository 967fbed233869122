// The tables of numbers: every figure of both runs, and every stretch a task ran on one.

import { readFile } from "node:fs/promises";
import type { Locator } from "@playwright/test";
import { expect, HERD, QUICK, test, type Lab } from "./support/lab.ts";
import { expectAccessible } from "./support/axe.ts";
import { LONG } from "./support/thorough.ts";

type Tab = "metrics" | "tasks" | "causes" | "wake-ups";

async function tab(lab: Lab, name: Tab): Promise<void> {
  await lab.get(`numbers-tab-${name}`).click();
  await expect(lab.get(`numbers-${name.replace("-", "")}`)).toHaveAttribute("data-rows", /^\d+$/);
}

async function rowCount(lab: Lab, table: string): Promise<number> {
  return Number(await lab.get(`numbers-${table}`).getAttribute("data-rows"));
}

/** What the page hands over as a file. */
async function exported(lab: Lab, format: "csv" | "json"): Promise<string> {
  const [file] = await Promise.all([
    lab.page.waitForEvent("download"),
    lab.get(`numbers-${format}`).click(),
  ]);
  expect(file.suggestedFilename(), "which scenario's").toMatch(
    /^[a-z0-9-]+-(?:metrics|tasks|causes|wake-ups-[ab])\.(?:csv|json)$/,
  );
  return readFile(await file.path(), "utf8");
}

const values = (lab: Lab, table: string, column: string): Promise<number[]> =>
  lab
    .get(`numbers-${table}`)
    .locator(`[data-column="${column}"]`)
    .evaluateAll((cells) => cells.map((cell) => Number(cell.getAttribute("data-value"))));

test("metrics say what the headline says, exactly, and export every row", async ({ lab }) => {
  await lab.open(QUICK);
  await lab.dock("numbers");
  await tab(lab, "metrics");
  const all = await rowCount(lab, "metrics");
  const rows = JSON.parse(await exported(lab, "json")) as readonly Record<string, unknown>[];
  expect(rows.length).toBe(all);
  const depth = rows.find(({ metric }) => metric === "rq_lock.max_waiters");
  const a = await lab.headline("a", "rq_lock.max_waiters");
  const b = await lab.headline("b", "rq_lock.max_waiters");
  expect(depth).toMatchObject({ value_a: a, value_b: b, value_delta: b - a });
  const csv = await exported(lab, "csv");
  expect(csv.split("\r\n")[0]).toBe("metric,value_a,value_b,value_delta,value_ratio,note");
  expect(csv.split("\r\n")).toContain(`rq_lock.max_waiters,${a},${b},${b - a},${b / a},`);
  await lab.get("numbers-search").fill("max_waiters");
  await expect(lab.get("numbers-metrics")).toHaveAttribute("data-rows", "1");
  await expect(lab.get("numbers-metrics").getByRole("gridcell").first()).toHaveText(
    "Deepest queue on one run-queue lock",
  );
});

test(
  "a percentile of too few samples is no figure: in the table, in files, as in the Latency panel",
  LONG,
  async ({ lab }) => {
    await lab.open(QUICK);
    await lab.dock("numbers");
    await tab(lab, "metrics");
    await lab.get("numbers-search").fill("cyclictest.p999_ns");
    const cell = lab.get("numbers-metrics").locator('.data-body [data-column="value_a"]');
    await expect(cell).toHaveText(/^n = [\d\u202f]+$/);
    await expect(cell).toHaveAttribute("title", /^too few samples \(n = [\d\u202f]+\)$/);
    const csv = await exported(lab, "csv");
    expect(csv.split("\r\n")[1]).toMatch(
      /^latency\.cyclictest\.p999_ns,,,,,A: too few samples \(n = [\d\u202f]+\); B: too few samples/,
    );
  },
);

test("at 1440 px every name, every figure and every difference of two runs is whole and in sight", async ({
  lab,
}) => {
  await lab.page.setViewportSize({ width: 1440, height: 900 });
  await lab.open("s/lazy-or-now/");
  await lab.dock("numbers");
  for (const [name, search] of [
    ["metrics", "_kernel"],
    ["tasks", ""],
    ["causes", ""],
    ["wake-ups", ""],
  ] as const) {
    await tab(lab, name);
    await lab.get("numbers-search").fill(search);
    const table = lab.get(`numbers-${name.replace("-", "")}`);
    await expect(table.getByRole("gridcell").first()).toBeVisible();
    const cut = await table.evaluate((element) => [
      ...(element.scrollWidth > element.clientWidth ? ["the table"] : []),
      ...[...element.querySelectorAll(".data-row > *")]
        .filter((cell) => cell.scrollWidth > cell.clientWidth)
        .map((cell) => cell.textContent),
    ]);
    expect(cut).toEqual([]);
  }
});

test("the table is the first thing in Numbers and has most of the dock; what the rail says already stands below it", async ({
  lab,
}) => {
  await lab.open("s/quota-burst/");
  await lab.dock("numbers");
  await tab(lab, "metrics");
  const dock = await lab.get("dock").boundingBox();
  const table = await lab.get("numbers-metrics").boundingBox();
  const bars = await lab.get("headline-bars").boundingBox();
  if (dock === null || table === null || bars === null) throw new Error("not shown");
  expect(table.height).toBeGreaterThan(dock.height * 0.6);
  expect(table.y + table.height).toBeLessThanOrEqual(dock.y + dock.height);
  expect(bars.y).toBeGreaterThan(table.y + table.height);
});

test("columns whose figures have no unit name it in their heading, as perf does", async ({
  lab,
}) => {
  await lab.open(QUICK);
  await lab.dock("numbers");
  await tab(lab, "wake-ups");
  const heading = (column: string): Promise<string> =>
    lab.get(`numbers-sort-${column}`).innerText();
  expect(await heading("time_ns")).toBe("time (s)");
  for (const [column, name] of [
    ["wait_ns", "wait time"],
    ["sch_delay_ns", "sch delay"],
    ["run_ns", "run time"],
  ] as const)
    expect((await heading(column)).replace("\n", " ")).toBe(`${name} (ms)`);
});

test(
  "idle while overloaded and lost work are rows of both runs: fair tasks on one CPU leave others idle",
  LONG,
  async ({ lab }) => {
    await lab.open("s/beside-idle/");
    await lab.dock("numbers");
    await tab(lab, "metrics");
    await lab.get("numbers-search").fill("trace.");
    const column = (side: string): Locator =>
      lab.get("numbers-metrics").locator(`.data-body [data-column="value_${side}"]`);
    for (const side of ["a", "b"]) {
      await expect(column(side)).toHaveCount(2);
      for (const row of [0, 1])
        await expect(column(side).nth(row)).toHaveAttribute("data-value", /^\d+$/);
      const [idle = 0, lost = 0] = await values(lab, "metrics", `value_${side}`).then((all) =>
        all.slice(-2),
      );
      expect(lost).toBeGreaterThan(0);
      expect(
        idle,
        "one waiting task makes several CPUs count, and is lost once",
      ).toBeGreaterThanOrEqual(lost);
    }
  },
);

test(
  "a press on a heading sorts by it, greatest first, then least, then as it came",
  LONG,
  async ({ lab }) => {
    await lab.open(QUICK);
    await lab.dock("numbers");
    await tab(lab, "tasks");
    const came = await values(lab, "tasks", "run_ns_a");
    const press = async (): Promise<readonly number[]> => {
      await lab.get("numbers-sort-run_ns_a").click();
      return values(lab, "tasks", "run_ns_a");
    };
    const down = await press();
    expect(down).toEqual([...down].sort((one, other) => other - one));
    const up = await press();
    expect(up).toEqual([...up].sort((one, other) => one - other));
    expect(await press()).toEqual(came);
  },
);

test("a row of tasks lists its runs; a row of those selects its wake-up; the keyboard does both", async ({
  lab,
}) => {
  await lab.open(QUICK);
  await lab.dock("numbers");
  await tab(lab, "tasks");
  await lab.get("numbers-search").fill("cyclictest.3");
  await lab.get("numbers-tasks").focus();
  await lab.page.keyboard.press("Enter");
  await expect(lab.get("numbers-tab-wake-ups")).toHaveAttribute("aria-selected", "true");
  await lab.get("numbers-scope").selectOption("all");
  const table = lab.get("numbers-wakeups");
  await expect.poll(() => rowCount(lab, "wakeups")).toBeGreaterThan(10);
  await expect(table.locator("[data-column=task]").first()).toHaveText(/^cyclictest\.3\[\d+\]$/);
  await expect(table.locator("[data-column=cpu]").first()).toHaveText(/^\[\d{4}\]$/);
  await expect(table.locator("[data-column=run_ns]").first()).toHaveText(/^\d+\.\d{3}$/);
  const axis = await lab.axis();
  await table.focus();
  await lab.page.keyboard.press("End");
  await lab.page.keyboard.press("ArrowUp");
  await lab.page.keyboard.press("Enter");
  await lab.whenIdle();
  expect(await lab.axis(), "arrows walk the table, not the picture").toEqual(axis);
  await expect(lab.get("waterfall-a-name")).toContainText("cyclictest.3 wake-up");
  // Why opens by itself; the table waits as it was left.
  await lab.dock("numbers");
  await expect(lab.get("numbers-scope")).toHaveValue("all");
  await expect(table.locator("[role=row][aria-selected=true]").first()).toBeInViewport();
});

test("of a hundred thousand rows only those in sight are in the page, and the last is one key away", async ({
  lab,
}) => {
  await lab.open(HERD);
  await lab.dock("numbers");
  await tab(lab, "wake-ups");
  await lab.get("numbers-scope").selectOption("all");
  const table = lab.get("numbers-wakeups");
  await expect(table).toHaveAttribute("data-rows", /^\d{5,}$/);
  const count = await rowCount(lab, "wakeups");
  expect(await table.getByRole("row").count()).toBeLessThan(60);
  await table.focus();
  await lab.page.keyboard.press("End");
  await expect(table.locator(`[aria-rowindex="${count + 1}"]`)).toBeInViewport();
  expect(await table.getByRole("row").count()).toBeLessThan(60);
  const rows = JSON.parse(await exported(lab, "json")) as readonly {
    readonly time_ns: number;
    readonly run_ns: number;
  }[];
  expect(rows.length).toBe(count);
  expect(
    rows.every(({ time_ns, run_ns }) => Number.isInteger(time_ns) && Number.isInteger(run_ns)),
  ).toBe(true);
});

test("every table is sound to axe", LONG, async ({ lab }) => {
  await lab.open(QUICK);
  await lab.dock("numbers");
  for (const name of ["metrics", "tasks", "causes", "wake-ups"] as const) {
    await tab(lab, name);
    await expectAccessible(lab, name, "numbers");
  }
});

test("every table of an answer is a file of the scenario, with rows: waterfall, sample, percentiles, throttles, quota, costs, functions", async ({
  lab,
}) => {
  /** Names the button's files. */
  const saved = async (id: string): Promise<string> => {
    const [csv] = await Promise.all([
      lab.page.waitForEvent("download"),
      lab.get(`${id}-csv`).click(),
    ]);
    const [json] = await Promise.all([
      lab.page.waitForEvent("download"),
      lab.get(`${id}-json`).click(),
    ]);
    const rows = JSON.parse(await readFile(await json.path(), "utf8")) as readonly unknown[];
    expect(rows.length, id).toBeGreaterThan(0);
    expect((await readFile(await csv.path(), "utf8")).trimEnd().split("\r\n").length, id).toBe(
      rows.length + 1,
    );
    expect(json.suggestedFilename().replace(/json$/, "csv")).toBe(csv.suggestedFilename());
    return csv.suggestedFilename();
  };
  await lab.open("s/quota-stranded/");
  await lab.dock("why");
  await lab.get("worst-a").click();
  expect(await saved("waterfall-a")).toBe("quota-stranded-waterfall-a.csv");
  await lab.dock("latency");
  expect(await saved("percentiles")).toBe("quota-stranded-percentiles.csv");
  await lab.dock("numbers");
  const group =
    (await lab.page
      .locator("[data-testid^='throttle-lengths-'][data-testid$='-a']")
      .first()
      .getAttribute("data-testid")) ?? "";
  expect(await saved(group)).toMatch(/^quota-stranded-throttles-[\w-]+-a[.]csv$/);
  expect(await saved(group.replace("throttle-lengths", "quota"))).toMatch(
    /^quota-stranded-quota-[\w-]+-a[.]csv$/,
  );
  await lab.dock("sources");
  await lab.get("costs").locator("summary").click();
  expect(await saved("costs")).toBe("quota-stranded-costs.csv");
  await lab.get("rules-table").locator("summary").click();
  expect(await saved("rules-table")).toBe("quota-stranded-kernel-functions-a.csv");
  await lab.open("s/hackbench/");
  await lab.dock("why");
  await lab.page.locator("[data-testid^='sample-longest-'][data-testid$='-a']").first().click();
  expect(await saved("sample-a")).toBe("hackbench-sample-a.csv");
});

test("a tab that is left offers no file of the table it had: what is saved is of the runs on screen", async ({
  lab,
}) => {
  await lab.open("s/quota-stranded/");
  await lab.dock("numbers");
  await expect(lab.get("numbers-csv")).toHaveCount(1);
  const before = await exported(lab, "csv");
  await lab.dock("story");
  await expect(lab.get("dock-panel-numbers").locator(".data-export button")).toHaveCount(0);
  await lab.flip("seed", "both", "8");
  await expect(lab.get("dock-panel-numbers").locator(".data-export button")).toHaveCount(0);
  await lab.dock("numbers");
  expect(await exported(lab, "csv"), "of the new runs").not.toBe(before);
});
