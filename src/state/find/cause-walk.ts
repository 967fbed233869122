// The way along causes: from the event where the viewer began to one of its causes, and on. Knows
// rows by their words only.
import type { State } from "../shape/state.ts";
import type { Walk, Start } from "../shape/walk.ts";

export function isStart(before: Walk["before"]): before is Start {
  return !("causes" in before);
}

/** The way one is on; none once the playhead is elsewhere or the run is another. */
export function walkOf(
  state: Pick<State, "walk" | "sides" | "eventNs" | "playheadNs">,
): Walk | undefined {
  const { walk, sides, eventNs, playheadNs } = state;
  return walk !== undefined && eventNs === playheadNs && sides[walk.side].shown?.id === walk.runId
    ? walk
    : undefined;
}

/** The cause that the viewer is at, in a sentence, with the keys that lead on. */
export function walkWords({ causes, chosen, ends }: Walk): string {
  const several =
    causes.length > 1
      ? ` (${String(chosen + 1)} of ${String(causes.length)}: Ctrl+[ and Ctrl+] choose)`
      : "";
  return `${causes[chosen]?.words ?? ""}${several}${ends ? "; the trace names no cause of this" : ""}`;
}
