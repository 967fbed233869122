// One run, as far as it has been computed: rows go in, every index grows with them. True of one
// run; must not know workers or pixels.

import { FIELD, KIND } from "../../engine/gen/catalogue.ts";
import type { RunMeta } from "../../engine/gen/types.ts";
import type { TraceChunk, WakeChunk } from "../../engine/protocol.ts";
import { fieldOf } from "../../lib/bit-field.ts";
import { Density } from "./density.ts";
import { EventTable } from "./events.ts";
import { FlagIndex } from "./flags.ts";
import { CpuLane, NO_TASK } from "./lane.ts";
import { LatencyIndex } from "./latency.ts";
import { LockIndex } from "./kernel-locks.ts";
import { KickIndex } from "./nohz.ts";
import { OFTEN_ASKED } from "./indexed-kinds.ts";
import { PointIndex } from "./preempt-points.ts";
import type { QuotaWrite } from "./group-quota.ts";
import { QuotaIndex } from "./group-quota.ts";
import type { Slice } from "./run-types.ts";
import { WAIT_KINDS, WaitIndex } from "./waits.ts";
import { WakeTable } from "./wakes.ts";

/** The facts about a run that the store needs before its first row. A RunMeta is one. */
export type RunShape = Pick<RunMeta, "cpus" | "duration_ns" | "tasks" | "groups" | "locks"> &
  Partial<Pick<RunMeta, "series" | "objects" | "package_size" | "threads_per_core">>;

function isQuota(kind: number): boolean {
  return (kind >= KIND.BwPool && kind <= KIND.BwIdle) || kind === KIND.BwSlackSkip;
}

/** Slices between two looks at the clock: see `TraceStore.prepare`. */
const SLICES_AT_ONCE = 8_192;

/**
 * The share of a run after which its size is known well enough, and how much more room is made than
 * that; hundredths of a per cent.
 */
const EXPECTED_FROM = 300;
const EXPECTED_MARGIN = 1.06;
const WHOLE = 10_000;

/** Kinds of rows that an index takes: 1 at each. */
const INDEXED = Uint8Array.from({ length: 256 }, (_, kind) => Number(isQuota(kind)));
for (const kind of [
  KIND.LockWait,
  KIND.LockAcq,
  KIND.LockRel,
  KIND.IpiArrive,
  KIND.NeedResched,
  KIND.NeedReschedLazy,
  KIND.NeedReschedUpgrade,
  KIND.NeedReschedClear,
  KIND.PreemptPoint,
  KIND.NohzEnterIdle,
  KIND.NohzExitIdle,
  KIND.NohzKick,
  ...WAIT_KINDS,
])
  INDEXED[kind] = 1;

export class TraceStore {
  /** By CPU number. */
  readonly lanes: readonly CpuLane[];
  readonly events = new EventTable();
  readonly locks: LockIndex;
  /** need_resched, now and lazy, from birth to schedule(). */
  readonly flags = new FlagIndex();
  /** Preemption points passed. */
  readonly points = new PointIndex();
  readonly waits = new WaitIndex();
  /** Run time of groups under a quota. */
  readonly quota: QuotaIndex;
  /** Kicks of idle balancing. */
  readonly kicks = new KickIndex();
  readonly wakes: WakeTable;
  readonly latency: LatencyIndex;
  readonly density = new Density();
  private appended = 0;
  private rowCount = 0;
  private simulatedNs = 0;
  private completedNs = 0;
  private expected = false;

  /**
   * `writes`: cpu.max as it will be written while the run goes on, in order of time. `setup`: the
   * run as the engine takes it, for who writes it as a file; absent where no engine ran.
   */
  constructor(
    readonly shape: RunShape,
    writes: readonly QuotaWrite[] = [],
    readonly setup?: string,
  ) {
    if (shape.tasks.length >= NO_TASK)
      throw new RangeError(
        `${String(shape.tasks.length)} tasks; the columns hold ${String(NO_TASK - 1)}`,
      );
    this.lanes = Array.from({ length: shape.cpus }, (_, cpu) => new CpuLane(cpu));
    this.locks = new LockIndex(this.events);
    this.quota = new QuotaIndex(this.events, shape.groups, writes);
    this.wakes = new WakeTable(shape.tasks.map((task) => task.name));
    this.latency = new LatencyIndex(this.wakes, shape.tasks);
  }

  /** Goes up by one with every chunk. */
  get version(): number {
    return this.appended;
  }

  /** Trace rows so far. */
  get rows(): number {
    return this.rowCount;
  }

  /** Simulated so far, ns: what lies beyond is not known yet. */
  get endNs(): number {
    return this.simulatedNs;
  }

  /** All rows and wake-ups before this instant are here, ns. */
  get completeNs(): number {
    return this.completedNs;
  }

  /** Bytes of all columns and indexes. */
  get bytes(): number {
    const indexes = [
      this.locks,
      this.flags,
      this.points,
      this.waits,
      this.quota,
      this.kicks,
      this.wakes,
    ];
    return [...this.lanes, this.events, ...indexes].reduce((sum, table) => sum + table.bytes, 0);
  }

  /** Takes one chunk; `simulatedNs` is the instant the engine has reached with it. */
  append(simulatedNs: number, trace: TraceChunk, wakes: WakeChunk): void {
    this.appendRows(trace, 0, trace.time.length);
    this.complete(simulatedNs, wakes);
  }

