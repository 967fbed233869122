// The worst wake-up and why it was late.

import { expect, QUICK, SIDES, test } from "./support/lab.ts";

test("L selects the worst wake-up; its causes sum to its latency and to 100.00 %; Shift+L goes back", async ({
  lab,
}) => {
  await lab.open(QUICK);
  await lab.selectWorst();
  const worst = await lab.waterfall("a");
  await lab.dock("latency");
  await expect(lab.get("latency-max-a")).toHaveAttribute("data-ns", String(worst.latencyNs));
  for (const side of SIDES) {
    const { rowsNs, sumNs, latencyNs, total } = await lab.waterfall(side);
    expect(rowsNs.length).toBeGreaterThan(0);
    expect(rowsNs.reduce((sum, ns) => sum + ns, 0)).toBe(latencyNs);
    expect(sumNs).toBe(latencyNs);
    expect(total).toBe("100.00 %");
    const shares = await lab
      .get(`waterfall-${side}`)
      .locator("tbody td.number:nth-child(4)")
      .allInnerTexts();
    const hundredths = shares.map((share) => Math.round(Number.parseFloat(share) * 100));
    expect(
      hundredths.reduce((sum, share) => sum + share, 0),
      "the printed shares",
    ).toBe(10_000);
  }
  await lab.press("l");
  const next = await lab.waterfall("a");
  expect(next.name).not.toBe(worst.name);
  expect(next.latencyNs).toBeLessThanOrEqual(worst.latencyNs);
  await lab.press("Shift+L");
  expect(await lab.waterfall("a")).toEqual(worst);
  await lab.press("Escape");
  await expect(lab.get("waterfall-a")).toHaveCount(0);
});

test("a bar of the histogram lists its wake-ups, worst first, and a click selects one", async ({
  lab,
}) => {
  await lab.open(QUICK);
  await lab.dock("latency");
  await lab.get("histogram-a").locator("[data-testid^='histogram-a-bin-']").last().click();
  const items = lab.get("wake-list").getByRole("listitem");
  await items.first().getByRole("button").click();
  await lab.whenIdle();
  const { latencyNs } = await lab.waterfall("a");
  await lab.dock("latency");
  await expect(lab.get("latency-max-a")).toHaveAttribute("data-ns", String(latencyNs));
});

test("a click on a lane asks why", async ({ lab }) => {
  await lab.open(QUICK);
  const box = await lab.get("lanes-a").boundingBox();
  if (box === null) throw new Error("no lanes");
  const before = await lab.playhead();
  await lab.page.mouse.click(box.x + box.width * 0.7, box.y + 40);
  await lab.whenIdle();
  expect(await lab.playhead()).not.toBe(before);
});

test("the worst wake-up is of the task that the steps speak of, and its instant is told to the ns", async ({
  lab,
}) => {
  await lab.open("s/quota-web-p95/");
  await lab.dock("why");
  await lab.get("worst-b").click();
  await lab.whenIdle();
  await expect(lab.get("waterfall-b-name")).toContainText("web_worker");
  const latency = lab.get("waterfall-b-latency");
  expect(
    Number(await latency.getAttribute("data-ns")),
    "throttled, not a few µs late",
  ).toBeGreaterThan(10_000_000);
  const due = String(Number(await latency.getAttribute("data-due-ns")) / 1e9);
  await expect(lab.get("dock-panel-why")).toContainText(`due at ${due} s`);
});

test("passing over a row of the answer moves nothing; a press on it, or Enter on its name, goes to its instant", async ({
  lab,
}) => {
  await lab.open(QUICK);
  await lab.selectWorst();
  const rows = lab.get("waterfall-a").locator("tbody tr[data-from-ns]");
  const before = await lab.playhead();
  for (const row of await rows.all()) await row.hover();
  await rows.last().getByRole("button").focus();
  await lab.whenIdle();
  expect(await lab.playhead()).toBe(before);
  await lab.press("Enter");
  const last = await lab.playhead();
  expect(last).not.toBe(before);
  await rows.first().locator("td.number").first().click();
  await lab.whenIdle();
  const begin = Number(await rows.first().getAttribute("data-from-ns"));
  expect(await lab.playhead(), "the first line leads to the first of its stretches").toBe(begin);
});
