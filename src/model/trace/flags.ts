// need_resched as objects: born "now" or lazy, perhaps upgraded, passed over at some points, ended
// when schedule() has picked. True of flag and point rows; must not know pixels.
//
//   rows     lazy        point(passed)   upgrade     point(taken)  clear
//   flag     born lazy ──────────────────▶ now ─────────────────▶ ended
//                                                                 (at that point, passed once)
//
// Filed when they end, as all spans are: a window needs the longest one. Flags that have no end yet
// are kept beside. A CPU has one flag at a time, so that those of one CPU neither overlap nor nest.

import { NONE, NO_CPU } from "../../engine/gen/catalogue.ts";
import type { Point } from "../../engine/gen/codes.ts";
import type { Column } from "../../lib/column.ts";
import { f64Column, u16Column, u32Column, u8Column } from "../../lib/column.ts";
import { lowerBound } from "../../lib/search.ts";
import { NO_TASK } from "./lane.ts";

/**
 * "Ended at no point": the task blocked, yielded, or the idle loop scheduled. No Point has this
 * number.
 */
export const NO_POINT: Exclude<7, Point> = 7;

/** One need_resched flag. Times are ns. */
export interface Flag {
  readonly cpu: number;
  /** Task id of the task that was to give way; undefined for idle. */
  readonly task: number | undefined;
  readonly fromNs: number;
  /** The instant at which it ended; the run's end while it is still set. */
  readonly toNs: number;
  /** Born as need_resched_lazy. */
  readonly lazy: boolean;
  /** When the lazy flag became "now"; undefined if it was born so or never did. */
  readonly upgradeNs: number | undefined;
  /** CPUs that set and that upgraded it. */
  readonly setBy: number;
  readonly upgradedBy: number | undefined;
  /** Points passed while it was set and not acted on. */
  readonly passed: number;
  /** A Point, or NO_POINT if the task gave way by itself; undefined while it is set. */
  readonly honouredAt: number | undefined;
}

interface OpenFlag {
  readonly fromNs: number;
  readonly task: number;
  readonly lazy: boolean;
  readonly setBy: number;
  upgradeNs: number | undefined;
  upgradedBy: number;
  passed: number;
  /** The last point, if schedule() followed it. */
  takenAt: number;
}

const LAZY_BIT = 128;
const POINT_MASK = 7;

/** All flags of one run. */
export class FlagIndex {
  private readonly ends = f64Column();
  private readonly lengths = u32Column();
  /** Ns from the birth to the upgrade; NONE without one. */
  private readonly upgrades = u32Column();
  private readonly cpus = u16Column();
  private readonly tasks = u16Column();
  private readonly setBys = u16Column();
  private readonly upgradedBys = u16Column();
  private readonly passes = u16Column();
  /** LAZY_BIT, and the point it was honoured at. */
  private readonly kinds = u8Column();
  private readonly ofCpu = new Map<number, Column<Uint32Array>>();
  private readonly open = new Map<number, OpenFlag>();
  private longestNs = 0;

  /** Flags that have ended. */
  get count(): number {
    return this.ends.length;
  }

  get bytes(): number {
    const columns = [
      this.ends,
      this.lengths,
      this.upgrades,
      this.cpus,
      this.tasks,
      this.setBys,
      this.upgradedBys,
      this.passes,
      this.kinds,
    ];
    return [...columns, ...this.ofCpu.values()].reduce(
      (sum, column) => sum + column.bytes,
      this.open.size * 80,
    );
  }

  /**
   * sched_set_need_resched or sim_need_resched_lazy; a second setting of a set flag changes
   * nothing.
   */
  set(ns: number, cpu: number, task: number, setBy: number, lazy: boolean): void {
    if (this.open.has(cpu)) return;
    const who = task === NONE ? NO_TASK : task;
    this.open.set(cpu, {
      fromNs: ns,
      task: who,
      lazy,
      setBy,
      upgradeNs: undefined,
      upgradedBy: NO_CPU,
      passed: 0,
      takenAt: NO_POINT,
    });
  }

  /** sim_need_resched_upgrade. */
  upgrade(ns: number, cpu: number, by: number): void {
    const flag = this.open.get(cpu);
    if (flag === undefined) return;
    flag.upgradeNs = ns;
    flag.upgradedBy = by;
  }

