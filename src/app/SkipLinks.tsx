// First in the order of Tab, out of sight until focused: to the results, and to the answer most people come for.

import type { MouseEvent, ReactNode } from "react";
import { flushSync } from "react-dom";
import { usePage } from "../panels/page.ts";
import { lookAt, worstWake } from "../panels/wake-selection.ts";

/** The focus moves, not the address: the fragment is the link's. */
function focusOn(event: MouseEvent, id: string): void {
  event.preventDefault();
  document.getElementById(id)?.focus();
}

export function SkipLinks(): ReactNode {
  const { store } = usePage();
  return (
    <>
      <a className="skip" href="#results" onClick={(event) => focusOn(event, "results")}>
        Skip to the results
      </a>
      {/* It names what is always there: the panel it goes to comes with the selection. */}
      <a
        className="skip"
        href="#results"
        data-testid="skip-worst"
        onClick={(event) => {
          const state = store.getState();
          const wake = worstWake({ ...state, selection: undefined }, state.focus, 1);
          // The panel has to be there before it can have the focus.
          if (wake !== undefined) flushSync(() => lookAt(store.dispatch, state.focus, wake));
          focusOn(event, wake === undefined ? "results" : "dock-panel-why");
        }}
      >
        Go to the worst wake-up
      </a>
    </>
  );
}
