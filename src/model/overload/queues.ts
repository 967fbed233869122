// Every run queue at one instant: who runs, who waits, who is throttled; and how many CPUs are idle
// although another could give them work. Counts are kept, never counted anew: a change costs what
// it touches.

import { NONE } from "../../engine/gen/catalogue.ts";
import { isRealTime } from "../tasks/policies.ts";
import type { RunShape } from "../trace/trace-store.ts";
import { Reach } from "./idle-in-reach.ts";

interface Queue {
  /** Task, or NONE. */
  current: number;
  /** All tasks that do not run, the throttled ones too. */
  readonly waiting: Set<number>;
  /** By affinity: how many waiting tasks are not throttled. */
  readonly counts: Map<number, number>;
  /** The sum of `counts`. */
  ready: number;
  readonly throttled: Set<number>;
  rtThrottled: boolean;
}

export interface Counts {
  readonly runnable: number;
  readonly overloaded: number;
  readonly idle: number;
  readonly lost: number;
}

export class Queues {
  private readonly queues: readonly Queue[];
  /** By task: the CPU it waits on; undefined while it runs or sleeps. */
  private readonly waitsOn: (number | undefined)[] = [];
  /** By task: whether it runs. */
  private readonly runs: boolean[] = [];
  private readonly reach: Reach;
  private readonly rt: readonly boolean[];
  /** By group: itself and its ancestors. */
  private readonly lines: readonly (readonly number[])[];
  private runnable = 0;
  private overloaded = 0;

  constructor(private readonly shape: RunShape) {
    this.queues = Array.from({ length: shape.cpus }, () => ({
      current: NONE,
      waiting: new Set<number>(),
      counts: new Map<number, number>(),
      ready: 0,
      throttled: new Set<number>(),
      rtThrottled: false,
    }));
    this.reach = new Reach(
      shape.cpus,
      shape.tasks.map((task) => task.cpus),
    );
    this.rt = shape.tasks.map(isRealTime);
    this.lines = shape.groups.map((_, group) => lineOf(shape, group));
  }

  count(): Counts {
    return { runnable: this.runnable, overloaded: this.overloaded, ...this.reach.count() };
  }

  /** A task that does not run is on this CPU's run queue from now on. */
  enqueue(task: number, cpu: number): void {
    if (this.runs[task] === true) return;
    this.take(task);
    this.put(task, cpu);
  }

  /** A task that waits goes to another CPU. */
  move(task: number, cpu: number): void {
    if (this.waitsOn[task] === undefined) return;
    this.take(task);
    this.put(task, cpu);
  }

  /** The CPU changes tasks; `stays`: the previous one still wants to run there. */
  change(cpu: number, previous: number, stays: boolean, next: number): void {
    if (next !== NONE) this.take(next);
    this.at(cpu, (queue) => {
      queue.current = next;
    });
    if (next !== NONE) this.runs[next] = true;
    if (previous === NONE || previous === next) return;
    this.runs[previous] = false;
    if (stays) this.put(previous, cpu);
  }

  /** A group's queue leaves the CPU, or is back. */
  throttle(cpu: number, group: number, throttled: boolean): void {
    this.at(cpu, (queue) => {
      if (throttled) queue.throttled.add(group);
      else queue.throttled.delete(group);
      this.recount(queue);
    });
  }

  throttleRt(cpu: number, throttled: boolean): void {
    this.at(cpu, (queue) => {
      queue.rtThrottled = throttled;
      this.recount(queue);
    });
  }

  private put(task: number, cpu: number): void {
    this.waitsOn[task] = cpu;
    this.at(cpu, (queue) => {
      queue.waiting.add(task);
      this.weigh(queue, task, 1);
    });
  }

  private take(task: number): void {
    const cpu = this.waitsOn[task];
    if (cpu === undefined) return;
    this.waitsOn[task] = undefined;
    this.at(cpu, (queue) => {
      queue.waiting.delete(task);
      this.weigh(queue, task, -1);
    });
  }

  private weigh(queue: Queue, task: number, by: 1 | -1): void {
    if (this.isThrottled(queue, task)) return;
    const reach = this.reach.of(task);
    const count = (queue.counts.get(reach) ?? 0) + by;
    if (count === 0) queue.counts.delete(reach);
    else queue.counts.set(reach, count);
    queue.ready += by;
  }

  private recount(queue: Queue): void {
    queue.counts.clear();
    queue.ready = 0;
    for (const task of queue.waiting) this.weigh(queue, task, 1);
  }

  private isThrottled(queue: Queue, task: number): boolean {
    if (queue.rtThrottled && this.rt[task] === true) return true;
    if (queue.throttled.size === 0) return false;
    return (this.lines[this.shape.tasks[task]?.group ?? 0] ?? []).some((group) =>
      queue.throttled.has(group),
    );
  }

  /** Changes one run queue: subtracts its counts before the change and adds them after it. */
  private at(cpu: number, change: (queue: Queue) => void): void {
    const queue = this.queues[cpu];
    if (queue === undefined)
      throw new RangeError(`CPU ${String(cpu)} of ${String(this.queues.length)}`);
    this.weighQueue(cpu, queue, -1);
    change(queue);
    this.weighQueue(cpu, queue, 1);
  }

  private weighQueue(cpu: number, queue: Queue, by: 1 | -1): void {
    const runnable = queue.ready + (queue.current === NONE ? 0 : 1);
    this.runnable += by * runnable;
    if (runnable === 0) this.reach.idle(cpu, by);
    if (runnable < 2) return;
    this.overloaded += by;
    for (const [reach, count] of queue.counts) this.reach.wait(reach, by * count);
  }
}

function lineOf({ groups }: RunShape, group: number): readonly number[] {
  const line = [group];
  for (let at = group; line.length <= groups.length;) {
    const parent = groups[at]?.parent ?? at;
    if (parent === at) break;
    line.push(parent);
    at = parent;
  }
  return line;
}
