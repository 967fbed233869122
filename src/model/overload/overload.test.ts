import fc from "fast-check";
import { expect, test } from "vitest";
import { KIND, NONE } from "../../engine/gen/catalogue.ts";
import type { GroupInfo, TaskInfo } from "../../engine/gen/types.ts";
import { numbersIn } from "../../lib/ranges.ts";
import type { Row } from "../trace/trace-text.ts";
import { rowsFrom, shapeOf, traceChunk, wakeChunk } from "../trace/trace-text.ts";
import type { RunShape } from "../trace/trace-store.ts";
import { TraceStore } from "../trace/trace-store.ts";
import { Overload } from "./overload.ts";

const ROOT: GroupInfo = { path: "", parent: 0, period_ns: 0, burst_ns: 0 };
const WEB: GroupInfo = { path: "web", parent: 0, quota_ns: 100, period_ns: 1000, burst_ns: 0 };
const INNER: GroupInfo = { path: "web/a", parent: 1, period_ns: 1000, burst_ns: 0 };

function shapeWith(cpus: number, tasks: readonly Partial<TaskInfo>[]): RunShape {
  const shape = shapeOf(cpus, tasks.length);
  const everywhere = `0-${String(cpus - 1)}`;
  return {
    ...shape,
    groups: [ROOT, WEB, INNER],
    tasks: shape.tasks.map((task, id) => ({
      ...task,
      policy: "SCHED_OTHER",
      cpus: everywhere,
      ...tasks[id],
    })),
  };
}

function overloadOf(
  shape: RunShape,
  rows: readonly Row[],
  endNs: number,
  part = Infinity,
): Overload {
  const store = new TraceStore(shape);
  store.append(endNs, traceChunk(rows), wakeChunk([]));
  const overload = new Overload(store);
  for (let calls = 0; !overload.advance(part); calls += 1)
    if (calls > 10_000) throw new Error("it never ends");
  return overload;
}

const TWO_ON_ONE = `
  0   cpu0 new     t0 cpu0
  0   cpu0 switch  idle t0
  100 cpu0 new     t1 cpu0
  400 cpu0 migrate t1 cpu2
  400 cpu2 switch  idle t1
  600 cpu2 switch  t1 idle
  700 cpu0 switch  t0 idle`;

test("a task that waits behind another makes each idle CPU that it may run on idle while overloaded, and is lost once", () => {
  const rows = rowsFrom(TWO_ON_ONE);
  const free = overloadOf(shapeWith(4, [{}, {}]), rows, 1000);
  expect(free.sums()).toEqual({ idleNs: 3 * 300, lostNs: 300 });
  expect([50, 100, 399, 400].map((ns) => free.idle.at(ns))).toEqual([0, 3, 3, 0]);
  expect([50, 100, 400, 650, 800].map((ns) => free.runnable.at(ns))).toEqual([1, 2, 2, 1, 0]);
  expect(overloadOf(shapeWith(4, [{}, { cpus: "0-2" }]), rows, 1000).sums()).toEqual({
    idleNs: 2 * 300,
    lostNs: 300,
  });
  expect(overloadOf(shapeWith(4, [{}, { cpus: "0" }]), rows, 1000).sums()).toEqual({
    idleNs: 0,
    lostNs: 0,
  });
});

test("a task woken on an idle CPU overloads nobody: the CPU is about to run it", () => {
  const rows = rowsFrom("0 cpu0 wakeup t0 cpu1\n500 cpu1 switch idle t0\n900 cpu1 switch t0 idle");
  expect(overloadOf(shapeWith(4, [{}]), rows, 1000).sums()).toEqual({ idleNs: 0, lostNs: 0 });
});

test("throttled tasks do not wait: neither those of a group without run time, nor RT tasks of a throttled CPU", () => {
  const group = rowsFrom(`${TWO_ON_ONE}\n`).concat(
    rowsFrom("200 cpu0 throttle g1 0\n300 cpu0 unthrottle g1 0"),
  );
  const rt = rowsFrom(`${TWO_ON_ONE}\n`).concat(
    rowsFrom("200 cpu0 rt_throttle 950 950\n300 cpu0 rt_unthrottle 0 0"),
  );
  const sorted = (rows: readonly Row[]): Row[] => [...rows].sort((one, other) => one.ns - other.ns);
  expect(overloadOf(shapeWith(4, [{}, { group: 2 }]), sorted(group), 1000).sums().lostNs).toBe(200);
  expect(
    overloadOf(shapeWith(4, [{}, { policy: "SCHED_FIFO" }]), sorted(rt), 1000).sums().lostNs,
  ).toBe(200);
  expect(
    overloadOf(shapeWith(4, [{}, {}]), sorted(rt), 1000).sums().lostNs,
    "fair tasks wait on",
  ).toBe(300);
});

