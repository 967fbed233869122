// Walks along causes: to what led to the event or the wake-up, to another of several causes, and
// back.

import { causesOfRow, causesOfSpin, causesOfWake, type Cause } from "../../model/causes/causes.ts";
import type { TraceStore } from "../../model/index.ts";
import { selectedWake } from "../../state/select/selection.ts";
import { LOCK_KINDS } from "../../state/find/next-hit.ts";
import { isStart, walkOf } from "../../state/find/cause-walk.ts";
import { type Start, type Walk } from "../../state/shape/walk.ts";
import { otherSide, type Side } from "../../scenario/sides.ts";
import type { State } from "../../state/shape/state.ts";
import type { Store } from "../../state/store.ts";
import { bringIntoView, reach } from "./go-to-instant.ts";

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
    if (first === undefined)
      return store.dispatch({
        type: "replied",
        words: ns === eventNs ? NO_CAUSE_OF_EVENT : NO_CAUSE,
      });
    show(store, { ...first, chosen: 0, ends: false, before: { ns, event: ns === eventNs, on } });
    return;
  }
  const trace = state.sides[walk.side].shown?.trace;
  const at = walk.causes[walk.chosen];
  const causes = trace === undefined || at === undefined ? [] : causesOfRow(trace, at.row);
  show(
    store,
    causes.length === 0
      ? { ...walk, ends: true }
      : { ...walk, causes, chosen: 0, ends: false, before: walk },
  );
}

const NO_CAUSE_OF_EVENT =
  "The trace names no cause of this event. Select a wake-up, or step to another event with K, and press [ again.";
const NO_CAUSE =
  "The trace names no cause of what stands here. Select a wake-up, or step to an event with K, and press [ again.";

/** Returns to the place where the walk began: to its event, or to an instant without one. */
function backTo(store: Store, { ns, event, on }: Start): void {
  if (event) return reach(store, ns, on);
  store.dispatch({ type: "paused" });
  bringIntoView(store, ns);
  store.dispatch({ type: "playhead_set", ns });
}

type FirstCauses = Pick<Walk, "side" | "runId" | "causes">;

/**
 * From the event that was stepped to; where that has no cause or there is none, from the selected
 * wake-up, else from a CPU that spins.
 */
function firstCauses(state: State): FirstCauses | undefined {
  const { eventOn: on, eventNs, playheadNs, focus } = state;
  const both = [focus, otherSide(focus)];
  // Event by event goes along both sides: the event may be of either.
  const there = on === undefined ? both : [on.side];
  const ofEvent = (trace: TraceStore): readonly Cause[] => causesAt(trace, playheadNs, on?.cpu);
  const ofSpin = (trace: TraceStore): readonly Cause[] => causesOfSpin(trace, on?.cpu, playheadNs);
  const ofWake = (trace: TraceStore, side: Side): readonly Cause[] => {
    const wake = selectedWake(state, side);
    return wake === undefined ? [] : causesOfWake(trace, wake);
  };
  return (
    (eventNs === playheadNs ? firstOf(state, there, ofEvent) : undefined) ??
    firstOf(state, both, ofWake) ??
    // Nothing is selected, and CPUs spin at the playhead: they wait for a holder.
    firstOf(state, there, ofSpin)
  );
}

/** The causes on the first side that has any. */
function firstOf(
  { sides }: State,
  among: readonly Side[],
  causesOf: (trace: TraceStore, side: Side) => readonly Cause[],
): FirstCauses | undefined {
  for (const side of among) {
    const run = sides[side].shown;
    const causes = run === undefined ? [] : causesOf(run.trace, side);
    if (run !== undefined && causes.length > 0) return { side, runId: run.id, causes };
  }
  return undefined;
}

/** The causes of all rows at the playhead; only those of `cpu` if it is given. */
function causesAt(trace: TraceStore, ns: number, cpu: number | undefined): readonly Cause[] {
  const { events } = trace;
  const causes: Cause[] = [];
  for (let row = events.firstAt(ns); row < events.count && events.time.at(row) === ns; row += 1) {
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
