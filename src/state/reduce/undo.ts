// What undo and redo go between: everything the viewer decides about what is computed. All controls
// add to one bounded list. What is only looked at (view, selection, area, markers, lanes) is not in
// it.

import { stripsOf } from "../compare/strips.ts";
import { requestFor, sameRequest } from "../select/selectors.ts";
import { otherSide, SIDES } from "../../scenario/sides.ts";
import { isAnother } from "../../scenario/viewer-scenario.ts";
import type { State, Undo, UndoStep } from "../shape/state.ts";

/** Steps kept; of more, the oldest goes. */
export const UNDO_MAX = 200;
/**
 * Characters of scenario texts that the steps keep alive, each text once; a text has up to a
 * million.
 */
const TEXTS_MAX = 4_000_000;

/** What is computed now, as a step to come back to. */
function stepTo(
  { route, entry, knobs, moreRecords, strips, step }: State,
  swaps: boolean,
): UndoStep {
  return {
    route,
    entry,
    knobs,
    moreRecords,
    strips: strips.map(({ variant }) => variant),
    step,
    swaps,
  };
}

function pushed(past: readonly UndoStep[], step: UndoStep): readonly UndoStep[] {
  const all = [...past, step].slice(-UNDO_MAX);
  const texts = new Set<string>();
  let characters = 0;
  const first = all.findLastIndex(({ entry: { text } }) => {
    if (!texts.has(text)) characters += text.length;
    texts.add(text);
    return characters > TEXTS_MAX;
  });
  // The step that was just left is kept whatever its size.
  return all.slice(Math.min(first + 1, all.length - 1));
}

/**
 * `after`, with the way back to `before` in its history. `open`: more of the same change is to
 * come. `swaps`: A and B were exchanged. What computes the same is no step: to undo it would change
 * nothing that one sees.
 */
export function withHistory(
  before: State,
  after: State,
  { open = false, swaps = false } = {},
): State {
  const { undo, commits } = before;
  if (computesSame(stepTo(before, false), stepTo(after, false)))
    return open ? after : settled(after);
  const past = undo.open ? undo.past : pushed(undo.past, stepTo(before, swaps));
  return { ...after, commits: open ? commits : commits + 1, undo: { past, future: [], open } };
}

/** A slider was let go. One that came back to where it was taken up leaves no step. */
export function settled(state: State): State {
  const { undo, commits } = state;
  if (!undo.open) return state;
  const start = undo.past.at(-1);
  const back = start !== undefined && computesSame(start, stepTo(state, false));
  return {
    ...state,
    commits: back ? commits : commits + 1,
    undo: { ...undo, past: back ? undo.past.slice(0, -1) : undo.past, open: false },
  };
}

function computesSame(one: UndoStep, other: UndoStep): boolean {
  return (
    one.entry === other.entry &&
    sameStrips(one, other) &&
    SIDES.every((side) => sameRequest(requestFor(one, side), requestFor(other, side)))
  );
}

function sameStrips(one: UndoStep, other: UndoStep): boolean {
  return one.strips.join("\n") === other.strips.join("\n");
}

export function undone(state: State): State {
  const step = state.undo.past.at(-1);
  if (step === undefined) return state;
  return wentTo(state, step, {
    past: state.undo.past.slice(0, -1),
    future: [stepTo(state, step.swaps), ...state.undo.future],
  });
}

export function redone(state: State): State {
  const [step, ...future] = state.undo.future;
  if (step === undefined) return state;
  return wentTo(state, step, { past: pushed(state.undo.past, stepTo(state, step.swaps)), future });
}

function wentTo(state: State, there: UndoStep, rest: Omit<Undo, "open">): State {
  const { entry, knobs, moreRecords, swaps } = there;
  const gone = {
    ...state,
    knobs,
    moreRecords,
    strips:
      entry === state.entry && sameStrips(stepTo(state, false), there)
        ? state.strips
        : stripsOf({ ...state, entry }, there.strips),
    undo: { ...rest, open: false },
    turned: undefined,
    moved: [],
    metaBefore: undefined,
    commits: state.commits + 1,
    expectation: undefined,
    // Another text has other steps. The view stays where the text was edited.
    ...(entry === state.entry
      ? {}
      : {
          ...(isAnother(state.entry, entry) && UNSEEN),
          entry,
          route: there.route,
          step: { ...there.step, waiting: isAnother(state.entry, entry) },
          linkProblem: undefined,
        }),
  };
  return swaps ? exchanged(gone) : gone;
}

/** No view yet: the runs, once they are there, say where it is. */
const UNSEEN = { viewport: undefined, firstViewport: undefined, playheadNs: 0 };

/** The selected wake-up goes with its run. */
export function exchanged(state: State): State {
  return { ...state, selectedOn: otherSide(state.selectedOn) };
}