test("a task that is switched out and back in without a wake-up has waited; one that is woken had slept", () => {
  const preempted =
    "0 cpu0 new t0 cpu0\n0 cpu0 switch idle t0\n10 cpu0 new t1 cpu0\n100 cpu0 switch t0 t1\n300 cpu0 switch t1 t0";
  expect(overloadOf(shapeWith(2, [{}, {}]), rowsFrom(preempted), 300).sums().lostNs).toBe(290);
  const slept =
    "0 cpu0 new t0 cpu0\n0 cpu0 switch idle t0\n10 cpu0 new t1 cpu0\n100 cpu0 switch t0 t1\n290 cpu0 waking t0 cpu0\n300 cpu0 switch t1 t0";
  expect(overloadOf(shapeWith(2, [{}, {}]), rowsFrom(slept), 300).sums().lostNs).toBe(90);
});

const CPUS = 5;
const TASKS: readonly Partial<TaskInfo>[] = [
  {},
  { cpus: "0-2" },
  { cpus: "3" },
  { group: 1 },
  { group: 2, cpus: "1-4" },
  { policy: "SCHED_FIFO" },
  {},
];

/** One thing that happens: what, to which of those it may happen to, and how much later. */
const things = fc.array(
  fc.record({
    what: fc.constantFrom(
      "wake",
      "wake",
      "wake",
      "switch",
      "switch",
      "switch",
      "migrate",
      "throttle",
      "rt",
    ),
    pick: fc.nat(1000),
    other: fc.nat(1000),
    later: fc.constantFrom(0, 0, 1, 7, 40),
  }),
  { maxLength: 60 },
);
type Thing = typeof things extends fc.Arbitrary<readonly (infer T)[]> ? T : never;

/** Makes a lawful story of them: tasks are in one place, and where they may be. */
function storyOf(list: readonly Thing[]): Row[] {
  const rows: Row[] = [];
  const place = TASKS.map((): { cpu: number; runs: boolean } | undefined => undefined);
  const throttled = new Set<number>();
  let ns = 0;
  for (const { what, pick, other, later } of list) {
    ns += later;
    const put = (kind: number, cpu: number, a: number, b: number): number =>
      rows.push({ ns, kind, cpu, a, b });
    const cpu = pick % CPUS;
    const allowed = (task: number): readonly number[] =>
      numbersIn(TASKS[task]?.cpus ?? `0-${String(CPUS - 1)}`);
    const target = (task: number): number => allowed(task)[other % allowed(task).length] ?? 0;
    if (what === "wake") {
      const asleep = place.flatMap((at, task) => (at === undefined ? [task] : []));
      const task = asleep[pick % Math.max(1, asleep.length)];
      if (task === undefined) continue;
      put(KIND.SchedWaking, 0, task, NONE);
      put(KIND.SchedWakeup, 0, task, target(task));
      place[task] = { cpu: target(task), runs: false };
    } else if (what === "switch") {
      const previous = place.findIndex((at) => at?.cpu === cpu && at.runs);
      const next = place.findIndex((at) => at?.cpu === cpu && !at.runs);
      if (previous < 0 && next < 0) continue;
      put(KIND.SchedSwitch, cpu, previous < 0 ? NONE : previous, next < 0 ? NONE : next);
      if (previous >= 0) place[previous] = other % 2 === 0 ? undefined : { cpu, runs: false };
      if (next >= 0) place[next] = { cpu, runs: true };
    } else if (what === "migrate") {
      const waiting = place.flatMap((at, task) => (at !== undefined && !at.runs ? [task] : []));
      const task = waiting[pick % Math.max(1, waiting.length)];
      if (task === undefined) continue;
      put(KIND.MigrateTask, 0, task, target(task));
      place[task] = { cpu: target(task), runs: false };
    } else {
      const key = what === "rt" ? cpu : 100 + cpu * 2 + (other % 2);
      const on = !throttled.has(key);
      if (on) throttled.add(key);
      else throttled.delete(key);
      if (what === "rt") put(on ? KIND.RtThrottle : KIND.RtUnthrottle, cpu, 0, 0);
      else put(on ? KIND.BwThrottle : KIND.BwUnthrottle, cpu, 1 + (other % 2), 0);
    }
  }
  return rows;
}

