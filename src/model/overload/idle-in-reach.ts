// Where tasks may run, by the affinities there are, and how many idle CPUs lie in reach of a
// waiting task. Most runs have a few affinities: all CPUs, one CPU each, a package.

import { numbersIn } from "../../lib/ranges.ts";

interface Affinity {
  /** Undefined: all CPUs, the one affinity whose waiting tasks would touch every CPU. */
  readonly cpus: readonly number[] | undefined;
  /** Tasks that wait on overloaded CPUs. */
  waiting: number;
  /** Idle CPUs of this set. */
  idle: number;
}

export class Reach {
  private readonly affinities: Affinity[] = [];
  /** By task: index into `affinities`. */
  private readonly ofTask: readonly number[];
  /** By CPU: the affinities that name it, the one of all CPUs left out. */
  private readonly ofCpu: Affinity[][];
  private readonly idles: Uint8Array;
  /** By CPU: how many affinities that name it have a waiting task. */
  private readonly wanted: Uint16Array;
  private idleCpus = 0;
  /** Idle CPUs with `wanted` above 0. */
  private reached = 0;
  /** Affinities with a waiting task, as `wanted` has them. */
  private readonly active = new Set<Affinity>();
  /**
   * Affinities whose number of waiting tasks has changed since: a queue that is counted again goes
   * through 0 and back.
   */
  private readonly touched = new Set<Affinity>();

  constructor(cpus: number, lists: readonly string[]) {
    this.ofCpu = Array.from({ length: cpus }, () => []);
    this.idles = new Uint8Array(cpus);
    this.wanted = new Uint16Array(cpus);
    const known = new Map<string, number>();
    this.ofTask = lists.map((list) => {
      const index = known.get(list) ?? this.add(numbersIn(list).filter((cpu) => cpu < cpus));
      known.set(list, index);
      return index;
    });
    // A CPU is idle until a task is there.
    for (let cpu = 0; cpu < cpus; cpu += 1) this.idle(cpu, 1);
  }

  /** The affinity of a task. */
  of(task: number): number {
    return this.ofTask[task] ?? 0;
  }

  /** The CPU becomes idle (1), or is so no longer (-1). */
  idle(cpu: number, by: 1 | -1): void {
    this.idles[cpu] = by === 1 ? 1 : 0;
    this.idleCpus += by;
    if ((this.wanted[cpu] ?? 0) > 0) this.reached += by;
    for (const affinity of this.ofCpu[cpu] ?? []) affinity.idle += by;
  }

  /** `by` more, or fewer, tasks of an affinity wait on overloaded CPUs. */
  wait(index: number, by: number): void {
    const affinity = this.affinities[index];
    if (affinity === undefined) return;
    affinity.waiting += by;
    this.touched.add(affinity);
  }

  /**
   * Idle CPUs in reach of a waiting task, and the lesser of that and the number of waiting tasks
   * with an idle CPU in reach.
   */
  count(): { readonly idle: number; readonly lost: number } {
    for (const affinity of this.touched) this.settle(affinity);
    this.touched.clear();
    let tasks = 0;
    let all = false;
    for (const { cpus, waiting, idle } of this.active) {
      if (cpus === undefined) all = true;
      if ((cpus === undefined ? this.idleCpus : idle) > 0) tasks += waiting;
    }
    const idle = all ? this.idleCpus : this.reached;
    return { idle, lost: Math.min(idle, tasks) };
  }

  private settle(affinity: Affinity): void {
    const active = affinity.waiting > 0;
    if (active === this.active.has(affinity)) return;
    if (active) this.active.add(affinity);
    else this.active.delete(affinity);
    for (const cpu of affinity.cpus ?? []) {
      const wanted = (this.wanted[cpu] ?? 0) + (active ? 1 : -1);
      this.wanted[cpu] = wanted;
      if (this.idles[cpu] === 1 && wanted === (active ? 1 : 0)) this.reached += active ? 1 : -1;
    }
  }

  private add(cpus: readonly number[]): number {
    const whole = cpus.length === this.idles.length;
    const affinity: Affinity = { cpus: whole ? undefined : cpus, waiting: 0, idle: 0 };
    this.affinities.push(affinity);
    if (!whole) for (const cpu of cpus) this.ofCpu[cpu]?.push(affinity);
    return this.affinities.length - 1;
  }
}
