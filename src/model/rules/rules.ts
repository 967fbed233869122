/**
 * The rule behind an event: what the kernel does there, in which function of which file, with the
 * address at the version's tag.
 *
 *   ruleOfRow(trace, row)    of a record; ruleOfState(state), ruleOfCause(cause) of what lasts
 *   cite(rule, kernel)       in a run's kernel
 *
 * Fetched with the first question: no picture needs it.
 */
import { CAUSES, CPU_STATES, FIELD, KIND } from "../../engine/gen/catalogue.ts";
import { fieldOf } from "../../lib/bit-field.ts";
import type { TraceStore } from "../trace/trace-store.ts";
import { CAUSE_RULES, STATES } from "./states.ts";
import type { Rule } from "./kernel-place.ts";
import { RECORDS } from "./records.ts";
import { wayOf } from "./ways.ts";
import { WRITES } from "./writes.ts";

export {
  calledWords,
  cite,
  commitUrl,
  fileIn,
  modelPath,
  modelWords,
  originWords,
  sourceUrl,
  versionsOf,
} from "./kernel-place.ts";
export type { Cited, Kernel, ModelRule, Origin, Place, Rule } from "./kernel-place.ts";
export { CAUSE_RULES, FINDING_RULES, STATES } from "./states.ts";

/** One rule, or several by the value of a code. */
type Rules = Rule | { readonly [way: number | string]: Rule | undefined };

const BY_KIND = new Map<number, Rules>(
  Object.entries(KIND).map(([name, kind]) => [kind, RECORDS[name as keyof typeof KIND]]),
);

function isOne(rules: Rules): rules is Rule {
  return "says" in rules;
}

/** All rules of a record kind: more than one where a row says which way was taken. */
export function rulesOfKind(kind: number): readonly Rule[] {
  const rules = BY_KIND.get(kind);
  if (rules === undefined) return [];
  return isOne(rules)
    ? [rules]
    : [...new Set(Object.values(rules).filter((rule) => rule !== undefined))];
}

/** What made the row at an index. */
export function ruleOfRow(trace: TraceStore, row: number): Rule | undefined {
  const { kind, a } = trace.events;
  if (kind.at(row) === KIND.CpuState) return ruleOfState(fieldOf(FIELD.State, a.at(row)));
  const rules = BY_KIND.get(kind.at(row));
  return rules === undefined || isOne(rules) ? rules : rules[wayOf(trace, row)];
}

/** What a mark is: a record, one of its kind, or what was written to the running kernel. */
export type About =
  { readonly row: number } | { readonly kind: number } | { readonly write: string };

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
  return WRITES.find(({ pattern }) => pattern.test(words))?.rule;
}

/** Every rule of writes. */
export const WRITE_RULES: readonly Rule[] = WRITES.map((write) => write.rule);
