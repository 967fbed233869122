// What the browser's tab says: the question, by which the viewer finds one of many tabs.

import { questionOf } from "../../state/select/selectors.ts";
import type { State } from "../../state/shape/state.ts";
import type { Store } from "../../state/store.ts";

const NAME = "schedscope";

/**
 * The tab's title. A changed comparison says so, for it is another than the shipped one in the next
 * tab.
 */
export function titleOf(state: State): string {
  const { linkProblem, route, knobs } = state;
  if (linkProblem !== undefined) {
    const missing = linkProblem.code === "no_page" || linkProblem.code === "no_preset";
    return `${missing ? "No such page" : "This link cannot be opened"} · ${NAME}`;
  }
  if (route === "own" && state.entry.text.trim() === "") return `Your own scenario · ${NAME}`;
  const changed = knobs.both.length + knobs.a.length + knobs.b.length + knobs.live.length > 0;
  if (route === "home" && !changed) return `${NAME}: why was this wake-up late?`;
  return `${questionOf(state)}${changed ? " (changed)" : ""} · ${NAME}`;
}

/** Keeps the tab's title on what the page shows. */
export function keepTitle(store: Store): void {
  const entitle = (): void => {
    const title = titleOf(store.getState());
    if (document.title !== title) document.title = title;
  };
  entitle();
  store.subscribe(entitle);
}
