// What printing needs beyond a style sheet: light colours, and a picture that stands still.

import type { Store } from "../state/store.ts";

/** Dresses the page in the theme in force, on paper light; `dress` does so again. */
export function dressForPaper(store: Store): () => void {
  const print = window.matchMedia("print");
  const dress = (): void => {
    document.documentElement.dataset["theme"] = print.matches ? "light" : store.getState().theme;
    // While it plays, what lies ahead has a quarter of its ink.
    if (print.matches && store.getState().playback.playing) store.dispatch({ type: "paused" });
  };
  print.addEventListener("change", dress);
  dress();
  return dress;
}
