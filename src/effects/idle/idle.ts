// When the page is at rest: nothing computes, nothing plays, no restart and no script waits, and
// what changed has been painted. Tests and presenters wait for this instead of sleeping.

import { stripsBusy } from "../../state/compare/strips.ts";
import { isAtLeisure } from "../../lib/lazily.tsx";
import { isComputing } from "../../state/select/selectors.ts";
import type { Runner } from "../runs/runner.ts";
import type { Store } from "../../state/store.ts";

declare global {
  interface Window {
    schedscope?: { readonly whenIdle: () => Promise<void> };
  }
}

export function isIdle(store: Store, runner: Runner): boolean {
  const state = store.getState();
  return (
    isAtLeisure() &&
    !isComputing(state) &&
    !stripsBusy(state) &&
    !state.playback.playing &&
    !runner.pending()
  );
}

/** Resolves after two frames in a row at rest: one to draw what changed, one to have it painted. */
export function whenIdle(store: Store, runner: Runner): Promise<void> {
  return new Promise((resolve) => {
    let calm = 0;
    const look = (): void => {
      calm = isIdle(store, runner) ? calm + 1 : 0;
      if (calm > 2) resolve();
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}
