// Tracks and marks that carry a step, on the guided page and in the lab.

import { expect, framed, test, type Lab } from "./support/lab.ts";

const LOOP = "s/self-ipi-loop/";

/** What a ring shows: how many IPIs, how many things wait, and the longest wait, ns. */
async function ringOf(lab: Lab, side: "a" | "b"): Promise<readonly number[]> {
  const ring = lab.get(`ring-${side}`);
  const read = async (name: string): Promise<number> =>
    Number((await ring.getAttribute(`data-${name}`)) ?? NaN);
  return [await read("count"), await read("undone"), await read("ns")];
}

test.describe("while a step plays", () => {
  test.use({ form: "guided", motion: "no-preference" });

  test("the ring counts the IPIs that a CPU sends to itself, and what it does not get to waits longer and longer", async ({
    lab,
  }) => {
    await lab.page.goto(LOOP);
    await lab.get("bet-skip").click({ timeout: 60_000 });
    await expect(lab.get("play")).toHaveAccessibleName("Pause", { timeout: 60_000 });
    const [count = NaN, , waited = NaN] = await ringOf(lab, "a");
    await expect(lab.get("ring-b")).toHaveAttribute("data-count", "0");
    await expect
      .poll(async () => (await ringOf(lab, "a"))[0], { timeout: 60_000 })
      .toBeGreaterThan(count + 100);
    const [later = NaN, undone = NaN, longer = NaN] = await ringOf(lab, "a");
    expect(later).toBeGreaterThan(count);
    expect(undone).toBeGreaterThan(0);
    expect(longer).toBeGreaterThan(waited);
  });
});

test.describe("at rest", () => {
  test.use({ form: "guided" });

  test("a screen reader hears who ran instead of the late task, and for how long", async ({
    lab,
  }) => {
    await lab.open("s/cyclictest-anatomy/");
    await expect(lab.get("instead-a")).toHaveAccessibleName(
      /while cyclictest\.3 waited, its CPU was with stronger\.0 [\d.]+ microseconds/,
    );
  });
});

test("the lab's menu shows the ring and who ran instead, and the link keeps them", async ({
  lab,
}) => {
  await lab.open(LOOP);
  await expect(lab.get("ring-a")).toHaveCount(0);
  await lab.get("lanes-open").click();
  await lab.get("lanes-ring").check();
  await lab.get("lanes-instead").check();
  await expect(lab.get("ring-a")).toBeVisible();
  await expect(lab.get("instead-a")).toBeVisible();
  await expect(lab.page).toHaveURL(/lanes=ring_instead/);
  await lab.open(`${LOOP}#${framed("lanes=ring")}`);
  await expect(lab.get("ring-a")).toBeVisible();
  await lab.get("ring-a").hover();
  await expect(lab.get("ring-tip")).toContainText("CPU 0 has sent");
});
