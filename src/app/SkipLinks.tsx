// First in the order of Tab, out of sight until focused: to the results, and to the answer most
// people come for.

import type { MouseEvent, ReactNode } from "react";
import { flushSync } from "react-dom";
import { usePage } from "../panels/page/page.ts";
import { bringAnswer, goToWorst } from "../panels/moments/wake-selection.ts";

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
          // The panel has to be there before it can have the focus.
          const found = flushSync(() =>
            goToWorst(store, { ...store.getState(), selection: undefined }, 1),
          );
          focusOn(event, found ? "dock-panel-why" : "results");
          if (found) bringAnswer();
        }}
      >
        Go to the worst wake-up
      </a>
    </>
  );
}
