// One step back or on in the history of what is computed, and a sentence that says what that was.
// The key, the buttons and the palette all come here.

import type { Page } from "../page/page.ts";

/** The words come with the first step: a script of their own. */
export function stepInHistory({ store, catalogue }: Page, way: "undone" | "redone"): void {
  const before = store.getState();
  store.dispatch({ type: way });
  const after = store.getState();
  void import("./undo-words.ts")
    .then(({ undoWords }) => {
      // A further step has words of its own.
      if (store.getState().undo === after.undo)
        store.dispatch({ type: "replied", words: undoWords(before, after, way, catalogue.knobs) });
    })
    .catch(() => undefined);
}
