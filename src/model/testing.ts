// For tests: shipped runs as the page knows them.

import { SCENARIOS } from "../engine/gen/scenarios.ts";
import type { RunReport } from "../engine/gen/types.ts";
import type { RunRequest } from "../engine/protocol.ts";
import { DriverOnBench } from "../engine/testing.ts";
import { TraceStore } from "./trace/trace-store.ts";

/** A shipped variant, run to its end; `set` is laid over it. */
export function run(
  slug: string,
  variant: number,
  set: readonly (readonly [string, string | number])[] = [],
  /** The scenario's text as it is to run. */
  changed: (text: string) => string = (text) => text,
  /** Writes to the running kernel. */
  changes: NonNullable<RunRequest["changes"]> = [],
): readonly [TraceStore, RunReport] {
  const entry = SCENARIOS.find((each) => each.slug === slug);
  const bench = new DriverOnBench();
  const own = Object.entries(entry?.variants[variant]?.set ?? {});
  bench.start(1, {
    slug,
    text: changed(entry?.text ?? ""),
    set: [...own, ...set],
    maxRecords: 8_000_000,
    changes,
  });
  let store: TraceStore | undefined;
  for (const message of bench.finish()) {
    if (message.type === "meta") store = new TraceStore(message.meta);
    else if (message.type === "chunk")
      store?.append(message.reached.simulatedNs, message.trace, message.wakes);
    else if (message.type === "finished" && store !== undefined) return [store, message.report];
  }
  throw new Error("the run did not finish");
}
