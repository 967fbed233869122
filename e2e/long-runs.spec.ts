// Runs that end before their duration: by the record limit, by a press of Cancel, by another
// change.

import { DEPTH, expect, QUICK, test } from "./support/lab.ts";
import { LONG } from "./support/thorough.ts";
import { countWorkers, openCounted } from "./support/workers.ts";

test("a run that reaches the record limit keeps its part, marked as one", LONG, async ({ lab }) => {
  test.setTimeout(120_000);
  await lab.open(QUICK);
  const whole = await lab.digest("b");
  await lab.get("knobs-more").click();
  await lab.get("knob-duration-split").click();
  await lab.flip("duration", "a", "30s");
  const limit = lab.get("limit-a");
  await expect(limit).toContainText("Stopped at the record limit");
  await expect(limit).toContainText("of 30 s");
  await expect(lab.get("limit-b")).toHaveCount(0);
  await expect(lab.get("fault-a")).toHaveCount(0);
  await expect(lab.get("scenario-error-a")).toHaveCount(0);
  expect(await lab.headline("a", DEPTH)).toBeGreaterThan(0);
  await expect(lab.get("timeline-a")).toBeVisible();
  expect(await lab.digest("b"), "the other side is not touched").toBe(whole);
});

test("a long run can be cancelled and keeps what it has", async ({ lab }) => {
  await lab.open(QUICK);
  await lab.get("knobs-more").click();
  const field = lab.knob("duration");
  await lab.page.evaluate(clickWhenThere, "cancel");
  await field.fill("30s");
  await field.press("Enter");
  await expect(lab.get("cancelled-a")).toBeVisible();
  await lab.whenIdle();
  await lab.flip("duration", "both", "10ms");
  await expect(lab.get("cancelled-a")).toHaveCount(0);
  await expect(lab.get("progress")).toHaveText("computed");
});

test("a machine that writes hardly a record is cancelled and changed as fast as any other", async ({
  lab,
}) => {
  await countWorkers(lab);
  await lab.open("lab/");
  const hour = {
    schema: 1,
    title: "an hour of ticks",
    duration: "3600s",
    machine: { cpus: 8, topology: "1x8", costs: "zero" },
    kernel: { version: "4.15" },
    workload: { tasks: { hog: { loop: -1, run: 3_600_000_000 } } },
  };
  await lab.get("editor").fill(JSON.stringify(hour));
  await lab.get("editor").blur();
  await expect(lab.get("timeline-a")).toBeVisible();
  await lab.get("cancel").click();
  await expect(lab.get("cancelled-a")).toBeVisible();
  await lab.write(JSON.stringify({ ...hour, duration: "10ms" }));
  await expect(lab.get("progress")).toHaveText("computed");
  expect(await lab.page.evaluate(() => window.workersEnded ?? 0), "the same workers heard it").toBe(
    0,
  );
});

test("a worker that hears nothing for a second is ended, and another one answers", async ({
  lab,
}) => {
  const before = await openCounted(lab);
  await lab.get("knobs-more").click();
  await lab.page.evaluate(() => {
    const [first] = window.workersMade ?? [];
    // Behaves like a worker that never comes to its messages.
    if (first !== undefined) first.postMessage = () => undefined;
  });
  await lab.flip("duration", "both", "10ms");
  await expect(lab.get("progress")).toHaveText("computed");
  await expect(lab.get("fault-a")).toHaveCount(0);
  expect(await lab.page.evaluate(() => window.workersEnded)).toBe(1);
  expect(await lab.digest("a")).not.toBe(before);
  await lab.flip("duration", "both", "20ms");
  expect(await lab.digest("a")).toBe(before);
});

/**
 * Presses a control as soon as it appears: the run may be over before the test could ask for it.
 * Runs in the page.
 */
function clickWhenThere(testId: string): void {
  new MutationObserver((_, observer) => {
    const control = document.querySelector<HTMLElement>(`[data-testid="${testId}"]`);
    if (control === null) return;
    observer.disconnect();
    control.click();
  }).observe(document.body, { subtree: true, childList: true });
}
