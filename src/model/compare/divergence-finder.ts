// Where two runs first part: the first instant at which their rows differ. True of two stores that
// only grow; must not know sides.
//
//   one     row row row row | row …        equal rows are walked once, however often the page asks
// while the runs grow
//   other   row row row row | other …      only instants before both ends count: the rows of the
// last one may not all be here

import { counted } from "../../lib/count.ts";
import type { CpuLane } from "../trace/lane.ts";
import type { TraceStore } from "../trace/trace-store.ts";
import type { Saying } from "../words/say-row.ts";
import { lockWords } from "../locks/lock-words.ts";

/** What one run does where the two part. */
export interface Step {
  /**
   * When; later than the parting if this run does nothing then. Undefined if nothing follows as far
   * as is known.
   */
  readonly ns: number | undefined;
  readonly cpu: number | undefined;
  /** "CPU 3 sends a reschedule IPI to CPU 0". */
  readonly words: string;
}

export interface Divergence {
  readonly atNs: number;
  /** The step of the first run, and that of the second. */
  readonly steps: readonly [Step, Step];
}

/**
 * For a caller that needs the instant only: `SAYING` in words/say-row.ts is a script of its own.
 */
const SILENT: Saying = { row: () => "", slice: () => "" };

/** Walks two runs side by side. */
export class DivergenceFinder {
  private event = 0;
  private readonly slices: number[] = [];
  private found: { readonly atNs: number; readonly cpu: number | undefined } | undefined;

  constructor(
    private readonly one: TraceStore,
    private readonly other: TraceStore,
    private readonly say: Saying = SILENT,
  ) {}

  /**
   * The first divergence before `limitNs`; undefined if the runs are alike until then. A run that
   * is still computed must not be asked beyond its end. What was found stays: rows are never taken
   * back.
   */
  before(limitNs: number): Divergence | undefined {
    const shapes = shapeSteps(this.one, this.other);
    if (shapes !== undefined) return { atNs: 0, steps: shapes };
    this.found ??= this.look(limitNs);
    if (this.found === undefined) return undefined;
    const { atNs, cpu } = this.found;
    // Made again each time: the run that does nothing at that instant may have gone on since.
    const step = (store: TraceStore): Step =>
      cpu === undefined ? this.eventStep(store) : this.laneStep(store, cpu, atNs);
    return { atNs, steps: [step(this.one), step(this.other)] };
  }

  private look(
    limitNs: number,
  ): { readonly atNs: number; readonly cpu: number | undefined } | undefined {
    const eventNs = this.walkEvents(limitNs);
    let atNs = eventNs;
    let cpu: number | undefined;
    for (const lane of this.one.lanes) {
      const laneNs = this.walkLane(lane, Math.min(limitNs, atNs));
      if (laneNs >= atNs) continue;
      atNs = laneNs;
      cpu = lane.cpu;
    }
    return atNs < limitNs ? { atNs, cpu } : undefined;
  }

  /**
   * Goes on over equal event rows; the instant of the first unequal one before `limitNs`, else
   * Infinity.
   */
  private walkEvents(limitNs: number): number {
    const { events: a } = this.one;
    const { events: b } = this.other;
    const count = Math.min(a.count, b.count);
    let row = this.event;
    while (
      row < count &&
      a.time.data[row] === b.time.data[row] &&
      a.kind.data[row] === b.kind.data[row] &&
      a.cpu.data[row] === b.cpu.data[row] &&
      a.a.data[row] === b.a.data[row] &&
      a.b.data[row] === b.b.data[row]
    ) {
      row += 1;
    }
    this.event = row;
    const ns = Math.min(
      row < a.count ? a.time.at(row) : Infinity,
      row < b.count ? b.time.at(row) : Infinity,
    );
    return ns < limitNs ? ns : Infinity;
  }

  /**
   * The first difference between the slices of one CPU. The last slice of a lane may still change
   * at its own instant: it is not before any limit.
   */
  private walkLane(lane: CpuLane, limitNs: number): number {
    const twin = this.other.lanes[lane.cpu];
    if (twin === undefined) return Infinity;
    let index = this.slices[lane.cpu] ?? 0;
    for (;;) {
      const ns = Math.min(startOf(lane, index), startOf(twin, index));
      if (ns >= limitNs || !sameSlice(lane, twin, index)) {
        this.slices[lane.cpu] = index;
        return ns < limitNs ? ns : Infinity;
      }
      index += 1;
    }
  }

  private eventStep(store: TraceStore): Step {
    const { time, kind, cpu, a, b, count } = store.events;
    const row = this.event;
    if (row >= count) return { ns: undefined, cpu: undefined, words: "nothing more" };
    const columns = { kind: kind.at(row), cpu: cpu.at(row), a: a.at(row), b: b.at(row) };
    return { ns: time.at(row), cpu: columns.cpu, words: this.say.row(store, columns) };
  }

  private laneStep(store: TraceStore, cpu: number, atNs: number): Step {
    const lane = store.lanes[cpu];
    const index = this.slices[cpu] ?? 0;
    if (lane === undefined || index >= lane.count)
      return { ns: undefined, cpu, words: `CPU ${String(cpu)} stays as it is` };
    const slice = lane.slice(index, Math.max(store.endNs, atNs));
    return { ns: slice.fromNs, cpu, words: this.say.slice(store, slice) };
  }
}

function startOf(lane: CpuLane, index: number): number {
  return index < lane.count ? lane.starts.at(index) : Infinity;
}

function sameSlice(one: CpuLane, other: CpuLane, index: number): boolean {
  return (
    one.starts.data[index] === other.starts.data[index] &&
    one.states.data[index] === other.states.data[index] &&
    one.tasks.data[index] === other.tasks.data[index]
  );
}

/**
 * Numbers mean the same on both sides only where the machines and their tasks are the same; else
 * the runs part before their first row.
 */
function shapeSteps(
  { shape: one }: TraceStore,
  { shape: other }: TraceStore,
): readonly [Step, Step] | undefined {
  const steps = (words: (shape: TraceStore["shape"]) => string): readonly [Step, Step] => [
    { ns: 0, cpu: undefined, words: words(one) },
    { ns: 0, cpu: undefined, words: words(other) },
  ];
  if (one.cpus !== other.cpus)
    return steps(({ cpus }) => `the machine has ${String(cpus)} ${cpus === 1 ? "CPU" : "CPUs"}`);
  if (one.tasks.length !== other.tasks.length)
    return steps(({ tasks }) => `${String(tasks.length)} ${tasks.length === 1 ? "task" : "tasks"}`);
  const task = one.tasks.findIndex(({ name }, id) => name !== other.tasks[id]?.name);
  if (task >= 0)
    return steps(({ tasks }) => `task ${String(task)} is ${tasks[task]?.name ?? "none"}`);
  const group = one.groups.findIndex(({ path }, id) => path !== other.groups[id]?.path);
  if (group >= 0)
    return steps(
      ({ groups }) => `control group ${String(group)} is ${groups[group]?.path ?? "none"}`,
    );
  if (one.groups.length !== other.groups.length)
    return steps(({ groups }) => counted(groups.length, "control group"));
  const lock = one.locks.findIndex((name, id) => name !== other.locks[id]);
  if (lock >= 0 && lock < other.locks.length)
    return steps(({ locks }) => `lock ${String(lock)} is ${lockWords(locks[lock] ?? "none")}`);
  return undefined;
}
