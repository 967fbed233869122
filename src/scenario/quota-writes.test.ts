import { beforeAll, expect, test } from "vitest";
import { SCENARIOS } from "../engine/gen/scenarios.ts";
import type { RunReport } from "../engine/gen/types.ts";
import type { Change } from "../engine/protocol.ts";
import { DriverOnBench, loadEngine } from "../engine/testing.ts";
import { TraceStore } from "../model/index.ts";
import { quotaWrites } from "./quota-writes.ts";

beforeAll(loadEngine);

test("writes of cpu.max are read as the kernel reads them: a period that is left out stays, max lifts the limit", () => {
  const changes: readonly Change[] = [
    [10, "kernel.rt_push_ipi", "on"],
    [20, "cgroups.web.cpu_max", "50000 200000"],
    [30, 'cgroups."user.slice/web".cpu_max', 40000],
    [40, "cgroups.web.cpu_max", "max"],
    [50, "cgroups.web.cpu_max_burst", "1000"],
  ];
  expect(quotaWrites(changes)).toEqual([
    { path: "web", atNs: 20, quotaNs: 50_000_000, periodNs: 200_000_000 },
    { path: "user.slice/web", atNs: 30, quotaNs: 40_000_000, periodNs: undefined },
    { path: "web", atNs: 40, quotaNs: undefined, periodNs: undefined },
  ]);
  expect(quotaWrites()).toEqual([]);
});

/** A run of a shipped scenario with `changes`: its store at the end, and its report. */
function runWith(changes: readonly Change[]): {
  readonly store: TraceStore;
  readonly report: RunReport;
} {
  const bench = new DriverOnBench();
  const { slug = "", text = "" } = SCENARIOS.find((each) => each.slug === "quota-stranded") ?? {};
  const set = [
    ["duration", "500ms"],
    ["machine.cpus", 8],
  ] as const;
  bench.start(1, { slug, text, set, changes, maxRecords: 8_000_000 });
  let store: TraceStore | undefined;
  let report: RunReport | undefined;
  for (const message of bench.finish()) {
    if (message.type === "meta") store = new TraceStore(message.meta, quotaWrites(changes));
    else if (message.type === "chunk")
      store?.append(message.reached.simulatedNs, message.trace, message.wakes);
    else if (message.type === "finished") report = message.report;
  }
  if (store === undefined || report === undefined) throw new Error("the run did not finish");
  return { store, report };
}

test("at the end of a run what the playhead says was entitled is what the books say, whatever was written on the way", () => {
  const groupOf = (store: TraceStore): string => store.quota.limited[0]?.info.path ?? "";
  const path = groupOf(runWith([]).store);
  const max = (at: number, text: string): Change => [at, `cgroups.${path}.cpu_max`, text];
  for (const changes of [
    [],
    [max(100_000_000, "50000 100000")],
    [max(100_000_000, "50000 200000"), max(200_000_000, "max"), max(350_000_000, "20000")],
  ]) {
    const { store, report } = runWith(changes);
    const said = store.quota.limited[0]?.entitledAt(store.endNs) ?? -1;
    const entitled = report.metrics.groups?.[path]?.entitled_ns ?? 0;
    expect(entitled).toBeGreaterThan(0);
    // The model writes when CPU 0 takes the interrupt: some microseconds later, of which half is
    // entitled at most.
    expect(Math.abs(said - entitled), JSON.stringify(changes)).toBeLessThanOrEqual(
      changes.length * 25_000,
    );
  }
});
