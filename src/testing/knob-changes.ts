// For tests: a page whose engines describe their runs as the built engine does.

import type { RunMeta, RunReport } from "../engine/gen/types.ts";
import { DriverOnBench } from "../engine/testing.ts";
import type { Side } from "../scenario/sides.ts";
import type { page } from "./page-state.ts";
import { NO_ROWS, NO_WAKES } from "./page-state.ts";

export type Page = ReturnType<typeof page>;

/**
 * Answers the latest request of a side as the engine does, without its rows; call `loadEngine`
 * before.
 */
export function answer({ engines }: Page, side: Side): RunMeta {
  const { request, listener } = engines[side].last;
  const bench = new DriverOnBench();
  bench.start(1, request);
  let meta: RunMeta | undefined;
  let report: RunReport | undefined;
  for (const message of bench.finish()) {
    if (message.type === "meta") meta = message.meta;
    else if (message.type === "finished") report = message.report;
  }
  if (meta === undefined || report === undefined) throw new Error("the run did not finish");
  listener.onMeta(meta);
  listener.onChunk(
    { simulatedNs: report.simulated_ns, shareDone: 5_000 },
    NO_ROWS,
    NO_WAKES,
    () => undefined,
  );
  listener.onFinished(report, undefined);
  return meta;
}
