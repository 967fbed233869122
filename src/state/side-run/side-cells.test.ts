// Each cell of a side's table by itself: the state it leads to, and what it commands.

import { expect, test } from "vitest";
import type { RunReport } from "../../engine/gen/types.ts";
import type { RunRequest } from "../../engine/protocol.ts";
import type { RunAction } from "../shape/actions.ts";
import { broken, next, SIDE_TABLE, type EventKind, type SideKind } from "./side-table.ts";
import { idleSide, type EndedRun, type SideEvent, type SideRun } from "./side-run.ts";

function requestOf(seed: number): RunRequest {
  return { slug: "herd", text: "{}", set: [["seed", seed]], maxRecords: 1 };
}

function reportTo(simulated_ns: number): RunReport {
  return { simulated_ns } as unknown as RunReport;
}

const KEPT = { report: reportTo(1_000), meta: {}, trace: {} } as unknown as EndedRun;

const COMMON = { side: "a", run: 1, endNs: undefined, resting: false } as const;
const ASKED = { ...COMMON, asked: requestOf(1) };
const STATES: { readonly [K in SideKind]: Extract<SideRun, { readonly kind: K }> } = {
  idle: { kind: "idle", ...COMMON },
  prepared: { kind: "prepared", ...ASKED, busy: false },
  running: { kind: "running", ...ASKED },
  adopted: { kind: "adopted", ...ASKED, reachedNs: 9 },
  finished: { kind: "finished", ...ASKED, reachedNs: 9 },
  limited: { kind: "limited", ...ASKED, reachedNs: 9 },
  levelled: { kind: "levelled", ...ASKED, endNs: 9, reachedNs: 9 },
  refused: { kind: "refused", ...ASKED },
  faulted: { kind: "faulted", ...ASKED },
  cancelled: { kind: "cancelled", ...ASKED },
};
function heard<K extends EventKind>(kind: K, type: RunAction["type"]) {
  return { kind, run: 1, action: { type, side: "a", run: 1 } as unknown as RunAction };
}
const EVENTS: { readonly [E in EventKind]: Extract<SideEvent, { readonly kind: E }> } = {
  changed: { kind: "changed" },
  left: { kind: "left" },
  rested: { kind: "rested" },
  again: { kind: "again" },
  stopped: { kind: "stopped" },
  freed: { kind: "freed" },
  level: { kind: "level", atNs: 5 },
  kept: { kind: "kept", found: KEPT },
  under_way: { kind: "under_way", foreseen: undefined },
  unknown: { kind: "unknown", foreseen: undefined },
  begun: heard("begun", "run_meta"),
  grew: heard("grew", "run_grew"),
  reported: heard("reported", "run_reported"),
  ended: { kind: "ended", run: 1, report: reportTo(9), limit: undefined },
  refused: heard("refused", "run_refused"),
  faulted: heard("faulted", "run_faulted"),
};
const AROUND = {
  other: idleSide("b", 0),
  wanted: requestOf(2),
  otherWanted: requestOf(2),
  dragging: false,
};

