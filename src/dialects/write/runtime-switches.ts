// The switch that a runtime or a proxy has for the number of its threads, where a scenario asks
// about one of them: what its reader turns, since the program of the scenario is made up.

import type { RunMeta } from "../../engine/gen/types.ts";
import { valueText } from "../../scenario/knob-values.ts";
import type { RealCommand } from "./real-command.ts";

interface OwnSwitch {
  /** The knob whose value the switch takes. */
  readonly path: string;
  readonly line: (value: string) => string;
}

/**
 * GOMAXPROCS: Go's documentation of runtime.GOMAXPROCS. --concurrency: Envoy's command line
 * options. Both options of the JVM: the documentation of OpenJ9, which takes HotSpot's; the second
 * one is needed because HotSpot starts fewer collectors than CPUs above eight (recalled).
 */
const SWITCHES: Readonly<Record<string, OwnSwitch>> = {
  "quota-gomaxprocs": {
    path: "workload.thread_pool.workers",
    line: (value) => `GOMAXPROCS=${value} ./PROGRAM`,
  },
  "jvm-gc-threads": {
    path: "workload.gc_burst.threads",
    line: (value) =>
      `java -XX:ActiveProcessorCount=${value} -XX:ParallelGCThreads=${value} -jar PROGRAM.jar`,
  },
  "envoy-workers": {
    path: "workload.thread_pool.workers",
    line: (value) => `envoy --concurrency ${value} -c CONFIG.yaml`,
  },
};

/**
 * What one starts a program of one's own with, to have the threads of this run of the shipped
 * scenario `slug`.
 */
export function ownSwitch(
  slug: string,
  { knobs, cpus }: Pick<RunMeta, "knobs" | "cpus">,
): readonly RealCommand[] {
  const found = SWITCHES[slug];
  const value = knobs.find(({ path }) => path === found?.path)?.value;
  if (found === undefined || value === undefined) return [];
  return [
    { line: found.line(value === "auto" ? String(cpus) : valueText(value)), needs: undefined },
  ];
}
