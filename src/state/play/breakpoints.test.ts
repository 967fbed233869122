import { expect, test } from "vitest";
import type { GroupInfo } from "../../engine/gen/types.ts";
import { TraceStore } from "../../model/index.ts";
import { rowsFrom, shapeOf, traceChunk, wakeChunk } from "../../model/trace/trace-text.ts";
import type { State } from "../shape/state.ts";
import type { Run } from "../shape/run.ts";
import { breakWords, nextStop, type Break } from "./breakpoints.ts";

const ROOT: GroupInfo = { path: "", parent: 0, period_ns: 0, burst_ns: 0 };
const WEB: GroupInfo = { path: "web", parent: 0, quota_ns: 100, period_ns: 1000, burst_ns: 0 };

/** Wake-ups of t0 by when they are due and how late; they finish in the order given. */
function runOf(
  text: string,
  wakes: readonly (readonly [due: number, late: number])[] = [],
  findings: readonly object[] = [],
): Run {
  const trace = new TraceStore({ ...shapeOf(4, 4), groups: [ROOT, WEB] });
  const rows = wakes.map(([due, late], nth) => ({
    task: 0,
    nth,
    cpu: 0,
    due,
    segments: [[1, late] as const],
  }));
  trace.append(1e6, traceChunk(rowsFrom(text)), wakeChunk(rows));
  return { trace, report: { findings } } as unknown as Run;
}

const FINISHED = { kind: "finished" };

function at(
  playheadNs: number,
  wanted: Break,
  a: Run,
  b?: Run,
  onlyOneSide = false,
  statusB: object = FINISHED,
) {
  const sides = { a: { shown: a, status: FINISHED }, b: { shown: b, status: statusB } };
  return nextStop({ sides, playheadNs, onlyOneSide, focus: "a" } as unknown as State, wanted);
}

test("the next late wake-up is the earliest due behind the playhead, in whatever order they ended", () => {
  const run = runOf("", [
    [500, 90],
    [100, 600],
    [900, 20],
    [950, 80],
  ]);
  const late = (ns: number): number | undefined => at(ns, { what: "wake", overNs: 50 }, run)?.ns;
  expect([0, 100, 499, 500, 949, 950].map(late)).toEqual([100, 500, 500, 950, 950, undefined]);
  expect(at(0, { what: "wake", overNs: 80 }, run)?.wake).toMatchObject({
    task: "t0",
    nth: 1,
    latencyNs: 600,
  });
  expect(at(0, { what: "wake", overNs: 600 }, run), "later than, not as late as").toBeUndefined();
  expect(at(700, { what: "worst" }, run), "wherever the playhead stands").toMatchObject({
    ns: 100,
    words: expect.stringContaining("600 ns") as string,
  });
});

test("the worst wake-up is of the kind of task that is asked for, however late others are", () => {
  const trace = new TraceStore(shapeOf(4, 4));
  const wake = (task: number, due: number, late: number): object => ({
    task,
    nth: 0,
    cpu: 0,
    due,
    segments: [[1, late]],
  });
  trace.append(
    1e6,
    traceChunk(rowsFrom("")),
    wakeChunk([wake(0, 100, 298), wake(1, 200, 276), wake(1, 900, 20)] as never),
  );
  const kinds = trace.shape.tasks.map(({ kind }) => kind);
  Object.assign(trace.shape.tasks[1] ?? {}, { kind: "cyclictest" });
  const run = { trace, report: { findings: [] } } as unknown as Run;
  expect(kinds[0]).not.toBe("cyclictest");
  expect(at(0, { what: "worst" }, run)).toMatchObject({ ns: 100 });
  const own = at(0, { what: "worst", of: "cyclictest" }, run);
  expect(own).toMatchObject({
    ns: 200,
    words: expect.stringMatching(/276 ns late, the worst of cyclictest in its run$/) as string,
  });
  expect(at(0, { what: "worst", of: "nobody" }, run)).toBeUndefined();
  expect(breakWords({ what: "worst", of: "nobody" })).toBe("wake-up of nobody");
});

test("the sides are looked at together, a side that is not shown is not", () => {
  const [a, b] = [runOf("", [[800, 90]]), runOf("", [[300, 95]])];
  const wanted: Break = { what: "wake", overNs: 50 };
  expect(at(0, wanted, a, b)).toMatchObject({ side: "b", ns: 300 });
  expect(at(300, wanted, a, b)).toMatchObject({ side: "a", ns: 800 });
  expect(at(0, wanted, a, b, true)).toMatchObject({ side: "a", ns: 800 });
  expect(at(0, { what: "worst" }, a, b)).toMatchObject({ side: "b" });
});

