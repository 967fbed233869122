// Run time of groups under a quota: how much is in the pool, how much on each CPU, who is
// throttled, what was handed to and fro. True of sim_bw_* rows; must not know pixels.
//
//   pool   10 ms ──take 5──▶ 5 ms ──take 5──▶ 0 ────────────refill──▶ 10 ms
//   silo          cpu3: 5 ms ╲ falls while the group runs ╲ 0 ═ throttled ═▶ 5 ms
//
// Between two rows a silo falls only while the group runs there, and it is charged when it stops
// running: so what a row took off it for use was used in the stretch right before that row.

import { KIND } from "../../engine/gen/catalogue.ts";
import type { GroupInfo } from "../../engine/gen/types.ts";
import type { Column } from "../../lib/column.ts";
import { f64Column, i32Column, u32Column } from "../../lib/column.ts";
import type { EventTable } from "./events.ts";
import { RowList } from "./events.ts";
import { LevelTrack } from "./level-track.ts";
import { SpanTable } from "./spans.ts";

/** Rows of a signed silo: from here on the number is 2 ** 32 too large. */
const SIGN = 2 ** 31;

/** cpu.max, written to a group of the running kernel. */
export interface QuotaWrite {
  /** The group's path. */
  readonly path: string;
  readonly atNs: number;
  /** Undefined lifts the limit. */
  readonly quotaNs: number | undefined;
  /** Undefined keeps the period. */
  readonly periodNs: number | undefined;
}

/** The limit of a group from an instant on. */
export interface Limit {
  readonly fromNs: number;
  /** Undefined is no limit. */
  readonly quotaNs: number | undefined;
  readonly periodNs: number;
  /** Entitled to before `fromNs`, ns. */
  readonly beforeNs: number;
}

/** How much `limit` entitles to up to `ns`, with what there was before it. */
function entitledBy({ fromNs, quotaNs = 0, periodNs, beforeNs }: Limit, ns: number): number {
  return (
    beforeNs + (periodNs === 0 ? 0 : Math.floor((quotaNs * Math.max(0, ns - fromNs)) / periodNs))
  );
}

/**
 * A group's limits, one after the other. A write acts when CPU 0 takes its interrupt: some
 * microseconds after what is said here.
 */
function limitsOf(info: GroupInfo, writes: readonly QuotaWrite[]): readonly Limit[] {
  const limits: Limit[] = [
    { fromNs: 0, quotaNs: info.quota_ns, periodNs: info.period_ns, beforeNs: 0 },
  ];
  for (const { path, atNs, quotaNs, periodNs } of writes) {
    const last = limits.at(-1);
    if (path !== info.path || last === undefined) continue;
    limits.push({
      fromNs: atNs,
      quotaNs,
      periodNs: periodNs ?? last.periodNs,
      beforeNs: entitledBy(last, atNs),
    });
  }
  return limits;
}

/** The run time of a group that one CPU holds, ns; negative is debt. */
export class SiloTrack {
  private readonly levels: LevelTrack;
  /** Ns that each row took off for use. */
  private readonly uses: Column<Uint32Array> = u32Column();
  /** Taken, less what was given up, since the last row. */
  private moved = 0;

  constructor(
    private readonly events: EventTable,
    readonly cpu: number,
  ) {
    this.levels = new LevelTrack(events, i32Column);
  }

  get bytes(): number {
    return this.levels.bytes + this.uses.bytes;
  }

  /** The level after the last row. */
  get last(): number {
    return this.levels.last;
  }

  /**
   * A take, a step of a distribution (positive), a return, an expiry (negative): the level follows
   * in a row of its own.
   */
  move(ns: number): void {
    this.moved += ns;
  }

  /** A new level; returns the ns that were used since the last one. */
  push(row: number, b: number): number {
    const level = b >= SIGN ? b - 2 * SIGN : b;
    const used = Math.max(0, this.levels.last + this.moved - level);
    this.moved = 0;
    this.levels.push(row, level);
    this.uses.push(used);
    return used;
  }

  /**
   * The level at an instant, less the time run since the last row; beyond the last row the level
   * stays.
   */
  at(ns: number): number {
    const next = this.levels.firstAfter(ns);
    return this.levels.before(next) - this.unchargedAt(next, ns);
  }

  /** Run since the last row and not charged yet, ns. */
  runningAt(ns: number): number {
    return this.unchargedAt(this.levels.firstAfter(ns), ns);
  }

  private unchargedAt(next: number, ns: number): number {
    if (next >= this.levels.count) return 0;
    return Math.max(0, ns - (this.events.time.at(this.levels.row(next)) - this.uses.at(next)));
  }
}

function add(track: LevelTrack, row: number, change: number): void {
  if (change !== 0) track.push(row, track.last + change);
}

