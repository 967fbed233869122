import { beforeAll, expect, test } from "vitest";
import { loadEngine } from "../../engine/testing.ts";
import { taskLockIn } from "../../model/locks/task-locks.ts";
import { TraceStore } from "../../model/index.ts";
import { run } from "../../model/testing.ts";
import { rowsFrom, shapeOf, traceChunk, wakeChunk } from "../../model/trace/trace-text.ts";
import { THEMES } from "../plot/timeline-theme.ts";
import { shownOf } from "../sides/shown.ts";
import type { TimelineSide } from "../plot/timeline-props.ts";
import { inked } from "../marks/testing.ts";
import { drawTaskLock, taskLockLegend, UNRECORDED } from "./task-lock.ts";
import { askTaskLock, taskLockWords } from "./task-lock-track.tsx";
import { trackPlot } from "./testing.ts";

beforeAll(loadEngine);

/** The scenario of priority inheritance around its first block. */
function shown(variant: number): {
  readonly plot: Parameters<typeof drawTaskLock>[1];
  readonly lock: NonNullable<ReturnType<typeof taskLockIn>>;
} {
  const [trace] = run("priority-inheritance", variant);
  const lock = taskLockIn(trace, 0, trace.endNs);
  if (lock === undefined) throw new Error("no mutex");
  const { atNs } = lock.peak;
  const viewport = { fromNs: atNs - 50_000, toNs: atNs + 250_000 };
  const plot = trackPlot(trace, viewport);
  return { plot, lock };
}

test("the lane says who holds the mutex and that it does not run, or at which lent priority, and who waits", () => {
  const [without, inherits] = [shown(0), shown(1)];
  const [alone, lent] = [without, inherits].map(
    ({ plot, lock }) => inked((context) => drawTaskLock(context, plot, lock, 1)).words,
  );
  expect(alone?.some((words) => words.startsWith("strong.0 waits"))).toBe(true);
  expect(alone).toContain("weak.0, preempted");
  expect(lent).toContain("weak.0, at lent priority 80");
});

test("the words at an instant and the answer under the pointer name the same holder", () => {
  const { plot, lock } = shown(0);
  const ns = lock.peak.atNs + 200_000;
  expect(taskLockWords(plot.trace, lock, ns)).toEqual([
    "mutex shared: held by weak.0, which is preempted",
    "strong.0 has waited 200 µs",
  ]);
  const told = askTaskLock(plot, lock, 1, 48 + 800, 5);
  expect(told?.lines[0]).toBe("mutex shared: held by weak.0, which is preempted");
  expect(told?.lines).toContain("strong.0 is number 1 to come");
});

const SPINS = `
    0    cpu0 switch idle t1
    0    cpu1 switch idle t2
    100  cpu1 user_spin 4 t2
    100  cpu1 user_owner 4 t1
    200  cpu0 switch t1 t3
    200  cpu0 user_out 4 t1
    400  cpu0 switch t3 t1
    500  cpu0 user_owner 4
    501  cpu1 user_spin_end t2 401`;

/** A spin lock whose holder is preempted from 200 to 400 ns, 1 px a ns. */
function spinning(more = ""): ReturnType<typeof shown> {
  const trace = new TraceStore({
    ...shapeOf(2, 4, 1000),
    objects: [{ id: 4, name: "spin lock", sort: "spin lock" }],
  });
  trace.append(
    1000,
    traceChunk(rowsFrom(SPINS + more).sort((one, other) => one.ns - other.ns)),
    wakeChunk([]),
  );
  const { plot } = shown(0);
  const lock = taskLockIn(trace, 0, 1000);
  if (lock === undefined) throw new Error("no spin lock");
  return { plot: { ...plot, trace, viewport: { fromNs: 0, toNs: 1000 } }, lock };
}

