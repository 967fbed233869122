// A step against the runs at hand: what part of the axis it shows, where it puts the playhead, what
// it selects, what it says.

import type { RunReport } from "../../engine/gen/types.ts";
import { partnerOf } from "../../model/index.ts";
import type { Selection, Viewport } from "../../model/trace/run-types.ts";
import { SPEEDS } from "../../lib/speeds.ts";
import { figureText } from "../figures/figure.ts";
import { knownRun, shippedRun } from "../select/shipped.ts";
import { metricAt } from "../../scenario/metric-path.ts";
import {
  effectiveSet,
  lookUp,
  NO_KNOBS,
  pruneKnob,
  setKnob,
  sideVariant,
  type KnobSets,
} from "../../scenario/knob-sets.ts";
import { sameValue, valueWords } from "../../scenario/knob-values.ts";
import {
  domainNs,
  isAsWide,
  knobValue,
  requestFor,
  sameRequest,
  shownViewport,
} from "../select/selectors.ts";
import { selectedRow } from "../select/selection.ts";
import { ofRuns } from "../select/of-runs.ts";
import { statedValue } from "../../scenario/viewer-scenario.ts";
import { otherSide, perSide, SIDES, type PerSide, type Side } from "../../scenario/sides.ts";
import type { State } from "../shape/state.ts";
import type { Run } from "../shape/run.ts";
import { captionWith, hasUnknown, knownPart, metricText } from "./caption.ts";
import { busyIn } from "./busy.ts";
import { emphasisIn, type Emphasis, type WakeRow } from "./emphasis.ts";
import { findMoment, tasksCalled, worstWakeIn } from "./step-moments.ts";
import { stepsOf, type Step } from "../../scenario/step.ts";

/** A step in the runs at hand. */
export interface Scene {
  readonly viewport: Viewport;
  /** Where playing stops: the picture there is what the step says. */
  readonly answerNs: number;
  /** What plays slowly. */
  readonly slow: readonly Viewport[];
  readonly selection: Selection | undefined;
  /** The side the selection counts on. */
  readonly selectedOn: Side;
  readonly latencyKind: string | undefined;
  /** What is emphasised. */
  readonly emphasis: Emphasis;
  /** CPUs that do anything in view; none where most do. */
  readonly busy: readonly number[];
  readonly side: Side | undefined;
  /** Undefined follows the view. */
  readonly nsPerSecond: number | undefined;
}

/** The open step; undefined in a scenario without steps, and in a view that a link names. */
export function currentStep({ entry, step }: State): Step | undefined {
  return step.index === undefined ? undefined : stepsOf(entry)[step.index];
}

/** The number of the step after or before the open one; undefined past the ends. */
export function neighbourStep({ entry, step }: State, direction: 1 | -1): number | undefined {
  const count = stepsOf(entry).length;
  const index = step.index === undefined ? (direction === 1 ? 0 : -1) : step.index + direction;
  return index >= 0 && index < count ? index : undefined;
}

/** Both runs, done, if they are those of the present knobs. */
export const readyRuns = ofRuns((state): PerSide<Run> | undefined => {
  const ready = (side: Side): Run | undefined => {
    const { shown } = state.sides[side];
    return shown?.report !== undefined && sameRequest(shown.request, requestFor(state, side))
      ? shown
      : undefined;
  };
  const [a, b] = SIDES.map(ready);
  return a === undefined || b === undefined ? undefined : { a, b };
});

/**
 * By A's run, B's run and step. A step lives as long as the page: what it remembered a run by would
 * keep the run's whole trace.
 */
const remembered = new WeakMap<Run, WeakMap<Run, Map<Step, Scene | undefined>>>();

/** What a step shows; undefined while the runs are not done, and where they have no such moment. */
export function sceneOf(state: State, step: Step): Scene | undefined {
  const runs = readyRuns(state);
  if (runs === undefined) return undefined;
  const ofA = remembered.get(runs.a) ?? new WeakMap<Run, Map<Step, Scene | undefined>>();
  const scenes = ofA.get(runs.b) ?? new Map<Step, Scene | undefined>();
  remembered.set(runs.a, ofA.set(runs.b, scenes));
  if (!scenes.has(step)) scenes.set(step, resolved(step, runs, domainNs(state)));
  return scenes.get(step);
}

