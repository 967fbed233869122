// Moving the playhead event by event.

import { stepOnCpu } from "../../model/trace/track-events.ts";
import { trackInQuestion } from "../../state/select/selection.ts";
import { shownViewport } from "../../state/select/selectors.ts";
import { SIDES } from "../../scenario/sides.ts";
import type { Track } from "../../state/shape/run.ts";
import type { Store } from "../../state/store.ts";
import { keepInSight } from "../../effects/play/keep-in-sight.ts";

/** A move of the playhead by less of the view than this is not seen. */
const SEEN = 1 / 500;
/** The view comes so near, ns, or so near that the move is this much of it. */
const NEAR_NS = 20_000;
const NEAR = 1 / 20;

/** To the next or the last event of either side. */
export function stepEvent(store: Store, direction: 1 | -1): void {
  const state = store.getState();
  const instants = SIDES.flatMap(
    (side) => state.sides[side].shown?.trace.events.step(state.playheadNs, direction) ?? [],
  );
  if (instants.length === 0) return;
  stepTo(store, direction === 1 ? Math.min(...instants) : Math.max(...instants));
}

/** To the next or the last event of one CPU: the one in question. */
export function stepEventOnTrack(store: Store, direction: 1 | -1): void {
  const state = store.getState();
  const on = trackInQuestion(state);
  const trace = state.sides[on.side].shown?.trace;
  const ns =
    trace === undefined ? undefined : stepOnCpu(trace, on.cpu, state.playheadNs, direction);
  if (ns === undefined) return;
  stepTo(store, ns, on);
}

/** In a view so wide that the step would not be seen, the view comes nearer. */
function stepTo(store: Store, ns: number, on?: Track): void {
  const state = store.getState();
  const { fromNs, toNs } = shownViewport(state);
  const step = Math.abs(ns - state.playheadNs);
  const near = Math.max(NEAR_NS, step / NEAR);
  if (step < (toNs - fromNs) * SEEN && near < toNs - fromNs) {
    const from = Math.max(0, Math.round(ns - near / 2));
    store.dispatch({
      type: "viewport_set",
      viewport: { fromNs: from, toNs: Math.round(from + near) },
      settled: true,
    });
  }
  store.dispatch({ type: "event_reached", ns, on });
  keepInSight(store);
}
