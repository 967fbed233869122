// Keeps each side's engine on what the knobs say: changes of the state and answers of engines become
// events of a side, and what its table (`state/side-run/side-table.ts`) commands is done. Views never
// speak to an engine; this is the only place that does.

import type { EngineClient } from "../../engine/protocol.ts";
import { replayCommand } from "../../engine/replay.ts";
import { messageOf } from "../../engine/wasm-module.ts";
import { requestFor } from "../../state/select/selectors.ts";
import {
  otherSide,
  perSide,
  SIDES,
  withSide,
  type PerSide,
  type Side,
} from "../../scenario/sides.ts";
import type { State } from "../../state/shape/state.ts";
import {
  idleSide,
  type Around,
  type SideEvent,
  type SideRun,
  type SideStep,
} from "../../state/side-run/side-run.ts";
import { broken, next } from "../../state/side-run/side-table.ts";
import type { Store } from "../../state/store.ts";
import { AT_ONCE, type Turns } from "./feeder.ts";
import { KeptRuns } from "./finished-runs.ts";
import { SideEngine } from "./side-engine.ts";

export interface Runner {
  /** Runs a side again with its present knobs: after a fault, or on request. */
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
  clients: PerSide<EngineClient>,
  turns: Turns = AT_ONCE,
  kept = new KeptRuns(),
): Runner {
  const engines = perSide(
    (side) =>
      new SideEngine(side, clients[side], {
        store,
        turns,
        kept,
        send: (event) => send(side, event),
      }),
  );
  let runs = perSide((side) => idleSide(side, store.getState().sides[side].runId));
  const send = (side: Side, event: SideEvent): void => {
    const { state, commands } = stepOf(runs[side], event, aroundOf(store.getState(), side, runs));
    runs = withSide(runs, side, state);
    const act = (): void => {
      for (const command of commands)
        if (command.type === "tell_other") send(otherSide(side), command.event);
        else engines[side].do(command);
    };
    // Where one side moves the other, listeners do not see the page between the two.
    if (commands.some(({ type }) => type === "tell_other")) store.together(act);
    else act();
  };
  const look = (): void => {
    if (store.getState().linkProblem === undefined)
      for (const side of SIDES) send(side, { kind: "changed" });
  };
  const unsubscribe = store.subscribe((state, previous) => {
    // Only a scenario that is opened takes a side's run off the screen.
    for (const side of SIDES)
      if (runs[side].kind !== "idle" && store.getState().sides[side].status.kind === "waiting")
        send(side, { kind: "left" });
    if (asksOtherwise(state, previous)) look();
    if (state.sides !== previous.sides || state.strips !== previous.strips)
      keepEnded(kept, store.getState());
  });
  look();
  return {
    again: (side) => send(side, { kind: "again" }),
    cancel: (side) => send(side, { kind: "stopped" }),
    pending: () => SIDES.some((side) => runs[side].resting),
    stop: () => {
      unsubscribe();
      for (const side of SIDES) engines[side].dispose();
    },
  };
}

/** An event that cannot come is a fault of its side, and shown like the faults of engines. */
function stepOf(own: SideRun, event: SideEvent, around: Around): SideStep {
  try {
    return next(own, event, around);
  } catch (error) {
    const request = own.kind === "idle" ? around.wanted : own.asked;
    return broken(own, messageOf(error), request === undefined ? "" : replayCommand(request));
  }
}

function aroundOf(state: State, side: Side, runs: PerSide<SideRun>): Around {
  const other = otherSide(side);
  const may = state.linkProblem === undefined && state.entry.text.trim() !== "";
  return {
    other: runs[other],
    wanted: may ? requestFor(state, side) : undefined,
    otherWanted: may ? requestFor(state, other) : undefined,
    dragging: state.undo.open,
  };
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
