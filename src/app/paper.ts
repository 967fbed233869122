// What printing needs beyond a style sheet: light colours.

import type { Store } from "../state/store.ts";

/** Dresses the page in the theme in force, on paper light; `dress` does so again. */
export function dressForPaper(store: Store): () => void {
  const print = window.matchMedia("print");
  const dress = (): void => {
    document.documentElement.dataset["theme"] = print.matches ? "light" : store.getState().theme;
  };
  print.addEventListener("change", dress);
  dress();
  return dress;
}
