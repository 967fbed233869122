import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { KIND } from "../../engine/gen/catalogue.ts";
import type { GroupInfo } from "../../engine/gen/types.ts";
import { loadEngine } from "../../engine/testing.ts";
import { run } from "../testing.ts";
import { describeTank } from "../words/describe-quota.ts";
import { EventTable } from "./events.ts";
import type { GroupTrack } from "./group-quota.ts";
import { QuotaIndex } from "./group-quota.ts";
import { rowsFrom, shapeOf, traceChunk, wakeChunk } from "./trace-text.ts";
import type { Row } from "./trace-text.ts";
import { TraceStore } from "./trace-store.ts";

beforeAll(loadEngine);

const ROOT: GroupInfo = { path: "", parent: 0, period_ns: 0, burst_ns: 0 };
const WEB: GroupInfo = { path: "web", parent: 0, quota_ns: 100, period_ns: 1000, burst_ns: 0 };
const CHILD: GroupInfo = { path: "web/a", parent: 1, quota_ns: 60, period_ns: 1000, burst_ns: 0 };
const BESIDE: GroupInfo = { path: "batch", parent: 0, period_ns: 1000, burst_ns: 0 };
const GROUPS = [ROOT, WEB, CHILD, BESIDE];

function indexOf(rows: readonly Row[], groups = GROUPS): QuotaIndex {
  const events = new EventTable();
  const quota = new QuotaIndex(events, groups);
  for (const row of rows) take(events, quota, row);
  return quota;
}

function take(events: EventTable, quota: QuotaIndex, row: Row): void {
  events.take(traceChunk([row]), 0, 1, KIND.CpuState);
  quota.append(events.count - 1, row.ns, row.kind, row.cpu, row.a, row.b);
}

function web(quota: QuotaIndex): GroupTrack {
  const track = quota.group(1);
  if (track === undefined) throw new Error("the group has no track");
  return track;
}

const minus = (ns: number): number => 2 ** 32 - ns;

/**
 * Two slices taken, one used up and overrun by 3, the other half used and given back but for 10.
 */
const STORY = rowsFrom(`
  100 cpu0 draw   g1 50
  100 cpu0 pool   g1 50
  100 cpu0 silo   g1 50
  110 cpu1 draw   g1 50
  110 cpu1 pool   g1 0
  110 cpu1 silo   g1 50
  140 cpu1 silo   g1 20
  140 cpu1 return g1 10
  140 cpu1 pool   g1 10
  140 cpu1 silo   g1 10
  153 cpu0 silo   g1 ${String(minus(3))}
  153 cpu0 throttle g1 3
  900 cpu0 refill g1 100
  900 cpu0 pool   g1 110
  905 cpu0 step   g1 4
  905 cpu0 silo   g1 1
  905 cpu0 pool   g1 106
  906 cpu0 unthrottle g1 0`);

test("the pool is full at the start, and follows takes, returns and refills", () => {
  const { pool } = web(indexOf(STORY));
  expect([0, 100, 110, 139, 140, 900, 905].map((ns) => pool.at(ns))).toEqual([
    100, 50, 0, 0, 10, 110, 106,
  ]);
});

test("a silo falls while its group runs, goes below zero, and stands still otherwise", () => {
  const track = web(indexOf(STORY));
  expect([99, 100, 120, 152, 153, 500, 905, 9000].map((ns) => track.siloAt(0, ns))).toEqual([
    0, 50, 30, -2, -3, -3, 1, 1,
  ]);
  expect(
    [109, 110, 120, 139, 140, 800].map((ns) => track.siloAt(1, ns)),
    "what is returned is not used",
  ).toEqual([0, 50, 40, 21, 10, 10]);
  expect(track.siloAt(7, 500), "a CPU that never held any").toBe(0);
});

