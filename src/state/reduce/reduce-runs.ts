// What an engine's answers change. The previous run stays on screen until the new one has something
// to draw; an error or a fault leaves it there.

import { assertUnreachable } from "../../lib/unreachable.ts";
import type { RunAction } from "../shape/actions.ts";
import { previousAfter } from "../compare/ghost.ts";
import { selectedAfterText } from "../select/selection.ts";
import { settleStep } from "./reduce-steps.ts";
import { movedAside } from "../select/offers.ts";
import { withText } from "../../scenario/viewer-scenario.ts";
import { withSide } from "../../scenario/sides.ts";
import type { State } from "../shape/state.ts";
import type { Run, SideState } from "../shape/run.ts";

export function reduceRun(state: State, action: RunAction): State {
  const before = state.sides[action.side];
  const stale =
    action.type !== "run_requested" &&
    action.type !== "run_cancelled" &&
    action.run !== before.runId;
  if (stale) return state;
  if (action.type === "run_refused") {
    const aside = movedAside(state, action.side, action.error);
    if (aside !== undefined)
      return { ...state, knobs: aside.knobs, moved: [...state.moved, aside.moved] };
  }
  const after = sideAfter(before, action);
  if (after === before) return state;
  const next = {
    ...state,
    ...entryAfter(state, action),
    sides: withSide(state.sides, action.side, after),
  };
  if (action.type === "run_grew") return selectedAfterText(next, action.side);
  return action.type === "run_finished" ? settleStep(selectedAfterText(next, action.side)) : next;
}

/**
 * A text that the engine refuses leaves what the page shows to the one it took last, as the run
 * before stays.
 */
function entryAfter({ entry, taken }: State, action: RunAction): Pick<State, "entry" | "taken"> {
  if (action.type === "run_meta")
    return { entry, taken: action.request.text === entry.text ? entry : taken };
  const refused =
    action.type === "run_refused" &&
    taken !== undefined &&
    taken.text !== entry.text &&
    taken.variants !== entry.variants;
  return { entry: refused ? withText(taken, entry.text) : entry, taken };
}

/** What a new run may be made from. */
function endedOf({ shown, before }: SideState): SideState["before"] {
  return shown?.report === undefined ? before : { request: shown.request, report: shown.report };
}

function sideAfter(side: SideState, action: RunAction): SideState {
  switch (action.type) {
    case "run_requested":
      return {
        ...side,
        runId: action.run,
        coming: undefined,
        reported: undefined,
        before: endedOf(side),
        status: { kind: "computing", shareDone: 0 },
      };
    case "run_meta":
      return {
        ...side,
        coming: {
          id: action.run,
          request: action.request,
          meta: action.meta,
          trace: action.trace,
          version: action.trace.version,
          simulatedNs: 0,
          report: undefined,
        },
      };
    case "run_grew":
      return grown(side, action);
    case "run_reported":
      return { ...side, reported: action.report };
    case "run_finished":
      return finished(side, action);
    case "run_refused":
      return {
        ...side,
        coming: undefined,
        status: { kind: "scenario_error", error: action.error },
      };
    case "run_faulted":
      return {
        ...side,
        coming: undefined,
        status: {
          kind: "fault",
          message: action.message,
          replay: action.replay,
          blame: action.blame,
        },
      };
    case "run_cancelled":
      return side.status.kind === "computing"
        ? { ...side, reported: undefined, status: { kind: "cancelled" } }
        : side;
    default:
      return assertUnreachable(action);
  }
}

function finished(
  side: SideState,
  { report, limit }: Extract<RunAction, { readonly type: "run_finished" }>,
): SideState {
  const run = latest(side);
  if (run === undefined) return side;
  const { version } = run.trace;
  const done = { ...run, report, simulatedNs: report.simulated_ns, version };
  return {
    ...side,
    coming: undefined,
    reported: undefined,
    shown: done,
    last: report,
    status: limit === undefined ? { kind: "finished" } : { kind: "limit", limit },
    ...remembered(side, done),
  };
}

/** The run the engine speaks of: still to be shown, or shown already. */
function latest(side: SideState): Run | undefined {
  if (side.coming?.id === side.runId) return side.coming;
  return side.shown?.id === side.runId ? side.shown : undefined;
}

function grown(
  side: SideState,
  { simulatedNs, shareDone, version }: Extract<RunAction, { readonly type: "run_grew" }>,
): SideState {
  const run = latest(side);
  if (run === undefined) return side;
  const shown = { ...run, simulatedNs, version };
  const before = side.status.kind === "computing" ? side.status.shareDone : 0;
  const last = before === 0 ? undefined : { simulatedNs: run.simulatedNs, shareDone: before };
  return {
    ...side,
    coming: undefined,
    shown,
    status: { kind: "computing", shareDone, last },
    ...remembered(side, shown),
  };
}

/** The run that gives way on screen. */
function remembered(side: SideState, next: Run): Pick<SideState, "previous"> {
  const previous = previousAfter(side, next);
  return previous === undefined ? {} : { previous };
}
