import { beforeAll, expect, test } from "vitest";
import { KIND, NONE } from "../../engine/gen/catalogue.ts";
import { loadEngine } from "../../engine/testing.ts";
import { TraceStore } from "../index.ts";
import { stretchAt } from "./lock-stretch.ts";
import {
  isUnrecorded,
  lentPriority,
  taskLockIn,
  taskLockName,
  offAt,
  waitsSince,
  waitsUntil,
} from "./task-locks.ts";
import { run } from "../testing.ts";
import { rowsFrom, shapeOf, traceChunk, wakeChunk } from "../trace/trace-text.ts";

beforeAll(loadEngine);

const ROWS = `
    0   cpu0 switch idle t1
    10  cpu0 mutex_owner 7 t1
    20  cpu0 switch t1 t2
    30  cpu1 mutex_wait t3 7
    40  cpu0 mutex_wait t2 7
    50  cpu0 switch t2 t1
    60  cpu0 mutex_wake t3 7
    60  cpu0 mutex_owner 7 t3
    70  cpu1 mutex_owner 7
    80  cpu1 mutex_wait t1 9`;

function story(): TraceStore {
  const objects = [
    { id: 7, name: "m", sort: "mutex" },
    { id: 9, name: "q", sort: "queue" },
  ];
  const store = new TraceStore({ ...shapeOf(2, 4, 1000), objects });
  store.append(1000, traceChunk(rowsFrom(ROWS)), wakeChunk([]));
  return store;
}

test("a mutex has its holder from the first lock on, waited for or not, and its waiters in the order they came", () => {
  const store = story();
  const lock = taskLockIn(store, 0, 1000);
  if (lock === undefined) throw new Error("no mutex");
  expect(taskLockName(store, lock)).toBe("mutex m");
  expect(lock.at(10)).toEqual({ holder: 1, queue: [] });
  expect(lock.at(45)).toEqual({ holder: 1, queue: [3, 2] });
  expect(lock.at(60)).toEqual({ holder: 3, queue: [2] });
  expect(lock.at(70)).toEqual({ holder: undefined, queue: [2] });
  expect(lock.peak).toEqual({ depth: 2, atNs: 40 });
  expect(waitsSince(store, lock, 2, 65)).toBe(40);
  expect(
    [3, 2].map((task) => waitsUntil(store, lock, task, 45)),
    "one is woken, the other waits on",
  ).toEqual([60, undefined]);
});

test("a queue is no mutex: a run that has nothing else has no mutex to show", () => {
  const store = new TraceStore({
    ...shapeOf(2, 4, 1000),
    objects: [{ id: 9, name: "q", sort: "queue" }],
  });
  store.append(1000, traceChunk(rowsFrom("80 cpu1 mutex_wait t1 9")), wakeChunk([]));
  expect(taskLockIn(store, 0, 1000)).toBeUndefined();
});

test("a holder that does not run is preempted in the scenario of priority inheritance, and lent the waiter's priority where it inherits", () => {
  const [[without], [inherits]] = [run("priority-inheritance", 0), run("priority-inheritance", 1)];
  const seen = [without, inherits].map((store) => {
    const lock = taskLockIn(store, 0, store.endNs);
    const ns = lock?.peak.atNs ?? 0;
    const later = ns + 200_000;
    const holder = lock?.at(later).holder ?? -1;
    return {
      holder: store.taskName(holder),
      off: offAt(store, holder, later),
      lent: lentPriority(store, holder, later),
    };
  });
  expect(seen).toEqual([
    { holder: "weak.0", off: "preempted", lent: undefined },
    { holder: "weak.0", off: undefined, lent: 80 },
  ]);
});

test("the holder of a kernel mutex is told to be throttled while its group has no quota", () => {
  const [store] = run("quota-kernel-lock", 0);
  const lock = taskLockIn(store, 0, store.endNs);
  if (lock === undefined) throw new Error("no mutex");
  expect(taskLockName(store, lock)).toBe("mutex directory");
  const longest = lock
    .steps(0, store.endNs)
    .filter(({ holder, queue }) => holder !== undefined && queue.length > 0)
    .sort((one, other) => other.toNs - other.fromNs - (one.toNs - one.fromNs))[0];
  expect(longest?.toNs).toBeGreaterThan((longest?.fromNs ?? 0) + 50e6);
  expect(
    offAt(store, longest?.holder ?? -1, ((longest?.fromNs ?? 0) + (longest?.toNs ?? 0)) / 2),
  ).toBe("throttled");
});