test("what CPUs hold and what they owe are summed apart", () => {
  const { held, debt } = web(indexOf(STORY));
  expect([99, 110, 140, 153, 905].map((ns) => [held.at(ns), debt.at(ns)])).toEqual([
    [0, 0],
    [100, 0],
    [60, 0],
    [10, -3],
    [11, 0],
  ]);
});

test("what was used is what silos lost, less what they gave back", () => {
  const track = web(indexOf(STORY));
  expect([99, 110, 120, 140, 153, 9000].map((ns) => track.usedAt(ns))).toEqual([
    0, 10, 30, 70, 83, 83,
  ]);
  expect([0, 1000, 1500].map((ns) => track.entitledAt(ns))).toEqual([0, 100, 150]);
});

test("what a group is entitled to follows the writes of cpu.max from their instant on; a lifted limit adds nothing", () => {
  const writes = [
    { path: "web", atNs: 1000, quotaNs: 500, periodNs: undefined },
    { path: "batch", atNs: 1500, quotaNs: 10, periodNs: 100 },
    { path: "web", atNs: 2000, quotaNs: undefined, periodNs: undefined },
    { path: "web", atNs: 3000, quotaNs: 40, periodNs: 80 },
  ];
  const events = new EventTable();
  const quota = new QuotaIndex(events, GROUPS, writes);
  const track = web(quota);
  expect([0, 999, 1000, 1500, 2000, 2999, 3000, 3100].map((ns) => track.entitledAt(ns))).toEqual([
    0, 99, 100, 350, 600, 600, 600, 650,
  ]);
  expect([0, 1000, 2500].map((ns) => track.limitAt(ns).quotaNs)).toEqual([100, 500, undefined]);
  take(events, quota, { ns: 1500, kind: KIND.BwPool, cpu: 0, a: 3, b: 10 });
  expect(quota.group(3)?.entitledAt(1700), "a group that is given its first quota").toBe(20);
});

test("at every instant the pool, the silos and what was used add up to what was granted", () => {
  const track = web(indexOf(STORY));
  for (let ns = 0; ns < 1000; ns += 1) {
    const silos = track.silos().reduce((sum, silo) => sum + silo.at(ns), 0);
    const granted = 100 + track.refills.countIn(0, ns + 1) * 100;
    expect([ns, track.pool.at(ns) + silos + track.usedAt(ns)]).toEqual([ns, granted]);
  }
});

test("a CPU is throttled from the row that says so to the one that lets it go, or to the end so far", () => {
  const quota = indexOf(STORY);
  expect(quota.throttledAt(0, 500, 1000)).toEqual([{ cpu: 0, group: 1, fromNs: 153, toNs: 906 }]);
  expect([152, 906].flatMap((ns) => quota.throttledAt(0, ns, 1000))).toEqual([]);
  expect(quota.throttledAt(1, 500, 1000)).toEqual([]);
  const open = indexOf(STORY.slice(0, 12));
  expect(open.throttledAt(0, 800, 1000)).toEqual([{ cpu: 0, group: 1, fromNs: 153, toNs: 1000 }]);
});

test("silos that expire are lost, not used, and double spends are listed", () => {
  const quota = indexOf([
    ...STORY,
    ...rowsFrom("950 cpu1 expire_silo g1 10\n950 cpu1 silo g1 0\n960 cpu0 double g1 7"),
  ]);
  const track = web(quota);
  expect([track.siloAt(1, 950), track.siloAt(1, 949), track.usedAt(950)]).toEqual([0, 10, 83]);
  expect([
    track.losses.countIn(0, 1000),
    track.doubles.countIn(0, 1000),
    track.moves.countIn(0, 1000),
  ]).toEqual([1, 1, 4]);
});

test("groups with a quota are listed, and those that are given one; a run without groups has none", () => {
  expect(indexOf([]).limited.map(({ info }) => info.path)).toEqual(["web", "web/a"]);
  expect(indexOf(rowsFrom("5 cpu0 pool g3 40")).limited.map(({ info }) => info.path)).toEqual([
    "web",
    "web/a",
    "batch",
  ]);
  expect(indexOf([], []).limited).toEqual([]);
  const quota = indexOf([]);
  expect([
    quota.isBelow(2, 1),
    quota.isBelow(1, 1),
    quota.isBelow(3, 1),
    quota.isBelow(3, 0),
  ]).toEqual([true, true, false, true]);
});

