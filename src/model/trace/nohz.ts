// Idle balancing: which CPU asked which idle one to look after the others, and when each CPU was in
// the mask of idle ones. True of sim_nohz_* rows; must not know pixels.

import { FIELD, KIND, NONE, NO_CPU } from "../../engine/gen/catalogue.ts";
import {
  KICK_OUTCOME_POLLING,
  KICK_OUTCOME_SENT,
  VECTOR_CALL_FUNCTION_SINGLE,
} from "../../engine/gen/codes.ts";
import { fieldOf } from "../../lib/bit-field.ts";
import { f64Column, u16Column, u32Column, u8Column } from "../../lib/column.ts";
import { lowerBound } from "../../lib/search.ts";
import { SpanTable } from "./spans.ts";

/** One kick. */
export interface Kick {
  readonly ns: number;
  /** The CPU whose tick asked. */
  readonly cpu: number;
  /** The idle CPU asked; undefined if there was none. */
  readonly target: number | undefined;
  /** KickReasons, as bits. */
  readonly reasons: number;
  /** A KickOutcome. */
  readonly outcome: number;
  /** How long the target had been idle, ns. */
  readonly idleNs: number;
  /**
   * When the target learnt of it; undefined while the IPI is in flight, or if nothing new was sent.
   */
  readonly wokeNs: number | undefined;
}

/** Weight of the outcome in the index's own bytes: it lies above the reasons. */
const OUTCOME = 16;

/** All kicks of a run, in time order. */
export class KickIndex {
  private readonly times = f64Column();
  private readonly cpus = u16Column();
  private readonly targets = u16Column();
  /** Reasons, and the outcome above them. */
  private readonly kinds = u8Column();
  private readonly idles = u32Column();
  /** Ns to the target's knowing; NONE if it is not known. */
  private readonly flights = u32Column();
  /** Kicks whose IPI is in flight, by target. */
  private readonly flying = new Map<number, number>();
  /** Stretches of CPUs in the mask of idle ones that have ended. */
  private readonly masks = new SpanTable();
  /** The instants since which the CPUs in the mask are in it. */
  private readonly open = new Map<number, number>();
  private longestFlight = 0;
  /** The one that `madeAt` found last. */
  private lastMade = -1;

  get count(): number {
    return this.times.length;
  }

  get bytes(): number {
    const columns = [
      this.times,
      this.cpus,
      this.targets,
      this.kinds,
      this.idles,
      this.flights,
      this.masks,
    ];
    return columns.reduce(
      (sum, column) => sum + column.bytes,
      (this.open.size + this.flying.size) * 40,
    );
  }

  /** A sim_nohz_kick, sim_nohz_enter_idle or sim_nohz_exit_idle row. */
  append(ns: number, kind: number, cpu: number, a: number, b: number): void {
    if (kind === KIND.NohzKick) this.kick(ns, cpu, a, b);
    else if (kind === KIND.NohzEnterIdle) this.open.set(cpu, ns);
    else if (kind === KIND.NohzExitIdle) {
      // A CPU is in the mask from the start.
      this.masks.push(this.open.get(cpu) ?? 0, ns, cpu, 0, 0);
      this.open.delete(cpu);
    }
  }

  /** An IPI reaches `cpu`, sent at `sentNs`: perhaps it is a kick's. */
  arrive(ns: number, cpu: number, sender: number, vector: number, sentNs: number): void {
    const index = this.flying.size === 0 ? undefined : this.flying.get(cpu);
    if (
      index === undefined ||
      vector !== VECTOR_CALL_FUNCTION_SINGLE ||
      this.cpus.at(index) !== sender ||
      sentNs < this.times.at(index)
    )
      return;
    this.flying.delete(cpu);
    this.flights.data[index] = ns - this.times.at(index);
    this.longestFlight = Math.max(this.longestFlight, ns - this.times.at(index));
  }

  /** How many kicks may show in [fromNs, toNs]: an upper bound, cheap. */
  countIn(fromNs: number, toNs: number): number {
    return this.firstAt(toNs) - this.firstAt(fromNs - this.longestFlight);
  }

  /** The kicks made, or under way, in [fromNs, toNs), in order, at most `limit`. */
  list(fromNs: number, toNs: number, limit = Infinity): Kick[] {
    const kicks: Kick[] = [];
    for (
      let index = this.firstAt(fromNs - this.longestFlight);
      index < this.count && kicks.length < limit;
      index += 1
    ) {
      const kick = this.at(index);
      if (kick.ns >= toNs) break;
      if ((kick.wokeNs ?? kick.ns) >= fromNs) kicks.push(kick);
    }
    return kicks;
  }

  /**
   * The longest flight of a kick's IPI so far: how far after a kick its target may learn of it, ns.
   */
  get longestFlightNs(): number {
    return this.longestFlight;
  }

  /**
   * The kick that the tick of `cpu` made at `ns`. Cheapest where kicks are asked for in order: a
   * thousand CPUs may kick at one instant.
   */
  madeAt(cpu: number, ns: number): Kick | undefined {
    const next = this.lastMade + 1;
    if (this.times.data[next] === ns && this.cpus.data[next] === cpu && next < this.count)
      return this.at((this.lastMade = next));
    for (
      let index = this.firstAt(ns);
      index < this.count && this.times.at(index) === ns;
      index += 1
    ) {
      if (this.cpus.at(index) === cpu) return this.at((this.lastMade = index));
    }
    return undefined;
  }

  /**
   * Visits the stretches in which a CPU was in the mask and that touch [fromNs, toNs]; only CPUs
   * that have ever left or entered it.
   */
  visitMask(
    fromNs: number,
    toNs: number,
    endNs: number,
    see: (fromNs: number, toNs: number, cpu: number) => void,
  ): void {
    this.masks.visit(fromNs, toNs, see);
    for (const [cpu, since] of this.open)
      if (since <= toNs && endNs >= fromNs) see(since, endNs, cpu);
  }

  private kick(ns: number, cpu: number, a: number, b: number): void {
    const target = fieldOf(FIELD.KickTarget, a);
    const outcome = fieldOf(FIELD.KickOutcome, a);
    this.times.push(ns);
    this.cpus.push(cpu);
    this.targets.push(target);
    this.kinds.push(fieldOf(FIELD.KickReasons, a) + outcome * OUTCOME);
    this.idles.push(b);
    // A polling target sees its flag at once.
    this.flights.push(outcome === KICK_OUTCOME_POLLING ? 0 : NONE);
    if (outcome === KICK_OUTCOME_SENT) this.flying.set(target, this.count - 1);
  }

  private at(index: number): Kick {
    const ns = this.times.at(index);
    const target = this.targets.at(index);
    const kind = this.kinds.at(index);
    const flight = this.flights.at(index);
    return {
      ns,
      cpu: this.cpus.at(index),
      target: target === NO_CPU ? undefined : target,
      reasons: kind % OUTCOME,
      outcome: Math.floor(kind / OUTCOME),
      idleNs: this.idles.at(index),
      wokeNs: flight === NONE ? undefined : ns + flight,
    };
  }

  private firstAt(ns: number): number {
    return lowerBound(this.times.data, this.times.length, ns);
  }
}
