// What an engine's answers change. The previous run stays on screen until the new one has something to draw; an error or a
// fault leaves it there.

import { assertUnreachable } from "../lib/unreachable.ts";
import type { RunAction } from "./actions.ts";
import { movedAside } from "./offers.ts";
import { SIDES, withSide, type PerSide } from "./sides.ts";
import type { Run, SideState, State } from "./state.ts";

export function reduceRun(state: State, action: RunAction): State {
  const before = state.sides[action.side];
  const stale = action.type !== "run_requested" && action.type !== "run_cancelled" && action.run !== before.runId;
  if (stale) return state;
  if (action.type === "run_refused") {
    const aside = movedAside(state, action.side, action.error);
    if (aside !== undefined) return { ...state, knobs: aside.knobs, moved: [...state.moved, aside.moved] };
  }
  const after = sideAfter(before, action);
  if (after === before) return state;
  const next = { ...state, sides: withSide(state.sides, action.side, after) };
  return action.type === "run_finished" && next.firstViewport === undefined && next.viewport === undefined
    ? { ...next, ...firstLook(next.sides) }
    : next;
}

/** Half of what is shown around the deepest queue at first, ns. */
const AROUND_PEAK_NS = 50_000;

/** Where to look first, once both runs are done: at the deepest queue of either, or where nothing queues at the longest wait. */
function firstLook(sides: PerSide<SideState>): Partial<Pick<State, "firstViewport" | "playheadNs">> {
  const runs = SIDES.flatMap((side) => (sides[side].shown?.report === undefined ? [] : [sides[side].shown]));
  if (runs.length < SIDES.length) return {};
  const endNs = Math.max(...runs.map(({ meta }) => meta.duration_ns));
  const peaks = runs.flatMap(({ trace }) => trace.locks.lock(trace.locks.deepest() ?? -1)?.peak ?? []);
  const deepest = peaks.sort((one, other) => other.depth - one.depth)[0];
  if (deepest !== undefined) return lookAt(deepest.atNs, AROUND_PEAK_NS, endNs);
  const waits = runs.flatMap(({ trace }) => trace.wakes.worst(1).map((row) => trace.wakes.record(row)));
  const longest = waits.sort((one, other) => other.latencyNs - one.latencyNs)[0];
  return longest === undefined ? {} : lookAt(longest.dueNs, Math.max(AROUND_PEAK_NS, 2 * longest.latencyNs), endNs);
}

/** Never beyond the end of the axis: there is nothing to see. */
function lookAt(ns: number, aroundNs: number, endNs: number): Pick<State, "firstViewport" | "playheadNs"> {
  const fromNs = Math.max(0, Math.min(ns - aroundNs, endNs - 2 * aroundNs));
  return { firstViewport: { fromNs, toNs: Math.min(endNs, fromNs + 2 * aroundNs) }, playheadNs: ns };
}

function sideAfter(side: SideState, action: RunAction): SideState {
  switch (action.type) {
    case "run_requested":
      return { ...side, runId: action.run, coming: undefined, status: { kind: "computing", simulatedNs: 0 } };
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
      return grown(side, action.simulatedNs, action.version);
    case "run_finished": {
      const run = latest(side);
      if (run === undefined) return side;
      const done = { ...run, report: action.report, simulatedNs: action.report.simulated_ns, version: run.trace.version };
      return { ...side, coming: undefined, shown: done, status: { kind: action.report.complete ? "finished" : "limit" } };
    }
    case "run_refused":
      return { ...side, coming: undefined, status: { kind: "scenario_error", error: action.error } };
    case "run_faulted":
      return { ...side, coming: undefined, status: { kind: "fault", message: action.message, replay: action.replay } };
    case "run_cancelled":
      return side.status.kind === "computing" ? { ...side, status: { kind: "cancelled" } } : side;
    default:
      return assertUnreachable(action);
  }
}

/** The run the engine speaks of: still to be shown, or shown already. */
function latest(side: SideState): Run | undefined {
  if (side.coming?.id === side.runId) return side.coming;
  return side.shown?.id === side.runId ? side.shown : undefined;
}

function grown(side: SideState, simulatedNs: number, version: number): SideState {
  const run = latest(side);
  if (run === undefined) return side;
  return { ...side, coming: undefined, shown: { ...run, simulatedNs, version }, status: { kind: "computing", simulatedNs } };
}
