// What is typed into the sweep's window, and what its runs come to.

import type { ScenarioEntry } from "../../engine/gen/types.ts";
import { assertUnreachable } from "../../lib/unreachable.ts";
import type { RawSet } from "../../links/link-types.ts";
import { writeSweep, type SearchForm } from "../../links/sweep-form.ts";
import type { State } from "../shape/state.ts";
import {
  NO_SWEEPING,
  type Search,
  type SweepAction,
  type SweepForms,
  type Sweeping,
  type SweepWindow,
} from "../shape/sweep.ts";

export function reduceSweep(state: State, action: SweepAction): State {
  switch (action.type) {
    case "sweep_opened":
      return opened(state, action.entry, action.forms);
    case "sweep_closed":
      return { ...state, sweep: { ...state.sweep, shown: false, linked: undefined } };
    case "sweep_filled":
      return filled(state, action.entry, action.forms);
    case "sweep_typed":
      return typed(state, (forms) => ({ ...forms, form: action.form }));
    case "search_typed":
      return {
        ...typed(state, (forms) => ({ ...forms, search: action.search })),
        sweeping: { ...state.sweeping, found: stillFound(state, action.search) },
      };
    default:
      return { ...state, sweeping: sweepingAfter(state.sweeping, action) };
  }
}

/**
 * Opening the window makes an entry in the browser's history, so that going back closes it. Another
 * scenario starts with an empty window; the same one goes on where it was.
 */
function opened(state: State, entry: ScenarioEntry, forms: SweepForms): State {
  const { sweep, commits } = state;
  const own = sweep.entry === entry ? state : filled(state, entry, forms);
  return {
    ...own,
    sweep: { ...own.sweep, shown: true, linked: undefined },
    commits: sweep.shown ? commits : commits + 1,
  };
}

function filled(state: State, entry: ScenarioEntry, forms: SweepForms): State {
  return {
    ...state,
    sweep: { shown: state.sweep.shown, linked: undefined, entry, forms },
    sweeping: { ...NO_SWEEPING, nth: state.sweeping.nth + 1 },
  };
}

function typed(state: State, change: (forms: SweepForms) => SweepForms): State {
  const { forms } = state.sweep;
  return forms === undefined
    ? state
    : { ...state, sweep: { ...state.sweep, forms: change(forms) } };
}

/**
 * The answer found before, as long as the question is still the same; a changed question has no
 * answer.
 */
function stillFound({ sweep, sweeping }: State, search: SearchForm): Search | undefined {
  const before = sweep.forms?.search;
  const keys = Object.keys(search) as (keyof SearchForm)[];
  const other = sweeping.running !== "search" && keys.some((key) => search[key] !== before?.[key]);
  return other ? undefined : sweeping.found;
}

type RunsAction = Exclude<
  SweepAction,
  {
    readonly type:
      "sweep_opened" | "sweep_closed" | "sweep_filled" | "sweep_typed" | "search_typed";
  }
>;

function sweepingAfter(sweeping: Sweeping, action: RunsAction): Sweeping {
  if ("nth" in action && action.nth !== sweeping.nth) return sweeping;
  const { done, left, total } = sweeping;
  const started = { nth: sweeping.nth + 1, done: 0 };
  switch (action.type) {
    case "sweep_started": {
      const { plan, common } = action;
      const runs = { counted: "sweep", total: action.total, running: "sweep" } as const;
      return { ...sweeping, ...started, ...runs, plan, common, results: [] };
    }
    case "sweep_heard": {
      const results = [...sweeping.results, ...action.results];
      return { ...sweeping, results, done: done + action.results.length };
    }
    case "search_started":
      return { ...sweeping, ...started, counted: "search", total: 0, left: 0, running: "search" };
    case "search_tries":
      return { ...sweeping, total: total + action.runs };
    case "search_ran":
      return { ...sweeping, done: done + action.runs, left: left - action.runs };
    case "search_found":
      return { ...sweeping, found: action.found, left: action.left };
    case "sweep_ended":
    case "sweep_stopped":
      return { ...sweeping, running: undefined };
    default:
      return assertUnreachable(action);
  }
}

/**
 * The window as an opened address says. Where the forms say exactly the same they stay, with what
 * came of them: one who goes back and forward finds the results, too.
 */
export function windowAt(
  { entry: own, forms }: SweepWindow,
  entry: ScenarioEntry,
  linked: RawSet | undefined,
): SweepWindow {
  const holds =
    linked !== undefined &&
    own === entry &&
    forms !== undefined &&
    JSON.stringify(writeSweep(forms.form, forms.search)) === JSON.stringify(linked);
  return {
    shown: linked !== undefined,
    linked: holds ? undefined : linked,
    entry: own,
    forms,
  };
}
