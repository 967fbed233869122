// Where many marks lie together: flags do not merge into a block, and IPIs of one CPU to itself
// are counted once.

import { expect, test, vi } from "vitest";
import { TraceStore } from "../../model/index.ts";
import { namesOf, rowsFrom, shapeOf, traceChunk, wakeChunk } from "../../model/trace/trace-text.ts";
import { LabelLayer } from "../draw/label-layer.ts";
import { THEMES } from "../plot/timeline-theme.ts";
import { layRows } from "../plot/lane-rows.ts";
import { FLAG } from "./flag.ts";
import { IPI } from "./ipi.ts";
import type { Mark, Scene } from "./mark.ts";
import { PREEMPT_POINT } from "./point.ts";
import { inked } from "./testing.ts";

const END_NS = 1_000_000;

function sceneOf(rows: string, width = 1248): Scene {
  const trace = new TraceStore(shapeOf(2, 2, END_NS));
  trace.append(END_NS, traceChunk(rowsFrom(rows)), wakeChunk([]));
  const rowsLaid = layRows(2, 112, []);
  const viewport = { fromNs: 0, toNs: END_NS };
  const plot = {
    trace,
    viewport,
    rows: rowsLaid,
    scrollTop: 0,
    gutter: 48,
    width,
    height: 112,
    ratio: 1,
    theme: THEMES.dark,
  };
  return { trace, changes: [], plot, lock: undefined };
}

function drawn(mark: Mark, rows: string, width?: number): ReturnType<typeof inked> {
  const scene = sceneOf(rows, width);
  return inked((context) => {
    const labels = new LabelLayer();
    labels.begin(context, scene.plot);
    mark.draw(context, scene, labels);
    labels.write(context, scene.plot);
  });
}

/** Flags of 1 us, `apart` ns from each other. */
function flags(count: number, apart: number): string {
  const lines = Array.from({ length: count }, (_, nth) => 100_000 + nth * apart).flatMap((ns) => [
    `${String(ns)} cpu0 flag t1 cpu1`,
    `${String(ns + 1000)} cpu0 clear t1 1000`,
  ]);
  return lines.join("\n");
}

test("flags that would hide each other are ticks of a pixel with their number; two near ones and single ones keep their pennants", () => {
  const crowd = drawn(FLAG, flags(12, 4_000));
  expect(crowd.words).toEqual(["12 flags"]);
  const tops = new Set(crowd.shapes.map(({ x }) => Math.round(x)));
  expect(tops.size, "each has a place of its own").toBeGreaterThanOrEqual(12);
  expect(drawn(FLAG, flags(2, 4_000)).words).toEqual([]);
  expect(drawn(FLAG, flags(12, 60_000)).words).toEqual([]);
});

test("thousands of IPIs of a CPU to itself are one label on its lane, and a few beside them are not named", () => {
  const own = Array.from(
    { length: 600 },
    (_, nth) => `${String(1000 + nth * 1500)} cpu0 arrive cpu0 irq_work 300`,
  );
  const others = [500_200, 500_300].map((ns) => `${String(ns)} cpu1 arrive cpu0 reschedule 100`);
  const lines = [...own, ...others].sort((one, other) => parseInt(one, 10) - parseInt(other, 10));
  expect(drawn(IPI, lines.join("\n")).words).toEqual(["600 IPIs to itself"]);
});

test("what a CPU sends itself is the same number in any width, whatever it sends its neighbour, and none beyond the view's edge", () => {
  const own = Array.from(
    { length: 600 },
    (_, nth) => `${String(1000 + nth * 1500)} cpu0 arrive cpu0 irq_work 300`,
  );
  const others = Array.from(
    { length: 300 },
    (_, nth) => `${String(1200 + nth * 3000)} cpu1 arrive cpu0 reschedule 100`,
  );
  const late = [`${String(END_NS + 100)} cpu0 arrive cpu0 irq_work 300`];
  const lines = [...own, ...others, ...late]
    .sort((one, other) => parseInt(one, 10) - parseInt(other, 10))
    .join("\n");
  for (const width of [260, 448, 1248, 2400])
    expect(drawn(IPI, lines, width).words, String(width)).toContain("600 IPIs to itself");
});

test("a short view counts its own flags, even where one long flag makes thousands of others seem near", () => {
  const long = ["50000 cpu1 flag t1 cpu1", "900000 cpu1 clear t1 850000"];
  const lines = [...long, ...flags(7_000, 110).split("\n")].sort(
    (one, other) => parseInt(one, 10) - parseInt(other, 10),
  );
  const scene = sceneOf(lines.join("\n"));
  expect(FLAG.count(scene, 300_000, 301_000)).toBeLessThan(30);
  expect(FLAG.count(scene, 0, END_NS)).toBeGreaterThan(5000);
});

test("from afar, flags are summed for the lanes in sight alone", () => {
  const cpus = 600;
  const trace = new TraceStore(shapeOf(cpus, 2, END_NS));
  const set = Array.from(
    { length: cpus },
    (_, cpu) => `${String(1_000 + cpu)} cpu${String(cpu)} flag t1 cpu1`,
  );
  const cleared = Array.from(
    { length: cpus },
    (_, cpu) => `${String(50_000 + cpu)} cpu${String(cpu)} clear t1 ${String(49_000)}`,
  );
  trace.append(END_NS, traceChunk(rowsFrom([...set, ...cleared].join("\n"))), wakeChunk([]));
  const rows = layRows(cpus, 112, []);
  const plot = { ...sceneOf("1 cpu0 flag t1 cpu1").plot, trace, rows };
  const inView = rows.rows.filter(({ barTop }) => barTop <= plot.height).length;
  const sums = vi.spyOn(globalThis, "Float32Array");
  inked((context) =>
    FLAG.draw(context, { trace, changes: [], plot, lock: undefined }, new LabelLayer()),
  );
  const made = sums.mock.calls.length;
  sums.mockRestore();
  expect(inView).toBeLessThan(cpus / 4);
  expect(made).toBeGreaterThan(0);
  expect(made).toBeLessThanOrEqual(inView);
});

test("a preemption point's name on its lane is no longer than the kernel's own preempt_enable, whichever point it is", () => {
  const points = [...namesOf("POINT").keys()];
  const names = points.flatMap(
    (point) =>
      drawn(PREEMPT_POINT, `499000 cpu1 flag t1 cpu0\n500000 cpu1 take ${point} t1`, 8248).words,
  );
  expect(names).toHaveLength(points.length);
  expect(names.filter((name) => name.length > "preempt_enable".length)).toEqual([]);
});
