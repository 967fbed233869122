// What a lock is shown as where no CPU spins for it: mutexes with holder and waiters, and run-queue locks that nobody waits for.

import { expect, test } from "./support/lab.ts";

test("a mutex has a lane: who holds it and why that task does not run, who waits, and at which lent priority", async ({ lab }) => {
  await lab.open("s/priority-inheritance/");
  await lab.press("ArrowRight", "ArrowRight");
  await lab.whenIdle();
  await expect(lab.get("mutex-words-a")).toContainText(/^mutex shared: held by weak\.0/);
  const lane = lab.get("mutex-lane-a");
  await expect(lane).toBeVisible();
  const box = await lane.boundingBox();
  await lane.hover({ position: { x: (box?.width ?? 0) * 0.95, y: (box?.height ?? 0) * 0.75 } });
  await expect(lab.get("mutex-tip")).toContainText("held by weak.0, which is preempted");
  await expect(lab.get("mutex-tip")).toContainText("strong.0 has waited");
  await lane.click({ position: { x: (box?.width ?? 0) * 0.95, y: (box?.height ?? 0) * 0.75 } });
  await lab.whenIdle();
  await expect(lab.get("mutex-words-a")).toContainText("which is preempted · strong.0 has waited");
});

test("a walk over idle CPUs shows each lock that it takes, though nobody waits, in a low lane", async ({ lab }) => {
  await lab.open("s/nohz-sizes/");
  await lab.press("ArrowRight", "ArrowRight");
  await lab.whenIdle();
  const lane = lab.get("lock-lane-b");
  const box = await lane.boundingBox();
  expect(box?.height).toBeLessThan(40);
  await lane.hover({ position: { x: (box?.width ?? 0) * 0.8, y: (box?.height ?? 0) * 0.8 } });
  await expect(lab.get("lock-tip")).toContainText(/rq \d+ lock: held by CPU 1, no CPU waits/);
});
