/**
 * The rule behind an event: what the kernel does there, in which function of which file, with the address at the version's tag.
 *
 *   ruleOfRow(trace, row)    of a record; ruleOfState(state), ruleOfCause(cause) of what lasts
 *   cite(rule, kernel)       in a run's kernel
 *
 * Fetched when somebody asks: no picture needs it.
 */
import { CAUSES, CPU_STATES, FIELD, KIND } from "../../engine/gen/catalogue.ts";
import { PULLER_PULL_RT_TASK, SLACK_TIMER_ARMED, STOP_WORK_PUSH, VECTOR_RESCHEDULE } from "../../engine/gen/codes.ts";
import { fieldOf } from "../../lib/field.ts";
import type { TraceStore } from "../trace-store.ts";
import { CAUSE_RULES, STATES } from "./causes.ts";
import type { Rule, Rules } from "./place.ts";
import { RECORDS } from "./records.ts";
import { WRITES } from "./writes.ts";

export { calledWords, cite, commitUrl, fileIn, modelPath, modelWords, originWords, sourceUrl, versionsOf } from "./place.ts";
export type { Cited, Kernel, ModelRule, Origin, Place, Rule } from "./place.ts";
export { CAUSE_RULES, FINDING_RULES, STATES } from "./causes.ts";

const BY_KIND = new Map<number, Rules>(Object.entries(KIND).map(([name, kind]) => [kind, RECORDS[name as keyof typeof KIND]]));

/** All rules of a record kind: more than one where a column says which way was taken. */
export function rulesOfKind(kind: number): readonly Rule[] {
  const rules = BY_KIND.get(kind);
  return rules === undefined ? [] : "says" in rules ? [rules] : rules;
}

/** What made the row at an index. */
export function ruleOfRow(trace: TraceStore, row: number): Rule | undefined {
  const { kind, a } = trace.events;
  if (kind.at(row) === KIND.CpuState) return ruleOfState(fieldOf(FIELD.State, a.at(row)));
  const rules = rulesOfKind(kind.at(row));
  return rules[rules.length > 1 ? wayOf(trace, row) : 0];
}

/** What a mark is: a record, one of its kind, or what was written to the running kernel. */
export type About = { readonly row: number } | { readonly kind: number } | { readonly write: string };

/** The rule behind a mark. */
export function ruleAbout(trace: TraceStore, about: About): Rule | undefined {
  if ("row" in about) return ruleOfRow(trace, about.row);
  return "kind" in about ? rulesOfKind(about.kind)[0] : ruleOfWrite(about.write);
}

export function ruleOfState(state: number): Rule | undefined {
  const name = CPU_STATES[state]?.name;
  return name === undefined ? undefined : STATES[name];
}

export function ruleOfCause(cause: number): Rule | undefined {
  const name = CAUSES[cause]?.name;
  return name === undefined ? undefined : CAUSE_RULES[name];
}

/** What was written to the running kernel, by its words on the timeline. */
export function ruleOfWrite(words: string): Rule | undefined {
  const found = WRITE_WORDS.findIndex((pattern) => pattern.test(words));
  return WRITES[found];
}

/** In the order of WRITES. */
const WRITE_WORDS: readonly RegExp[] = [
  /\b(RT_PUSH_IPI|TTWU_QUEUE)\b/i,
  /^preempt/i,
  /\bsched_rt_(runtime|period)_us\b/,
  /\bcpu\.max\b/,
  /\bcpu\.weight\b/,
];

/** Every rule of writes. */
export { WRITES } from "./writes.ts";

/** Rows around a row in which the one that says more is looked for: all of one kernel path. */
const NEAR_ROWS = 60;

/** Which of a kind's rules a row follows. */
function wayOf(trace: TraceStore, row: number): number {
  const { events } = trace;
  const [a, b] = [events.a.at(row), events.b.at(row)];
  switch (events.kind.at(row)) {
    case KIND.IpiArrive:
      return fieldOf(FIELD.IpiVector, a);
    case KIND.IrqEntry:
      return a;
    case KIND.IdleWithoutIpi:
      return b === VECTOR_RESCHEDULE ? 0 : 1;
    case KIND.PreemptPoint:
      return fieldOf(FIELD.Point, a);
    case KIND.PullOk:
    case KIND.PullFail:
      return lastOn(trace, row, KIND.PullTry)?.b ?? PULLER_PULL_RT_TASK;
    case KIND.PushOk:
      return pusherOf(trace, row);
    case KIND.BwSlack:
      return b === SLACK_TIMER_ARMED ? 0 : 1;
    default:
      return b;
  }
}

/** push_rt_task itself, or the stopper: what it took up last says for whom. */
function pusherOf(trace: TraceStore, row: number): number {
  const work = lastOn(trace, row, KIND.StopWork);
  if (work === undefined || lastOn(trace, row, KIND.SchedSwitch, work.row) !== undefined) return 0;
  return work.b === STOP_WORK_PUSH ? 2 : 1;
}

interface Near {
  readonly row: number;
  readonly b: number;
}

/** The last row of a kind on the same CPU before a row. */
function lastOn({ events }: TraceStore, row: number, kind: number, after = -1): Near | undefined {
  const cpu = events.cpu.at(row);
  for (let before = row - 1; before > Math.max(after, row - NEAR_ROWS); before -= 1)
    if (events.kind.at(before) === kind && events.cpu.at(before) === cpu) return { row: before, b: events.b.at(before) };
  return undefined;
}