/** One group's run time. */
export class GroupTrack {
  /** What no CPU has taken, ns. */
  readonly pool: LevelTrack;
  /** Rows of refills. */
  readonly refills: RowList;
  /** Rows of takes, steps and returns: what moves between pool and CPUs. */
  readonly moves: RowList;
  /** Rows of run time that was spent twice. */
  readonly doubles: RowList;
  /** Rows of run time thrown away: expired, or too old to return. */
  readonly losses: RowList;
  /** Thrown away up to each of these rows, ns in all. */
  readonly lost: LevelTrack;
  /** Held by all CPUs together, ns, as last charged; debts left out. */
  readonly held: LevelTrack;
  /** Owed by all CPUs together, ns, as a negative number. */
  readonly debt: LevelTrack;
  /** Rows of the slack timer: armed, left alone, fired. */
  private readonly slack: RowList;
  private readonly used: LevelTrack;
  /** The limit at the start of the run and from each write on; never empty. */
  readonly limits: readonly Limit[];
  private readonly byCpu = new Map<number, SiloTrack>();
  private sorted: readonly SiloTrack[] = [];

  constructor(
    private readonly events: EventTable,
    readonly id: number,
    readonly info: GroupInfo,
    writes: readonly QuotaWrite[] = [],
  ) {
    this.limits = limitsOf(info, writes);
    this.pool = new LevelTrack(events, u32Column, info.quota_ns ?? 0);
    this.used = new LevelTrack(events, f64Column);
    this.held = new LevelTrack(events, f64Column);
    this.debt = new LevelTrack(events, f64Column);
    this.refills = new RowList(events);
    this.moves = new RowList(events);
    this.doubles = new RowList(events);
    this.losses = new RowList(events);
    this.lost = new LevelTrack(events, f64Column);
    this.slack = new RowList(events);
  }

  get bytes(): number {
    const lists = [this.refills, this.moves, this.doubles, this.losses, this.slack];
    const levels = [this.pool, this.used, this.held, this.debt, this.lost];
    return [...levels, ...lists, ...this.silos()].reduce((sum, part) => sum + part.bytes, 0);
  }

  /** The CPUs that have held run time, by number. */
  silos(): readonly SiloTrack[] {
    if (this.sorted.length !== this.byCpu.size)
      this.sorted = [...this.byCpu.values()].sort((one, other) => one.cpu - other.cpu);
    return this.sorted;
  }

  /** The run time that `cpu` holds at an instant, ns; 0 if it never held any. */
  siloAt(cpu: number, ns: number): number {
    return this.byCpu.get(cpu)?.at(ns) ?? 0;
  }

  /** Run by all CPUs together up to an instant, ns. */
  usedAt(ns: number): number {
    return this.silos().reduce((sum, silo) => sum + silo.runningAt(ns), this.used.at(ns));
  }

  /**
   * What the slack timer did last, up to an instant; undefined if it did nothing since the last
   * refill.
   */
  slackAt(ns: number): SlackAct | undefined {
    const row = this.slack.listIn(0, ns + 1).at(-1);
    const refill = this.refills.listIn(0, ns + 1).at(-1) ?? -1;
    if (row === undefined || row < refill) return undefined;
    return {
      ns: this.events.time.at(row),
      skipped: this.events.kind.at(row) === KIND.BwSlackSkip,
      code: this.events.b.at(row),
    };
  }

  /** What it may use at an instant. */
  limitAt(ns: number): Limit {
    return this.limits.findLast(({ fromNs }) => fromNs <= ns) ?? (this.limits[0] as Limit);
  }

  /**
   * Quota times the periods gone by, fractions included, ns; writes of cpu.max count from their
   * instant on.
   */
  entitledAt(ns: number): number {
    return entitledBy(this.limitAt(ns), ns);
  }

  /** A row of this group. */
  append(row: number, kind: number, cpu: number, b: number): void {
    switch (kind) {
      case KIND.BwPool:
        return this.pool.push(row, b);
      case KIND.BwSilo: {
        const silo = this.silo(cpu);
        const before = silo.last;
        const used = silo.push(row, b);
        if (used > 0) this.used.push(row, this.used.last + used);
        add(this.held, row, Math.max(0, silo.last) - Math.max(0, before));
        return add(this.debt, row, Math.min(0, silo.last) - Math.min(0, before));
      }
      case KIND.BwRefill:
        return this.refills.push(row);
      case KIND.BwTake:
      case KIND.BwStep:
        this.silo(cpu).move(b);
        return b > 0 ? this.moves.push(row) : undefined;
      case KIND.BwReturn:
        this.silo(cpu).move(-b);
        return this.moves.push(row);
      case KIND.BwExpireSilo:
      case KIND.BwDrop:
        this.silo(cpu).move(-b);
        return this.lose(row, b);
      case KIND.BwExpire:
        return this.lose(row, b);
      case KIND.BwDoubleSpend:
        return this.doubles.push(row);
      case KIND.BwSlack:
      case KIND.BwSlackSkip:
        return this.slack.push(row);
    }
  }

