// The part of the time axis that is shown follows the playhead.

import { followPlayhead } from "../../model/trace/viewport.ts";
import { domainNs, shownViewport } from "../../state/select/selectors.ts";
import type { Store } from "../../state/store.ts";

/** Turns the page of the time axis when the playhead has left it. */
export function keepInSight(store: Store): void {
  const state = store.getState();
  const viewport = shownViewport(state);
  const next = followPlayhead(viewport, state.playheadNs, domainNs(state));
  if (next !== viewport) store.dispatch({ type: "viewport_set", viewport: next, settled: false });
}
