// Goes to what a pasted text comes to. The text of a scenario of one's own is kept before another
// one takes its place.

import { keepText } from "../../effects/storage/stored-texts.ts";
import type { ReadObject, Settings } from "../../engine/paste-object.ts";
import { writeAddress } from "../../links/link.ts";
import type { LinkContent } from "../../links/link-types.ts";
import { valueText } from "../../scenario/knob-values.ts";
import { ownEntry } from "../../scenario/viewer-scenario.ts";
import type { Page } from "../page/page.ts";
import { askThrottle } from "../quota/ask-throttle.ts";

export interface Opening {
  /** The scenario's file. */
  readonly text: string;
  /** Whether it is about a group with a limit. */
  readonly limits: boolean;
  /** What B is set to; none: the scenario's own variants. */
  readonly set?: Settings;
}

/** None where the text comes to no scenario. */
export function openingOf({ scenario_text: text, group }: ReadObject): Opening | undefined {
  return text === null ? undefined : { text, limits: group !== null };
}

export function openUnderstood({ store, root, go }: Page, { text, limits, set }: Opening): void {
  const address = writeAddress(contentOf(text, set));
  const { route, entry } = store.getState();
  if (route === "own") keepText(root, () => window.localStorage, entry.text);
  if (address !== undefined) go(`${root}${address}`);
  else store.dispatch({ type: "scenario_written", entry: ownEntry(text) });
  // Who pastes a limit asks whether it stops the program: that is said first, and the text of the
  // scenario stays closed.
  if (limits) askThrottle(text);
}

/** The link that opens a scenario of one's own. */
export function contentOf(text: string, set: Settings = {}): LinkContent {
  const b = Object.entries(set).map(([path, value]) => [path, valueText(value)] as const);
  return { slug: undefined, scenario: text, both: [], a: [], b, view: {}, unknown: [] };
}
