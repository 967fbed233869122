// Which kernel it is: to be chosen in every scenario, and what a version does not have is not offered.

import { expect, QUICK, test } from "./support/lab.ts";

const KERNEL = ["kernel.version", "kernel.preempt", "kernel.hz", "kernel.rt_balance"];

test("version, preemption model, HZ and RT balancing are at hand in every scenario", async ({ lab }) => {
  await lab.open("");
  const slugs = await lab.page
    .locator("[data-testid^=tile-]")
    .evaluateAll((tiles) => tiles.map((tile) => (tile as HTMLElement).dataset["testid"]?.slice(5) ?? ""));
  expect(slugs.length).toBeGreaterThan(3);
  for (const slug of slugs.filter((each) => each !== "lab")) {
    await test.step(slug, async () => {
      await lab.page.goto(`s/${slug}/`);
      await expect(lab.get("knobs-more"), "the whole list stays closed").toHaveAttribute("aria-expanded", "false");
      for (const path of KERNEL) await expect(lab.get(`knob-card-${path}`)).toBeVisible();
    });
  }
});

test("each of them changes the run", async ({ lab }) => {
  await lab.open(QUICK);
  const digests = async (): Promise<string> => `${await lab.digest("a")} ${await lab.digest("b")}`;
  const seen = [await digests()];
  for (const [path, value] of [
    ["kernel.hz", "250"],
    ["kernel.preempt", "none"],
    ["kernel.rt_balance", "active_plist"],
  ] as const) {
    await lab.flip(path, "both", value);
    seen.push(await digests());
  }
  expect(new Set(seen).size, "four different runs").toBe(seen.length);
  await lab.flip("kernel.version", "both", "3.2");
  await expect(lab.get("knob-kernel.version")).toHaveValue("3.2");
  await expect(lab.get("progress")).toHaveText("computed");
});

test("a knob that is stated differently but comes to the same is said to be the same", async ({ lab }) => {
  await lab.open("s/rt-pull-herd/");
  await lab.flip("kernel.rt_push_ipi", "a", "auto_gt16");
  await expect(lab.get("setup")).toContainText("Both sides are identical: RT_PUSH_IPI is stated as auto_gt16 and on");
  expect(await lab.digest("a")).toBe(await lab.digest("b"));
});
