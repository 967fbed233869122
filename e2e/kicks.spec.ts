// Kicks of idle balancing on the lanes: an arc from the ticking CPU to the idle one it asks, and a
// burst where that one is woken.

import { expect, test, type Lab } from "./support/lab.ts";
import { LONG } from "./support/thorough.ts";

/** Two CPUs that are busy all the time, and six that nap: their naps are what ticks kick. */
const SCENARIO = JSON.stringify({
  schema: 1,
  title: "Who wakes the idle CPUs?",
  duration: "60ms",
  seed: 3,
  machine: { cpus: 8, costs: "modern_2s_qspin" },
  kernel: { version: "6.1" },
  workload: {
    tasks: {
      hog: { instance: 3, run: 1000, cpus: [0, 1] },
      nap: { instance: 5, run: 100, sleep: 7000 },
    },
  },
  headline: ["ipi.nohz_kick.kicks", "ipi.nohz_kick.sent"],
});
/** The kick's colour in the dark theme. */
const KICK = "#E0A8FF";

async function openKicks(lab: Lab): Promise<void> {
  await lab.open("lab/");
  await lab.write(SCENARIO);
  await lab.choose("dark");
  await lab.press("0");
}

test(
  "kicks are drawn where the report counts some, with words for who asked whom and why",
  LONG,
  async ({ lab }) => {
    await openKicks(lab);
    expect(await lab.headline("a", "ipi.nohz_kick.kicks")).toBeGreaterThan(0);
    await expect(lab.get("timeline-legend")).toContainText("kick, woke it");
    const pixels = await lab.pixelsOf("a", KICK);
    expect(pixels.length).toBeGreaterThan(10);
    const told: string[] = [];
    const every = Math.ceil(pixels.length / 40);
    for (const pixel of pixels.filter((_, index) => index % every === 0))
      told.push(await lab.hoverLanes("a", pixel));
    expect(
      told.some((text) =>
        /kick: the tick of CPU \d+ asks CPU \d+ to balance for the idle CPUs/.test(text),
      ),
    ).toBe(true);
    expect(
      told.some((text) =>
        /why: (balance|refresh blocked load|bring next_balance up to date)/.test(text),
      ),
    ).toBe(true);
  },
);