test("the lane of a spin lock says that its holder is preempted, and that no row tells it while nobody spins", () => {
  const { plot, lock } = spinning();
  const { words } = inked((context) => drawTaskLock(context, plot, lock, 1));
  expect(words).toContain("t1, preempted");
  expect(words).toContain("t2 waits 401 ns");
  expect(words, "after the last spinner took it").toContain(UNRECORDED);
  expect([50, 150, 300, 500, 600].map((ns) => taskLockWords(plot.trace, lock, ns))).toEqual([
    [`spin lock: ${UNRECORDED}`],
    ["spin lock: held by t1, which runs", "1 waits: spins", "t2 has waited 50 ns"],
    ["spin lock: held by t1, which is preempted", "1 waits: spins", "t2 has waited 200 ns"],
    ["spin lock: free", "1 waits: spins", "t2 has waited 400 ns"],
    [`spin lock: ${UNRECORDED}`],
  ]);
  expect(askTaskLock(plot, lock, 1, 48 + 300, 5)?.lines).toContain(
    "known to be held for 400 ns, from 100 ns to 500 ns",
  );
  expect(askTaskLock(plot, lock, 1, 48 + 300, 5)?.lines).toContain(
    "t2 has waited 200 ns: the first to try has the lock next",
  );
});

test("a spin lock has a lane once a task of either run spins for it; the side where nobody does says why it is empty", () => {
  const { plot } = spinning();
  const quiet = new TraceStore({
    ...shapeOf(2, 4, 1000),
    objects: [{ id: 4, name: "spin lock", sort: "spin lock" }],
  });
  quiet.append(1000, traceChunk([]), wakeChunk([]));
  const withLane = (...traces: readonly TraceStore[]): boolean => {
    const sides = traces.map(
      (trace) => ({ id: "a", label: "", trace, version: 1, running: false }) as TimelineSide,
    );
    return shownOf(sides, "deepest", plot.viewport, { aboutLocks: false, hasTanks: false })
      .withTaskLock;
  };
  expect([withLane(quiet), withLane(quiet, plot.trace)]).toEqual([false, true]);
  expect(taskLockWords(quiet, undefined, 0)).toEqual([`spin lock: ${UNRECORDED}`]);
  const { words } = inked((context) =>
    drawTaskLock(context, { ...plot, trace: quiet }, undefined, 1),
  );
  expect(words).toContain(UNRECORDED);
});

test("of those who wait for a spin lock it is said how many spin", () => {
  const { plot, lock } = spinning("\n250 cpu0 user_spin 4 t3\n260 cpu1 user_spin 4 t0");
  expect(taskLockWords(plot.trace, lock, 300)[1]).toBe("3 wait: 2 spin, 1 asleep");
});

test("from afar too the lane says where the holder is preempted", () => {
  const many = Array.from(
    { length: 250 },
    (_, index) =>
      `\n${String(501 + index)} cpu1 user_owner 4\n${String(501 + index)} cpu1 user_owner 4 t1`,
  );
  const { plot, lock } = spinning(`\n501 cpu1 user_spin 4 t2${many.join("")}`);
  const { words } = inked((context) => drawTaskLock(context, plot, lock, 1));
  expect(lock.countIn(0, 1000)).toBeGreaterThan(400);
  expect(words).toContain("t1, preempted");
});

test("the legend speaks of the sorts of locks that the runs have", () => {
  const words = (...traces: readonly TraceStore[]): readonly string[] =>
    taskLockLegend(traces).map((entry) => entry.words);
  expect(words(spinning().plot.trace)).toEqual([
    "task that waits for the spin lock",
    "task that holds the spin lock, running",
    "holds the spin lock, does not run",
    "spin lock held, from afar",
    UNRECORDED,
  ]);
  expect(words(shown(0).plot.trace)).not.toContain(UNRECORDED);
  for (const { swatch } of taskLockLegend([spinning().plot.trace]))
    expect(inked((context) => swatch(context, THEMES.dark, 26, 14)).shapes.length).toBeGreaterThan(
      0,
    );
});