function resolved(step: Step, runs: PerSide<Run>, endNs: number): Scene | undefined {
  const { view } = step;
  const found =
    view.kind === "stretch"
      ? { ns: view.fromNs, side: step.side }
      : findMoment(
          view,
          perSide((side) => runs[side].trace),
          step.side,
        );
  if (found === undefined || found.ns >= endNs) return undefined;
  const stretch =
    view.kind === "stretch"
      ? view
      : { fromNs: found.ns - view.beforeNs, toNs: found.ns + view.afterNs };
  const viewport = inside(stretch, endNs);
  const { fromNs } = viewport;
  const slow = step.slow.map((each) => ({
    fromNs: fromNs + each.fromNs,
    toNs: fromNs + each.toNs,
  }));
  const { nsPerSecond: asked } = step;
  const nsPerSecond = asked === undefined ? undefined : SPEEDS.find((speed) => speed >= asked);
  const { wakes, ...chosen } = wakeIn(step, runs, viewport, found.side);
  const first = chosen.selectedOn;
  let emphasis: Emphasis | undefined;
  let busy: readonly number[] | undefined;
  return {
    viewport,
    answerNs: answerIn(step, viewport, found.ns),
    slow,
    nsPerSecond,
    side: step.side,
    ...chosen,
    // Looked for in every lock of a long wait: only for the step that is shown, not for each that
    // has a tick.
    get emphasis() {
      return (emphasis ??= emphasisIn(
        step,
        [runs[first].trace, runs[otherSide(first)].trace],
        viewport,
        wakes,
      ));
    },
    get busy() {
      return (busy ??= busyIn([runs.a.trace, runs.b.trace], viewport));
    },
  };
}

/** A moment this early in the view, in shares of it, comes before what there is to see. */
const EARLY = 0.25;
/** Where the answer then is. */
const LATE = 0.8;

/** Where playing stops: where the step says, else by its moment. */
function answerIn(
  { answerNs, playheadNs }: Step,
  { fromNs, toNs }: Viewport,
  momentNs: number,
): number {
  if (answerNs !== undefined) return Math.min(toNs, fromNs + answerNs);
  const ns = playheadNs === undefined ? momentNs : Math.min(toNs, fromNs + playheadNs);
  const early = ns < fromNs + EARLY * (toNs - fromNs);
  return early ? Math.round(fromNs + LATE * (toNs - fromNs)) : ns;
}

/** Moves or shrinks the span so that it lies on the axis. */
function inside({ fromNs, toNs }: Viewport, endNs: number): Viewport {
  const span = Math.min(toNs - fromNs, endNs);
  const from = Math.max(0, Math.min(fromNs, endNs - span));
  return { fromNs: from, toNs: from + span };
}

/** The worst wake-up in view of the task the step speaks of, on the step's side if that has one. */
function wakeIn(
  { focus, side }: Step,
  runs: PerSide<Run>,
  { fromNs, toNs }: Viewport,
  foundOn: Side | undefined,
): Pick<Scene, "selection" | "selectedOn" | "latencyKind"> & {
  readonly wakes: readonly WakeRow[];
} {
  const first = side ?? foundOn ?? "a";
  const none = { selection: undefined, selectedOn: first, latencyKind: undefined, wakes: [] };
  if (focus.wakeup === undefined) return none;
  for (const on of [first, otherSide(first)]) {
    const { trace } = runs[on];
    const tasks = tasksCalled(trace, focus.wakeup);
    const any = focus.wakeup === "worst" && tasks?.size === 0;
    const row = worstWakeIn(trace, any ? undefined : tasks, fromNs, toNs);
    if (row === undefined) continue;
    const latencyKind = trace.shape.tasks[trace.wakes.taskIdOf(row)]?.kind;
    const { trace: other } = runs[otherSide(on)];
    const partner = partnerOf(trace.wakes, row, other.wakes);
    const wakes = [
      { trace, row },
      ...(partner === undefined ? [] : [{ trace: other, row: partner }]),
    ];
    return { selection: trace.wakes.selectionOf(row), selectedOn: on, latencyKind, wakes };
  }
  return none;
}

/** Whether the runs are done and have no such moment. */
export function isMissing(state: State, step: Step): boolean {
  return readyRuns(state) !== undefined && sceneOf(state, step) === undefined;
}

