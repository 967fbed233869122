// "Which change did it?": what is typed into its window, and what its runs come to.

import { assertUnreachable } from "../../lib/unreachable.ts";
import type { RawSet } from "../../links/link-types.ts";
import { writeWhich } from "../../links/which-form.ts";
import type { ScenarioEntry } from "../../engine/gen/types.ts";
import type { Action } from "../shape/actions.ts";
import type { State } from "../shape/state.ts";
import { NO_ASKING, type Asking, type WhichAction, type WhichWindow } from "../shape/which.ts";

/** One test in place of a case for each: the first script has these words once. */
export function isWhich(action: Action): action is WhichAction {
  return action.type.startsWith("which_");
}

export function reduceWhich(state: State, action: WhichAction): State {
  const { which } = state;
  switch (action.type) {
    case "which_wanted":
      return {
        ...state,
        which: { ...which, shown: true },
        commits: state.commits + Number(!which.shown),
      };
    case "which_opened":
      return opened(state, action.entry, action.form);
    case "which_closed":
      return { ...state, which: { ...which, shown: false, linked: undefined } };
    case "which_typed":
      return { ...state, which: { ...which, form: action.form } };
    default:
      return { ...state, asking: askingAfter(state.asking, action) };
  }
}

/** Another scenario has no answer yet; the same one goes on where it was. */
function opened(state: State, entry: ScenarioEntry, form: WhichWindow["form"]): State {
  const { which, asking } = state;
  const stays = which.entry === entry && form === undefined;
  return {
    ...state,
    which: { ...which, entry, linked: undefined, form: form ?? which.form },
    asking: stays ? asking : { ...NO_ASKING, nth: asking.nth + 1 },
  };
}

type AskingAction = Exclude<
  WhichAction,
  { readonly type: "which_wanted" | "which_opened" | "which_closed" | "which_typed" }
>;

function askingAfter(asking: Asking, action: AskingAction): Asking {
  if ("nth" in action && action.nth !== asking.nth) return asking;
  switch (action.type) {
    case "which_asked":
      return { ...NO_ASKING, nth: asking.nth + 1, asked: action.asked, running: true };
    case "which_stage":
      return { ...asking, stage: action.stage, total: action.runs, done: 0 };
    case "which_ran":
      return { ...asking, done: asking.done + action.runs };
    case "which_found":
      return { ...asking, found: action.found };
    case "which_failed":
      return { ...asking, failed: action.words, running: false };
    case "which_ended":
    case "which_stopped":
      return { ...asking, running: false };
    default:
      return assertUnreachable(action);
  }
}

/**
 * The window as an opened address says. Where the form says exactly the same it stays, with what
 * came of it.
 */
export function whichAt(
  { entry: own, form }: WhichWindow,
  entry: ScenarioEntry,
  linked: RawSet | undefined,
): WhichWindow {
  const holds =
    linked !== undefined &&
    own === entry &&
    form !== undefined &&
    JSON.stringify(writeWhich(form)) === JSON.stringify(linked);
  return { shown: linked !== undefined, linked: holds ? undefined : linked, entry: own, form };
}
