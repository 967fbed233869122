// One run, as far as it has been computed: rows go in, every index grows with them. True of one run; must not know workers or pixels.

import { FIELD, KIND } from "../engine/gen/catalogue.ts";
import type { RunMeta } from "../engine/gen/types.ts";
import type { TraceChunk, WakeChunk } from "../engine/protocol.ts";
import { fieldOf } from "../lib/field.ts";
import { Density } from "./density.ts";
import { EventTable } from "./events.ts";
import { FlagIndex } from "./flags.ts";
import { CpuLane, NO_TASK } from "./lane.ts";
import { LatencyIndex } from "./latency.ts";
import { LockIndex } from "./locks.ts";
import { KickIndex } from "./nohz.ts";
import { PointIndex } from "./points.ts";
import type { QuotaWrite } from "./quota.ts";
import { QuotaIndex } from "./quota.ts";
import type { Slice } from "./types.ts";
import { WaitIndex } from "./waits.ts";
import { WakeTable } from "./wakes.ts";

/** What the store must know of a run before its first row. A RunMeta is one. */
export type RunShape = Pick<RunMeta, "cpus" | "duration_ns" | "tasks" | "groups" | "locks"> &
  Partial<Pick<RunMeta, "series" | "objects" | "package_size">>;

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

  /** `writes`: cpu.max as it will be written while the run goes on, in order of time. */
  constructor(
    readonly shape: RunShape,
    writes: readonly QuotaWrite[] = [],
  ) {
    if (shape.tasks.length >= NO_TASK) throw new RangeError(`${String(shape.tasks.length)} tasks; the columns hold ${String(NO_TASK - 1)}`);
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
    const indexes = [this.locks, this.flags, this.points, this.waits, this.quota, this.kicks, this.wakes];
    return [...this.lanes, this.events, ...indexes].reduce((sum, table) => sum + table.bytes, 0);
  }

  /** Takes one chunk; `simulatedNs` is the instant the engine has reached with it. */
  append(simulatedNs: number, trace: TraceChunk, wakes: WakeChunk): void {
    this.appendRows(trace, 0, trace.time.length);
    this.complete(simulatedNs, wakes);
  }

  /** Takes rows `from` up to and without `to` of a chunk: a big one is taken in parts, in order, and completed by `complete`. */
  appendRows({ time, kind, cpu, a, b }: TraceChunk, from: number, to: number): void {
    for (let row = from; row < to; row += 1) {
      this.appendRow(time[row] ?? 0, kind[row] ?? 0, cpu[row] ?? 0, a[row] ?? 0, b[row] ?? 0);
    }
    this.rowCount += to - from;
    this.simulatedNs = Math.max(this.simulatedNs, time[to - 1] ?? 0);
  }

  /** The wake-ups of a chunk whose rows are all here, and the instant the engine has reached with it. */
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
  }

  /** Takes over slices `from` up to and without `to` of a CPU's lane in another run: see `PastCopy`. */
  takeSlices(lane: CpuLane, from: number, to: number): void {
    this.lanes[lane.cpu]?.take(lane, from, to);
    for (let index = from; index < to; index += 1) this.density.add(lane.starts.data[index] ?? 0);
  }

  /** What the CPU does at `ns`; undefined before its first row and beyond the end. */
  cpuAt(cpu: number, ns: number): Slice | undefined {
    const lane = this.lanes[cpu];
    const index = lane?.indexAt(ns) ?? -1;
    return lane === undefined || index < 0 || ns > this.endNs ? undefined : lane.slice(index, this.endNs);
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

  private appendRow(ns: number, kind: number, cpu: number, a: number, b: number): void {
    if (kind === KIND.CpuState) {
      const lane = this.lanes[cpu];
      if (lane === undefined) throw new RangeError(`CPU ${String(cpu)} of ${String(this.lanes.length)} at ${String(ns)} ns`);
      const before = lane.count;
      lane.append(ns, a, b);
      if (lane.count > before) this.density.add(ns);
      return;
    }
    this.density.add(ns);
    const row = this.events.push(ns, kind, cpu, a, b);
    this.index(row, ns, kind, cpu, a, b);
  }

  private index(row: number, ns: number, kind: number, cpu: number, a: number, b: number): void {
    if ((kind >= KIND.BwPool && kind <= KIND.BwIdle) || kind === KIND.BwSlackSkip) return this.quota.append(row, ns, kind, cpu, a, b);
    switch (kind) {
      case KIND.LockWait:
      case KIND.LockAcq:
      case KIND.LockRel:
        this.locks.append(row, a);
        break;
      case KIND.IpiArrive:
        this.kicks.arrive(ns, cpu, fieldOf(FIELD.IpiSender, a), fieldOf(FIELD.IpiVector, a), ns - b);
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