  private lose(row: number, ns: number): void {
    this.losses.push(row);
    add(this.lost, row, ns);
  }

  private silo(cpu: number): SiloTrack {
    let track = this.byCpu.get(cpu);
    if (track === undefined) this.byCpu.set(cpu, (track = new SiloTrack(this.events, cpu)));
    return track;
  }
}

/** The slack timer was armed, was left alone, or fired. */
export interface SlackAct {
  readonly ns: number;
  /** It was not armed: `code` is why. */
  readonly skipped: boolean;
  /** Column b of its row. */
  readonly code: number;
}

/** A CPU on which a group is out of run time. */
export interface Throttled {
  readonly cpu: number;
  readonly group: number;
  readonly fromNs: number;
  /** The run's end so far while it lasts. */
  readonly toNs: number;
}

const GROUPS = 65_536;

/** The run time of every group that has, or is given, a quota. */
export class QuotaIndex {
  private readonly tracks = new Map<number, GroupTrack>();
  private sorted: readonly GroupTrack[] = [];
  /** Throttled stretches that have ended: `cpu`, and the group as `what`. */
  private readonly throttles = new SpanTable();
  /** By cpu * GROUPS + group: since when. */
  private readonly open = new Map<number, number>();

  constructor(
    private readonly events: EventTable,
    private readonly groups: readonly GroupInfo[],
    private readonly writes: readonly QuotaWrite[] = [],
  ) {
    groups.forEach((group, id) => {
      if (group.quota_ns !== undefined)
        this.tracks.set(id, new GroupTrack(events, id, group, writes));
    });
  }

  /** Groups with a quota, in the order of the run's list; none in a run without. */
  get limited(): readonly GroupTrack[] {
    if (this.sorted.length !== this.tracks.size)
      this.sorted = [...this.tracks.values()].sort((one, other) => one.id - other.id);
    return this.sorted;
  }

  get bytes(): number {
    return [...this.tracks.values(), this.throttles].reduce(
      (sum, part) => sum + part.bytes,
      this.open.size * 40,
    );
  }

  group(id: number): GroupTrack | undefined {
    return this.tracks.get(id);
  }

  append(row: number, ns: number, kind: number, cpu: number, group: number, b: number): void {
    if (kind === KIND.BwThrottle) this.open.set(cpu * GROUPS + group, ns);
    else if (kind === KIND.BwUnthrottle) this.release(ns, cpu, group);
    else this.track(group).append(row, kind, cpu, b);
  }

  /** Whether `group` is `above` or lies below it. */
  isBelow(group: number, above: number): boolean {
    let at = group;
    while (at > above) at = Math.min(this.groups[at]?.parent ?? 0, at - 1);
    return at === above;
  }

  /** How many throttled stretches may touch [fromNs, toNs]: an upper bound, cheap. */
  throttledIn(fromNs: number, toNs: number): number {
    return this.throttles.countIn(fromNs, toNs) + this.open.size;
  }

  /**
   * Visits every throttled stretch that touches [fromNs, toNs]; those that last go up to `endNs`.
   */
  visitThrottled(
    fromNs: number,
    toNs: number,
    endNs: number,
    see: (fromNs: number, toNs: number, cpu: number, group: number) => void,
  ): void {
    this.throttles.visit(fromNs, toNs, see);
    for (const [key, since] of this.open) {
      if (since <= toNs && endNs >= fromNs)
        see(since, endNs, Math.floor(key / GROUPS), key % GROUPS);
    }
  }

  /** The groups throttled on `cpu` at an instant. */
  throttledAt(cpu: number, ns: number, endNs: number): Throttled[] {
    const found: Throttled[] = [];
    this.visitThrottled(ns, ns, endNs, (fromNs, toNs, on, group) => {
      if (on === cpu && fromNs <= ns && ns < Math.max(toNs, fromNs + 1))
        found.push({ cpu, group, fromNs, toNs });
    });
    return found;
  }

  private release(ns: number, cpu: number, group: number): void {
    const key = cpu * GROUPS + group;
    const since = this.open.get(key);
    this.open.delete(key);
    if (since !== undefined) this.throttles.push(since, ns, cpu, group, 0);
  }

  private track(group: number): GroupTrack {
    let track = this.tracks.get(group);
    if (track === undefined) {
      const unknown: GroupInfo = {
        path: `group ${String(group)}`,
        parent: 0,
        period_ns: 0,
        burst_ns: 0,
      };
      this.tracks.set(
        group,
        (track = new GroupTrack(this.events, group, this.groups[group] ?? unknown, this.writes)),
      );
    }
    return track;
  }
}
