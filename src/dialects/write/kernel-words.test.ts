// Which kernel a side is, of the scenarios that ship.

import { beforeAll, expect, test } from "vitest";
import { SCENARIOS } from "../../engine/gen/scenarios.ts";
import type { RunMeta } from "../../engine/gen/types.ts";
import { DriverOnBench, loadEngine } from "../../engine/testing.ts";
import { kernelSentences, kernelWords } from "./kernel-words.ts";

beforeAll(loadEngine);

/** What the run of a variant is made of. */
function metaOf(slug: string, variant: number): RunMeta {
  const entry = SCENARIOS.find((each) => each.slug === slug);
  if (entry === undefined) throw new Error(`no scenario ${slug}`);
  const bench = new DriverOnBench();
  const set = [...Object.entries(entry.variants[variant]?.set ?? {}), ["duration", "1us"] as const];
  bench.start(1, { slug, text: entry.text, set, maxRecords: 100_000 });
  for (const message of bench.finish()) if (message.type === "meta") return message.meta;
  throw new Error("the run did not begin");
}

const bothOf = (slug: string): string => kernelSentences(metaOf(slug, 0), metaOf(slug, 1));

test("sides that differ by the kernel's code are told which kernel to boot", () => {
  expect(bothOf("quota-web-p95")).toBe(
    "Kernel of A: boot 4.15 (the run is 5.4 with CFS bandwidth 4.15). Kernel of B: boot 4.19 (the run is 5.4 with CFS bandwidth 4.19).",
  );
  expect(bothOf("quota-stranded")).toContain("Kernel of B: boot 5.4.");
  expect(bothOf("eevdf-slices")).toBe(
    "Kernel of A: boot 6.12. Kernel of B: boot 6.5 (the run is 6.12 with fair class cfs).",
  );
  expect(bothOf("quota-kernel-lock")).toContain(
    "A: boot 6.13 (the run is 6.18 with CFS bandwidth 6.13). Kernel of B: boot 6.18.",
  );
  expect(bothOf("rt-migrate")).toContain("A: boot 2.6.24. Kernel of B: boot 2.6.30 (");
});

test("code that no release has is no kernel to boot", () => {
  expect(bothOf("nohz-kick")).toBe(
    "Kernel of A: boot 6.6. Kernel of B: no release has this: 6.6 with idle balancing rfc_2023_10.",
  );
  expect(bothOf("schbench")).toContain(
    "B: no release has this: 6.6 with the preemption series of November 2023.",
  );
  expect(kernelWords(metaOf("ipi-storm", 1))).toBe(
    "no release has this: 4.15 with RT balancing ipi_4_15",
  );
  expect(bothOf("rt-throttling")).toBe("Kernel: boot 4.15.");
  expect(kernelWords(metaOf("rt-throttling", 2))).toContain("boot 6.12 (");
  expect(bothOf("rt-pull-herd"), "what is a file's to write has a line of its own").toBe(
    "Kernel: boot 3.19 with the patch of February 2015.",
  );
});

test("every variant that ships is of a kernel", () => {
  for (const { slug, variants } of SCENARIOS)
    for (const index of variants.keys())
      expect(kernelWords(metaOf(slug, index)), slug).toMatch(
        /^(?:boot \d|no release has this: \d)/,
      );
});
