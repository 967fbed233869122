// The document's title: what the page shows.

import { titleOf } from "../../state/select/title.ts";
import type { Store } from "../../state/store.ts";

export function keepTitle(store: Store): void {
  const entitle = (): void => {
    const title = titleOf(store.getState());
    if (document.title !== title) document.title = title;
  };
  entitle();
  store.subscribe(entitle);
}
