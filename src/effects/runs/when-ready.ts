// Waiting for what the page computes.

import type { State } from "../../state/shape/state.ts";
import type { Store } from "../../state/store.ts";

/**
 * Calls `then` once the page is ready, at once if it is so already; never where it is no longer
 * wanted by then.
 */
export function whenReady(
  store: Store,
  isReady: (state: State) => boolean,
  isWanted: (state: State) => boolean,
  then: () => void,
): void {
  if (isReady(store.getState()) && isWanted(store.getState())) return then();
  const stop = store.subscribe((state) => {
    const wanted = isWanted(state);
    if (wanted && !isReady(state)) return;
    // Before `then`, which changes the state again.
    stop();
    if (wanted) then();
  });
}