/**
 * Whether both sides have the knobs that the step was written for: the scenario's own, and what the
 * step flips.
 */
export function isAsWritten(state: State, step: Step): boolean {
  const known = writtenOf(state);
  const answer = known.get(step) ?? hasWrittenKnobs(state, step);
  known.set(step, answer);
  return answer;
}

const writtenOf = ofRuns(() => new Map<Step, boolean>());

function hasWrittenKnobs({ entry, knobs }: State, step: Step): boolean {
  const own = writtenKnobs(entry, step);
  const alike = (side: Side): boolean => {
    const [is, was] = [knobs, own].map((sets) => effectiveSet(entry, sets, side));
    return (
      is?.length === was?.length &&
      is?.every(([path, value]) => sameValue(value, lookUp(was ?? [], path))) === true
    );
  };
  return knobs.live.length === 0 && SIDES.every(alike);
}

/** The knobs that the open step was written for; without a step those as shipped. */
export function knobsOfStep(state: State): KnobSets {
  const step = currentStep(state);
  return step === undefined ? NO_KNOBS : writtenKnobs(state.entry, step);
}

/** The knobs that a step was written for. */
function writtenKnobs(entry: State["entry"], step: Step): KnobSets {
  const { set } = step;
  if (set.length === 0) return NO_KNOBS;
  const known = written.get(step);
  if (known !== undefined) return known;
  const knobs = set.reduce(
    (sets, [path, value]) =>
      pruneKnob(entry, setKnob(sets, "both", path, value), path, statedValue(entry, path)),
    NO_KNOBS,
  );
  written.set(step, knobs);
  return knobs;
}

const written = new WeakMap<Step, KnobSets>();

/**
 * The caption with its figures: `{rq_lock.max_waiters a}`, `{wakeup b}`, `{machine.cpus}`. They are
 * those of the runs the caption was written for: its words are true of no others. A clause whose
 * figure is not known yet is left out.
 */
export function captionOf(state: State, step: Step): string {
  return knownPart(wholeCaption(state, step));
}

/**
 * The caption where nothing beside it says whose figures it has: those of the runs as shipped are
 * said to be so where other knobs or another seed run.
 */
export function captionSaid(state: State, step: Step): string {
  return `${isAsWritten(state, step) ? "" : asWritten(state)}${captionOf(state, step)}`;
}

/** Whose figures a caption has that are not those of the runs on screen. */
export function asWritten({ route }: Pick<State, "route">): string {
  return route === "own" ? "As written: " : "As shipped: ";
}

/** Whether figures of the caption are not known yet. */
export function lacksFigures(state: State, step: Step): boolean {
  return hasUnknown(wholeCaption(state, step));
}

function wholeCaption(state: State, step: Step): string {
  const known = captionsOf(state);
  const caption = known.get(step) ?? captionNow(state, step);
  known.set(step, caption);
  return caption;
}

const captionsOf = ofRuns(() => new Map<Step, string>());

/**
 * What a step's own runs came to, for as long as others are shown: they would come to the same
 * again.
 */
const ownRunsCaptions = new WeakMap<Step, string>();

function captionNow(state: State, step: Step): string {
  if (!isAsWritten(state, step))
    return (
      ownRunsCaptions.get(step) ??
      captionWith(step.caption, (name, side) => writtenFigure(state, step, name, side))
    );
  const caption = captionWith(step.caption, (name, side) => figureNow(state, step, name, side));
  if (readyRuns(state) !== undefined) ownRunsCaptions.set(step, caption);
  return caption;
}

/** A figure of the runs a step was written for, as far as it is known without them. */
function writtenFigure(state: State, step: Step, name: string, side: Side): string | undefined {
  const figure = shippedRun(state, writtenKnobs(state.entry, step), side)?.metrics[name];
  if (figure !== undefined) return metricText(name, figure);
  const knob =
    lookUp(step.set, name) ??
    sideVariant(state.entry, side).set[name] ??
    statedValue(state.entry, name);
  return knob === undefined ? undefined : valueWords(knob);
}

