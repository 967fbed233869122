// What happens at the playhead, in sentences: for a viewer who steps from event to event.

import type { TraceStore } from "../../model/index.ts";
import { sayOnCpu, sayRow } from "../../model/words/say-row.ts";
import { SIDES, type Side } from "../../scenario/sides.ts";
import type { State } from "../shape/state.ts";
import type { Track } from "../shape/run.ts";

/**
 * How many sentences one side gets at one instant; a tick of 1024 CPUs has more rows than a viewer
 * reads.
 */
const SENTENCES_MAX = 3;

export interface Happening {
  readonly side: Side;
  readonly sentences: readonly string[];
  /** Rows at the instant that have no sentence here. */
  readonly more: number;
}

/** All of it in one text. */
export function eventWords({ sentences, more }: Pick<Happening, "sentences" | "more">): string {
  return `${sentences.join("; ")}${more > 0 ? `; ${more} more` : ""}.`;
}

/**
 * What happens where the viewer stepped to, on each side that has an event there; none once the
 * playhead is elsewhere.
 */
export function happeningsAt(
  state: Pick<State, "sides" | "eventNs" | "eventOn" | "playheadNs">,
): readonly Happening[] {
  if (state.eventNs !== state.playheadNs) return [];
  if (state.eventOn !== undefined) return onTrack(state, state.eventOn);
  return SIDES.flatMap((side) => {
    const trace = state.sides[side].shown?.trace;
    const rows = trace === undefined ? [] : rowsAt(trace, state.playheadNs);
    if (trace === undefined || rows.length === 0) return [];
    return {
      side,
      sentences: rows.slice(0, SENTENCES_MAX).map((row) => sentence(trace, row)),
      more: Math.max(0, rows.length - SENTENCES_MAX),
    };
  });
}

/** All rows of one CPU: a CPU has no more than a few rows at an instant. */
function onTrack(
  { sides, playheadNs }: Pick<State, "sides" | "playheadNs">,
  { side, cpu }: Track,
): readonly Happening[] {
  const trace = sides[side].shown?.trace;
  const sentences = trace === undefined ? [] : sayOnCpu(trace, cpu, playheadNs);
  return sentences.length === 0 ? [] : [{ side, sentences, more: 0 }];
}

function rowsAt({ events }: TraceStore, ns: number): readonly number[] {
  const first = events.firstAt(ns);
  const rows: number[] = [];
  for (let row = first; row < events.count && events.time.at(row) === ns; row += 1) rows.push(row);
  return rows;
}

function sentence(trace: TraceStore, row: number): string {
  const { kind, cpu, a, b } = trace.events;
  return sayRow(trace, { kind: kind.at(row), cpu: cpu.at(row), a: a.at(row), b: b.at(row) });
}
