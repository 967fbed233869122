// The lanes read as text: one letter a pixel, so that a failing test shows the picture.

import fc from "fast-check";
import { expect, test } from "vitest";
import { CPU_STATE } from "../../engine/gen/catalogue.ts";
import { CHANNELS, IRQ_OFF_CHANNEL, TraceStore, WAIT } from "../../model/index.ts";
import { rowsFrom, shapeOf, traceChunk, wakeChunk } from "../../model/trace/trace-text.ts";
import { LanePainter } from "./paint.ts";
import type { Plot } from "../plot/plot.ts";
import { drawBar, stackHeights } from "./raster.ts";
import { drawWait } from "./raster-waits.ts";
import { layRows } from "../plot/lane-rows.ts";
import { THEMES } from "../plot/timeline-theme.ts";
import type { Raster } from "./raster-inks.ts";
import { inksOf } from "./raster-inks.ts";

const THEME = THEMES.dark;
const INKS = inksOf(THEME);
const LETTERS = new Map<number, string>([
  [INKS.background, "."],
  [INKS.kernelRule, "-"],
  [INKS.lids, "="],
  [INKS.spinDark, "s"],
  [INKS.userSpinDark, "v"],
  [INKS.wait, "#"],
  [INKS.waitSoft, ":"],
  [INKS.waitFaint, "_"],
  [INKS.baseline, "'"],
  ...INKS.state.slice(1).map((ink, index) => [ink, "xUKrISBW"[index] ?? "?"] as const),
  ...INKS.faint.slice(1).map((ink, index) => [ink, "xukrisbw"[index] ?? "?"] as const),
  ...INKS.hatch.slice(1).map((ink) => [ink, "%"] as const),
]);

function blank(width: number, height: number): Raster {
  return { data: new Uint32Array(width * height).fill(INKS.background), width, height };
}

function picture(raster: Raster): string[] {
  return Array.from({ length: raster.height }, (_, y) =>
    Array.from(
      raster.data.subarray(y * raster.width, (y + 1) * raster.width),
      (ink) => LETTERS.get(ink) ?? "?",
    ).join(""),
  );
}

/** Columns given as state to share, 1 = the whole pixel. */
function bar(columns: readonly { readonly [channel: number]: number }[], height: number): string[] {
  const samples = new Float32Array(columns.length * CHANNELS);
  columns.forEach((column, at) => {
    for (const [channel, share] of Object.entries(column))
      samples[at * CHANNELS + Number(channel)] = share;
  });
  const raster = blank(columns.length, height);
  drawBar(raster, { left: 0, top: 0, width: columns.length, height }, samples, 1, 0, INKS);
  return picture(raster);
}

function repeat(
  column: { readonly [channel: number]: number },
  count: number,
): { readonly [channel: number]: number }[] {
  return Array.from({ length: count }, () => column);
}

test("a stopped CPU is a cage: rails above and below, bars between", () => {
  expect(bar(repeat({ [CPU_STATE.Stopped]: 1 }, 10), 5)).toEqual([
    "BBBBBBBBBB",
    "BB...BB...",
    "BB...BB...",
    "BB...BB...",
    "BBBBBBBBBB",
  ]);
});

test("a task's code is solid, kernel code has a rule through its middle, idle is nothing", () => {
  const { User, Kernel, Idle } = CPU_STATE;
  expect(
    bar(
      [...repeat({ [User]: 1 }, 3), ...repeat({ [Kernel]: 1 }, 3), ...repeat({ [Idle]: 1 }, 2)],
      5,
    ),
  ).toEqual(["UUUKKK..", "UUUKKK..", "UUU---..", "UUUKKK..", "UUUKKK.."]);
});

test("interrupts off is a box with lids", () => {
  const off = bar(repeat({ [CPU_STATE.Kernel]: 1, [IRQ_OFF_CHANNEL]: 1 }, 6), 8);
  expect([off[0], off.at(-1)]).toEqual(["======", "======"]);
  expect(off.slice(1, -1).join("")).toMatch(/%/);
});

test("spinning has teeth along its upper edge", () => {
  const [top = "", , , , bottom = ""] = bar(repeat({ [CPU_STATE.Spin]: 1 }, 12), 5);
  expect(top).toMatch(/\./);
  expect(bottom).toMatch(/^[Ss]+$/);
});

test("spinning in user code is as high as user code, which shows above its teeth", () => {
  const rows = bar(repeat({ [CPU_STATE.UserSpin]: 1 }, 12), 5);
  expect(rows[0]).toMatch(/^[UWv]+$/);
  expect(rows[0]).toMatch(/U/);
  expect(rows.at(-1)).toMatch(/^[Wv]+$/);
  expect(bar(repeat({ [CPU_STATE.UserSpin]: 1 }, 4), 3)).toEqual(["WvWv", "WvWv", "WvWv"]);
});

