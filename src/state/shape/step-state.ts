// Which step of a scenario is open, and what the step changed by itself.

import type { KnobSets } from "../../scenario/knob-sets.ts";
import type { Side } from "../../scenario/sides.ts";
import type { Selection } from "../../model/trace/run-types.ts";

/** Which step one stands at. */
export interface StepState {
  /** From 0; undefined where a link names the view, and in a scenario without steps. */
  readonly index: number | undefined;
  /** Its view comes with the runs. */
  readonly waiting: boolean;
  /** The knobs before the step flipped some, and after. */
  readonly flipped: { readonly before: KnobSets; readonly after: KnobSets } | undefined;
  /** The wake-up the step selects by itself: no choice of the viewer's. */
  readonly selected: Selection | undefined;
  /** Where the page put the playhead by itself, in a view that begins at `fromNs`. */
  readonly placed?: { readonly ns: number; readonly fromNs: number } | undefined;
  /**
   * What a link states, or the viewer chose, of what the step would choose: the step leaves it. The
   * side stays as long as one stands here.
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
  flipped: undefined,
  selected: undefined,
};
