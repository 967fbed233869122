// Test support: the views whose shapes are recorded in goldens/. Each shows one part of the
// timeline in a narrow picture of few CPUs. The runs are texts, so that an engine that gives other
// runs changes no picture here.

import { TraceStore } from "../../model/index.ts";
import { syntheticRun } from "../../model/trace/synthetic-run.ts";
import {
  rowsFrom,
  shapeOf,
  traceChunk,
  wakeChunk,
  wakesFrom,
} from "../../model/trace/trace-text.ts";
import { CHANGE_NS, sceneOf } from "../marks/story.ts";
import type { TimelineSide } from "../plot/timeline-props.ts";
import { THEMES } from "../plot/timeline-theme.ts";
import type { PictureOf } from "./layout.ts";

export interface GoldenView {
  readonly picture: PictureOf;
  /** The legend of marks and tracks is drawn too. */
  readonly withLegend?: true;
}

type Change = Partial<PictureOf>;

/** What a bar can be, one state after the other, then two at once and a wait of each kind. */
const STATES = `
    0    cpu0  state   user t0
    0    cpu1  state   idle
    100  cpu0  state   kernel t0
    200  cpu0  state   kernel! t0
    300  cpu0  state   kernel# t0
    400  cpu0  state   softirq
    500  cpu0  state   hardirq
    600  cpu0  state   spin! t0
    700  cpu0  state   user_spin t0
    800  cpu0  state   stopped
    900  cpu0  state   idle_exit
    950  cpu0  state   idle
    100  cpu1  waking  t1 cpu1
    160  cpu1  wakeup  t1 cpu1
    300  cpu1  switch  idle t1
    300  cpu1  state   user t1
    500  cpu1  wakeup  t2 cpu1
    600  cpu1  switch  t1 t2
    600  cpu1  state   user t2
    800  cpu1  switch  t2 t1
    800  cpu1  state   user t1`;

/** Three CPUs and one lock: a queue of two, emptied one after the other. */
const QUEUE = `
    0    cpu0  state   kernel! t0
    0    cpu1  state   user t1
    0    cpu2  state   user t2
    100  cpu0  acq     0 0
    200  cpu1  wait    0 1
    200  cpu1  state   spin! t1
    300  cpu2  wait    0 2
    300  cpu2  state   spin! t2
    500  cpu0  rel     0
    500  cpu0  state   user t0
    500  cpu1  acq     0 300
    500  cpu1  state   kernel! t1
    700  cpu1  rel     0
    700  cpu1  state   user t1
    700  cpu2  acq     0 400
    700  cpu2  state   kernel! t2
    900  cpu2  rel     0
    900  cpu2  state   user t2`;

/** A spin lock of user space whose holder is preempted from 200 to 400 ns. */
const USER_LOCK = `
    0    cpu0  switch idle t1
    0    cpu0  state  user t1
    0    cpu1  switch idle t2
    0    cpu1  state  user t2
    100  cpu1  user_spin 4 t2
    100  cpu1  user_owner 4 t1
    100  cpu1  state  user_spin t2
    200  cpu0  switch t1 t3
    200  cpu0  user_out 4 t1
    200  cpu0  state  user t3
    400  cpu0  switch t3 t1
    400  cpu0  state  user t1
    500  cpu0  user_owner 4
    501  cpu1  user_spin_end t2 401
    501  cpu1  state  user t2`;

const LATE = "t1 0 cpu1 due 100: ipi 60, switch 140";

/** CPU 0 sends itself three IPIs while t2 waits there and a softirq is pending. */
const RING = `
    0    cpu0  state   kernel t1
    50   cpu0  waking  t2 cpu0
    60   cpu0  wakeup  t2 cpu0
    80   cpu0  raise   6 3
    100  cpu0  send    cpu0 irq_work
    150  cpu0  arrive  cpu0 irq_work 50
    300  cpu0  send    cpu0 irq_work
    350  cpu0  arrive  cpu0 irq_work 50
    500  cpu0  send    cpu0 irq_work
    560  cpu0  arrive  cpu0 irq_work 60`;

/** A lazy flag that a tick upgrades, and one that is acted on at once, on a tall lane. */
const FLAGS = `
    0    cpu0  state   user t1
    100  cpu0  lazy    t1 cpu0
    100  cpu0  wakeup  t2 cpu0
    600  cpu0  upgrade t1 cpu0
    700  cpu0  take    irq_exit t1
    700  cpu0  clear   t1 600
    700  cpu0  switch  t1 t2
    700  cpu0  state   user t2`;

function storeOf(rows: string, cpus: number, endNs: number, wakes = ""): TraceStore {
  const objects = [{ id: 4, name: "spin lock", sort: "spin lock" } as const];
  const trace = new TraceStore({ ...shapeOf(cpus, 4, endNs), objects });
  const inOrder = rowsFrom(rows).sort((one, other) => one.ns - other.ns);
  trace.append(endNs, traceChunk(inOrder), wakeChunk(wakes === "" ? [] : wakesFrom(wakes)));
  return trace;
}

function sideOf(trace: TraceStore, more: Partial<TimelineSide> = {}): TimelineSide {
  const { version } = trace;
  const plain = { id: "a", label: "pull", selection: undefined, running: false } as const;
  return { ...plain, trace, version, ...more };
}