  /** sim_preempt_point: whether a flag was set there. */
  point(cpu: number, point: number, taken: boolean): boolean {
    const flag = this.open.get(cpu);
    if (flag === undefined) return false;
    flag.takenAt = taken ? point : NO_POINT;
    if (!taken) flag.passed += 1;
    return true;
  }

  /** sim_need_resched_clear; `livedNs` dates a flag whose birth lies before the trace. */
  clear(ns: number, cpu: number, task: number, livedNs: number): void {
    const known = this.open.get(cpu);
    this.open.delete(cpu);
    const fromNs = known?.fromNs ?? ns - livedNs;
    const length = Math.min(ns - fromNs, 0xffff_ffff);
    this.rowsOf(cpu).push(this.count);
    this.ends.push(ns);
    this.lengths.push(length);
    this.upgrades.push(known?.upgradeNs === undefined ? NONE : known.upgradeNs - fromNs);
    this.cpus.push(cpu);
    this.tasks.push(known?.task ?? (task === NONE ? NO_TASK : task));
    this.setBys.push(known?.setBy ?? NO_CPU);
    this.upgradedBys.push(known?.upgradedBy ?? NO_CPU);
    this.passes.push(Math.min(known?.passed ?? 0, 0xffff));
    this.kinds.push((known?.takenAt ?? NO_POINT) + (known?.lazy === true ? LAZY_BIT : 0));
    if (length > this.longestNs) this.longestNs = length;
  }

  /** How many flags may touch [fromNs, toNs]: an upper bound, cheap. */
  countIn(fromNs: number, toNs: number): number {
    const { data } = this.ends;
    return (
      lowerBound(data, this.count, toNs + this.longestNs) -
      lowerBound(data, this.count, fromNs) +
      this.open.size
    );
  }

  /**
   * Visits the extent of every flag that touches [fromNs, toNs], those still set up to `endNs`:
   * what a picture from afar needs. `nowNs` is when it was or became "now", Infinity if it stayed
   * lazy.
   */
  visit(
    fromNs: number,
    toNs: number,
    endNs: number,
    see: (fromNs: number, nowNs: number, toNs: number, cpu: number) => void,
  ): void {
    const ends = this.ends.data;
    const lastNs = toNs + this.longestNs;
    for (let index = lowerBound(ends, this.count, fromNs); index < this.count; index += 1) {
      const end = ends[index] ?? 0;
      if (end > lastNs) break;
      const start = end - (this.lengths.data[index] ?? 0);
      if (start > toNs) continue;
      const upgrade = this.upgrades.data[index] ?? NONE;
      const lazy = (this.kinds.data[index] ?? 0) >= LAZY_BIT;
      see(
        start,
        upgrade === NONE ? (lazy ? Infinity : start) : start + upgrade,
        end,
        this.cpus.data[index] ?? 0,
      );
    }
    for (const [cpu, flag] of this.open) {
      if (flag.fromNs <= toNs && endNs >= fromNs)
        see(flag.fromNs, flag.upgradeNs ?? (flag.lazy ? Infinity : flag.fromNs), endNs, cpu);
    }
  }

  /**
   * The flags that touch [fromNs, toNs], whole: those that ended in order of their end, then those
   * still set.
   */
  list(fromNs: number, toNs: number, endNs: number): Flag[] {
    const flags: Flag[] = [];
    const lastNs = toNs + this.longestNs;
    const ends = this.ends.data;
    // One flag as long as the run makes every later one possible: two columns show of most that
    // they are not meant.
    for (let index = lowerBound(ends, this.count, fromNs); index < this.count; index += 1) {
      const end = ends[index] ?? 0;
      if (end > lastNs) break;
      if (end - (this.lengths.data[index] ?? 0) <= toNs) flags.push(this.flag(index));
    }
    for (const [cpu, open] of this.open)
      if (open.fromNs <= toNs && endNs >= fromNs) flags.push(openFlag(cpu, open, endNs));
    return flags;
  }

