// Record kinds whose rows follow several rules: the code that says which, and where a row has it.

import { FIELD, KIND } from "../../engine/gen/catalogue.ts";
import {
  PULLER_PULL_RT_TASK,
  STOP_WORK_BALANCE,
  STOP_WORK_MIGRATE,
  STOP_WORK_PUSH,
  type LiveWrite,
  type NohzPlace,
  type Point,
  type Puller,
  type SlackTimer,
  type StopWork,
  type Vector,
  type VECTOR_CALL_FUNCTION_SINGLE,
  type VECTOR_RESCHEDULE,
} from "../../engine/gen/codes.ts";
import { fieldOf } from "../../lib/bit-field.ts";
import type { TraceStore } from "../trace/trace-store.ts";
import type { Rule } from "./kernel-place.ts";

/** Who moved a task away: the row itself does not say. */
type Pusher = "push_rt_task" | "stopper" | "push_cpu_stop";

/** The codes, by kind. */
interface Ways {
  readonly IpiSend: Vector;
  readonly IpiArrive: Vector;
  readonly IrqEntry: Vector;
  readonly IdleWithoutIpi: typeof VECTOR_RESCHEDULE | typeof VECTOR_CALL_FUNCTION_SINGLE;
  readonly PullTry: Puller;
  readonly PullOk: Puller;
  readonly PullFail: Puller;
  readonly PushOk: Pusher;
  readonly PreemptPoint: Point;
  readonly StopWork: StopWork;
  readonly BwSlack: SlackTimer;
  readonly NohzRun: NohzPlace;
  readonly LiveChange: LiveWrite;
}

/** A rule for every value of a code, and for nothing else. */
export type RulesOf<Code extends number | string> = Readonly<Record<Code, Rule>>;

/** What a kind has: one rule, or one for every value of its code. */
export type RulesOfKind<name extends keyof typeof KIND> = name extends keyof Ways
  ? RulesOf<Ways[name]>
  : Rule;

/** The value of its code that a row has. */
export function wayOf(trace: TraceStore, row: number): number | Pusher {
  const { events } = trace;
  const [a, b] = [events.a.at(row), events.b.at(row)];
  switch (events.kind.at(row)) {
    case KIND.IpiArrive:
      return fieldOf(FIELD.IpiVector, a);
    case KIND.IrqEntry:
      return a;
    case KIND.PreemptPoint:
      return fieldOf(FIELD.Point, a);
    case KIND.PullOk:
    case KIND.PullFail:
      return lastOn(trace, row, KIND.PullTry)?.b ?? PULLER_PULL_RT_TASK;
    case KIND.PushOk:
      return pusherOf(trace, row);
    // All others have it there.
    default:
      return b;
  }
}

const STOPPERS: Readonly<Record<StopWork, Pusher>> & {
  readonly [work: number]: Pusher | undefined;
} = {
  [STOP_WORK_PUSH]: "push_cpu_stop",
  [STOP_WORK_MIGRATE]: "stopper",
  [STOP_WORK_BALANCE]: "stopper",
};

/** push_rt_task itself, or the stopper, whose last work says which. */
function pusherOf(trace: TraceStore, row: number): Pusher {
  const work = lastOn(trace, row, KIND.StopWork);
  if (work === undefined || lastOn(trace, row, KIND.SchedSwitch, work.row) !== undefined)
    return "push_rt_task";
  return STOPPERS[work.b] ?? "stopper";
}

/** Rows around a row in which the one that says more is looked for: all of one kernel path. */
const NEAR_ROWS = 60;

interface Near {
  readonly row: number;
  readonly b: number;
}

/** The last row of a kind on the same CPU before a row. */
function lastOn({ events }: TraceStore, row: number, kind: number, after = -1): Near | undefined {
  const cpu = events.cpu.at(row);
  for (let before = row - 1; before > Math.max(after, row - NEAR_ROWS); before -= 1)
    if (events.kind.at(before) === kind && events.cpu.at(before) === cpu)
      return { row: before, b: events.b.at(before) };
  return undefined;
}