test("while a side is computed, what lies behind its end is not called the next", () => {
  const [a, b] = [
    runOf("", [[800, 90]]),
    { ...runOf("", []), simulatedNs: 600, report: undefined },
  ];
  const wanted: Break = { what: "wake", overNs: 50 };
  expect(
    at(0, wanted, a, b, false, { kind: "computing", shareDone: 0 }),
    "B may still have an earlier one",
  ).toBeUndefined();
  expect(
    at(0, wanted, a, { ...b, simulatedNs: 900 }, false, { kind: "computing", shareDone: 0 }),
  ).toMatchObject({ side: "a", ns: 800 });
  const worst = at(0, { what: "worst" }, { ...a, report: undefined });
  expect(worst?.words).toContain("the worst so far");
});

test("a queue counts at the instant at which it grows beyond the number", () => {
  const run = runOf(`
    100 cpu0 acq  1 0
    110 cpu1 wait 1 1
    120 cpu2 wait 1 2
    130 cpu3 wait 1 3
    200 cpu0 rel  1 3
    200 cpu1 acq  1 90
    300 cpu0 wait 1 3`);
  const stops = (over: number): readonly (number | undefined)[] =>
    [0, 129, 130, 300].map((ns) => at(ns, { what: "waiters", over }, run)?.ns);
  expect(stops(2)).toEqual([130, 130, 300, undefined]);
  expect(stops(3)).toEqual([undefined, undefined, undefined, undefined]);
  const { words, lock } = at(0, { what: "waiters", over: 2 }, run) ?? {};
  expect([words, lock], "and names the lock that the lane is to show").toEqual([
    "CPU 3 makes it 3 waiters for the rq 1 lock",
    "rq 1",
  ]);
});

test("a throttle counts while quota is left over since the refill, and not once the quota is used up", () => {
  const run = runOf(`
    100 cpu0 silo     g1 50
    150 cpu0 silo     g1 0
    150 cpu0 throttle g1 0
    900 cpu0 refill   g1 100
    905 cpu0 silo     g1 100
    999 cpu0 silo     g1 0
    999 cpu0 throttle g1 0`);
  expect(at(0, { what: "throttle" }, run)).toMatchObject({
    ns: 150,
    words: "group web is throttled on CPU 0 with 50 ns of 100 ns used since its refill",
  });
  expect(at(150, { what: "throttle" }, run)).toBeUndefined();
  expect([0, 900].map((ns) => at(ns, { what: "refill" }, run)?.ns)).toEqual([900, undefined]);
});

test("whatever is spent twice is a finding each time, also where the report tells the first alone", () => {
  const run = runOf(
    `
    70 cpu0 double g1 10
    90 cpu1 double g1 20
    95 cpu1 double g1 30`,
    [],
    [
      { time_ns: 70, kind: "double_spend", what: "10 ns" },
      { time_ns: 92, kind: "deadlock", what: "one waits for itself" },
    ],
  );
  const after = (ns: number): string | undefined => at(ns, { what: "finding" }, run)?.words;
  expect([0, 70, 90, 92, 95].map(after)).toEqual([
    "finding double_spend: 10 ns",
    "finding: 20 ns of group web is spent twice",
    "finding deadlock: one waits for itself",
    "finding: 30 ns of group web is spent twice",
    undefined,
  ]);
});

test("findings come from the report, and what is not there is said in words", () => {
  const run = runOf("", [], [{ time_ns: 70, kind: "deadlock", what: "one waits for itself" }]);
  expect(at(0, { what: "finding" }, run)).toMatchObject({
    ns: 70,
    words: "finding deadlock: one waits for itself",
  });
  expect(at(70, { what: "finding" }, run)).toBeUndefined();
  const all: readonly Break[] = [
    { what: "wake", overNs: 200_000 },
    { what: "waiters", over: 8 },
    { what: "throttle" },
    { what: "refill" },
    { what: "finding" },
    { what: "worst" },
  ];
  expect(all.map(breakWords)).toEqual([
    "wake-up later than 200 µs",
    "lock with more than 8 waiters",
    "group throttled before its quota was used",
    "refill",
    "finding",
    "wake-up",
  ]);
});
