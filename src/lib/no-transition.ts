// In place of d3-transition, which d3-zoom asks to stop what may be moving: this page moves nothing
// by it, and its gestures come without 10 kB of transitions (vite.config.ts).

import { selection } from "d3-selection";

/** There is never a transition to stop. */
export function interrupt(): undefined {
  return undefined;
}

Object.assign(selection.prototype as object, {
  interrupt(this: unknown) {
    return this;
  },
});
