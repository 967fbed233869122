import { beforeAll, expect, test } from "vitest";
import { FIELD, KIND } from "../../engine/gen/catalogue.ts";
import { loadEngine } from "../../engine/testing.ts";
import { TraceStore, type RunShape } from "../index.ts";
import { findSample, longestSamples, samplePartner, samplesOf } from "./samples.ts";
import { spentIn, spentSums } from "./spent.ts";
import { run } from "../testing.ts";

beforeAll(loadEngine);

const MEASURED = [
  ["quota-average-lies", "3s"],
  ["quota-boundary", "2s"],
  ["quota-kernel-lock", "200ms"],
  ["quota-pinned", "300ms"],
  ["quota-web-p95", "1s"],
  ["priority-inheritance", "100ms"],
  ["schbench", "100ms"],
] as const;

test.each(MEASURED)(
  "%s: every maximum of the report is a sample with a beginning, and its task's parts add up to it, end to end",
  (slug, duration) => {
    for (const variant of [0, 1]) {
      const [store, report] = run(slug, variant, [["duration", duration]]);
      const measured = Object.entries(report.metrics.tool_samples ?? {});
      expect(measured.length).toBeGreaterThan(0);
      for (const [series, { max_ns, min_ns, count }] of measured) {
        const all = longestSamples(store, series);
        expect([all.length, all[0]?.ns, all.at(-1)?.ns]).toEqual([count, max_ns, min_ns]);
        for (const { taskId, fromNs, ns } of all.slice(0, 20)) {
          const parts = spentIn(store, taskId, fromNs, fromNs + ns);
          let at = fromNs;
          for (const part of parts) {
            expect([part.fromNs, part.ns > 0]).toEqual([at, true]);
            at += part.ns;
          }
          expect(at).toBe(fromNs + ns);
          expect(spentSums(parts).reduce((sum, each) => sum + each.ns, 0)).toBe(ns);
        }
      }
    }
  },
  120_000,
);

test("a sample is found by its task and number, and its partner is the request that came at the same instant", () => {
  const [a] = run("quota-web-p95", 0, [["duration", "1s"]]);
  const [b] = run("quota-web-p95", 1, [["duration", "1s"]]);
  let paired = 0;
  const requests = longestSamples(a, "web_front.request");
  for (const sample of requests) {
    expect(findSample(a, { kind: "sample", task: sample.task, nth: sample.nth })).toEqual(sample);
    const partner = samplePartner(sample, b);
    if (partner === undefined) continue;
    expect([partner.series, partner.task]).toEqual([sample.series, sample.task]);
    if (partner.fromNs === sample.fromNs) paired += 1;
  }
  expect(paired).toBeGreaterThan(requests.length / 5);
  expect(findSample(a, { kind: "sample", task: "web_front.0", nth: 100_000 })).toBeUndefined();
  expect(samplesOf(a).length).toBeGreaterThan(20);
}, 120_000);

test("a throttled front end waits for its workers, and a lock's waiter for its lock", () => {
  const [web] = run("quota-web-p95", 1, [["duration", "1s"]]);
  const [worst] = longestSamples(web, "web_front.request");
  if (worst === undefined) throw new Error("no request");
  const [most] = spentSums(spentIn(web, worst.taskId, worst.fromNs, worst.fromNs + worst.ns));
  expect([most?.what, most?.at[0]]).toEqual([
    "blocked",
    `semaphore done ${worst.task.replace("web_front.", "")}`,
  ]);
  const [pi] = run("priority-inheritance", 0, [["duration", "100ms"]]);
  const [held] = longestSamples(pi, "strong.wants");
  if (held === undefined) throw new Error("no wait");
  const [lock] = spentSums(spentIn(pi, held.taskId, held.fromNs, held.fromNs + held.ns));
  expect(lock?.what).toBe("lock");
  expect(lock?.at[0]).toMatch(/^mutex /);
}, 120_000);

test("a sample of more than 4.29 s keeps all its nanoseconds, and a series without a name its number", () => {
  const shape: RunShape = {
    cpus: 1,
    duration_ns: 1e10,
    tasks: [
      { name: "make.0", kind: "make", policy: "SCHED_OTHER", priority: 0, cpus: "0", group: 0 },
    ],
    groups: [],
    locks: [],
    series: [{ kind: "make", name: "elapsed" }],
  };
  const store = new TraceStore(shape);
  const a = (3 << FIELD.SampleSeries.shift) + (2 << FIELD.SampleHigh.shift);
  const row = (time: number, a: number, b: number): void =>
    store.appendRows(
      { time: [time], kind: [KIND.ToolSample], cpu: [0], a: [a], b: [b] } as unknown as Parameters<
        TraceStore["appendRows"]
      >[0],
      0,
      1,
    );
  row(9e9, a - (3 << FIELD.SampleSeries.shift), 5);
  row(2e10, a, 4_294_967_295);
  const [one, other] = samplesOf(store);
  expect(one).toMatchObject({
    nth: 0,
    series: "make.elapsed",
    ns: 8_589_934_597,
    fromNs: 410_065_403,
  });
  expect(other).toMatchObject({ nth: 1, series: "make.3", ns: 12_884_901_887 });
});