/** One side from `fromNs` to `toNs` in a picture 480 by 200 CSS px. */
function viewOf(
  side: TimelineSide,
  [fromNs, toNs]: readonly number[],
  more: Change = {},
): PictureOf {
  return {
    sides: [side],
    viewport: { fromNs: fromNs ?? 0, toNs: toNs ?? side.trace.endNs },
    playheadNs: fromNs ?? 0,
    layout: "stacked",
    lock: "deepest",
    aboutLocks: false,
    lanes: "",
    stepCpus: [],
    area: undefined,
    markers: {},
    theme: "light",
    width: 480,
    height: 200,
    scrollTop: 0,
    title: "",
    corner: [],
    ...more,
  };
}

/** Every mark in one run of four CPUs (marks/story.ts), from `fromNs` to `toNs`. */
function story(fromNs: number, toNs: number, more: Change = {}): PictureOf {
  const changes = [{ ns: CHANGE_NS, words: "RT_PUSH_IPI on" }];
  return viewOf(sideOf(sceneOf(THEMES.light).trace, { changes }), [fromNs, toNs], {
    height: 320,
    ...more,
  });
}

/** A herd on `cpus` CPUs, without its end. */
function herd(cpus: number, more: Change = {}, range: readonly number[] = []): PictureOf {
  const { shape, endNs, trace: rows, wakes } = syntheticRun(cpus, 4, 100);
  const trace = new TraceStore(shape);
  trace.append(endNs, rows, wakes);
  return viewOf(sideOf(trace), range, more);
}

/** Two caches of two cores, each of two hardware threads. */
function cores(more: Change = {}): PictureOf {
  const { shape, endNs, trace: rows, wakes } = syntheticRun(8, 4, 100);
  const trace = new TraceStore({ ...shape, package_size: 4, threads_per_core: 2 });
  trace.append(endNs, rows, wakes);
  return viewOf(sideOf(trace), [30_000, 36_000], { width: 96, height: 240, ...more });
}

function states(more: Change = {}, side: Partial<TimelineSide> = {}): PictureOf {
  return viewOf(sideOf(storeOf(STATES, 2, 1000, LATE), side), [0, 1000], more);
}

function queue(more: Change = {}): PictureOf {
  return viewOf(sideOf(storeOf(QUEUE, 3, 1000)), [0, 1000], { aboutLocks: true, ...more });
}

function twoSides(layout: PictureOf["layout"], more: Change = {}): PictureOf {
  const b = sideOf(storeOf(QUEUE, 3, 1000), { id: "b", label: "push", running: true });
  const { sides, ...rest } = queue();
  return { ...rest, sides: [...sides, b], layout, width: 640, height: 300, ...more };
}

const SELECTED = { kind: "wake", task: "t1", nth: 0 } as const;

export const GOLDEN_VIEWS: Readonly<Record<string, GoldenView>> = {
  "bars-of-states": { picture: states() },
  "selected-wake-and-task": { picture: states({}, { selection: SELECTED }) },
  "unknown-while-running": { picture: states({}, { running: true, label: "still running" }) },
  "softirq-tick-interrupt": { picture: story(0, 300) },
  "lock-and-flags": { picture: story(280, 520, { aboutLocks: true }) },
  "moves-and-kicks": { picture: story(580, 860) },
  "quota-tank-and-silos": { picture: story(880, 1210, { playheadNs: 980 }) },
  "user-spin-and-rt-throttle": { picture: story(1200, 1520) },
  "switch-flipped": { picture: story(1850, 1950) },
  "lock-queue": { picture: queue({ playheadNs: 400 }) },
  "user-space-lock": {
    picture: viewOf(sideOf(storeOf(USER_LOCK, 2, 1000)), [0, 1000], { playheadNs: 300 }),
  },
  "two-sides-stacked": { picture: twoSides("stacked", { playheadNs: 600 }) },
  "two-sides-beside": { picture: twoSides("beside", { playheadNs: 600 }) },
  "area-and-markers": {
    picture: states({
      area: { fromNs: 200, toNs: 600, cpus: [1] },
      markers: { from: 300, to: 700 },
      playheadNs: 450,
    }),
  },
  "title-and-corner": {
    picture: states({ title: "Why does t1 wait?", corner: ["schedscope 0.2", "seed 1"] }),
  },
  "legend-of-marks": { picture: story(400, 700, { height: 260 }), withLegend: true },
  "herd-of-low-rows": { picture: herd(12, { width: 84, height: 120 }, [30_000, 44_000]) },
  "pinned-and-busiest-first": {
    picture: herd(8, { lanes: "p5.2_busy", width: 120, height: 240 }, [30_000, 44_000]),
  },
  "folded-groups": { picture: herd(40, { lanes: "groups_o1", width: 80 }, [30_000, 36_000]) },
  "caches-and-cores": { picture: cores() },
  "ring-of-ipis": {
    picture: viewOf(sideOf(storeOf(RING, 1, 1000)), [0, 1000], {
      lanes: "ring",
      width: 720,
      playheadNs: 530,
    }),
  },
  "who-ran-instead": {
    picture: states({ lanes: "instead", width: 720, playheadNs: 250 }, { selection: SELECTED }),
  },
  "flags-on-a-tall-lane": {
    picture: viewOf(sideOf(storeOf(FLAGS, 1, 1000)), [0, 1000], { width: 720 }),
  },
  "dark-theme": { picture: states({ theme: "dark" }) },
  "projector-theme": { picture: states({ theme: "projector", height: 280 }) },
};
