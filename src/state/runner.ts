// Keeps each side's engine on what the knobs say: when a side's request changes, it is started anew, and only that side.
// It turns the engine's answers into actions. Views never speak to an engine; this is the only place that does.

import type { EngineClient, RunListener, RunRequest } from "../engine/protocol.ts";
import { TraceStore } from "../model/index.ts";
import { requestFor, sameRequest } from "./selectors.ts";
import { perSide, SIDES, type PerSide, type Side } from "./sides.ts";
import type { Store } from "./store.ts";

/** While a slider moves, a side is restarted at most this often. */
const DRAG_MS = 120;

export interface Runner {
  /** Runs a side again as it stands: after a fault, or on request. */
  again(side: Side): void;
  cancel(side: Side): void;
  /** Whether a changed side still waits for its slider to rest. */
  pending(): boolean;
  stop(): void;
}

/** `clients`: one engine per side. Nothing is computed while a link is refused. */
export function startRunner(store: Store, clients: PerSide<EngineClient>): Runner {
  const asked: Record<Side, RunRequest | undefined> = { a: undefined, b: undefined };
  const timers: Record<Side, ReturnType<typeof setTimeout> | undefined> = { a: undefined, b: undefined };

  const start = (side: Side): void => {
    clearTimer(side);
    const state = store.getState();
    if (state.linkProblem !== undefined || state.entry.text.trim() === "") return;
    const request = requestFor(state, side);
    const run = state.sides[side].runId + 1;
    asked[side] = request;
    store.dispatch({ type: "run_requested", side, run });
    clients[side].start(request, listener(store, side, run, request));
  };
  const clearTimer = (side: Side): void => {
    clearTimeout(timers[side]);
    timers[side] = undefined;
  };
  const look = (): void => {
    const state = store.getState();
    if (state.linkProblem !== undefined) return;
    for (const side of SIDES) {
      const wanted = requestFor(state, side);
      const waiting = state.sides[side].status.kind === "waiting";
      const known = asked[side];
      if (!waiting && known !== undefined && sameRequest(known, wanted)) clearTimer(side);
      else if (state.undo.open && !waiting) timers[side] ??= setTimeout(() => start(side), DRAG_MS);
      else start(side);
    }
  };
  const unsubscribe = store.subscribe((state, previous) => {
    const same =
      state.entry === previous.entry &&
      state.knobs === previous.knobs &&
      state.undo.open === previous.undo.open &&
      state.linkProblem === previous.linkProblem;
    if (!same) look();
  });
  look();
  return {
    again: start,
    cancel: (side) => {
      clients[side].cancel();
      store.dispatch({ type: "run_cancelled", side });
    },
    pending: () => SIDES.some((side) => timers[side] !== undefined),
    stop: () => {
      unsubscribe();
      SIDES.forEach(clearTimer);
      Object.values(perSide((side) => clients[side])).forEach((client: EngineClient) => client.dispose());
    },
  };
}

function listener(store: Store, side: Side, run: number, request: RunRequest): RunListener {
  let trace: TraceStore | undefined;
  return {
    onMeta: (meta) => {
      trace = new TraceStore(meta);
      store.dispatch({ type: "run_meta", side, run, request, meta, trace });
    },
    onChunk: (simulatedNs, rows, wakes) => {
      if (trace === undefined) return;
      trace.append(simulatedNs, rows, wakes);
      store.dispatch({ type: "run_grew", side, run, simulatedNs, version: trace.version });
    },
    onFinished: (report) => store.dispatch({ type: "run_finished", side, run, report }),
    onScenarioError: (error) => store.dispatch({ type: "run_refused", side, run, error }),
    onFault: (message, replay) => store.dispatch({ type: "run_faulted", side, run, message, replay }),
  };
}
