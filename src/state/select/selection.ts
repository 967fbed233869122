// The selected wake-up or sample on each side. A selection names one of one side; the other side
// shows its partner by due time.

import { partnerOf, type SampleRecord } from "../../model/index.ts";
import { findSample, samplePartner } from "../../model/tasks/samples.ts";
import type { Selection, Viewport, WakeRecord } from "../../model/trace/run-types.ts";
import { otherSide, perSide, type PerSide, type Side } from "../../scenario/sides.ts";
import type { State } from "../shape/state.ts";
import type { Run, Track } from "../shape/run.ts";

interface Selected extends Pick<State, "selection" | "selectedOn"> {
  readonly sides: PerSide<{ readonly shown: Pick<Run, "trace"> | undefined }>;
}

/** With a selection that counts on a side. */
export function selectedOn(state: State, side: Side, selection: Selection): State {
  return {
    ...state,
    selection,
    selectedOn: side,
    picked: undefined,
    focus: side,
    track: undefined,
    commits: state.commits + 1,
  };
}

/**
 * Row of the selected wake-up in a side's wake-ups; undefined if nothing is selected, or that side
 * has no such wake-up.
 */
export function selectedRow(state: Selected, side: Side): number | undefined {
  const { sides, selectedOn } = state;
  const named = sides[selectedOn].shown?.trace.wakes;
  const row = named?.findSelection(state.selection);
  if (named === undefined || row === undefined || side === selectedOn) return row;
  const other = sides[otherSide(selectedOn)].shown?.trace.wakes;
  return other === undefined ? undefined : partnerOf(named, row, other);
}

/** Everything about it. */
export function selectedWake(state: Selected, side: Side): WakeRecord | undefined {
  const row = selectedRow(state, side);
  return row === undefined ? undefined : state.sides[side].shown?.trace.wakes.record(row);
}

/**
 * The selected sample on a side, or what that side has of the same; undefined if a wake-up or
 * nothing is selected.
 */
export function selectedSample(
  { sides, selection, selectedOn }: Selected,
  side: Side,
): SampleRecord | undefined {
  const trace = sides[selectedOn].shown?.trace;
  const sample =
    selection?.kind === "sample" && trace !== undefined ? findSample(trace, selection) : undefined;
  if (sample === undefined || side === selectedOn) return sample;
  const other = sides[side].shown?.trace;
  return other === undefined ? undefined : samplePartner(sample, other);
}

/** What is selected as a side names it: its number there may be another one. */
export function selectionOn(state: Selected, side: Side): Selection | undefined {
  if (state.selection?.kind === "sample") {
    const sample = selectedSample(state, side);
    return sample === undefined
      ? undefined
      : { kind: "sample", task: sample.task, nth: sample.nth };
  }
  const row = selectedRow(state, side);
  return row === undefined ? undefined : state.sides[side].shown?.trace.wakes.selectionOf(row);
}

/**
 * With what is selected as the run of another text on `side` has it: found again by its instant
 * where the number is gone, and not selected any more where that run cannot have it. Other knobs
 * leave a selection as it is: its wake-up comes back with them.
 */
export function selectedAfterText(state: State, side: Side): State {
  const { shown, previous } = state.sides[side];
  const { selection } = state;
  if (selection === undefined || side !== state.selectedOn || shown === undefined) return state;
  if (previous === undefined || previous.request.text === shown.request.text) return state;
  const known = shown.trace.shape.tasks.some(({ name }) => name === selection.task);
  if (known && shown.report === undefined) return state;
  if (known && selectionOn(state, side) !== undefined) return state;
  const { trace } = previous;
  // The run before as if it were the other side: what it names has its partner here.
  const sides = perSide((each) => ({ shown: each === side ? shown : trace && { trace } }));
  return {
    ...state,
    selection: known
      ? selectionOn({ sides, selection, selectedOn: otherSide(side) }, side)
      : undefined,
  };
}

/** When what is selected on a side began and ended. */
export function selectedStretch(state: Selected, side: Side): Viewport | undefined {
  const wake = selectedWake(state, side);
  if (wake !== undefined) return { fromNs: wake.dueNs, toNs: wake.dueNs + wake.latencyNs };
  const sample = selectedSample(state, side);
  return sample === undefined
    ? undefined
    : { fromNs: sample.fromNs, toNs: sample.fromNs + sample.ns };
}

/**
 * The CPU in question: pointed at or focused last, else the selected wake-up's or sample's, else
 * CPU 0.
 */
export function trackInQuestion(state: Selected & Pick<State, "track" | "focus">): Track {
  const side = state.focus;
  return (
    state.track ?? {
      side,
      cpu: (selectedWake(state, side) ?? selectedSample(state, side))?.cpu ?? 0,
    }
  );
}
