// Walks along causes: to what led to the event or the wake-up, to another of several causes, and back.

import { causesOfRow, causesOfSpin, causesOfWake, type Cause } from "../../model/causes.ts";
import type { TraceStore } from "../../model/index.ts";
import { selectedWake } from "../../state/compare/selection.ts";
import { LOCK_KINDS } from "../../state/craft/hits.ts";
import { isStart, walkOf, type Start, type Walk } from "../../state/craft/walk.ts";
import { otherSide, type Side } from "../../state/sides.ts";
import type { State } from "../../state/state.ts";
import type { Store } from "../../state/store.ts";
import { bringIntoView, reach } from "./reach.ts";

/** `chosen`: to another of the causes, the next (1) or the last (-1). */
export type Way = "cause" | "back" | 1 | -1;

export function walkAlong(store: Store, way: Way): void {
  const state = store.getState();
  const walk = walkOf(state);
  if (way === "cause") return toCause(store, state, walk);
  if (walk === undefined) return;
  if (way === "back") {
    if (isStart(walk.before)) backTo(store, walk.before);
    else show(store, walk.before);
    return;
  }
  const count = walk.causes.length;
  if (count > 1) show(store, { ...walk, ends: false, chosen: (walk.chosen + way + count) % count });
}

function toCause(store: Store, state: State, walk: Walk | undefined): void {
  if (walk === undefined) {
    const first = firstCauses(state);
    const { playheadNs: ns, eventNs, eventOn: on } = state;
    if (first === undefined) return store.dispatch({ type: "replied", words: NO_CAUSE });
    show(store, { ...first, chosen: 0, ends: false, before: { ns, event: ns === eventNs, on } });
    return;
  }
  const trace = state.sides[walk.side].shown?.trace;
  const at = walk.causes[walk.chosen];
  const causes = trace === undefined || at === undefined ? [] : causesOfRow(trace, at.row);
  show(store, causes.length === 0 ? { ...walk, ends: true } : { ...walk, causes, chosen: 0, ends: false, before: walk });
}

const NO_CAUSE = "The trace names no cause of what stands here. Select a wake-up, or step to an event with K, and press [ again.";

/** One stands as one did before: at the event again, or at none. */
function backTo(store: Store, { ns, event, on }: Start): void {
  if (event) return reach(store, ns, on);
  store.dispatch({ type: "paused" });
  bringIntoView(store, ns);
  store.dispatch({ type: "playhead_set", ns });
}

type FirstCauses = Pick<Walk, "side" | "runId" | "causes">;

/** From the event that was stepped to; where that has no cause or there is none, from the selected wake-up, else from a CPU that spins. */
function firstCauses(state: State): FirstCauses | undefined {
  const { eventOn, eventNs, playheadNs, focus } = state;
  const side = eventOn?.side ?? focus;
  const causes = eventNs === playheadNs ? causesAt(state, side, eventOn?.cpu) : [];
  const run = state.sides[side].shown;
  if (causes.length > 0 && run !== undefined) return { side, runId: run.id, causes };
  for (const each of [focus, otherSide(focus)]) {
    const shown = state.sides[each].shown;
    const wake = selectedWake(state, each);
    const found = shown === undefined || wake === undefined ? [] : causesOfWake(shown.trace, wake);
    if (shown !== undefined && found.length > 0) return { side: each, runId: shown.id, causes: found };
  }
  // Nothing is selected, and CPUs spin at the playhead: they wait for a holder.
  const spin = run === undefined ? [] : causesOfSpin(run.trace, eventOn?.cpu, playheadNs);
  return run === undefined || spin.length === 0 ? undefined : { side, runId: run.id, causes: spin };
}

/** Of all rows at the playhead, of one CPU if one is named. */
function causesAt({ sides, playheadNs }: State, side: Side, cpu: number | undefined): readonly Cause[] {
  const trace = sides[side].shown?.trace;
  if (trace === undefined) return [];
  const { events } = trace;
  const causes: Cause[] = [];
  for (let row = events.firstAt(playheadNs); row < events.count && events.time.at(row) === playheadNs; row += 1) {
    if (cpu === undefined || events.cpu.at(row) === cpu) causes.push(...causesOfRow(trace, row));
  }
  return causes.filter((cause, at) => causes.findIndex(({ row }) => row === cause.row) === at);
}

function show(store: Store, walk: Walk): void {
  const cause = walk.causes[walk.chosen];
  if (cause === undefined) return;
  reach(store, cause.ns, { side: walk.side, cpu: cause.cpu }, walk);
  const trace = store.getState().sides[walk.side].shown?.trace;
  const lock = trace === undefined ? undefined : lockOfRow(trace, cause.row);
  // The lane shows the lock that the sentence names.
  if (lock !== undefined) store.dispatch({ type: "lock_shown", name: lock });
}

function lockOfRow({ events, shape }: TraceStore, row: number): string | undefined {
  return LOCK_KINDS.includes(events.kind.at(row)) ? shape.locks[events.a.at(row)] : undefined;
}
