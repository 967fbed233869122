// The picture that a person has chosen, of the state as it is when the picture is made.

import type { State } from "../../state/shape/state.ts";
import { timelineSidesOf, useTimelineSides } from "../page/timeline-sides.ts";
import { usePage } from "../page/page.ts";
import { chosenOf, type Choice } from "./picture-contents.ts";
import type { Chosen } from "./writers/writer.ts";

/** Makes what is chosen from the state as it is now. */
export function useChosen(choice: Choice): () => Chosen {
  const { store, root } = usePage();
  const sides = useTimelineSides();
  return () => chosenOf(store.getState(), sides, choice, `${window.location.origin}${root}`);
}

/** Makes what is chosen of another state of the same runs: a step that is not open. */
export function useChosenOf(choice: Choice): (state: State) => Chosen {
  const { root } = usePage();
  return (state) =>
    chosenOf(state, timelineSidesOf(state), choice, `${window.location.origin}${root}`);
}
