// Going to an instant: the playhead stops there, and the part of the axis around it comes into view.

import { shownViewport } from "../state/selectors.ts";
import type { Track } from "../state/state.ts";
import type { Walk } from "../state/craft/walk.ts";
import type { Store } from "../state/store.ts";
import { keepInSight } from "./playing.ts";

/** To an event, of one CPU if one is named. A view that does not show it keeps its length and takes it to its middle. */
export function reach(store: Store, ns: number, on?: Track, walk?: Walk): void {
  const { dispatch } = store;
  const { fromNs, toNs } = shownViewport(store.getState());
  if (ns < fromNs || ns > toNs) {
    const from = Math.max(0, Math.round(ns - (toNs - fromNs) / 2));
    dispatch({ type: "viewport_set", viewport: { fromNs: from, toNs: from + (toNs - fromNs) }, settled: true });
  }
  dispatch({ type: "event_reached", ns, on, walk });
  keepInSight(store);
}
