// Moving the playhead event by event, and the part of the axis that keeps it in sight.

import { stepOnCpu } from "../../model/track-events.ts";
import { trackInQuestion } from "../../state/compare/selection.ts";
import { domainNs, shownViewport } from "../../state/selectors.ts";
import { SIDES } from "../../state/sides.ts";
import type { Store } from "../../state/store.ts";
import { followPlayhead } from "../../timeline/index.ts";

/** To the next or the last event of either side. */
export function stepEvent(store: Store, direction: 1 | -1): void {
  const state = store.getState();
  const instants = SIDES.flatMap((side) => state.sides[side].shown?.trace.events.step(state.playheadNs, direction) ?? []);
  if (instants.length === 0) return;
  store.dispatch({ type: "event_reached", ns: direction === 1 ? Math.min(...instants) : Math.max(...instants) });
  keepInSight(store);
}

/** To the next or the last event of one CPU: the one in question. */
export function stepEventOnTrack(store: Store, direction: 1 | -1): void {
  const state = store.getState();
  const on = trackInQuestion(state);
  const trace = state.sides[on.side].shown?.trace;
  const ns = trace === undefined ? undefined : stepOnCpu(trace, on.cpu, state.playheadNs, direction);
  if (ns === undefined) return;
  store.dispatch({ type: "event_reached", ns, on });
  keepInSight(store);
}

/** Turns the page of the time axis when the playhead has left it. */
export function keepInSight(store: Store): void {
  const state = store.getState();
  const viewport = shownViewport(state);
  const next = followPlayhead(viewport, state.playheadNs, domainNs(state));
  if (next !== viewport) store.dispatch({ type: "viewport_set", viewport: next, settled: false });
}
