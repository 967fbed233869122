// Moments of the runs worth going to, for the overview of the whole run: the deepest queue for a
// lock, the worst wake-up, throttles and refills of groups with a quota, the steps of the story.
// True of runs that are done; must not know pixels.

import { counted } from "../../lib/count.ts";
import { formatNs, threeFigures } from "../../lib/format.ts";
import type { TraceStore } from "../../model/index.ts";
import type { WakeRecord } from "../../model/trace/run-types.ts";
import { kindWords } from "../../scenario/labels.ts";
import { longestWait } from "../steps/first-look.ts";
import { ofRuns } from "../select/of-runs.ts";
import { domainNs } from "../select/selectors.ts";
import { SIDES, type Side } from "../../scenario/sides.ts";
import type { State } from "../shape/state.ts";
import type { Run } from "../shape/run.ts";
import { captionSaid, sceneOf } from "../steps/resolve.ts";
import { stepsOf } from "../../scenario/step.ts";
import { lockWords } from "../../model/locks/lock-words.ts";

/** The kind that explains most comes first. */
export const MOMENT_KINDS = ["herd", "wake", "throttle", "refill", "step"] as const;
export type MomentKind = (typeof MOMENT_KINDS)[number];

export interface RunMoment {
  readonly kind: MomentKind;
  readonly side: Side;
  readonly ns: number;
  /** What happens there, with the side's letter. */
  readonly words: string;
  /** Where it ends, if it lasts. */
  readonly untilNs?: number;
  /** The wake-up it is. */
  readonly wake?: WakeRecord;
  /** The step's number, from 0. */
  readonly step?: number;
}

/** Waiters that two or three CPUs meeting by chance come to: no herd. */
const SHALLOW_MAX = 3;
/**
 * Throttles and refills are no nearer to each other than this share of the axis: what happens
 * hundreds of times must not fill it.
 */
const APART_SHARE = 1 / 16;
/** How many of the longest throttles are looked at; of those close together one is kept. */
const THROTTLES_MAX = 400;

/** The moments of both runs, in no order; a run that is not done has none. */
export const runMoments = ofRuns((state): readonly RunMoment[] => {
  const apartNs = domainNs(state) * APART_SHARE;
  return [...SIDES.flatMap((side) => ofSide(state, side, apartNs)), ...ofStory(state)];
});

function ofSide({ sides, entry }: State, side: Side, apartNs: number): readonly RunMoment[] {
  const run = sides[side].shown;
  if (run?.report === undefined) return [];
  return [
    ...herdOf(run, side),
    ...worstOf(run, side, entry),
    ...throttlesOf(run.trace, side, apartNs),
    ...refillsOf(run.trace, side, apartNs),
  ];
}

function herdOf({ trace }: Run, side: Side): readonly RunMoment[] {
  const id = trace.locks.deepest();
  const peak = id === undefined ? undefined : trace.locks.lock(id)?.peak;
  if (id === undefined || peak === undefined || peak.depth <= SHALLOW_MAX) return [];
  const words = `${letter(side)}: ${counted(peak.depth, "CPU")} wait for the ${lockWords(trace.lockName(id))}, the deepest queue`;
  return [{ kind: "herd", side, ns: peak.atNs, words }];
}

function worstOf(run: Run, side: Side, { headline, labels }: State["entry"]): readonly RunMoment[] {
  const wake = longestWait(run, headline);
  if (wake === undefined) return [];
  // The kind is one that the headline is about: tasks of another kind may be later.
  const of = kindWords(labels, run.meta.tasks[wake.taskId]?.kind ?? wake.task);
  const words = `${letter(side)}: ${wake.task} is late by ${threeFigures(wake.latencyNs)}, the worst wake-up of ${of}`;
  return [{ kind: "wake", side, ns: wake.dueNs, words, wake }];
}

/** The longest first. */
function throttlesOf(trace: TraceStore, side: Side, apartNs: number): readonly RunMoment[] {
  const all: RunMoment[] = [];
  const { endNs } = trace;
  trace.quota.visitThrottled(0, endNs, endNs, (fromNs, toNs, cpu, group) => {
    const words = `${letter(side)}: ${trace.groupName(group)} is out of quota on CPU ${String(cpu)} for ${threeFigures(toNs - fromNs)}`;
    all.push({ kind: "throttle", side, ns: fromNs, untilNs: toNs, words });
  });
  const lasts = ({ ns, untilNs = ns }: RunMoment): number => untilNs - ns;
  return apart(
    all
      .sort((one, other) => lasts(other) - lasts(one) || one.ns - other.ns)
      .slice(0, THROTTLES_MAX),
    apartNs,
  );
}

function refillsOf(trace: TraceStore, side: Side, apartNs: number): readonly RunMoment[] {
  const { events } = trace;
  return trace.quota.limited.flatMap((group) => {
    const rows = [...group.refills.listIn(0, trace.endNs + 1)];
    const words = (row: number): string =>
      `${letter(side)}: the refill adds ${formatNs(events.b.at(row), 3)} to the pool of ${group.info.path}`;
    const all = rows.map((row): RunMoment => ({
      kind: "refill",
      side,
      ns: events.time.at(row),
      words: words(row),
    }));
    return apart(all, apartNs);
  });
}

/** The moments that are far enough from the ones before them in the list. */
function apart(moments: readonly RunMoment[], apartNs: number): readonly RunMoment[] {
  const kept: RunMoment[] = [];
  for (const moment of moments)
    if (kept.every(({ ns }) => Math.abs(ns - moment.ns) >= apartNs)) kept.push(moment);
  return kept;
}

/** Steps that turn no knob: the others happen in runs that are not there. */
function ofStory(state: State): readonly RunMoment[] {
  const steps = stepsOf(state.entry);
  return steps.flatMap((step, index) => {
    const scene = step.set.length > 0 ? undefined : sceneOf(state, step);
    if (scene === undefined) return [];
    const words = `Step ${String(index + 1)} of ${String(steps.length)}: ${captionSaid(state, step)}`;
    return [
      { kind: "step" as const, side: scene.side ?? "a", ns: scene.answerNs, words, step: index },
    ];
  });
}

function letter(side: Side): string {
  return side.toUpperCase();
}
