import { expect, test } from "vitest";
import { TraceStore } from "../../model/index.ts";
import { rowsFrom, shapeOf, traceChunk, wakeChunk } from "../../model/trace/trace-text.ts";
import { cpusAtFull, mixSamples } from "../../stage/strips/mix.ts";
import { tileRows } from "./tile-picture.ts";

const END_NS = 100_000;

function traceOf(rows: string): TraceStore {
  const trace = new TraceStore(shapeOf(32, 1, END_NS));
  trace.append(END_NS, traceChunk(rowsFrom(rows)), wakeChunk([]));
  return trace;
}

const IDLE = Array.from({ length: 32 }, (_, cpu) => `0 cpu${String(cpu)} state idle`);
const COMPUTES = "1000 cpu7 state user";
const TICKS = ["2000 cpu3 state hardirq", "2100 cpu3 state idle"];

test("a tile shows the CPU that computes, not 31 that only take ticks", () => {
  const view = { fromNs: 0, toNs: END_NS };
  const trace = traceOf([...IDLE, COMPUTES, ...TICKS].join("\n"));
  expect(tileRows(trace, view, 90).rows.map(({ cpu }) => cpu)).toEqual([7]);
  expect(tileRows(traceOf(IDLE.join("\n")), view, 90).rows).toHaveLength(32);
});

test("one busy CPU of 32 fills a folded strip, and no mix of several is taller than the strip", () => {
  const trace = traceOf([...IDLE, COMPUTES, ...TICKS].join("\n"));
  const samples = mixSamples(trace, { fromNs: 0, toNs: END_NS }, 100);
  expect(cpusAtFull(samples, END_NS / 100, 32)).toBeLessThanOrEqual(2);
  expect(cpusAtFull(new Float32Array(samples.length), END_NS / 100, 32), "idle").toBe(1);
});
