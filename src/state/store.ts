// The store: one value, changed only by dispatching an action. Its discipline is the reducer's; zustand only tells listeners.

import { createStore, type StoreApi } from "zustand/vanilla";
import type { Action } from "./actions.ts";
import { reduce } from "./reducer.ts";
import type { State } from "./state.ts";

export interface Store {
  readonly getState: () => State;
  readonly dispatch: (action: Action) => void;
  /** Returns the function that ends the subscription. */
  subscribe(listener: (state: State, previous: State) => void): () => void;
  /** For `useStore` of zustand, which React reads it with. */
  readonly api: Pick<StoreApi<State>, "getState" | "getInitialState" | "subscribe">;
}

export function makeStore(initial: State): Store {
  const api = createStore<State>(() => initial);
  return {
    getState: api.getState,
    dispatch: (action) => api.setState((state) => reduce(state, action), true),
    subscribe: api.subscribe,
    api,
  };
}
