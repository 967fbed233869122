import { beforeAll, expect, test } from "vitest";
import { loadEngine } from "../../engine/testing.ts";
import { run } from "../../model/testing.ts";
import { TraceStore } from "../../model/index.ts";
import type { RunReport } from "../../engine/gen/types.ts";
import { KIND } from "../../engine/gen/catalogue.ts";
import { VECTOR_IRQ_WORK as IRQ_WORK } from "../../engine/gen/codes.ts";
import { traceChunk, wakeChunk, shapeOf, type Row } from "../../model/trace/trace-text.ts";
import { metricAt } from "../../scenario/metric-path.ts";
import { ringAt, ringSubject } from "./ring-moment.ts";

let loop: readonly [TraceStore, RunReport];
let quiet: TraceStore;
beforeAll(() => {
  loadEngine();
  loop = run("self-ipi-loop", 0);
  [quiet] = run("self-ipi-loop", 1);
}, 120_000);

const VIEW = { fromNs: 2_000_000, toNs: 9_000_000 };

test("the ring is of the CPU that sent itself most IPIs on any side, unless the step names another that did", () => {
  const [busy] = loop;
  expect(ringSubject([busy, quiet], [], VIEW)).toEqual({ form: "self", cpu: 0 });
  expect(ringSubject([quiet, busy], [0, 1, 2, 3], VIEW)).toEqual({ form: "self", cpu: 0 });
  expect(ringSubject([busy], [6], VIEW)).toEqual({ form: "self", cpu: 6 });
  expect(ringSubject([busy], [7], VIEW)).toEqual({ form: "self", cpu: 0 });
});

test("self-ipi-loop: at its end the ring has counted what the report has", () => {
  const [busy, report] = loop;
  const all = busy.lanes.map(
    ({ cpu }) => ringAt(busy, { form: "self", cpu }, busy.endNs, VIEW)?.count ?? 0,
  );
  expect(all.reduce((sum, count) => sum + count, 0)).toBe(
    metricAt(report, "ipi.rto_push.self_sent"),
  );
});

test("the count and the turns never fall while the playhead goes on, and what waits grows older", () => {
  const [busy] = loop;
  const subject = { form: "self", cpu: 0 } as const;
  let last = ringAt(busy, subject, VIEW.fromNs, VIEW);
  const named = (ring: typeof last, words: string): number =>
    ring?.undone.find((each) => each.words === words)?.ns ?? 0;
  for (let ns = VIEW.fromNs; ns < VIEW.toNs; ns += 25_000) {
    const now = ringAt(busy, subject, ns, VIEW);
    expect(now?.count).toBeGreaterThanOrEqual(last?.count ?? 0);
    expect(now?.turns).toBeGreaterThanOrEqual((last?.turns ?? 0) - 1e-9);
    last = now;
  }
  expect(last?.count).toBeGreaterThan(1_000);
  expect(named(last, "second.0")).toBeGreaterThan(1_000_000);
});

test("a run without such IPIs counts none, and lists what waits all the same", () => {
  const ring = ringAt(quiet, { form: "self", cpu: 0 }, 3_000_000, VIEW);
  expect(ring?.count).toBe(0);
  expect(ring?.undone.length).toBeGreaterThan(0);
});

test("in a view of few IPIs each is a turn: under way it is between the CPU and the CPU", () => {
  const rows: Row[] = [100, 300].flatMap((ns) => [
    { ns, kind: KIND.IpiSend, cpu: 1, a: 1, b: IRQ_WORK },
    { ns: ns + 100, kind: KIND.IpiArrive, cpu: 1, a: 1 + IRQ_WORK * 65_536, b: 100 },
  ]);
  const trace = new TraceStore(shapeOf(2, 1, 1_000));
  trace.append(1_000, traceChunk(rows), wakeChunk([]));
  const turns = [0, 100, 150, 200, 299, 350, 500].map(
    (ns) => ringAt(trace, { form: "self", cpu: 1 }, ns, { fromNs: 0, toNs: 1_000 })?.turns,
  );
  expect(turns).toEqual([0, 0, 0.5, 1, 1, 1.5, 2]);
});

test("softirqs that were raised since their handler began are listed with their items", () => {
  const rows: Row[] = [
    { ns: 10, kind: KIND.SoftirqRaise, cpu: 0, a: 6, b: 4 },
    { ns: 20, kind: KIND.SoftirqEntry, cpu: 0, a: 6, b: 4 },
    { ns: 30, kind: KIND.SoftirqRaise, cpu: 0, a: 6, b: 1 },
    { ns: 50, kind: KIND.SoftirqRaise, cpu: 0, a: 6, b: 2 },
    { ns: 60, kind: KIND.SoftirqRaise, cpu: 1, a: 3, b: 9 },
  ];
  const trace = new TraceStore(shapeOf(2, 1, 1_000));
  trace.append(1_000, traceChunk(rows), wakeChunk([]));
  const at = (ns: number): unknown =>
    ringAt(trace, { form: "self", cpu: 0 }, ns, { fromNs: 0, toNs: 1_000 })?.undone;
  expect(at(25)).toEqual([]);
  expect(at(70)).toEqual([{ words: "softirq TASKLET, 2 items", realTime: false, cpu: 0, ns: 40 }]);
});

test("ipi-storm: a chain visits CPUs in order, and the one at hand is lit until the chain ends", () => {
  const [storm] = run("ipi-storm", 1);
  // Rows of the run: CPU 38 asks CPU 0, which asks CPU 2, where the chain ends.
  const view = { fromNs: 410_000, toNs: 430_000 };
  const subject = ringSubject([storm], [], view);
  expect(subject).toEqual({ form: "chain", cpus: [0, 2] });
  const lit = [417_000, 418_000, 422_000, 426_000].map((ns) =>
    subject === undefined ? undefined : ringAt(storm, subject, ns, view)?.lit,
  );
  expect(lit).toEqual([undefined, 0, 2, undefined]);
});
