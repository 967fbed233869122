// need_resched on the lanes: drawn where it is set, said in words to those who point and to those
// who do not see, never a carpet.

import { expect, test } from "./support/lab.ts";
import { LONG } from "./support/thorough.ts";

const FIFO = "s/rt-fifo-preempt/";
/** need_resched in the dark theme, which no other mark has. */
const FLAG = "#FFB000";

test("a flag is drawn, and pointing at it names the task, who set it, its age and where it was honoured", async ({
  lab,
}) => {
  await lab.open(FIFO);
  await lab.choose("dark");
  // The step that one opens on shows milliseconds; what asks for the CPU is seen around the worker
  // that waited longest.
  await lab.press("l", "f");
  const pixels = await lab.pixelsOf("a", FLAG);
  expect(pixels.length).toBeGreaterThan(10);
  let told = "";
  for (const { x, y } of pixels.slice(0, 12)) {
    told = await lab.hoverLanes("a", { x, y });
    if (told.includes("need_resched on")) break;
  }
  expect(told).toMatch(/need_resched on ([a-z]+[0-9.]+|the idle task), set by CPU \d+/);
  expect(told).toMatch(/age [0-9.]+ [nµ]s of [0-9.]+ [nµ]s/);
  expect(told).toMatch(
    /honoured at (return to user|interrupt exit|preempt_enable)|ended when (the task gave way by itself|the CPU left idle)/,
  );
  for (const words of [
    "need_resched (N)",
    "need_resched_lazy (L)",
    "lazy, upgraded",
    "preemption point, taken",
    "passed, flag set",
    "not preemptible",
  ]) {
    await expect(lab.get("timeline-legend")).toContainText(words);
  }
});

test(
  "arrow keys along a CPU stop where its flag is set and where it ends, and say so",
  LONG,
  async ({ lab }) => {
    await lab.open(FIFO);
    const row = lab.cpuRow("a", 1);
    await row.focus();
    await expect(async () => {
      await row.press("ArrowRight");
      await lab.whenIdle();
      await expect(row).toHaveAttribute(
        "aria-label",
        /need_resched set for [0-9.]+ (nano|micro)seconds by CPU \d/,
        { timeout: 500 },
      );
    }).toPass({ intervals: [0] });
    const set = await lab.playhead();
    await row.press("ArrowRight");
    await lab.whenIdle();
    expect(await lab.playhead()).toBeGreaterThan(set);
  },
);

test("from afar flags are shares of time: to be seen, and not a carpet", async ({ lab }) => {
  await lab.open(FIFO);
  await lab.choose("dark");
  await lab.press("0");
  const box = await lab.get("lanes-a").boundingBox();
  const share = (await lab.pixelsOf("a", FLAG)).length / ((box?.width ?? 0) * (box?.height ?? 0));
  expect(share).toBeGreaterThan(0.001);
  expect(share).toBeLessThan(0.15);
});
