// Computes the strips, one after the other on one worker, once A and B are at rest: what the viewer
// turned comes first. Fetched when the first strip is asked for.

import type { EngineClient, RunRequest } from "../../engine/protocol.ts";
import { AT_ONCE, type Turns } from "../runs/feeder.ts";
import { Intake, type Hearing } from "../runs/intake.ts";
import { KeptRuns } from "../runs/finished-runs.ts";
import { isComputing } from "../../state/select/selectors.ts";
import type { State } from "../../state/shape/state.ts";
import type { Run, RunStatus } from "../../state/shape/run.ts";
import type { Store } from "../../state/store.ts";
import { isPending, stripRequest, wants } from "../../state/compare/strips.ts";

/**
 * Returns the function that ends it. `make`: where its engine comes from; given back when there is
 * nothing left to compute. `kept`: where finished runs are found again.
 */
export function startStripRunner(
  store: Store,
  make: () => EngineClient,
  turns: Turns = AT_ONCE,
  kept = new KeptRuns(),
): () => void {
  let client: EngineClient | undefined;
  let flight: { readonly request: RunRequest; readonly stop: () => void } | undefined;
  const land = (): void => {
    flight?.stop();
    flight = undefined;
  };
  const rest = (): void => {
    land();
    client?.dispose();
    client = undefined;
  };
  const begin = (request: RunRequest): void => {
    const advance = (status: RunStatus, run?: Run): void =>
      store.dispatch({
        type: "strip_advanced",
        asked: request,
        status,
        ...(run === undefined ? {} : { run }),
      });
    const found = kept.find(request);
    if (found !== undefined) return advance({ kind: "finished" }, { ...found, id: 0, request });
    const hearing = hearingOf(request, (status, run) => {
      if (flight?.request !== request) return;
      if (status.kind !== "computing") flight = undefined;
      advance(status, run);
    });
    const intake = new Intake(request, turns, hearing);
    flight = { request, stop: () => intake.stop() };
    client ??= make();
    advance({ kind: "computing", shareDone: 0 });
    client.start(request, intake);
  };
  const look = (): void => {
    const state = store.getState();
    if (flight !== undefined) {
      const { request } = flight;
      if (state.strips.some((strip) => wants(state, strip, request))) return;
      client?.cancel();
      land();
    }
    const next = state.strips.find(
      (strip) => strip.status.kind === "computing" || isPending(state, strip),
    );
    const request = next === undefined ? undefined : stripRequest(state, next);
    if (request === undefined) rest();
    else if (!waits(state)) begin(request);
  };
  const unsubscribe = store.subscribe((state, previous) => {
    const same =
      state.strips === previous.strips &&
      state.sides === previous.sides &&
      state.knobs === previous.knobs &&
      state.entry === previous.entry &&
      state.undo.open === previous.undo.open;
    if (!same) look();
  });
  look();
  return () => {
    unsubscribe();
    rest();
  };
}

/** A strip is computed after A and B, whose end it must know, and not while a slider moves. */
function waits(state: State): boolean {
  return state.undo.open || state.linkProblem !== undefined || isComputing(state);
}

/** What is heard of one request as the status of its strips, and the run once it has ended. */
function hearingOf(request: RunRequest, advance: (status: RunStatus, run?: Run) => void): Hearing {
  let begun: Pick<Run, "meta" | "trace"> | undefined;
  return {
    onMeta: (meta, trace) => {
      begun = { meta, trace };
    },
    onGrown: (shareDone) => advance({ kind: "computing", shareDone }),
    onFinished: (report, limit) => {
      const status: RunStatus =
        limit === undefined ? { kind: "finished" } : { kind: "limit", limit };
      if (begun !== undefined)
        advance(status, {
          id: 0,
          request,
          ...begun,
          version: begun.trace.version,
          simulatedNs: report.simulated_ns,
          report,
        });
    },
    onScenarioError: (error) => advance({ kind: "scenario_error", error }),
    onFault: (message, replay, blame) => advance({ kind: "fault", message, replay, blame }),
  };
}
