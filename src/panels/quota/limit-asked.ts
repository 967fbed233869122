// What the panel of a throttled group asks: two searches with the knobs of the run, without what
// was written in mid-run, and one bound.

import { KNOBS } from "../../engine/gen/knobs.ts";
import type { GroupInfo, RunMeta } from "../../engine/gen/types.ts";
import { formatNs } from "../../lib/format.ts";
import { figureText } from "../../state/figures/figure.ts";
import { metricWords } from "../../state/figures/headline.ts";
import { effectiveSet } from "../../scenario/knob-sets.ts";
import { findKnob } from "../../scenario/knob-values.ts";
import { knobValue } from "../../state/select/selectors.ts";
import type { Side } from "../../scenario/sides.ts";
import type { State } from "../../state/shape/state.ts";
import {
  groupKnob,
  limitSearch,
  phaseSpread,
  type Searched,
} from "../../state/sweep/limit-search.ts";
import { placeText, planOf, questionOf, type Checked } from "../sweep/form-words.ts";
import type { LimitAsked, SearchAsked } from "../../state/shape/sweep.ts";

/** A group of a side's run. */
export interface LimitOf {
  readonly side: Side;
  readonly meta: RunMeta;
  readonly info: GroupInfo;
}

/** cpu.max.burst came with 5.14. */
export function hasBurst({ meta, info }: LimitOf): boolean {
  return meta.live.some(({ path }) => path === groupKnob(info.path, "cpu_max_burst"));
}

/**
 * Group and run in one word: a knob that is turned, or another text of an own scenario, makes
 * another one.
 */
export function limitKey(state: State, { side, info }: LimitOf): string {
  return JSON.stringify([
    state.entry.text,
    side,
    info.path,
    effectiveSet(state.entry, state.knobs, side),
  ]);
}

/** Both questions, or what is wrong with the bound as typed. */
export function limitAsked(state: State, of: LimitOf, bound: string): Checked<LimitAsked> {
  const limit = searchAsked(state, of, bound, "limit");
  if (!limit.ok) return limit;
  const burst = hasBurst(of) ? searchAsked(state, of, bound, "burst") : undefined;
  if (burst?.ok === false) return burst;
  return {
    ok: true,
    value: { key: limitKey(state, of), limit: limit.value, burst: burst?.value },
  };
}

/** A figure of the metric that is asked for, in words. */
export function metricText({ plan, entry }: SearchAsked, value: number): string {
  return figureText(value, metricWords(plan.metrics[0] ?? "", entry.labels).unit);
}

/** Metric and bound in words, as the answer says them. */
export function goalWords(asked: SearchAsked): string {
  const { label } = metricWords(asked.plan.metrics[0] ?? "", asked.entry.labels);
  return `${label} at or under ${metricText(asked, asked.question.bound)}`;
}

function searchAsked(
  state: State,
  { side, meta, info }: LimitOf,
  bound: string,
  searched: Searched,
): Checked<SearchAsked> {
  const { form, search } = limitSearch(state, side, meta, info, searched);
  const { entry } = state;
  // The side's own knobs are laid over the file, so that no variant needs to be.
  const plan = planOf(entry, { ...form, variants: [] }, KNOBS);
  if (!plan.ok) return plan;
  const words = metricWords(search.metric);
  const question = questionOf(
    { ...search, bound },
    findKnob(KNOBS, form.path),
    words,
    plan.value.seeds,
    knobValue(state, side, form.path),
  );
  if (!question.ok) return question;
  const common = effectiveSet(entry, state.knobs, side);
  const phases = phaseSpread(state, side, info);
  return {
    ok: true,
    value: { entry, plan: plan.value, common, question: question.value, phases, untilFails: true },
  };
}

/** A limit that was tried, as a sentence says it: "45 ms in every 100 ms". */
export function limitText({ plan, question }: SearchAsked, value: number): string {
  return placeText(findKnob(KNOBS, plan.path), value, question.period);
}

/** A burst that was tried; cpu.max.burst counts in us. */
export function burstText(us: number): string {
  return formatNs(us * 1_000, 2);
}
