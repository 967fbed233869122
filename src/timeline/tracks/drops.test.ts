import { expect, test } from "vitest";
import type { GroupInfo } from "../../engine/gen/types.ts";
import { TraceStore } from "../../model/index.ts";
import { rowsFrom, shapeOf, traceChunk, wakeChunk } from "../../model/trace/trace-text.ts";
import { layRows } from "../plot/lane-rows.ts";
import { THEMES } from "../plot/timeline-theme.ts";
import { placedDrops, withRoom } from "./drop-places.ts";
import { dropsAt, flightNs, SINGLE_MAX } from "./drops.ts";

const ROOT: GroupInfo = { path: "", parent: 0, period_ns: 0, burst_ns: 0 };
const WEB: GroupInfo = { path: "web", parent: 0, quota_ns: 100, period_ns: 1000, burst_ns: 0 };
const VIEW = { fromNs: 0, toNs: 2000 };
const FLIGHT = 100;

function storeOf(text: string, cpus = 4): TraceStore {
  const store = new TraceStore({ ...shapeOf(cpus, 1, 2000), groups: [ROOT, WEB] });
  store.append(2000, traceChunk(rowsFrom(text)), wakeChunk([]));
  return store;
}

const STORY = `
  100 cpu0 draw   g1 50
  110 cpu1 draw   g1 0
  140 cpu1 return g1 10
  905 cpu2 step   g1 4
  950 cpu1 expire_silo g1 10
  960 cpu0 double g1 7`;

test("a drop is under way from its event on for a fixed share of the picture, and how far it is follows from the playhead alone", () => {
  expect([flightNs(VIEW, WEB.period_ns), flightNs(VIEW, 150), flightNs(VIEW, 0)]).toEqual([
    FLIGHT,
    75,
    FLIGHT,
  ]);
  const store = storeOf(STORY);
  const at = (ns: number): readonly string[] =>
    dropsAt(store, ["web"], ns, VIEW).map(
      ({ kind, cpu, amountNs, progress }) => `${kind} ${cpu} ${amountNs} ${progress}`,
    );
  expect(at(99)).toEqual([]);
  expect(at(100)).toEqual(["take 0 50 0"]);
  expect(at(150), "a take that got nothing is no drop").toEqual([
    "take 0 50 0.5",
    "return 1 10 0.1",
  ]);
  expect(at(199)).toEqual(["take 0 50 0.99", "return 1 10 0.59"]);
  expect(at(200)).toEqual(["return 1 10 0.6"]);
  expect(at(960)).toEqual(["give 2 4 0.55", "lose 1 10 0.1", "double 0 7 0"]);
  expect(at(150), "the same again").toEqual(at(150));
  expect(dropsAt(store, [], 150, VIEW), "only groups whose tank is in the picture").toEqual([]);
});

test("many at once fly as few: nothing is lost of what they hold, and they are no more on a larger machine", () => {
  for (const cpus of [64, 1024]) {
    const rows = Array.from(
      { length: cpus },
      (_, cpu) =>
        `${String(100 + Math.floor((cpu * 60) / cpus))} cpu${String(cpu)} draw g1 ${String(cpu + 1)}`,
    );
    const drops = dropsAt(storeOf(rows.join("\n"), cpus), ["web"], 170, VIEW);
    expect(drops.length).toBeLessThanOrEqual(SINGLE_MAX);
    expect(drops.length).toBe(4);
    expect(drops.reduce((sum, { count }) => sum + count, 0)).toBe(cpus);
    expect(drops.reduce((sum, { amountNs }) => sum + amountNs, 0)).toBe((cpus * (cpus + 1)) / 2);
    drops.forEach(({ progress, cpu }, block) => {
      expect(progress).toBeGreaterThanOrEqual(0);
      expect(progress).toBeLessThan(1);
      expect(Math.floor(cpu / (cpus / 4))).toBe(block);
    });
  }
});

test("words of drops give way to words of the lanes: to the other side of the drop, or out", () => {
  const trace = storeOf("960 cpu0 double g1 7");
  const rows = layRows(4, 112, []);
  const plot = {
    trace,
    viewport: VIEW,
    rows,
    scrollTop: 0,
    gutter: 48,
    width: 1248,
    height: 112,
    ratio: 1,
    theme: THEMES.dark,
  };
  const drops = placedDrops(plot, ["web"], 960, { floors: { web: 40 }, lanes: 50 }, false);
  const x = drops[0]?.x ?? 0;
  const named = (isFree: (left: number, right: number) => boolean): readonly boolean[] => [
    ...withRoom(drops, plot, 50, { widthOf: () => 60, isFree }).values(),
  ];
  expect(
    named(() => true),
    "right of the drop",
  ).toEqual([false]);
  expect(
    named((left) => left < x),
    "left of it",
  ).toEqual([true]);
  expect(named(() => false)).toEqual([]);
});
