// The store: one value, changed only by dispatching an action. The reducer has the rules; zustand
// only calls the listeners.

import { createStore, type StoreApi } from "zustand/vanilla";
import type { Action } from "./shape/actions.ts";
import { reduce } from "./reduce/reducer.ts";
import type { State } from "./shape/state.ts";

export interface Store {
  readonly getState: () => State;
  readonly dispatch: (action: Action) => void;
  /**
   * Calls the listeners once for all that `act` dispatches: hundreds of them look at the state each
   * time.
   */
  readonly together: (act: () => void) => void;
  /** Returns the function that ends the subscription. */
  subscribe(listener: (state: State, previous: State) => void): () => void;
  /** zustand's store, which React reads with `useStore`. */
  readonly api: Pick<StoreApi<State>, "getState" | "getInitialState" | "subscribe">;
}

export function makeStore(initial: State): Store {
  const api = createStore<State>(() => initial);
  /** The state that listeners have not seen, while several actions are taken together. */
  let unseen: State | undefined;
  return {
    getState: () => unseen ?? api.getState(),
    dispatch: (action) => {
      if (unseen === undefined) api.setState((state) => reduce(state, action), true);
      else unseen = reduce(unseen, action);
    },
    together: (act) => {
      if (unseen !== undefined) return act();
      unseen = api.getState();
      try {
        act();
      } finally {
        const state = unseen;
        unseen = undefined;
        api.setState(state, true);
      }
    },
    subscribe: api.subscribe,
    api,
  };
}
