// Going to an instant: the playhead stops there, and the part of the axis around it comes into
// view.

import { shownViewport } from "../../state/select/selectors.ts";
import type { Track } from "../../state/shape/run.ts";
import type { Walk } from "../../state/shape/walk.ts";
import type { Store } from "../../state/store.ts";
import { keepInSight } from "../../effects/play/keep-in-sight.ts";

/** To an event, of one CPU if one is named. */
export function reach(store: Store, ns: number, on?: Track, walk?: Walk): void {
  bringIntoView(store, ns);
  store.dispatch({ type: "event_reached", ns, on, walk });
  keepInSight(store);
}

/** A view that does not show the instant keeps its length and takes it to its middle. */
export function bringIntoView(store: Store, ns: number): void {
  const { fromNs, toNs } = shownViewport(store.getState());
  if (ns >= fromNs && ns <= toNs) return;
  const from = Math.max(0, Math.round(ns - (toNs - fromNs) / 2));
  store.dispatch({
    type: "viewport_set",
    viewport: { fromNs: from, toNs: from + (toNs - fromNs) },
    settled: true,
  });
}