function figureNow(state: State, step: Step, name: string, side: Side): string | undefined {
  if (name === "wakeup") {
    const scene = sceneOf(state, step);
    const row =
      scene &&
      selectedRow(
        { sides: state.sides, selection: scene.selection, selectedOn: scene.selectedOn },
        side,
      );
    const wakes = state.sides[side].shown?.trace.wakes;
    return row === undefined || wakes === undefined
      ? undefined
      : figureText(wakes.latencyNs(row), "ns");
  }
  return liveFigure(state, name, side);
}

/**
 * A figure in a sentence as the side's run has it now: a metric by its path, or the value of a
 * knob.
 */
export function liveFigure(state: State, name: string, side: Side): string | undefined {
  const figure = liveMetric(state, name, side);
  if (figure !== undefined) return metricText(name, figure);
  const knob = knobValue(state, side, name);
  return knob === undefined ? undefined : valueWords(knob);
}

/** What the side's run came to; undefined while it is under way. */
export function liveReport(state: State, side: Side): RunReport | undefined {
  const { reported, shown } = state.sides[side];
  // The run on screen may still be the one before.
  return (
    reported ??
    (shown !== undefined && sameRequest(shown.request, requestFor(state, side))
      ? shown.report
      : undefined)
  );
}

/**
 * A metric of the side's run by its path, in the metric's unit; from the known runs, or else from
 * the run's report.
 */
export function liveMetric(state: State, path: string, side: Side): number | undefined {
  const report = liveReport(state, side);
  return (
    knownRun(state, side)?.metrics[path] ??
    (report === undefined ? undefined : metricAt(report, path))
  );
}

/** Whether the view has left the step's. */
export function isAway(state: State, step: Step): boolean {
  const own = sceneOf(state, step)?.viewport;
  return own !== undefined && hasLeft(own, shownViewport(state));
}

/** Whether a view is another than a step's: zoomed, or moved by more than half of its width. */
export function hasLeft(own: Viewport, seen: Viewport): boolean {
  const spanNs = own.toNs - own.fromNs;
  return !isAsWide(seen, spanNs) || Math.abs(seen.fromNs - own.fromNs) > spanNs / 2;
}

/** CPUs the step speaks of, wherever the viewer looks. */
export function stepCpus(state: State): readonly number[] {
  const step = currentStep(state);
  return (step === undefined ? undefined : sceneOf(state, step))?.emphasis.lanes ?? NOBODY;
}

/**
 * CPUs the step speaks of, as long as its own view is on screen: a viewer who looks elsewhere asks
 * for all of them.
 */
export function emphasisOf(state: State): readonly number[] {
  return sceneShown(state)?.emphasis.lanes ?? NOBODY;
}

/** CPUs whose lanes are large on the guided page: those of the step, else those that do anything. */
export function subjectLanes(state: State): readonly number[] {
  const step = currentStep(state);
  const scene = step === undefined ? undefined : sceneOf(state, step);
  if (scene === undefined) return NOBODY;
  // Also while the viewer looks around: rows that jump at a press are worse.
  return scene.emphasis.lanes.length > 0 ? scene.emphasis.lanes : scene.busy;
}

/** What the open step shows, while the viewer has not moved away from it. */
function sceneShown(state: State): Scene | undefined {
  const step = currentStep(state);
  const scene = step === undefined ? undefined : sceneOf(state, step);
  if (scene === undefined) return undefined;
  const { fromNs, toNs } = shownViewport(state);
  const moved = scene.viewport.fromNs !== fromNs || scene.viewport.toNs !== toNs;
  const chosen = state.selection !== undefined && state.selection !== scene.selection;
  return moved || chosen ? undefined : scene;
}

const NOBODY: readonly number[] = [];

/** Whether the open step selects a wake-up as soon as the runs are there to look for it. */
export function willSelect(state: State): boolean {
  return currentStep(state)?.focus.wakeup !== undefined && readyRuns(state) === undefined;
}

/** The id of the lock the viewer asked for, or a step speaks of, on a run of these locks. */
export function focusedLock(state: State): number | undefined {
  const asked = SIDES.map(
    (side) => state.sides[side].shown?.meta.locks.indexOf(state.lockShown ?? "") ?? -1,
  ).find((id) => id >= 0);
  if (asked !== undefined) return asked;
  const step = currentStep(state);
  return step === undefined ? undefined : sceneOf(state, step)?.emphasis.lock;
}
