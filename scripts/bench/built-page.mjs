// `npm run bench`, the built page: load, frames, memory, beside other viewers.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { withChromium } from "../lib/engines.mjs";
import { ROOT } from "../lib/run.mjs";
import { serve } from "../serve.mjs";
import { measureAnswers, measureFlip, measureRecords, measureTasks } from "./frame.mjs";
import { measureGrowth } from "./memory.mjs";
import { measureLoad, measurePanning } from "./page.mjs";
import { measureFlames } from "./peers/flames.mjs";

/**
 * What is panned: both sides push by IPI, which has the most slices. The page keeps at most 8 M
 * records a side.
 */
const PUSH = "a.kernel.rt_push_ipi=on";
const PANNED = [
  { name: "2 × 40 CPUs", set: ["k.machine.cpus=40"] },
  { name: "2 × 256 CPUs, 1 M slices each", set: ["k.machine.cpus=256", "k.duration=38ms", PUSH] },
  {
    name: "2 × 1024 CPUs, 2.5 M slices each: the record limit",
    set: ["k.machine.cpus=1024", "k.duration=30ms", PUSH],
  },
];

/** Side A of the second of those. */
const FLAME_SET = [
  ["machine.cpus", 256],
  ["duration", "38ms"],
  ["kernel.rt_push_ipi", "on"],
];

/** Measures the page in `dist/`, a table for each part. */
export async function measurePage() {
  const slugs = readdirSync(join(ROOT, "scenarios"), { withFileTypes: true }).flatMap((each) =>
    each.isDirectory() ? [each.name] : [],
  );
  const server = await serve({ firstPort: 4400 });
  const { address } = server;
  try {
    const parts = [
      ["Cold load (row 10)", (browser) => measureLoad(browser, address)],
      ["A switch (row 7)", (browser) => measureFlip(browser, address)],
      ["Main thread at 1024 CPUs (row 12)", (browser) => measureTasks(browser, address)],
      ["Main thread, answering", (browser) => measureAnswers(browser, address)],
      ["Panning and zooming (row 6)", (browser) => measurePanning(browser, address, PANNED)],
      [
        "The slices of side A at 256 CPUs in other viewers",
        (browser) => measureFlames(browser, "rt-pull-herd", FLAME_SET),
      ],
      ["Memory (row 9)", (browser) => measureRecords(browser, address)],
    ];
    for (const [title, measure] of parts) {
      console.log(`\n${title}`);
      console.table(await withChromium(measure));
    }
    console.log("\nMemory over many scenarios");
    console.table(await measureGrowth(address, slugs));
  } finally {
    await server.stop();
  }
}
