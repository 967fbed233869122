// Going to a wake-up: which is the next worst, and what part of the time axis shows it.

import { plainText } from "../../engine/plain.ts";
import type { Viewport, WakeRecord } from "../../model/trace/run-types.ts";
import { selectedRow } from "../../state/select/selection.ts";
import { whyNoRun } from "../../state/select/no-run.ts";
import { domainNs, latencyKind } from "../../state/select/selectors.ts";
import type { Side } from "../../scenario/sides.ts";
import type { State } from "../../state/shape/state.ts";
import type { Store } from "../../state/store.ts";
import { clampViewport } from "../../model/trace/viewport.ts";

type ReadStore = Pick<Store, "dispatch" | "getState">;

/** Shortest stretch shown around a wake-up, ns: a herd needs some room to be seen in. */
const SPAN_NS_MIN = 20_000;

/** The wake-up in the middle, with as much again on both sides as the axis has. */
export function viewportOf(wake: WakeRecord, domainNs: number): Viewport {
  const span = Math.max(SPAN_NS_MIN, wake.latencyNs * 3);
  const fromNs = Math.floor(wake.dueNs + wake.latencyNs / 2 - span / 2);
  return clampViewport({ fromNs, toNs: fromNs + span }, domainNs);
}

export function lookAt({ dispatch, getState }: ReadStore, side: Side, wake: WakeRecord): void {
  dispatch({ type: "paused" });
  dispatch({ type: "selected", side, selection: { kind: "wake", task: wake.task, nth: wake.nth } });
  dispatch({
    type: "viewport_set",
    viewport: viewportOf(wake, domainNs(getState())),
    settled: true,
  });
  dispatch({ type: "playhead_set", ns: wake.dueNs });
}

/**
 * To the worst wake-up as seen from `state`, on the side in focus; where there is none, that is
 * said. Whether there is one.
 */
export function goToWorst(store: ReadStore, state: State, direction: 1 | -1): boolean {
  const wake = worstWake(state, state.focus, direction);
  if (wake === undefined)
    store.dispatch({ type: "replied", words: noneWords(state, state.focus, direction) });
  else lookAt(store, state.focus, wake);
  return wake !== undefined;
}

/**
 * Brings the answer into the window, where it is not: a zoomed or small window has room for the
 * picture alone.
 */
export function bringAnswer(): void {
  void import("./show-answer.ts")
    .then(({ showAnswer }) => requestAnimationFrame(showAnswer))
    .catch(() => undefined);
}

/** Why `worstWake` finds nothing, in a sentence. */
function noneWords(state: State, side: Side, direction: 1 | -1): string {
  const { shown, status } = state.sides[side];
  const name = side.toUpperCase();
  if (shown === undefined) return `${name} has ${whyNoRun(status)}.`;
  const kind = latencyKind(state, side);
  const of = kind === undefined ? "" : ` of ${plainText(kind)}`;
  if (worstWake({ ...state, selection: undefined }, side, 1) === undefined)
    return `No wake-up${of} ended in ${name}’s run${status.kind === "computing" ? " so far" : ""}: there is none to go to.`;
  if (selectedRow(state, side) === undefined)
    return `No wake-up${of} is selected on ${name}: L goes to the worst.`;
  return `${name} has no wake-up${of} that is ${direction === 1 ? "less" : "more"} late than the selected one.`;
}

/**
 * The worst wake-up of the shown kind, or the next worst (`1`) or next better (`-1`) after the
 * selected one.
 */
export function worstWake(state: State, side: Side, direction: 1 | -1): WakeRecord | undefined {
  const trace = state.sides[side].shown?.trace;
  if (trace === undefined) return undefined;
  const kind = latencyKind(state, side);
  const selected = selectedRow(state, side);
  let rank = selected === undefined ? -1 : trace.wakes.rank(selected);
  if (selected === undefined && direction === -1) return undefined;
  for (;;) {
    rank += direction;
    const row = rank < 0 ? undefined : trace.wakes.rowAtRank(rank);
    if (row === undefined) return undefined;
    if (trace.shape.tasks[trace.wakes.taskIdOf(row)]?.kind === kind) return trace.wakes.record(row);
  }
}
