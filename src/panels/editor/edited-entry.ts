// The entry of a text that is being edited.

import type { ScenarioEntry } from "../../engine/gen/types.ts";
import { ownEntry, readObject, withText } from "../../scenario/viewer-scenario.ts";

/** One that cannot be read leaves what the page shows of the text before it, whose run stays. */
export function editedEntry(before: ScenarioEntry, text: string): ScenarioEntry {
  return text.trim() === "" || readObject(text) !== undefined
    ? ownEntry(text)
    : withText(before, text);
}