test("peaks and lows of the pool are those of every row, at any zoom", () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(1000), { maxLength: 300 }),
      fc.integer({ min: 1, max: 40 }),
      (levels, pixels) => {
        const rows = levels.map((b, at) => ({ ns: at + 1, kind: KIND.BwPool, cpu: 0, a: 1, b }));
        const { pool } = web(indexOf(rows));
        const endNs = levels.length + 1;
        const { peaks, lows } = pool.profile(0, endNs, pixels);
        expect([Math.max(...peaks), Math.min(...lows)]).toEqual([
          Math.max(100, ...levels),
          Math.min(100, ...levels),
        ]);
        expect(pool.peakIn(0, endNs)).toBe(Math.max(100, ...levels));
      },
    ),
  );
});

test("a store of a run with groups keeps them, and costs no more than 80 bytes a row", () => {
  const rounds = 4000;
  const rows = Array.from({ length: rounds }, (_, round) =>
    rowsFrom(
      `${String(round * 10)} cpu0 draw g1 5\n${String(round * 10)} cpu0 pool g1 5\n${String(round * 10)} cpu0 silo g1 5`,
    ),
  ).flat();
  const store = new TraceStore({ ...shapeOf(2, 1, rounds * 10), groups: GROUPS });
  store.append(rounds * 10, traceChunk(rows), wakeChunk([]));
  expect(store.quota.group(1)?.usedAt(rounds * 10)).toBe((rounds - 1) * 5);
  expect((store.quota.bytes + store.events.bytes) / rows.length).toBeLessThan(80);
});

test("the slack timer's last act since the refill is told, with the reason why it was not armed", () => {
  const store = new TraceStore({ ...shapeOf(2, 2), groups: GROUPS });
  const rows = rowsFrom(`
    100 cpu0 slack g1 0
    120 cpu1 slack_skip g1 2
    200 cpu0 slack g1 1
    300 cpu0 refill g1 100
    400 cpu1 slack_skip g1 0
    500 cpu1 slack_skip g1 1
    600 cpu0 slack g1 3`);
  store.append(1000, traceChunk(rows), wakeChunk([]));
  const track = store.quota.group(1);
  if (track === undefined) throw new Error("the group has no track");
  const told = (ns: number): string => describeTank(store, track, ns).slice(1).join();
  expect([99, 300].map(told)).toEqual(["", ""]);
  expect([110, 120, 205, 400, 501, 600].map(told)).toEqual([
    "slack timer armed, 10 ns ago",
    "slack timer not armed again, as it was armed already, 0 ns ago",
    "slack timer handed out returned run time, 5 ns ago",
    "slack timer not armed, as the refill was to come within 7 ms, 0 ns ago",
    "slack timer not armed, as the refill was under way, 1 ns ago",
    "slack timer fired: too close to the refill, 0 ns ago",
  ]);
});

test("what is thrown away up to an instant is the sum of the rows that lose it, and at the end what the report says", () => {
  const [trace, report] = run("quota-stranded", 0);
  const [track] = trace.quota.limited;
  const group = report.metrics.groups?.[track?.info.path ?? ""];
  if (track === undefined || group === undefined) throw new Error("no group has a quota");
  const at = Math.round(trace.endNs / 3);
  const rows = [...track.losses.listIn(0, at + 1)];
  const sum = rows.reduce((total, row) => total + trace.events.b.at(row), 0);
  expect(sum).toBeGreaterThan(0);
  expect(track.lost.at(at)).toBe(sum);
  expect(track.lost.last).toBe(group.expired_ns + group.dropped_ns);
});
