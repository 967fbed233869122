// Which step of a scenario is open, and what the step changed by itself.

import type { KnobSets } from "../../scenario/knob-sets.ts";
import type { Side } from "../../scenario/sides.ts";
import type { Selection, Viewport } from "../../model/trace/run-types.ts";

/** Which step is open. */
export interface StepState {
  /** From 0; undefined where a link names the view, and in a scenario without steps. */
  readonly index: number | undefined;
  /** The step's view comes with the runs. */
  readonly waiting: boolean;
  /** It plays up to its answer as soon as its view is there. */
  readonly plays: boolean;
  /** A link names it: whoever sent the link wants its picture seen, not a bet made. */
  readonly named?: boolean | undefined;
  /** The knobs before the step flipped some, and after. */
  readonly flipped: { readonly before: KnobSets; readonly after: KnobSets } | undefined;
  /** The wake-up the step selects by itself: no choice of the viewer's. */
  readonly selected: Selection | undefined;
  /** Where the page put the playhead by itself, and the view that it chose. */
  readonly placed?: (Viewport & { readonly ns: number }) | undefined;
  /**
   * What a link states, or the viewer chose, in place of the step's own choice: the step leaves
   * that as it is. The side stays as long as the step is open.
   */
  readonly linked?:
    | {
        readonly side?: Side | undefined;
        readonly ns?: number | undefined;
        readonly selection?: Selection | undefined;
      }
    | undefined;
}

export const NO_STEP: StepState = {
  index: undefined,
  waiting: false,
  plays: false,
  flipped: undefined,
  selected: undefined,
};