/** The state that each cell leads to, and its commands. */
const CELLS: { readonly [K in SideKind]: { readonly [E in EventKind]: string } } = {
  idle: {
    changed: "prepared drop_answers look_up",
    left: "idle",
    rested: "cannot",
    again: "prepared drop_answers look_up",
    stopped: "idle",
    freed: "cannot",
    level: "idle",
    kept: "cannot",
    under_way: "cannot",
    unknown: "cannot",
    begun: "idle",
    grew: "idle",
    reported: "idle",
    ended: "idle",
    refused: "idle",
    faulted: "idle",
  },
  prepared: {
    changed: "cannot",
    left: "cannot",
    rested: "cannot",
    again: "cannot",
    stopped: "cannot",
    freed: "cannot",
    level: "cannot",
    kept: "adopted run_requested run_meta run_finished",
    under_way: "running run_requested take_over",
    unknown: "running run_requested start_engine",
    begun: "cannot",
    grew: "cannot",
    reported: "cannot",
    ended: "cannot",
    refused: "cannot",
    faulted: "cannot",
  },
  running: {
    changed: "prepared drop_answers look_up",
    left: "idle",
    rested: "prepared drop_answers look_up",
    again: "prepared drop_answers look_up",
    stopped: "cancelled cancel_engine drop_answers run_cancelled",
    freed: "prepared drop_answers look_up",
    level: "prepared drop_answers look_up",
    kept: "cannot",
    under_way: "cannot",
    unknown: "cannot",
    begun: "running run_meta",
    grew: "running run_grew",
    reported: "running run_reported",
    ended: "finished run_finished",
    refused: "refused run_refused",
    faulted: "faulted run_faulted",
  },
  adopted: {
    changed: "prepared drop_answers look_up",
    left: "idle",
    rested: "prepared drop_answers look_up",
    again: "prepared drop_answers look_up",
    stopped: "adopted",
    freed: "prepared drop_answers look_up",
    level: "prepared drop_answers look_up",
    kept: "cannot",
    under_way: "cannot",
    unknown: "cannot",
    begun: "cannot",
    grew: "cannot",
    reported: "cannot",
    ended: "cannot",
    refused: "cannot",
    faulted: "cannot",
  },
  finished: {
    changed: "prepared drop_answers look_up",
    left: "idle",
    rested: "prepared drop_answers look_up",
    again: "prepared drop_answers look_up",
    stopped: "finished",
    freed: "prepared drop_answers look_up",
    level: "prepared drop_answers look_up",
    kept: "cannot",
    under_way: "cannot",
    unknown: "cannot",
    begun: "cannot",
    grew: "cannot",
    reported: "cannot",
    ended: "cannot",
    refused: "cannot",
    faulted: "faulted run_faulted",
  },
  limited: {
    changed: "prepared drop_answers look_up",
    left: "idle",
    rested: "prepared drop_answers look_up",
    again: "prepared drop_answers look_up",
    stopped: "limited",
    freed: "prepared drop_answers look_up",
    level: "prepared drop_answers look_up",
    kept: "cannot",
    under_way: "cannot",
    unknown: "cannot",
    begun: "cannot",
    grew: "cannot",
    reported: "cannot",
    ended: "cannot",
    refused: "cannot",
    faulted: "faulted run_faulted",
  },
  levelled: {
    changed: "prepared drop_answers look_up",
    left: "idle",
    rested: "prepared drop_answers look_up",
    again: "prepared drop_answers look_up",
    stopped: "levelled",
    freed: "prepared drop_answers look_up",
    level: "prepared drop_answers look_up",
    kept: "cannot",
    under_way: "cannot",
    unknown: "cannot",
    begun: "cannot",
    grew: "cannot",
    reported: "cannot",
    ended: "cannot",
    refused: "cannot",
    faulted: "faulted run_faulted",
  },
  refused: {
    changed: "prepared drop_answers look_up",
    left: "idle",
    rested: "prepared drop_answers look_up",
    again: "prepared drop_answers look_up",
    stopped: "refused",
    freed: "prepared drop_answers look_up",
    level: "refused",
    kept: "cannot",
    under_way: "cannot",
    unknown: "cannot",
    begun: "cannot",
    grew: "refused",
    reported: "cannot",
    ended: "cannot",
    refused: "cannot",
    faulted: "faulted run_faulted",
  },
  faulted: {
    changed: "prepared drop_answers look_up",
    left: "idle",
    rested: "prepared drop_answers look_up",
    again: "prepared drop_answers look_up",
    stopped: "faulted",
    freed: "prepared drop_answers look_up",
    level: "faulted",
    kept: "cannot",
    under_way: "cannot",
    unknown: "cannot",
    begun: "cannot",
    grew: "cannot",
    reported: "cannot",
    ended: "cannot",
    refused: "cannot",
    faulted: "cannot",
  },
  cancelled: {
    changed: "prepared drop_answers look_up",
    left: "idle",
    rested: "prepared drop_answers look_up",
    again: "prepared drop_answers look_up",
    stopped: "cancelled",
    freed: "prepared drop_answers look_up",
    level: "cancelled",
    kept: "cannot",
    under_way: "cannot",
    unknown: "cannot",
    begun: "cancelled",
    grew: "cancelled",
    reported: "cancelled",
    ended: "cancelled",
    refused: "cancelled",
    faulted: "cancelled",
  },
};

/** The next state and the commands in order; an action that is dispatched by its name. */
function cellOf(own: SideRun, event: SideEvent): string {
  const { state, commands } = next(own, event, AROUND);
  return [
    state.kind,
    ...commands.map((each) => (each.type === "dispatch" ? each.action.type : each.type)),
  ].join(" ");
}

test.each(Object.values(STATES))(
  "a side that is $kind answers every event as listed, or throws its reason",
  (own) => {
    for (const event of Object.values(EVENTS)) {
      const cell = SIDE_TABLE[own.kind][event.kind];
      const listed = CELLS[own.kind][event.kind];
      if (typeof cell === "function") expect(cellOf(own, event), event.kind).toBe(listed);
      else {
        expect(listed, event.kind).toBe("cannot");
        expect(() => cellOf(own, event)).toThrow(
          `${event.kind} of a side that is ${own.kind}: ${cell.reason}`,
        );
      }
    }
  },
);

test("a run that is computed ahead is taken over, with what it will come to", () => {
  const step = next(STATES.prepared, { kind: "under_way", foreseen: reportTo(9) }, AROUND);
  expect(step.state.kind).toBe("running");
  expect(
    step.commands.map((each) => (each.type === "dispatch" ? each.action.type : each.type)),
  ).toEqual(["run_requested", "run_reported", "take_over"]);
});

test("what is heard of another run than the latest changes nothing, whatever the state", () => {
  for (const own of Object.values(STATES))
    for (const event of Object.values(EVENTS))
      if ("run" in event)
        expect(next(own, { ...event, run: 7 }, AROUND)).toEqual({ state: own, commands: [] });
});

test("a side whose event came where it cannot has faulted, its engine is stopped, and the page hears why", () => {
  for (const own of Object.values(STATES)) {
    const { state, commands } = broken({ ...own, resting: true }, "why", "schedscope run");
    expect(state).toMatchObject({ kind: own.kind === "idle" ? "idle" : "faulted", resting: false });
    const fault = { message: "why", replay: "schedscope run", blame: "engine" };
    expect(commands).toEqual([
      { type: "clear_timer" },
      { type: "cancel_engine" },
      { type: "drop_answers" },
      { type: "dispatch", action: { type: "run_faulted", side: "a", run: 1, ...fault } },
    ]);
  }
});
