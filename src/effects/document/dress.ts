// The document's theme: the viewer's on the screen, light on paper.

import type { Store } from "../../state/store.ts";

/** Dresses the page in the theme in force, from now on. */
export function keepDressed(store: Store): void {
  const print = window.matchMedia("print");
  const dress = (): void => {
    document.documentElement.dataset["theme"] = print.matches ? "light" : store.getState().theme;
    // While it plays, what lies ahead has a quarter of its ink.
    if (print.matches && store.getState().playback.playing) store.dispatch({ type: "paused" });
  };
  print.addEventListener("change", dress);
  dress();
  store.subscribe((state, previous) => {
    if (state.theme !== previous.theme) dress();
  });
}
