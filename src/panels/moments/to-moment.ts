// The ways from a number to the moment that made it, and to a sample. Fetched with what answers;
// nothing of it is in the first picture.

import { formatCount } from "../../lib/format.ts";
import { fewSamples } from "../../model/index.ts";
import type { SampleRecord, Viewport } from "../../model/index.ts";
import type { Throttled } from "../../model/trace/group-quota.ts";
import { metricAt } from "../../scenario/metric-path.ts";
import { momentOf, noMomentWords, type Moment } from "../../state/figures/moments.ts";
import type { RunMoment } from "../../state/play/run-moments.ts";
import { domainNs, shownViewport } from "../../state/select/selectors.ts";
import type { Side } from "../../scenario/sides.ts";
import type { State } from "../../state/shape/state.ts";
import type { Store } from "../../state/store.ts";
import { askRows } from "./ask-rows.ts";
import { alongWay, type Way } from "../page/press.ts";
import { bringIntoView } from "./go-to-instant.ts";
import { lookAt, viewportOf } from "./wake-selection.ts";

/** Half of what is shown around a moment that is no wake-up, ns. */
const AROUND_NS = 50_000;

/**
 * Looks at the moment that made the figure at `path`, selected if it is a wake-up or a sample; what
 * one sees then, or why nothing.
 */
export function goToMoment(store: Store, side: Side, path: string): string {
  const moment = momentNow(store, side, path);
  if (moment === undefined) return noMomentWords(path);
  store.dispatch({ type: "paused" });
  // What was selected before is not what made this number.
  if (moment.chosen !== undefined)
    store.dispatch({ type: "selected", selection: moment.chosen, side });
  else store.dispatch({ type: "selection_cleared" });
  store.dispatch({ type: "side_focused", side });
  if (moment.cpu !== undefined)
    store.dispatch({ type: "track_pointed", track: { side, cpu: moment.cpu } });
  if (moment.lock !== undefined) store.dispatch({ type: "lock_shown", name: moment.lock });
  store.dispatch({
    type: "viewport_set",
    viewport: around(store.getState(), side, moment),
    settled: true,
  });
  store.dispatch({ type: "playhead_set", ns: moment.atNs });
  return `You see ${moment.words}.${fewNote(store.getState(), side, path)}`;
}

/** Said of a percentile that too few samples support. */
function fewNote(state: State, side: Side, path: string): string {
  const report = state.sides[side].shown?.report;
  const few = report && fewSamples((leaf) => metricAt(report, leaf), path);
  return few === undefined ? "" : ` Few samples for this percentile (n = ${formatCount(few)}).`;
}

function momentNow(store: Store, side: Side, path: string): Moment | undefined {
  const state = store.getState();
  const run = state.sides[side].shown;
  return run && momentOf(run, path, shownViewport(state));
}

const TABLE: Way = ["dock-open", "dock-numbers", "numbers-search"];

/** Goes to the moment of a number; a number that has no single moment is shown in its table. */
export function goToFigure(store: Store, side: Side, path: string): string {
  const found = momentNow(store, side, path) !== undefined;
  if (!found) {
    askRows(path);
    alongWay(TABLE, (search) => search.scrollIntoView({ block: "nearest" }));
  }
  return goToMoment(store, side, path);
}

function around(state: State, side: Side, { atNs, chosen, untilNs }: Moment): Viewport {
  if (untilNs !== undefined)
    return viewportOfSample({ fromNs: atNs, ns: untilNs - atNs }, domainNs(state));
  const wakes = state.sides[side].shown?.trace.wakes;
  const row = wakes?.findSelection(chosen);
  if (wakes !== undefined && row !== undefined)
    return viewportOf(wakes.record(row), domainNs(state));
  const view = shownViewport(state);
  const half = Math.min(AROUND_NS, (view.toNs - view.fromNs) / 2);
  const fromNs = Math.max(0, Math.min(atNs - half, domainNs(state) - 2 * half));
  return { fromNs, toNs: fromNs + 2 * half };
}

/** The whole sample, with a twentieth of it on both sides. */
function viewportOfSample(
  { fromNs, ns }: Pick<SampleRecord, "fromNs" | "ns">,
  endNs: number,
): Viewport {
  const margin = Math.ceil(ns / 20) + 1;
  return { fromNs: Math.max(0, fromNs - margin), toNs: Math.min(endNs, fromNs + ns + margin) };
}

export function lookAtSample(store: Store, side: Side, sample: SampleRecord): void {
  const viewport = viewportOfSample(sample, domainNs(store.getState()));
  store.dispatch({ type: "paused" });
  store.dispatch({
    type: "selected",
    side,
    selection: { kind: "sample", task: sample.task, nth: sample.nth },
  });
  store.dispatch({ type: "viewport_set", viewport, settled: true });
  store.dispatch({ type: "playhead_set", ns: sample.fromNs });
}

/** A throttle of a group on a CPU, whole, with a fifth of it on both sides. */
export function lookAtThrottle(
  store: Store,
  side: Side,
  { fromNs, toNs }: Pick<Throttled, "fromNs" | "toNs">,
): void {
  const margin = Math.ceil((toNs - fromNs) / 5) + 1;
  const viewport = {
    fromNs: Math.max(0, fromNs - margin),
    toNs: Math.min(domainNs(store.getState()), toNs + margin),
  };
  store.dispatch({ type: "paused" });
  store.dispatch({ type: "side_focused", side });
  store.dispatch({ type: "viewport_set", viewport, settled: true });
  store.dispatch({ type: "playhead_set", ns: fromNs });
}

/**
 * To a moment of the overview: a step as the story opens it, a wake-up selected, all else in its
 * place with room around it.
 */
export function goToRunMoment(store: Store, moment: RunMoment): void {
  const { kind, side, ns, untilNs, wake, step } = moment;
  if (step !== undefined) return store.dispatch({ type: "step_opened", index: step });
  if (untilNs !== undefined) return lookAtThrottle(store, side, { fromNs: ns, toNs: untilNs });
  store.dispatch({ type: "side_focused", side });
  if (wake !== undefined) return lookAt(store, side, wake);
  store.dispatch({ type: "paused" });
  if (kind === "herd") {
    const viewport = around(store.getState(), side, { atNs: ns, words: moment.words });
    store.dispatch({ type: "viewport_set", viewport, settled: true });
  } else bringIntoView(store, ns);
  store.dispatch({ type: "playhead_set", ns });
}