const PER_CPU = 1 << 20;
const SPINS = `
    10  cpu0 user_spin 4 t1
    10  cpu0 user_owner 4 t0
    20  cpu1 user_spin 4 t2
    30  cpu2 user_owner 4
    31  cpu1 user_spin_end t2 11
    31  cpu1 user_owner 4 t2
    40  cpu1 user_owner 4
    41  cpu0 user_spin_end t1 31
    60  cpu0 user_spin ${String(4 + PER_CPU)} t3
    60  cpu0 user_owner ${String(4 + PER_CPU)} t0
    65  cpu1 user_spin 4 t2
    65  cpu1 user_owner 4 t1
    66  cpu0 user_spin 4 t3
    70  cpu1 user_owner 4
    71  cpu1 user_spin_end t3 11
    71  cpu1 user_owner 4 t3`;

function spinning(): TraceStore {
  const store = new TraceStore({
    ...shapeOf(3, 4, 1000),
    objects: [{ id: 4, name: "spin lock", sort: "spin lock" }],
  });
  store.append(1000, traceChunk(rowsFrom(SPINS)), wakeChunk([]));
  return store;
}

test("a spin lock has its spinners in the order they came, and its holder only while somebody spins", () => {
  const store = spinning();
  const lock = taskLockIn(store, 0, 1000);
  if (lock === undefined) throw new Error("no spin lock");
  expect(taskLockName(store, lock)).toBe("spin lock");
  expect([5, 15, 25, 30, 35, 40, 50].map((ns) => lock.at(ns))).toEqual([
    { holder: undefined, queue: [] },
    { holder: 0, queue: [1] },
    { holder: 0, queue: [1, 2] },
    { holder: undefined, queue: [1, 2] },
    { holder: 2, queue: [1] },
    { holder: undefined, queue: [1] },
    { holder: undefined, queue: [] },
  ]);
  expect(
    [5, 15, 40, 50].map((ns) => isUnrecorded(lock, ns)),
    "the last spinner took it, and no row says until when",
  ).toEqual([true, false, false, true]);
  expect(waitsSince(store, lock, 1, 25)).toBe(10);
  expect([1, 2].map((task) => waitsUntil(store, lock, task, 25))).toEqual([41, 31]);
  expect(stretchAt(store, lock, 50)).toEqual({ holder: undefined, fromNs: 41, toNs: 65 });
});

test("a spinner that turns to the lock of another CPU leaves the first, though no row says that its spin for that one ends", () => {
  const store = spinning();
  const first = taskLockIn(store, 60, 64);
  const second = taskLockIn(store, 65, 100);
  expect(first && [62, 67].map((ns) => first.at(ns))).toEqual([
    { holder: 0, queue: [3] },
    { holder: undefined, queue: [] },
  ]);
  expect(first && taskLockName(store, first)).toBe("spin lock of CPU 1");
  expect(second?.at(68)).toEqual({ holder: 1, queue: [2, 3] });
  expect(second?.at(80)).toEqual({ holder: 3, queue: [2] });
});

test("in a real run each holder that a row says is preempted holds the lock on the lane and does not run there, where somebody spins for it", () => {
  const [store] = run("half-the-throughput", 1);
  const { events } = store;
  const lock = taskLockIn(store, 0, store.endNs);
  if (lock === undefined) throw new Error("no spin lock");
  const rows = events.rowsOf([KIND.UserLockOut]);
  const outs = Array.from({ length: rows.count }, (_, index) => rows.at(index)).filter(
    // What keeps a task off a CPU to the end of the run is in no row.
    (row) =>
      !isUnrecorded(lock, events.time.at(row) + 1000) && events.time.at(row) + 6e6 < store.endNs,
  );
  expect(outs.length).toBeGreaterThan(10);
  for (const row of outs) {
    const ns = events.time.at(row) + 1000;
    expect(lock.at(ns).holder).toBe(events.b.at(row));
    expect(offAt(store, events.b.at(row), ns)).toBe("preempted");
  }
  const owners = events.rowsOf([KIND.UserLockOwner]);
  for (let index = 0; index < owners.count; index += 1) {
    const row = owners.at(index);
    const same =
      index + 1 < owners.count && events.time.at(owners.at(index + 1)) === events.time.at(row);
    if (same || isUnrecorded(lock, events.time.at(row))) continue;
    expect(lock.at(events.time.at(row)).holder ?? NONE).toBe(events.b.at(row));
  }
});

test("a spinner that sleeps in between waits on, asleep, until it has the lock", () => {
  const [store] = run("half-the-throughput", 4);
  const lock = taskLockIn(store, 0, store.endNs);
  if (lock === undefined) throw new Error("no spin lock");
  const instants = Array.from({ length: 100 }, (_, index) => ((index + 0.5) * store.endNs) / 100);
  const offs = instants.flatMap((ns) => lock.at(ns).queue.map((task) => offAt(store, task, ns)));
  expect(new Set(offs)).toEqual(new Set([undefined, "preempted", "asleep"]));
});