type Where = { readonly cpu: number; readonly runs: boolean } | undefined;

/**
 * Where a task is after all rows up to `ns`, by reading the rows about it and the one that follows.
 */
function whereIs(rows: readonly Row[], task: number, ns: number): Where {
  const about = rows.filter(({ kind, a, b }) =>
    kind === KIND.SchedSwitch
      ? a === task || b === task
      : a === task && kind !== KIND.BwThrottle && kind !== KIND.BwUnthrottle && !isRt(kind),
  );
  const index = about.findLastIndex((row) => row.ns <= ns);
  const last = about[index];
  if (last === undefined) return undefined;
  if (last.kind === KIND.SchedWakeup || last.kind === KIND.MigrateTask)
    return { cpu: last.b, runs: false };
  if (last.kind === KIND.SchedWaking) return undefined;
  if (last.b === task) return { cpu: last.cpu, runs: true };
  const next = about[index + 1];
  return next === undefined || next.kind === KIND.SchedWaking
    ? undefined
    : { cpu: last.cpu, runs: false };
}

function isRt(kind: number): boolean {
  return kind === KIND.RtThrottle || kind === KIND.RtUnthrottle;
}

/** The definition, word by word, at one instant. */
function countAt(
  rows: readonly Row[],
  shape: RunShape,
  ns: number,
): { readonly idle: number; readonly lost: number; readonly runnable: number } {
  const before = rows.filter((row) => row.ns <= ns);
  const isThrottled = (task: TaskInfo, cpu: number): boolean => {
    const rtRow = before.findLast((row) => isRt(row.kind) && row.cpu === cpu);
    if (task.policy === "SCHED_FIFO" && rtRow?.kind === KIND.RtThrottle) return true;
    const line = task.group === 2 ? [2, 1] : task.group === 1 ? [1] : [];
    return line.some(
      (group) =>
        before.findLast(
          (row) =>
            (row.kind === KIND.BwThrottle || row.kind === KIND.BwUnthrottle) &&
            row.cpu === cpu &&
            row.a === group,
        )?.kind === KIND.BwThrottle,
    );
  };
  const runnable = shape.tasks.flatMap((task, id) => {
    const where = whereIs(rows, id, ns);
    return where !== undefined && (where.runs || !isThrottled(task, where.cpu))
      ? [{ task, ...where }]
      : [];
  });
  const on = (cpu: number): number => runnable.filter((each) => each.cpu === cpu).length;
  const idles = Array.from({ length: shape.cpus }, (_, cpu) => cpu).filter((cpu) => on(cpu) === 0);
  const waiting = runnable.filter(({ runs, cpu }) => !runs && on(cpu) >= 2);
  const may = (task: TaskInfo, cpu: number): boolean => numbersIn(task.cpus).includes(cpu);
  const idle = idles.filter((cpu) => waiting.some(({ task }) => may(task, cpu))).length;
  const tasks = waiting.filter(({ task }) => idles.some((cpu) => may(task, cpu))).length;
  return { idle, lost: Math.min(idle, tasks), runnable: runnable.length };
}

test("the index agrees with the definition at every instant of any story, however it is cut into parts", () => {
  const shape = shapeWith(CPUS, TASKS);
  fc.assert(
    fc.property(things, fc.integer({ min: 1, max: 40 }), (list, part) => {
      const rows = storyOf(list);
      const endNs = (rows.at(-1)?.ns ?? 0) + 10;
      const overload = overloadOf(shape, rows, endNs, part);
      const instants = [...new Set(rows.map(({ ns }) => ns)), endNs];
      let [idleNs, lostNs] = [0, 0];
      instants.slice(0, -1).forEach((ns, at) => {
        const truth = countAt(rows, shape, ns);
        expect(overload.idle.at(ns)).toBe(truth.idle);
        expect(overload.runnable.at(ns)).toBe(truth.runnable);
        idleNs += truth.idle * ((instants[at + 1] ?? ns) - ns);
        lostNs += truth.lost * ((instants[at + 1] ?? ns) - ns);
      });
      expect(overload.sums()).toEqual({ idleNs, lostNs });
    }),
  );
});