  /** The flag set on `cpu` at `ns`: from its birth up to and without its end. */
  at(cpu: number, ns: number, endNs: number): Flag | undefined {
    const next = this.firstAfter(cpu, ns);
    if (next !== undefined && next.fromNs <= ns) return next;
    const open = this.open.get(cpu);
    return open !== undefined && open.fromNs <= ns && ns <= endNs
      ? openFlag(cpu, open, endNs)
      : undefined;
  }

  /** Flags of one CPU that touch [fromNs, toNs], in order, at most `limit`. */
  onCpu(cpu: number, fromNs: number, toNs: number, endNs: number, limit: number): Flag[] {
    const rows = this.rowsOf(cpu);
    const flags: Flag[] = [];
    for (
      let index = this.indexAfter(rows, fromNs);
      index < rows.length && flags.length < limit;
      index += 1
    ) {
      const flag = this.flag(rows.at(index));
      if (flag.fromNs > toNs) return flags;
      flags.push(flag);
    }
    const open = this.open.get(cpu);
    if (open !== undefined && open.fromNs <= toNs && endNs >= fromNs && flags.length < limit)
      flags.push(openFlag(cpu, open, endNs));
    return flags;
  }

  /** The next birth, upgrade or end of a flag on `cpu` after `ns`, or the last one before it. */
  step(cpu: number, ns: number, later: boolean): number | undefined {
    const rows = this.rowsOf(cpu);
    const near = this.indexAfter(rows, ns);
    const instants = [near - 2, near - 1, near, near + 1].flatMap((at) =>
      at < 0 || at >= rows.length ? [] : edges(this.flag(rows.at(at))),
    );
    const open = this.open.get(cpu);
    if (open !== undefined)
      instants.push(open.fromNs, ...(open.upgradeNs === undefined ? [] : [open.upgradeNs]));
    const wanted = instants.filter((instant) => (later ? instant > ns : instant < ns));
    return wanted.length === 0 ? undefined : later ? Math.min(...wanted) : Math.max(...wanted);
  }

  private firstAfter(cpu: number, ns: number): Flag | undefined {
    const rows = this.rowsOf(cpu);
    const index = this.indexAfter(rows, ns);
    return index < rows.length ? this.flag(rows.at(index)) : undefined;
  }

  /** First index in one CPU's flags whose flag ends after `ns`. */
  private indexAfter(rows: Column<Uint32Array>, ns: number): number {
    let low = 0;
    let high = rows.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.ends.at(rows.at(middle)) <= ns) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private rowsOf(cpu: number): Column<Uint32Array> {
    const known = this.ofCpu.get(cpu);
    if (known !== undefined) return known;
    const made = u32Column();
    this.ofCpu.set(cpu, made);
    return made;
  }

  private flag(index: number): Flag {
    const toNs = this.ends.at(index);
    const fromNs = toNs - this.lengths.at(index);
    const upgrade = this.upgrades.at(index);
    const kind = this.kinds.at(index);
    const upgradedBy = this.upgradedBys.at(index);
    return {
      cpu: this.cpus.at(index),
      task: taskOrNone(this.tasks.at(index)),
      fromNs,
      toNs,
      lazy: kind >= LAZY_BIT,
      upgradeNs: upgrade === NONE ? undefined : fromNs + upgrade,
      setBy: this.setBys.at(index),
      upgradedBy: upgradedBy === NO_CPU ? undefined : upgradedBy,
      passed: this.passes.at(index),
      honouredAt: kind & POINT_MASK,
    };
  }
}

function edges({ fromNs, upgradeNs, toNs }: Flag): readonly number[] {
  return upgradeNs === undefined ? [fromNs, toNs] : [fromNs, upgradeNs, toNs];
}

function openFlag(cpu: number, flag: OpenFlag, endNs: number): Flag {
  const { fromNs, lazy, upgradeNs, setBy, passed } = flag;
  const upgradedBy = flag.upgradedBy === NO_CPU ? undefined : flag.upgradedBy;
  return {
    cpu,
    task: taskOrNone(flag.task),
    fromNs,
    toNs: endNs,
    lazy,
    upgradeNs,
    setBy,
    upgradedBy,
    passed,
    honouredAt: undefined,
  };
}

function taskOrNone(task: number): number | undefined {
  return task === NO_TASK ? undefined : task;
}
