// The scenario as a file of the viewer's.

import { download } from "../../lib/download.ts";

/** Hands the text to the browser as a download. */
export function saveScenario(text: string): void {
  download("scenario.json", text, "application/json");
}
