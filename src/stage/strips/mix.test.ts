import { expect, test } from "vitest";
import { CPU_STATE } from "../../engine/gen/catalogue.ts";
import { TraceStore } from "../../model/index.ts";
import { rowsFrom, shapeOf, traceChunk, wakeChunk } from "../../model/trace/trace-text.ts";
import { THEMES } from "../../timeline/plot/timeline-theme.ts";
import { drawMix, mixSamples, mixWords } from "./mix.ts";
import { denseRows } from "./dense-rows.ts";
import { inksOf } from "../../timeline/lanes/raster-inks.ts";

const END_NS = 1_000;

function traceOf(rows: string): TraceStore {
  const trace = new TraceStore(shapeOf(4, 1, END_NS));
  trace.append(END_NS, traceChunk(rowsFrom(rows)), wakeChunk([]));
  return trace;
}

const ROWS =
  "0 cpu0 state user\n0 cpu1 state idle\n0 cpu2 state idle\n0 cpu3 state spin\n500 cpu0 state idle\n500 cpu3 state idle";

test("a column's heights are the shares of all CPUs, idle left out", () => {
  const trace = traceOf(ROWS);
  const samples = mixSamples(trace, { fromNs: 0, toNs: END_NS }, 2);
  const raster = { data: new Uint32Array(2 * 8), width: 2, height: 8 };
  const inks = inksOf(THEMES.dark);
  drawMix(raster, samples, (END_NS / 2) * 4, inks);
  const column = (x: number): readonly (number | undefined)[] =>
    Array.from({ length: 8 }, (_, y) => raster.data[y * 2 + x]);
  const [user, spin, none] = [
    inks.state[CPU_STATE.User],
    inks.state[CPU_STATE.Spin],
    inks.background,
  ];
  expect(column(0), "from the top: half idle, a quarter spins, a quarter runs").toEqual([
    none,
    none,
    none,
    none,
    spin,
    spin,
    user,
    user,
  ]);
  expect(column(1)).toEqual(Array.from({ length: 8 }, () => none));
});

test("in words: how many CPUs are in each state at an instant", () => {
  const trace = traceOf(ROWS);
  expect(mixWords(trace, 100)).toMatch(/^At .+: 1 user, 1 spin, 2 idle\.$/);
  expect(mixWords(trace, END_NS + 1)).toBe("Nothing is computed there.");
});

test("dense rows share the height, are never thinner than two pixels, and one lies below the other", () => {
  expect(denseRows(40, 164).rows[1]).toMatchObject({ top: 4, height: 4 });
  expect(denseRows(1024, 164)).toMatchObject({ height: 2048 });
  expect(denseRows(2, 164).height).toBe(36);
});
