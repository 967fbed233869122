// What a lock is shown as where no CPU spins for it in the kernel: mutexes and spin locks of user
// space with holder and waiters, and run-queue locks that no CPU waits for.

import { readFile } from "node:fs/promises";
import { expect, test } from "./support/lab.ts";

test("a mutex has a lane: who holds it and why that task does not run, who waits, and at which lent priority", async ({
  lab,
}) => {
  await lab.open("s/priority-inheritance/");
  await lab.press("ArrowRight", "ArrowRight");
  await lab.whenIdle();
  await expect(lab.get("task-lock-words-a")).toContainText(/^mutex shared: held by weak\.0/);
  const lane = lab.get("task-lock-lane-a");
  await expect(lane).toBeVisible();
  const box = await lane.boundingBox();
  await lane.hover({ position: { x: (box?.width ?? 0) * 0.95, y: (box?.height ?? 0) * 0.75 } });
  await expect(lab.get("task-lock-tip")).toContainText("held by weak.0, which is preempted");
  await expect(lab.get("task-lock-tip")).toContainText("strong.0 has waited");
  await lane.click({ position: { x: (box?.width ?? 0) * 0.95, y: (box?.height ?? 0) * 0.75 } });
  await lab.whenIdle();
  await expect(lab.get("task-lock-words-a")).toContainText(
    "which is preempted · strong.0 has waited",
  );
});

test("a spin lock of user space has a lane: who waits and which of them spin, that the holder is preempted, and a picture draws it", async ({
  lab,
}) => {
  await lab.open("s/half-the-throughput/");
  await lab.get("step-dot-2").click();
  await lab.whenIdle();
  const words = lab.get("task-lock-words-b");
  await expect(words).toHaveText(
    /^spin lock: held by backend\.\d+, which is preempted · \d+ wait: 16 spin(?:, \d+ preempted)? · backend\.\d+ has waited /,
  );
  const lane = lab.get("task-lock-lane-b");
  const box = await lane.boundingBox();
  await lane.hover({ position: { x: (box?.width ?? 0) * 0.5, y: (box?.height ?? 0) * 0.75 } });
  await expect(lab.get("task-lock-tip")).toContainText("known to be held for");
  await lab.press("[");
  await expect(lab.get("event-line"), "from who spins to the holder").toContainText(
    "preempted lock holder",
  );
  await lab.page.keyboard.press("Control+Shift+KeyS");
  const [file] = await Promise.all([
    lab.page.waitForEvent("download"),
    lab.get("picture-svg").click(),
  ]);
  const svg = await readFile(await file.path(), "utf8");
  expect(svg).toMatch(/>backend\.\d+, preempted</);
  expect(svg).toContain("task that waits for the spin lock");
});

test("a search finds a spin lock and a mutex by name, and goes to where a task begins to wait", async ({
  lab,
}) => {
  for (const [scenario, name, words] of [
    ["half-the-throughput", "spin lock", /begins to spin for spin lock/],
    ["priority-inheritance", "mutex shared", /mutex shared/],
  ] as const) {
    await lab.open(`s/${scenario}/`);
    await lab.whenIdle();
    await lab.page.keyboard.press("/");
    await lab.get("palette-field").fill(name);
    await lab.page.keyboard.press("Enter");
    await expect(lab.get("event-line")).toContainText(words);
  }
});

test("where nobody spins, the lane of a spin lock says that rows do not tell its holder", async ({
  lab,
}) => {
  await lab.open("s/half-the-throughput/");
  await lab.get("step-dot-2").click();
  await lab.whenIdle();
  await lab.get("scrubber").press("Home");
  await expect(lab.get("task-lock-words-b")).toHaveText(
    "spin lock: holder not recorded while nobody spins",
  );
});

test("a walk over idle CPUs shows each lock that it takes, though nobody waits, in a low lane", async ({
  lab,
}) => {
  await lab.open("s/nohz-sizes/");
  await lab.press("ArrowRight", "ArrowRight");
  await lab.whenIdle();
  const lane = lab.get("lock-lane-b");
  const box = await lane.boundingBox();
  expect(box?.height).toBeLessThan(40);
  await lane.hover({ position: { x: (box?.width ?? 0) * 0.8, y: (box?.height ?? 0) * 0.8 } });
  await expect(lab.get("lock-tip")).toContainText(/rq \d+ lock: held by CPU 1, no CPU waits/);
});
