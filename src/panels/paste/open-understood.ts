// Goes to what a text in another tool's language comes to. The text of a scenario of one's own is
// kept before another one takes its place.

import { keepText } from "../../effects/storage/stored-texts.ts";
import { contentOf, type Opens } from "../../dialects/read/understood.ts";
import { writeAddress } from "../../links/link.ts";
import { ownEntry } from "../../scenario/viewer-scenario.ts";
import type { Page } from "../page/page.ts";
import { askThrottle } from "../quota/ask-throttle.ts";

/** `searching`: the window that looks for the smallest limit opens, filled in. */
export function openUnderstood({ store, root, go }: Page, opens: Opens, searching: boolean): void {
  const address = writeAddress(contentOf(opens, searching));
  const { route, entry } = store.getState();
  if (route === "own") keepText(root, () => window.localStorage, entry.text);
  if (address !== undefined) go(`${root}${address}`);
  else if (opens.kind === "scenario")
    store.dispatch({ type: "scenario_written", entry: ownEntry(opens.text) });
  // Who pastes a limit asks whether it stops the program: that is said first, and the text of the
  // scenario stays closed.
  if (opens.kind === "scenario" && opens.search !== undefined) askThrottle(opens.text);
}
