// cpu.stat, cpu.stat.local and cpu.pressure of a group, both sides beside each other.

import { expect, SIDES, test } from "./support/lab.ts";
import { SCENARIO } from "./support/quota.ts";

test("a group's throttling and pressure are read side by side, and a limit twice as large lowers its throttled time", async ({
  lab,
}) => {
  await lab.open("lab/");
  await lab.write(SCENARIO);
  await lab.dock("numbers");
  const value = async (name: string, side: string): Promise<number> =>
    Number(await lab.get(`file-web-${name}-${side}`).getAttribute("data-value"));
  await expect(lab.get("files-web")).toBeVisible();
  for (const side of SIDES) {
    // Throttling alone makes full as large as some: a hog that waits for a CPU adds to some.
    const [some, full] = [await value("some", side), await value("full", side)];
    expect(some).toBeGreaterThan(1000);
    expect(full).toBeLessThanOrEqual(some);
    expect(await value("local-throttled_usec", side)).toBeGreaterThan(0);
    await expect(lab.get(`printed-web-some-${side}`)).toContainText(/avg10=0\.00 .*total=\d+/);
  }
  expect(await value("throttled_usec", "b")).toBeLessThan(await value("throttled_usec", "a"));
  await expect(lab.get("quota-web")).toContainText("throttled task counts as waiting");
  await expect(lab.get("quota-web"), "the run lasts 300 ms").toContainText("the run is shorter");
});
