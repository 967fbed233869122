// The rules behind what happens at an instant on a CPU. Knows runs; must not know how rules are
// shown.

import { KIND } from "../../engine/gen/catalogue.ts";
import { ruleOfRow, ruleOfState, rulesOfKind, type Rule } from "../../model/rules/rules.ts";
import type { TraceStore } from "../../model/index.ts";

/** The most rules that are shown for one instant. */
const RULES_MAX = 6;
/** The most of them that come from records nearby. */
const NEAR_MAX = 3;
/** Rows looked at around an instant. */
const ROWS_MAX = 4000;

/**
 * The rules of the rows within `reachNs` of an instant on a CPU, the nearest first, each rule once;
 * then the rules of the CPU's state there.
 */
export function rulesAt(
  trace: TraceStore,
  cpu: number,
  ns: number,
  reachNs: number,
): readonly Rule[] {
  const { events } = trace;
  const rows: number[] = [];
  const first = events.firstAt(ns - reachNs);
  for (
    let row = first;
    row < Math.min(events.count, first + ROWS_MAX) && events.time.at(row) <= ns + reachNs;
    row += 1
  )
    if (events.cpu.at(row) === cpu) rows.push(row);
  const away = (row: number): number => Math.abs(events.time.at(row) - ns);
  rows.sort((one, other) => away(one) - away(other) || one - other);
  const near = chosen(
    rows.map((row) => ruleOfRow(trace, row)).filter((rule) => (rule?.places.length ?? 0) > 0),
  );
  return chosen([...near.slice(0, NEAR_MAX), ...lasting(trace, cpu, ns)]);
}

/**
 * The rules of conditions that last at an instant: a group out of quota, a flag, the state of the
 * CPU.
 */
function lasting(trace: TraceStore, cpu: number, ns: number): readonly (Rule | undefined)[] {
  const throttled: number[] = [];
  trace.quota.visitThrottled(ns, ns, trace.endNs, (fromNs, toNs, on) => {
    if (on === cpu && fromNs <= ns && ns < toNs) throttled.push(on);
  });
  const flag = trace.flags.at(cpu, ns, trace.endNs);
  const state = trace.cpuAt(cpu, ns)?.state;
  return [
    ...(throttled.length > 0 ? rulesOfKind(KIND.BwThrottle) : []),
    ...(flag === undefined ? [] : rulesOfKind(flag.lazy ? KIND.NeedReschedLazy : KIND.NeedResched)),
    state === undefined ? undefined : ruleOfState(state),
  ];
}

/** The rules of the rows at an instant; only those of `cpu` if it is given. */
export function rulesOfInstant(
  trace: TraceStore,
  ns: number,
  cpu: number | undefined,
): readonly Rule[] {
  const { events } = trace;
  const rules: (Rule | undefined)[] = [];
  for (let row = events.firstAt(ns); row < events.count && events.time.at(row) === ns; row += 1)
    if (cpu === undefined || events.cpu.at(row) === cpu) rules.push(ruleOfRow(trace, row));
  return chosen(rules.filter((rule) => (rule?.places.length ?? 0) > 0));
}

/** The first few, each once: by their words, since two kinds may share a rule. */
function chosen(rules: readonly (Rule | undefined)[]): readonly Rule[] {
  const seen = new Map<string, Rule>();
  for (const rule of rules)
    if (rule !== undefined && !seen.has(rule.says)) seen.set(rule.says, rule);
  return [...seen.values()].slice(0, RULES_MAX);
}