  /**
   * Takes rows `from` up to and without `to` of a chunk: a big one is taken in parts, in order, and
   * completed by `complete`.
   */
  appendRows(chunk: TraceChunk, from: number, to: number): void {
    const first = this.events.count;
    this.events.take(chunk, from, to, KIND.CpuState);
    if (this.events.count - first < to - from) this.appendSlices(chunk, from, to);
    this.indexFrom(first);
    this.rowCount += to - from;
    this.simulatedNs = Math.max(this.simulatedNs, chunk.time[to - 1] ?? 0);
  }

  /**
   * The wake-ups of a chunk whose rows are all here, and the instant the engine has reached with
   * it.
   */
  complete(simulatedNs: number, wakes: WakeChunk): void {
    this.wakes.append(wakes);
    this.reach(simulatedNs);
  }

  /** Everything up to `ns` is here: `rows` trace rows, where they did not come in chunks. */
  reach(ns: number, rows = this.rowCount): void {
    this.simulatedNs = Math.max(this.simulatedNs, ns);
    this.completedNs = Math.max(this.completedNs, ns);
    this.rowCount = rows;
    this.appended += 1;
    for (const lane of this.lanes) lane.keepUp();
  }

  /**
   * The rows so far are this share of all that come, in hundredths of a per cent: room for the
   * others is made once. Columns that grow step by step touch three times the memory they end with,
   * and fresh memory costs more than what is written to it.
   */
  expect(share: number): void {
    if (share < EXPECTED_FROM) return;
    const times = (EXPECTED_MARGIN * WHOLE) / share;
    this.events.expect(this.events.count * times);
    if (!this.expected) for (const lane of this.lanes) lane.expect(lane.count * times);
    this.expected = true;
  }

  /**
   * Does a little of what a picture from afar will want of the lanes, and a first look at a task or
   * a lock of the rows. Whether all is done.
   */
  prepare(): boolean {
    const lane = this.lanes.find((each) => !each.sumUp(0));
    lane?.sumUp(SLICES_AT_ONCE);
    return lane === undefined && OFTEN_ASKED.every((kinds) => this.events.prepare(kinds));
  }

  /**
   * Takes over slices `from` up to and without `to` of a CPU's lane in another run: see `PastCopy`.
   */
  takeSlices(lane: CpuLane, from: number, to: number): void {
    this.lanes[lane.cpu]?.take(lane, from, to);
    for (let index = Math.max(1, from); index < to; index += 1)
      this.density.add(lane.starts.data[index] ?? 0);
  }

  /** The slice of the CPU at `ns`; undefined beyond the end. */
  cpuAt(cpu: number, ns: number): Slice | undefined {
    const lane = this.lanes[cpu];
    const index = lane?.indexAt(ns) ?? -1;
    return lane === undefined || index < 0 || ns > this.endNs
      ? undefined
      : lane.slice(index, this.endNs);
  }

  taskName(task: number): string {
    return this.shape.tasks[task]?.name ?? `task ${String(task)}`;
  }

  lockName(lock: number): string {
    return this.shape.locks[lock] ?? `lock ${String(lock)}`;
  }

  groupName(group: number): string {
    return this.shape.groups[group]?.path ?? `group ${String(group)}`;
  }

  private appendSlices({ time, kind, cpu, a, b }: TraceChunk, from: number, to: number): void {
    for (let row = from; row < to; row += 1) {
      if (kind[row] !== KIND.CpuState) continue;
      const ns = time[row] ?? 0;
      const lane = this.lanes[cpu[row] ?? 0];
      if (lane === undefined)
        throw new RangeError(
          `CPU ${String(cpu[row])} of ${String(this.lanes.length)} at ${String(ns)} ns`,
        );
      if (lane.append(ns, a[row] ?? 0, b[row] ?? 0)) this.density.add(ns);
    }
  }

  /**
   * Indexes the rows of the event table from `first` on: a loop of its own over columns, since it
   * runs for every row of every run.
   */
  private indexFrom(first: number): void {
    const { count, time, kind, cpu, a, b } = this.events;
    for (let row = first; row < count; row += 1) {
      const ns = time.data[row] ?? 0;
      const what = kind.data[row] ?? 0;
      this.density.add(ns);
      if (INDEXED[what] === 1)
        this.index(row, ns, what, cpu.data[row] ?? 0, a.data[row] ?? 0, b.data[row] ?? 0);
    }
  }

  private index(row: number, ns: number, kind: number, cpu: number, a: number, b: number): void {
    if (isQuota(kind)) return this.quota.append(row, ns, kind, cpu, a, b);
    switch (kind) {
      case KIND.LockWait:
      case KIND.LockAcq:
      case KIND.LockRel:
        this.locks.append(row, a);
        break;
      case KIND.IpiArrive:
        this.kicks.arrive(
          ns,
          cpu,
          fieldOf(FIELD.IpiSender, a),
          fieldOf(FIELD.IpiVector, a),
          ns - b,
        );
        break;
      case KIND.NeedResched:
      case KIND.NeedReschedLazy:
        this.flags.set(ns, cpu, a, b, kind === KIND.NeedReschedLazy);
        break;
      case KIND.NeedReschedUpgrade:
        this.flags.upgrade(ns, cpu, b);
        break;
      case KIND.NeedReschedClear:
        this.flags.clear(ns, cpu, a, b);
        break;
      case KIND.PreemptPoint: {
        const point = fieldOf(FIELD.Point, a);
        const taken = fieldOf(FIELD.PointTaken, a) === 1;
        this.points.push(ns, cpu, point, taken, this.flags.point(cpu, point, taken), b);
        break;
      }
      case KIND.NohzEnterIdle:
      case KIND.NohzExitIdle:
      case KIND.NohzKick:
        this.kicks.append(ns, kind, cpu, a, b);
        break;
      default:
        this.waits.append(ns, kind, cpu, a, b);
    }
  }
}
