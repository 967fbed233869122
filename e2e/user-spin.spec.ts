// Spinning in user code: a state of its own, with the lock, its holder and since when that is
// preempted.

import { expect, test } from "./support/lab.ts";

/** The dark theme's colour of the state. */
const USER_SPIN = "#B0483A";
const STORY = "s/half-the-throughput/";

test("a CPU that spins in user code says for which lock, who holds it and since when that is preempted", async ({
  lab,
}) => {
  await lab.open(STORY);
  await lab.choose("dark");
  await lab.get("step-dot-2").click();
  await lab.whenIdle();
  await expect(lab.get("user-lock-b")).toHaveText(
    /^spin lock: 16 CPUs spin, held by backend\.\d+, preempted for 2\.4 ms$/,
  );
  const pixels = await lab.pixelsOf("b", USER_SPIN);
  expect(pixels.length, "the lanes are drawn in it").toBeGreaterThan(1000);
  const held =
    /spinning in user code for backend\.\d+, for spin lock, held by backend\.\d+, which is preempted since [\d.]+ ms/;
  expect(
    await lab.hoverLanes("b", pixels[Math.floor(pixels.length / 2)] ?? { x: 0, y: 0 }),
  ).toMatch(held);
  await expect(lab.cpuRow("b", 3)).toHaveAttribute("aria-label", held);
});

test("[ walks from a spinning CPU to where the holder of its lock is preempted, and on to what asked for that", async ({
  lab,
}) => {
  await lab.open(STORY);
  await lab.get("step-dot-2").click();
  await lab.whenIdle();
  const start = await lab.playhead();
  await lab.press("[");
  await expect(lab.get("event-line")).toContainText(
    /preempted lock holder: CPU \d+ preempts backend\.\d+, which holds spin lock/,
  );
  expect(start - (await lab.playhead())).toBe(2_400_000);
  await lab.press("[");
  await expect(lab.get("event-line")).toContainText(
    /request to reschedule: CPU \d+ is asked by CPU \d+ to switch away from backend\.\d+/,
  );
});

test("with slice extensions nobody is preempted with the lock, and spins are short", async ({
  lab,
}) => {
  await lab.open(STORY);
  await lab.get("step-dot-3").click();
  await lab.whenIdle();
  await expect(lab.get("user-lock-b")).toHaveText(
    /^(no CPU spins for a user lock at the playhead|spin lock: \d+ CPUs? spins?, .*)$/,
  );
  await expect(lab.get("user-lock-b")).not.toContainText("preempted");
});
