// When tasks were ready but did not run. True of wake-up, switch and migration rows; must not know
// how a wait looks.
//
//   sched_waking ─waking─ sched_wakeup ─ready─ sched_switch in ─running─ sched_switch out ─?─ …
//
// sched_switch does not say whether the task that leaves still wants the CPU. What comes next shows
// it: a sched_waking means that it slept; a switch in or a migration without one means that it was
// preempted and waited all along.

import { KIND, NONE } from "../../engine/gen/catalogue.ts";
import { SpanTable } from "./spans.ts";

/** Why a task that is wanted does not run. */
export const WAIT = { Waking: 0, Ready: 1, Preempted: 2 } as const;
export type WaitKind = (typeof WAIT)[keyof typeof WAIT];

/** The kinds of rows that `WaitIndex` takes. */
export const WAIT_KINDS: readonly number[] = [
  KIND.SchedWaking,
  KIND.SchedWakeup,
  KIND.WakeupNew,
  KIND.SchedSwitch,
  KIND.MigrateTask,
];

type Now = "unknown" | "waking" | "ready" | "running" | "out" | "preempted";

interface TaskNow {
  now: Now;
  sinceNs: number;
  cpu: number;
}

/** Waits of all tasks: `cpu` is the run queue the task waits on, `what` the task, `kind` a WAIT. */
export class WaitIndex {
  readonly spans = new SpanTable();
  private readonly tasks: TaskNow[] = [];

  append(ns: number, kind: number, cpu: number, a: number, b: number): void {
    switch (kind) {
      case KIND.SchedWaking:
        this.enter(a, "waking", ns, b === NONE ? cpu : b);
        break;
      case KIND.SchedWakeup:
      case KIND.WakeupNew:
        this.file(a, ns);
        this.enter(a, "ready", ns, b);
        break;
      case KIND.SchedSwitch:
        this.switchTo(ns, cpu, a, b);
        break;
      case KIND.MigrateTask:
        this.migrate(ns, a, b);
        break;
      default:
        break;
    }
  }

  /** Visits every wait that touches [fromNs, toNs], those without an end up to `endNs`. */
  visit(
    fromNs: number,
    toNs: number,
    endNs: number,
    see: (fromNs: number, toNs: number, cpu: number, task: number, kind: WaitKind) => void,
  ): void {
    this.spans.visit(fromNs, toNs, (from, to, cpu, task, kind) => {
      see(from, to, cpu, task, kind as WaitKind);
    });
    // Waits that have no end yet. forEach leaves out tasks without a row.
    this.tasks.forEach(({ now, sinceNs, cpu }, task) => {
      const kind = waitKind(now);
      if (kind !== undefined && sinceNs <= toNs && endNs >= fromNs)
        see(sinceNs, endNs, cpu, task, kind);
    });
  }

  /** The wait of a task that has no end yet. */
  openOf(
    task: number,
  ): { readonly sinceNs: number; readonly cpu: number; readonly kind: WaitKind } | undefined {
    const now = this.tasks[task];
    const kind = now === undefined ? undefined : waitKind(now.now);
    return now === undefined || kind === undefined
      ? undefined
      : { sinceNs: now.sinceNs, cpu: now.cpu, kind };
  }

  get bytes(): number {
    return this.spans.bytes + this.tasks.length * 40;
  }

  private switchTo(ns: number, cpu: number, previous: number, next: number): void {
    if (previous !== NONE) this.enter(previous, "out", ns, cpu);
    if (next === NONE) return;
    if (this.task(next).now === "out") this.preempted(next);
    this.file(next, ns);
    this.enter(next, "running", ns, cpu);
  }

  private migrate(ns: number, task: number, cpu: number): void {
    const { now } = this.task(task);
    if (now === "out") this.preempted(task);
    if (now === "ready" || now === "out" || now === "preempted") {
      this.file(task, ns);
      this.enter(task, now === "ready" ? "ready" : "preempted", ns, cpu);
    } else this.task(task).cpu = cpu;
  }

  private preempted(task: number): void {
    this.task(task).now = "preempted";
  }

  /** Files the wait that ends at `ns`, if there is one. */
  private file(id: number, ns: number): void {
    const { now, sinceNs, cpu } = this.task(id);
    const kind = waitKind(now);
    if (kind !== undefined && ns > sinceNs) this.spans.push(sinceNs, ns, cpu, id, kind);
  }

  private enter(id: number, now: Now, ns: number, cpu: number): void {
    const task = this.task(id);
    task.now = now;
    task.sinceNs = ns;
    task.cpu = cpu;
  }

  private task(id: number): TaskNow {
    return (this.tasks[id] ??= { now: "unknown", sinceNs: 0, cpu: 0 });
  }
}

function waitKind(now: Now): WaitKind | undefined {
  switch (now) {
    case "waking":
      return WAIT.Waking;
    case "ready":
      return WAIT.Ready;
    case "preempted":
      return WAIT.Preempted;
    case "unknown":
    case "running":
    case "out":
      return undefined;
  }
}
