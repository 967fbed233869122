// Computes the strips, one after the other on one worker, once A and B stand still: what the viewer turned comes first. Fetched when the first
// strip is asked for.

import type { RunMeta, RunReport } from "../../engine/gen/types.ts";
import type { EngineClient, RunListener, RunRequest } from "../../engine/protocol.ts";
import { TraceStore } from "../../model/index.ts";
import { quotaWrites } from "../knobs/quota-writes.ts";
import { AT_ONCE, Feeder, type Turns } from "../runs/feeder.ts";
import { isComputing } from "../selectors.ts";
import type { RunStatus, State } from "../state.ts";
import type { Store } from "../store.ts";
import { metaInWords, reportInWords } from "../words.ts";
import { isPending, stripRequest, wants } from "./strips.ts";

/** Returns the function that ends it. `make`: where its engine comes from; given back when there is nothing left to compute. */
export function startStripRunner(store: Store, make: () => EngineClient, turns: Turns = AT_ONCE): () => void {
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
    const tell = (status: RunStatus, run?: Heard): void =>
      store.dispatch({
        type: "strip_told",
        asked: request,
        status,
        ...(run === undefined ? {} : { run: { id: 0, request, ...run, version: run.trace.version, simulatedNs: run.report.simulated_ns } }),
      });
    const intake = new StripIntake(request, turns, (status, run) => {
      if (flight?.request !== request) return;
      if (status.kind !== "computing") flight = undefined;
      tell(status, run);
    });
    flight = { request, stop: () => intake.stop() };
    client ??= make();
    tell({ kind: "computing", shareDone: 0 });
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
    const next = state.strips.find((strip) => strip.status.kind === "computing" || isPending(state, strip));
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

interface Heard {
  readonly meta: RunMeta;
  readonly trace: TraceStore;
  readonly report: RunReport;
}

/** What the engine says of one request. */
class StripIntake implements RunListener {
  #feeder: Feeder | undefined;
  #run: { readonly meta: RunMeta; readonly trace: TraceStore } | undefined;
  readonly #request: RunRequest;
  readonly #turns: Turns;
  readonly #tell: (status: RunStatus, run?: Heard) => void;

  constructor(request: RunRequest, turns: Turns, tell: (status: RunStatus, run?: Heard) => void) {
    this.#request = request;
    this.#turns = turns;
    this.#tell = tell;
  }

  onMeta(meta: RunMeta): void {
    const plain = metaInWords(meta);
    const trace = new TraceStore(plain, quotaWrites(this.#request.changes));
    this.#run = { meta: plain, trace };
    this.#feeder = new Feeder(trace, this.#turns, (shareDone) => this.#tell({ kind: "computing", shareDone }));
  }

  onChunk(...[reached, trace, wakes, taken]: Parameters<RunListener["onChunk"]>): void {
    this.#feeder?.add({ reached, trace, wakes, taken });
  }

  onFinished(report: RunReport, limit: string | undefined): void {
    const run = this.#run;
    if (run === undefined) return;
    const status: RunStatus = limit === undefined ? { kind: "finished" } : { kind: "limit", limit };
    this.#feeder?.end(() => this.#tell(status, { ...run, report: reportInWords(report) }));
  }

  onScenarioError(...[error]: Parameters<RunListener["onScenarioError"]>): void {
    this.#tell({ kind: "scenario_error", error });
  }

  onFault(...[message, replay, blame]: Parameters<RunListener["onFault"]>): void {
    this.#tell({ kind: "fault", message, replay, blame });
  }

  stop(): void {
    this.#feeder?.stop();
  }
}
