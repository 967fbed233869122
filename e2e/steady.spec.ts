// What stays where it is while other things come and go: knobs, the stage, the view; and words that
// are true of the runs beside them.

import { expect, framed, HERD, QUICK, test, type Lab } from "./support/lab.ts";

async function topOf(lab: Lab, testId: string): Promise<number> {
  const box = await lab.get(testId).boundingBox();
  if (box === null) throw new Error(`no ${testId}`);
  return Math.round(box.y);
}

test("a knob stays under the pointer when the first change brings the row of the previous run", async ({
  lab,
}) => {
  await lab.open(QUICK);
  const before = await topOf(lab, "knob-machine.cpus-name");
  await lab.flip("machine.cpus", "both", "8");
  await expect(lab.get("ghost")).toBeVisible();
  expect(await topOf(lab, "knob-machine.cpus-name")).toBe(before);
});

test("a note that comes with a link lies over the foot of the stage and does not push it down", async ({
  lab,
  elsewhere,
}) => {
  await lab.open(`${HERD}#${framed("k.duration=20ms&k.machine.cpus=16")}`);
  const before = await topOf(lab, "lanes-a");
  await elsewhere.open(`${HERD}#${framed("k.duration=20ms&k.machine.cpus=16&zz=1")}`);
  await expect(elsewhere.page.getByText("This page does not know")).toBeVisible();
  expect(await topOf(elsewhere, "lanes-a")).toBe(before);
});

test("a search for “lock held” finds what is held, and no cost of the machine", async ({ lab }) => {
  await lab.open(QUICK);
  await lab.press("/");
  await lab.get("palette-field").fill("lock held");
  await expect(lab.get("palette-list")).toContainText("herds: next");
  await expect(lab.get("palette-list")).not.toContainText("machine.costs");
});

test("a cause has its figures on one line, and what is to be said of it on one more", async ({
  lab,
}) => {
  await lab.open(QUICK);
  await lab.selectWorst();
  const row = lab.get("waterfall-a").locator("tbody tr").first();
  await expect(row).not.toContainText("no rtla line");
  const heights = await row.evaluate((element) => ({
    row: element.getBoundingClientRect().height,
    font: parseFloat(getComputedStyle(element).fontSize),
  }));
  expect(heights.row).toBeLessThan(6 * heights.font);
});

test.describe(() => {
  test.use({ form: "guided" });

  test("over passive balancing no side is called after the fix, and the switch says that it has no effect", async ({
    lab,
  }) => {
    await lab.open(
      `${HERD}#${framed("k.duration=20ms&k.machine.cpus=16&b.kernel.version=2.6.24")}`,
    );
    await expect(lab.get("guided-side-b")).toContainText("kernel version 2.6.24");
    await expect(lab.get("guided-side-b")).not.toContainText(/push by IPI|2015 fix/);
    await expect(lab.get("guided-toggle")).toBeDisabled();
    await expect(lab.get("guided-toggle")).toContainText("no effect");
  });
});
