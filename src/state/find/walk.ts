// The way along causes: from what one stood at to one of its causes, and on. Knows rows by their
// words only.

import type { Cause } from "../../model/causes.ts";
import type { Side } from "../../scenario/sides.ts";
import type { State, Track } from "../shape/state.ts";

/** One step of the way, with the way to it. */
export interface Walk {
  readonly side: Side;
  /** Number of the run whose rows these are. */
  readonly runId: number;
  /** Of what one stood at before; one stands at one of them. Never empty. */
  readonly causes: readonly Cause[];
  readonly chosen: number;
  /** The trace names no cause of this one. */
  readonly ends: boolean;
  /** The step before, or where the way began. */
  readonly before: Walk | Start;
}

/** Where a way began: an instant, or an event that one had stepped to. */
export interface Start {
  readonly ns: number;
  readonly event: boolean;
  /** The CPU whose event that is; undefined: of any CPU. */
  readonly on: Track | undefined;
}

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

/** The cause one stands at, in a sentence, with the keys that lead on. */
export function walkWords({ causes, chosen, ends }: Walk): string {
  const several =
    causes.length > 1
      ? ` (${String(chosen + 1)} of ${String(causes.length)}: Ctrl+[ and Ctrl+] choose)`
      : "";
  return `${causes[chosen]?.words ?? ""}${several}${ends ? "; the trace names no cause of this" : ""}`;
}
