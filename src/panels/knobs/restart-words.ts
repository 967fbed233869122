// What a knob of the run's start does once it was turned: the run begins anew, and with which
// random draws.

import { sameValue } from "../../scenario/knob-values.ts";
import { knobValue } from "../../state/select/selectors.ts";
import type { State } from "../../state/shape/state.ts";

export const SEED = "seed";

export function restartWords(state: State, path: string): string {
  const [a, b] = [knobValue(state, "a", SEED), knobValue(state, "b", SEED)];
  if (a !== undefined && b !== undefined && !sameValue(a, b))
    return "restarts from 0, each side with its own seed";
  return `restarts from 0, ${path === SEED ? "with this seed" : "same seed"}`;
}