test("a lone interrupt is a pin two pixels wide, and leaves the lower part of the bar to the state under it", () => {
  const columns = repeat({ [CPU_STATE.User]: 1 }, 30);
  columns[10] = { [CPU_STATE.Hardirq]: 0.02, [CPU_STATE.User]: 0.98 };
  const pinned = `${"U".repeat(10)}II${"U".repeat(18)}`;
  expect(bar(columns, 5)).toEqual([
    pinned,
    pinned,
    ...Array.from({ length: 3 }, () => "U".repeat(30)),
  ]);
});

test("interrupts are pins where they are sparse there: a crowd elsewhere on the lane changes nothing", () => {
  const tick = { [CPU_STATE.Hardirq]: 0.1, [CPU_STATE.User]: 0.9 };
  const columns = [...repeat({ [CPU_STATE.User]: 1 }, 20), ...repeat(tick, 60)];
  columns[2] = tick;
  const [top = "", ...rest] = bar(columns, 10);
  expect(top.slice(2, 4), "alone: a pin").toBe("II");
  expect(rest[2]?.slice(2, 4)).toBe("II");
  expect(rest.slice(3).join(""), "user code from afar is user code").toMatch(/^U+$/);
  expect(top.slice(30, 70), "dense: a share of the stack").toMatch(/^I+$/);
  expect(rest[0]?.slice(30, 70)).toMatch(/^U+$/);
});

test("a crowded column is a stack by share, user code at the bottom, spinning on top", () => {
  const { User, Kernel, Spin } = CPU_STATE;
  expect(bar([{ [User]: 0.5, [Kernel]: 0.25, [Spin]: 0.25 }], 8).join("")).toMatch(
    /^[sS]{2}KKUUUU$/,
  );
});

test("whatever happened in a pixel shows, however short; and never more than the pixel is high", () => {
  const shares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), {
    minLength: 9,
    maxLength: 9,
  });
  fc.assert(
    fc.property(shares, fc.integer({ min: 8, max: 60 }), (parts, height) => {
      const total = parts.reduce((sum, part) => sum + part, 0);
      fc.pre(total > 0);
      const samples = Float32Array.from(parts.map((part) => part / total));
      const heights = new Int32Array(CHANNELS);
      stackHeights(samples, 0, 1, height, heights);
      expect(heights.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(height);
      for (let state = 1; state < IRQ_OFF_CHANNEL; state += 1)
        expect((heights[state] ?? 0) > 0).toBe((samples[state] ?? 0) > 0);
    }),
  );
});

test("a row too low for a stack is mixed by share, and a trace of spinning still tints it", () => {
  const mixOf = (parts: { readonly [channel: number]: number }): readonly number[] => {
    const samples = new Float32Array(CHANNELS);
    for (const [channel, share] of Object.entries(parts)) samples[Number(channel)] = share;
    const raster = blank(1, 2);
    drawBar(raster, { left: 0, top: 0, width: 1, height: 2 }, samples, 1, 0, INKS);
    return [...new Uint8Array(raster.data.buffer, 0, 3)];
  };
  const { User, Kernel, Spin } = CPU_STATE;
  const half = mixOf({ [User]: 0.5, [Kernel]: 0.5 });
  expect(half).toEqual([0x6f + 0x72, 0x96 + 0x5a, 0xc4 + 0xc0].map((sum) => Math.floor(sum / 2)));
  const [red = 0] = mixOf({ [Spin]: 0.001 });
  expect(red).toBeGreaterThan(0x0e + 60);
});

test("a ready wait is a hollow box, a preempted one has a heavy left edge, a short one a mark on the floor", () => {
  const raster = blank(24, 3);
  const shelf = { top: 0, height: 3, left: 0, width: 24 };
  drawWait(raster, shelf, 1, 7, WAIT.Ready, INKS);
  drawWait(raster, shelf, 9, 15, WAIT.Preempted, INKS);
  drawWait(raster, shelf, 20, 20.4, WAIT.Ready, INKS);
  expect(picture(raster)).toEqual([
    ".######..######.........",
    ".#....#..##...#.........",
    ".######..######....._...",
  ]);
});

test("a story becomes its lanes: cpu0 wakes, waits, runs; cpu1 spins", () => {
  const store = new TraceStore(shapeOf(2, 2));
  store.append(
    80,
    traceChunk(
      rowsFrom(`
    0   cpu0  state  idle
    0   cpu1  state  user t0
    10  cpu1  waking t1 cpu0
    20  cpu1  wakeup t1 cpu0
    20  cpu1  state  spin! t0
    40  cpu0  switch idle t1
    40  cpu0  state  user t1
    60  cpu0  state  idle`),
    ),
    wakeChunk([]),
  );
  const plot: Plot = {
    trace: store,
    viewport: { fromNs: 0, toNs: 80 },
    rows: layRows(2, 36, []),
    scrollTop: 0,
    gutter: 0,
    width: 40,
    height: 36,
    ratio: 1,
    theme: THEME,
  };
  const raster = blank(40, 36);
  new LanePainter().paintInto(raster, plot);
  const lines = picture(raster);
  expect(lines[0]).toBe(".....:..::##########....................");
  expect(lines[10]).toBe(`${".".repeat(20)}${"U".repeat(10)}${".".repeat(10)}`);
  expect(lines[33]).toMatch(/^U{10}[sS]{30}$/);
});
