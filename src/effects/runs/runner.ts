// Keeps each side's engine on what the knobs say: when a side's request changes, it is started
// anew, and only that side. It turns the engine's answers into actions. Views never speak to an
// engine; this is the only place that does.

import {
  commonPast,
  type EngineClient,
  OTHER_SIDE,
  type RunRequest,
} from "../../engine/protocol.ts";
import type { TraceStore } from "../../model/index.ts";
import { requestFor, sameRequest } from "../../state/select/selectors.ts";
import { otherSide, SIDES, type PerSide, type Side } from "../../scenario/sides.ts";
import type { State } from "../../state/shape/state.ts";
import type { Run } from "../../state/shape/run.ts";
import type { Store } from "../../state/store.ts";
import { AT_ONCE, type Turns } from "./feeder.ts";
import { Intake, type Hearing } from "./intake.ts";
import { KeptRuns } from "./finished-runs.ts";

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

/**
 * `clients`: one engine per side. Nothing is computed while a link is refused. `turns`: when rows
 * are taken in. `kept`: where finished runs are found again.
 */
export function startRunner(
  store: Store,
  { a, b }: PerSide<EngineClient>,
  turns: Turns = AT_ONCE,
  kept = new KeptRuns(),
): Runner {
  const clients = { a, b };
  const asked: Record<Side, RunRequest | undefined> = { a: undefined, b: undefined };
  /**
   * Where a side stops because a limit ended the other there, ns: numbers of unequal stretches are
   * not to be compared.
   */
  const ends: Record<Side, number | undefined> = { a: undefined, b: undefined };
  const timers: Record<Side, ReturnType<typeof setTimeout> | undefined> = {
    a: undefined,
    b: undefined,
  };

  const intake: Record<Side, Intake | undefined> = { a: undefined, b: undefined };

  const start = (side: Side): void => {
    clearTimer(side);
    const state = store.getState();
    if (state.linkProblem !== undefined || state.entry.text.trim() === "") return;
    const until = ends[side];
    const request = { ...requestFor(state, side), ...(until !== undefined && { untilNs: until }) };
    asked[side] = request;
    intake[side]?.stop();
    intake[side] = ask({ store, clients, turns, kept }, side, request);
  };
  /**
   * A side whose request is another one runs to its own end, and so does the other if it had
   * stopped for its sake; where a limit of its own has ended the other, and it stays, the side ends
   * there too.
   */
  const begin = (side: Side): void => {
    const other = otherSide(side);
    const free = ends[other] === undefined ? [side] : [side, other];
    for (const each of free) ends[each] = undefined;
    if (free.length === 1) ends[side] = staysEndedAt(store.getState(), other, asked[other]);
    free.forEach(start);
  };
  /** Ends the other side where a limit has just ended `side`, unless it comes no further anyway. */
  const level = (side: Side): void => {
    const atNs = limitedAt(store.getState(), side);
    const other = otherSide(side);
    if (
      atNs === undefined ||
      (ends[other] ?? Infinity) <= atNs ||
      !comesFurther(store.getState(), other, atNs)
    )
      return;
    ends[other] = atNs;
    start(other);
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
      else if (state.undo.open && !waiting) timers[side] ??= setTimeout(() => begin(side), DRAG_MS);
      else begin(side);
    }
  };
  const unsubscribe = store.subscribe((state, previous) => {
    if (asksOtherwise(state, previous)) look();
    if (state.sides !== previous.sides || state.strips !== previous.strips)
      keepEnded(kept, store.getState());
    for (const side of SIDES)
      if (state.sides[side].status !== previous.sides[side].status) level(side);
  });
  look();
  return {
    again: begin,
    cancel: (side) => {
      clients[side].cancel();
      intake[side]?.stop();
      store.dispatch({ type: "run_cancelled", side });
    },
    pending: () => SIDES.some((side) => timers[side] !== undefined),
    stop: () => {
      unsubscribe();
      for (const side of SIDES) {
        clearTimer(side);
        intake[side]?.stop();
        clients[side].dispose();
      }
    },
  };
}

