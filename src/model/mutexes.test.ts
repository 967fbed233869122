import { beforeAll, expect, test } from "vitest";
import { loadEngine } from "../engine/testing.ts";
import { TraceStore } from "./index.ts";
import { lentPriority, mutexIn, mutexName, offAt, waitsSince, waitsUntil } from "./mutexes.ts";
import { run } from "./testing.ts";
import { rowsFrom, shapeOf, traceChunk, wakeChunk } from "./trace-text.ts";

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
  const lock = mutexIn(store, 0, 1000);
  if (lock === undefined) throw new Error("no mutex");
  expect(mutexName(store, lock)).toBe("mutex m");
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
  const store = new TraceStore({ ...shapeOf(2, 4, 1000), objects: [{ id: 9, name: "q", sort: "queue" }] });
  store.append(1000, traceChunk(rowsFrom("80 cpu1 mutex_wait t1 9")), wakeChunk([]));
  expect(mutexIn(store, 0, 1000)).toBeUndefined();
});

test("a holder that does not run is preempted in the scenario of priority inheritance, and lent the waiter's priority where it inherits", () => {
  const [[without], [inherits]] = [run("priority-inheritance", 0), run("priority-inheritance", 1)];
  const seen = [without, inherits].map((store) => {
    const lock = mutexIn(store, 0, store.endNs);
    const ns = lock?.peak.atNs ?? 0;
    const later = ns + 200_000;
    const holder = lock?.at(later).holder ?? -1;
    return { holder: store.taskName(holder), off: offAt(store, holder, later), lent: lentPriority(store, holder, later) };
  });
  expect(seen).toEqual([
    { holder: "weak.0", off: "preempted", lent: undefined },
    { holder: "weak.0", off: undefined, lent: 80 },
  ]);
});

test("the holder of a kernel mutex is told to be throttled while its group has no quota", () => {
  const [store] = run("quota-kernel-lock", 0);
  const lock = mutexIn(store, 0, store.endNs);
  if (lock === undefined) throw new Error("no mutex");
  expect(mutexName(store, lock)).toBe("mutex directory");
  const longest = lock
    .steps(0, store.endNs)
    .filter(({ holder, queue }) => holder !== undefined && queue.length > 0)
    .sort((one, other) => other.toNs - other.fromNs - (one.toNs - one.fromNs))[0];
  expect(longest?.toNs).toBeGreaterThan((longest?.fromNs ?? 0) + 50e6);
  expect(offAt(store, longest?.holder ?? -1, ((longest?.fromNs ?? 0) + (longest?.toNs ?? 0)) / 2)).toBe("throttled");
});
