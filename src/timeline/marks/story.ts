// Test support: a run of four CPUs in which every mark happens, and the scene that shows it. Never
// part of the product.

import { TraceStore } from "../../model/index.ts";
import { rowsFrom, shapeOf, traceChunk, wakeChunk } from "../../model/trace/trace-text.ts";
import type { TimelineTheme } from "../plot/timeline-theme.ts";
import { layRows } from "../plot/lane-rows.ts";
import type { Viewport } from "../plot/timeline-props.ts";
import type { Scene } from "./mark.ts";

export const CPUS = 4;
export const END_NS = 2000;
export const CHANGE_NS = 1900;

const ROWS = `
    0    cpu0  state   user t0
    0    cpu1  state   user t1
    0    cpu2  state   idle
    0    cpu3  state   idle
    20   cpu1  tick
    40   cpu3  stop
    60   cpu1  raise   6 2
    70   cpu1  softirq 6 2
    70   cpu1  state   softirq
    90   cpu1  softirq_end 6 0
    90   cpu1  state   user t1
    140  cpu1  arrive  cpu0 reschedule 30
    142  cpu1  irq     reschedule 2
    142  cpu1  state   hardirq!
    200  cpu1  arrive  cpu2 call_function_single 25 coalesced
    240  cpu3  restart
    290  cpu1  irq_end reschedule
    290  cpu1  state   user t1
    300  cpu0  acq     0 0
    320  cpu1  wait    0 1
    320  cpu1  state   spin! t1
    360  cpu0  rel     0
    360  cpu1  acq     0 40
    360  cpu1  state   kernel t1
    380  cpu1  rel     0
    400  cpu1  lazy    t1 cpu0
    430  cpu1  pass    cond_resched t1
    450  cpu1  upgrade t1 cpu1
    500  cpu1  take    return_to_user t1
    505  cpu1  clear   t1 105
    560  cpu1  rto_set 1 0
    600  cpu1  migrate t2 cpu1
    600  cpu1  pull    t2 cpu0
    630  cpu1  rto_clear 0 0
    640  cpu1  migrate t2 cpu3
    640  cpu1  push    t2 cpu3
    690  cpu0  waking  t3 cpu2
    700  cpu0  migrate t3 cpu1
    710  cpu0  wakeup  t3 cpu1
    800  cpu0  kick    cpu3 sent 500
    830  cpu3  arrive  cpu0 call_function_single 30
    840  cpu1  kick    cpu2 polling 300
    900  cpu1  refill  g1 1000
    900  cpu1  pool    g1 1000
    950  cpu1  draw    g1 400
    950  cpu1  pool    g1 600
    950  cpu1  silo    g1 400
    1000 cpu1  return  g1 300
    1050 cpu1  expire_silo g1 100
    1080 cpu1  double  g1 50
    1100 cpu1  throttle g1 5
    1200 cpu1  unthrottle g1 0
    1210 cpu2  switch  idle t2
    1220 cpu0  user_spin 0 t0
    1220 cpu0  user_owner 0 t2
    1220 cpu0  state   user_spin t0
    1240 cpu2  switch  t2 t3
    1240 cpu2  user_out 0 t2
    1280 cpu2  switch  t3 t2
    1300 cpu1  rt_throttle g95 g95
    1500 cpu1  rt_unthrottle g0 0`;

const GROUP = { path: "/g", parent: 0, quota_ns: 1000, period_ns: 900, burst_ns: 0 };
const ROOT = { path: "/", parent: 0, period_ns: 0, burst_ns: 0 };

/** Ends of stretches: a step stops there, and nothing that lasts holds any more. */
export const STORY = { quietEnds: new Set([505, 1200, 1500]) };

/** The story in a window, the whole of it by default, 1200 by 112 CSS px. */
export function sceneOf(
  theme: TimelineTheme,
  viewport: Viewport = { fromNs: 0, toNs: END_NS },
): Scene {
  const trace = new TraceStore({ ...shapeOf(CPUS, 4, END_NS), groups: [ROOT, GROUP] });
  trace.append(END_NS, traceChunk(rowsFrom(ROWS)), wakeChunk([]));
  const plot = {
    trace,
    viewport,
    rows: layRows(CPUS, 112, []),
    scrollTop: 0,
    gutter: 48,
    width: 1248,
    height: 112,
    ratio: 1,
    theme,
  };
  return {
    trace,
    changes: [{ ns: CHANGE_NS, words: "RT_PUSH_IPI on" }],
    plot,
    lock: trace.locks.lock(0),
  };
}