interface Asking {
  readonly store: Store;
  readonly clients: Record<Side, EngineClient>;
  readonly turns: Turns;
  readonly kept: KeptRuns;
}

/**
 * Shows the run of a request if it is to be found, or has it computed; then it comes by what is
 * returned.
 */
function ask(
  { store, clients, turns, kept }: Asking,
  side: Side,
  request: RunRequest,
): Intake | undefined {
  const { shown, status, runId } = store.getState().sides[side];
  const run = runId + 1;
  const found = kept.find(request);
  const underWay = kept.underWay?.(request);
  // A worker that is through keeps its run: a write to the found one goes on from there, as far as
  // they have their past in common.
  if (found !== undefined && status.kind === "computing") clients[side].cancel();
  store.dispatch({ type: "run_requested", side, run });
  const hearing = hearingOf(store, { side, run }, request);
  if (found !== undefined) {
    hearing.onMeta?.(found.meta, found.trace);
    hearing.onFinished(found.report, undefined);
    return undefined;
  }
  const foreseen = kept.reportOf(request);
  if (foreseen !== undefined) hearing.onReported?.(foreseen);
  if (underWay !== undefined) {
    clients[side].dispose();
    clients[side] = underWay.client;
    underWay.hear(hearing);
    return underWay.intake;
  }
  const known = knownPast(shown, request);
  // A write shows as soon as it can: what came before it stands already.
  const intake = new Intake(request, turns, hearing, {
    known: known?.trace,
    stands: shown !== undefined && known === undefined,
  });
  clients[side].start(request, intake, known?.ns);
  return intake;
}

/** Every finished run on screen is kept, and goes on being kept when it leaves the screen. */
function keepEnded(kept: KeptRuns, state: State): void {
  for (const run of [
    ...SIDES.map((side) => state.sides[side].shown),
    ...state.strips.map((strip) => strip.run),
  ])
    if (run?.report !== undefined) kept.keep(run);
  kept.trim(state);
}

/** What is heard of a run as actions. */
function hearingOf(
  store: Store,
  who: { readonly side: Side; readonly run: number },
  request: RunRequest,
): Hearing {
  return {
    onMeta: (meta, trace) => store.dispatch({ type: "run_meta", ...who, request, meta, trace }),
    onGrown: (shareDone, trace) =>
      store.dispatch({
        type: "run_grew",
        ...who,
        simulatedNs: trace.endNs,
        shareDone,
        version: trace.version,
      }),
    onReported: (report) => store.dispatch({ type: "run_reported", ...who, report }),
    onFinished: (report, limit) => store.dispatch({ type: "run_finished", ...who, report, limit }),
    onScenarioError: (error) => store.dispatch({ type: "run_refused", ...who, error }),
    onFault: (message, replay, blame) =>
      store.dispatch({ type: "run_faulted", ...who, message, replay, blame }),
  };
}

/** Whether anything changed that a request is made of, or that decides when it is sent. */
function asksOtherwise(state: State, previous: State): boolean {
  return (
    state.entry !== previous.entry ||
    state.knobs !== previous.knobs ||
    state.moreRecords !== previous.moreRecords ||
    state.undo.open !== previous.undo.open ||
    state.linkProblem !== previous.linkProblem
  );
}

/** Where a limit of its own ended a side, ns. */
function limitedAt({ sides }: State, side: Side): number | undefined {
  const { status, shown } = sides[side];
  return status.kind === "limit" && status.limit !== OTHER_SIDE ? shown?.simulatedNs : undefined;
}

/** The same, if what was `asked` of the side is still what it is to be. */
function staysEndedAt(state: State, side: Side, asked: RunRequest | undefined): number | undefined {
  return asked !== undefined && sameRequest(asked, requestFor(state, side))
    ? limitedAt(state, side)
    : undefined;
}

function comesFurther({ sides }: State, side: Side, ns: number): boolean {
  const { status, shown } = sides[side];
  const ended = status.kind === "finished" || status.kind === "limit";
  return status.kind === "computing" || (ended && (shown?.simulatedNs ?? 0) > ns);
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
