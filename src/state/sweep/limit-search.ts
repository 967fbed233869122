// The two questions that a throttled group raises, as the sweep's window asks them: the smallest
// limit, and the smallest burst, with which its answers come in time. Every field can be changed
// there.

import type { GroupInfo, RunMeta } from "../../engine/gen/types.ts";
import type { RunRequest } from "../../engine/protocol.ts";
import { formatNs } from "../../lib/format.ts";
import { fewSamples } from "../../model/index.ts";
import { metricAt } from "../../scenario/metric-path.ts";
import { effectiveSet, lookUp } from "../../scenario/knob-sets.ts";
import { writeTime } from "../../scenario/knob-values.ts";
import { variantsOf, chosenVariant } from "../../scenario/variants.ts";
import { statedValue } from "../../scenario/viewer-scenario.ts";
import { SEARCH_RUNS } from "../../scenario/bisect.ts";
import { reportOf } from "../select/selectors.ts";
import type { Side } from "../../scenario/sides.ts";
import type { State } from "../shape/state.ts";
import type { SearchForm, SweepForm } from "../../links/sweep-form.ts";
import type { PhaseSpread } from "../shape/sweep.ts";

export type Searched = "limit" | "burst";

const US_NS = 1_000;
/** The kernel takes no quota below it. */
const LEAST_NS = 1_000_000;
/**
 * Greatest limit that is looked at: in quotas, or in periods where that is more; and of all CPUs,
 * which need more than they have to be free of it.
 */
const MOST_QUOTAS = 16;
const MOST_PERIODS = 2;
const OF_ALL_CPUS = 1.25;

type Meta = Pick<RunMeta, "cpus" | "groups" | "tasks">;

function groupName(path: string): string {
  return path.includes(".") ? `"${path}"` : path;
}

/** The knob of a group's file. */
export function groupKnob(path: string, key: "cpu_max" | "cpu_max_burst" | "period_phase"): string {
  return `cgroups.${groupName(path)}.${key}`;
}

/** Kinds of tasks in the group or below it. */
function insideOf({ groups, tasks }: Meta, path: string): ReadonlySet<string> {
  const inside = (group: number): boolean => `${groups[group]?.path ?? ""}/`.startsWith(`${path}/`);
  return new Set(tasks.filter(({ group }) => inside(group)).map(({ kind }) => kind));
}

/**
 * Undefined where the viewer or the scenario states the phase: a stated phase is part of the
 * question.
 */
export function phaseSpread(
  { entry, knobs }: State,
  side: Side,
  { path: group, period_ns: periodNs }: GroupInfo,
): PhaseSpread | undefined {
  const path = groupKnob(group, "period_phase");
  const stated =
    lookUp(effectiveSet(entry, knobs, side), path) ?? statedValue(entry, path) ?? "auto";
  return stated === "auto" ? { path, periodNs } : undefined;
}

/** The golden ratio's multiples modulo 1 lie evenly, however many there are. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/**
 * The requests, each with a phase from its own slice of the period. The place within the slice
 * moves by the golden ratio: equal steps would put every refill at the same distance from a tick,
 * and that distance decides who finds the pool empty.
 */
export function withPhases(
  requests: readonly RunRequest[],
  { path, periodNs }: PhaseSpread,
): readonly RunRequest[] {
  return requests.map((request, run) => {
    const ns = Math.ceil(((run + (((run + 1) * GOLDEN) % 1)) / requests.length) * periodNs);
    return {
      ...request,
      set: [...request.set.filter(([knob]) => knob !== path), [path, writeTime(ns)] as const],
    };
  });
}

/** The window's two forms for a group of a side. Its quota must be known. */
export function limitSearch(
  state: State,
  side: Side,
  meta: Meta,
  { path, quota_ns: quotaNs = LEAST_NS, period_ns: periodNs }: GroupInfo,
  searched: Searched,
): { readonly form: SweepForm; readonly search: SearchForm } {
  const variant =
    (chosenVariant(state.entry, state.knobs, side) ?? variantsOf(state.entry)[0])?.name ?? "";
  const report = reportOf(state, side);
  const answer = answerOf(state.entry.headline, insideOf(meta, path));
  const isFew =
    report !== undefined &&
    answer !== undefined &&
    fewSamples((each) => metricAt(report, each), answer) !== undefined;
  // A run that is too short for the percentile has a longest answer all the same.
  const metric =
    (isFew ? answer.replace(/p\d+_ns$/, "max_ns") : answer) ??
    `groups.${groupName(path)}.nr_throttled`;
  const now = report === undefined ? undefined : metricAt(report, metric);
  const isTime = metric.endsWith("_ns");
  const bound = isTime ? formatNs(roundDown((now ?? periodNs) / 2), 6) : "0";
  const mostNs = Math.max(
    LEAST_NS,
    Math.min(
      meta.cpus * periodNs * OF_ALL_CPUS,
      Math.max(quotaNs * MOST_QUOTAS, MOST_PERIODS * periodNs),
    ),
  );
  const limits = [1, 2, 4, 8].map((times) => quotaNs * times).filter((ns) => ns <= mostNs);
  const bursts = [0, 1, 2, 4].map((part) => Math.round((quotaNs * part) / 4));
  const write =
    searched === "limit"
      ? (ns: number): string => formatNs(ns, 6)
      : (ns: number): string => String(Math.round(ns / US_NS));
  return {
    form: {
      path: groupKnob(path, searched === "limit" ? "cpu_max" : "cpu_max_burst"),
      values: (searched === "limit" ? limits : bursts).map(write).join(", "),
      secondPath: "",
      secondValues: "",
      metrics: [metric],
      variants: [variant],
      seeds: String(SEARCH_RUNS),
      seedFrom: "1",
    },
    search: {
      metric,
      variant,
      bound,
      from: write(searched === "limit" ? Math.max(LEAST_NS, roundDown(quotaNs / 2)) : 0),
      to: write(searched === "limit" ? mostNs : quotaNs),
    },
  };
}

/** The figure of the headline that says when answers come, the tail before the middle. */
function answerOf(headline: readonly string[], kinds: ReadonlySet<string>): string | undefined {
  const answers = headline.filter((path) => {
    const [, kind = ""] = /^tool_samples\.(.+)\.[^.]+\.\w+_ns$/.exec(path) ?? [];
    return kinds.has(kind.replaceAll('"', ""));
  });
  return ["p99_ns", "p95_ns", "max_ns"]
    .map((tail) => answers.find((path) => path.endsWith(`.${tail}`)))
    .find((path) => path !== undefined);
}

/** To two digits, at least 1 us. */
function roundDown(ns: number): number {
  const step = 10 ** Math.max(3, Math.floor(Math.log10(Math.max(1, ns))) - 1);
  return Math.max(US_NS, Math.floor(ns / step) * step);
}
