// What the run of one side has hold of: an engine, the intake of what it says, a timer. It does what
// the side's table commands, and knows none of its rules.

import { commonPast, type EngineClient, type RunRequest } from "../../engine/protocol.ts";
import { assertUnreachable } from "../../lib/unreachable.ts";
import type { TraceStore } from "../../model/index.ts";
import type { Side } from "../../scenario/sides.ts";
import type { Run } from "../../state/shape/run.ts";
import type { SideCommand, SideEvent } from "../../state/side-run/side-run.ts";
import type { Store } from "../../state/store.ts";
import type { Turns } from "./feeder.ts";
import { Intake, type Hearing } from "./intake.ts";
import type { KeptRuns, UnderWay } from "./finished-runs.ts";

/** While a slider moves, a side is restarted at most this often. */
const DRAG_MS = 120;

interface Place {
  readonly store: Store;
  /** When rows are taken in. */
  readonly turns: Turns;
  readonly kept: KeptRuns;
  readonly send: (event: SideEvent) => void;
}

export class SideEngine {
  readonly #side: Side;
  readonly #place: Place;
  #client: EngineClient;
  #intake: Intake | undefined;
  /** What the last look-up found under way. */
  #underWay: UnderWay | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(side: Side, client: EngineClient, place: Place) {
    this.#side = side;
    this.#client = client;
    this.#place = place;
  }

  do(command: Exclude<SideCommand, { readonly type: "tell_other" }>): void {
    switch (command.type) {
      case "dispatch":
        return this.#place.store.dispatch(command.action);
      case "set_timer":
        this.#timer = setTimeout(() => this.#place.send({ kind: "rested" }), DRAG_MS);
        return;
      case "clear_timer":
        return clearTimeout(this.#timer);
      case "drop_answers":
        return this.#intake?.stop();
      case "look_up":
        return this.#lookUp(command.request);
      case "take_over":
        return this.#takeOver(command.run, command.request);
      case "start_engine":
        return this.#start(command.run, command.request);
      case "cancel_engine":
        return this.#client.cancel();
      default:
        return assertUnreachable(command);
    }
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#intake?.stop();
    this.#client.dispose();
  }

  #lookUp(request: RunRequest): void {
    const { kept, send } = this.#place;
    const found = kept.find(request);
    if (found !== undefined) return send({ kind: "kept", found });
    this.#underWay = kept.underWay?.(request);
    const foreseen = kept.reportOf(request);
    send({ kind: this.#underWay === undefined ? "unknown" : "under_way", foreseen });
  }

  #takeOver(run: number, request: RunRequest): void {
    if (this.#underWay === undefined) return;
    this.#client.dispose();
    this.#client = this.#underWay.client;
    this.#intake = this.#underWay.intake;
    this.#underWay.hear(this.#hearing(run, request));
  }

  #start(run: number, request: RunRequest): void {
    const { store, turns } = this.#place;
    const { shown } = store.getState().sides[this.#side];
    const known = knownPast(shown, request);
    // A write shows as soon as it can: the rows before it are on screen already.
    const intake = new Intake(request, turns, this.#hearing(run, request), {
      known: known?.trace,
      replaces: shown !== undefined && known === undefined,
    });
    this.#intake = intake;
    this.#client.start(request, intake, known?.ns);
  }

  /** What is heard of a run, as events with the actions for the page's state. */
  #hearing(run: number, request: RunRequest): Hearing {
    const { send } = this.#place;
    const who = { side: this.#side, run };
    return {
      onMeta: (meta, trace) =>
        send({
          kind: "begun",
          run,
          action: { type: "run_meta", ...who, request, meta, trace },
        }),
      onGrown: (shareDone, { endNs: simulatedNs, version }) =>
        send({
          kind: "grew",
          run,
          action: { type: "run_grew", ...who, simulatedNs, shareDone, version },
        }),
      onReported: (report) =>
        send({ kind: "reported", run, action: { type: "run_reported", ...who, report } }),
      onFinished: (report, limit) => send({ kind: "ended", run, report, limit }),
      onScenarioError: (error) =>
        send({ kind: "refused", run, action: { type: "run_refused", ...who, error } }),
      onFault: (message, replay, blame) =>
        send({
          kind: "faulted",
          run,
          action: { type: "run_faulted", ...who, message, replay, blame },
        }),
    };
  }
}

/**
 * What is on screen of a side, as far as it is the beginning of `request` too: up to `ns`, it
 * included.
 */
function knownPast(
  shown: Run | undefined,
  request: RunRequest,
): { readonly trace: TraceStore; readonly ns: number } | undefined {
  const common = shown === undefined ? undefined : commonPast(shown.request, request);
  if (shown === undefined || common === undefined) return undefined;
  const ns = Math.min(common.ns, shown.trace.completeNs - 1);
  return ns > 0 ? { trace: shown.trace, ns } : undefined;
}
