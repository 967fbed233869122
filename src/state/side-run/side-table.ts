// What every event does in every state of a side, or why it cannot come there.
//
//             changed, again          look_up answers           engine
//   idle ------------------> prepared ---------------> running --------> finished, limited,
//    ^                        ^     \                                    levelled, refused,
//    | left                   |      `--> adopted                        faulted
//   (any)                     `--- changed, again, rested, freed, level --- (any)
//
// An event of another run than the side's latest (`run`) reaches no cell: `next` drops it.

import { OTHER_SIDE } from "../../engine/protocol.ts";
import { sameRequest } from "../select/selectors.ts";
import {
  idleSide,
  type Around,
  type SideCommand,
  type SideEvent,
  type SideRun,
  type SideStep,
} from "./side-run.ts";

export type SideKind = SideRun["kind"];
export type EventKind = SideEvent["kind"];
type In<K extends SideKind> = Extract<SideRun, { readonly kind: K }>;
type On<E extends EventKind> = Extract<SideEvent, { readonly kind: E }>;

/** Why an event cannot come in a state. */
export interface Cannot {
  readonly reason: string;
}
type Cell<K extends SideKind, E extends EventKind> =
  Cannot | ((own: In<K>, event: On<E>, around: Around) => SideStep);
type Row<K extends SideKind> = { readonly [E in EventKind]: Cell<K, E> };
export type SideTable = { readonly [K in SideKind]: Row<K> };

/**
 * The next state and what is to be done; an event of another run changes nothing. Throws where the
 * event cannot come: `broken` says what the side is then.
 */
export function next(own: SideRun, event: SideEvent, around: Around): SideStep {
  if ("run" in event && event.run !== own.run) return stay(own);
  // The compiler does not see that one kind selects both the cell and its argument.
  const cell = SIDE_TABLE[own.kind][event.kind] as Cannot | typeof next;
  if (typeof cell === "function") return cell(own, event, around);
  throw new Error(`${event.kind} of a side that is ${own.kind}: ${cell.reason}`);
}

/** A side whose event came where it cannot: its run is not to be trusted. */
export function broken(own: SideRun, message: string, replay: string): SideStep {
  const { side, run } = own;
  const rests: readonly SideCommand[] = own.resting ? [{ type: "clear_timer" }] : [];
  return {
    state:
      own.kind === "idle"
        ? idleSide(side, run)
        : { ...settledFrom(own), kind: "faulted", resting: false },
    commands: [
      ...rests,
      { type: "cancel_engine" },
      { type: "drop_answers" },
      {
        type: "dispatch",
        action: { type: "run_faulted", side, run, message, replay, blame: "engine" },
      },
    ],
  };
}

function cannot(reason: string): Cannot {
  return { reason };
}

function stay(own: SideRun, ...commands: readonly SideCommand[]): SideStep {
  return { state: own, commands };
}

/** The event changes nothing. */
function unmoved(own: SideRun): SideStep {
  return stay(own);
}

type Settled = Exclude<SideRun, { readonly kind: "idle" | "prepared" }>;
type Reached = Extract<SideRun, { readonly reachedNs: number }>;

/**
 * A side that starts runs to its own end, and frees the other if that had stopped for its sake;
 * where a limit of its own has ended the other, and the other stays, the side ends there too.
 */
function begin(own: SideRun, _event: SideEvent, around: Around): SideStep {
  const frees = around.other.endNs !== undefined;
  const endNs = frees ? undefined : staysEndedAt(around);
  const { state, commands } = ask({ ...own, endNs }, around);
  return frees
    ? { state, commands: [...commands, { type: "tell_other", event: { kind: "freed" } }] }
    : { state, commands };
}

/** Where a limit of its own ended the other side, if that is still what it is to be, ns. */
function staysEndedAt({ other, otherWanted }: Around): number | undefined {
  const stays =
    other.kind === "limited" && otherWanted !== undefined && sameRequest(other.asked, otherWanted);
  return stays ? other.reachedNs : undefined;
}

/** Nothing is asked for while nothing may be computed. */
function ask(own: SideRun, { wanted }: Around): SideStep {
  const rests: readonly SideCommand[] = own.resting ? [{ type: "clear_timer" }] : [];
  if (wanted === undefined) return { state: { ...own, resting: false }, commands: rests };
  const { side, endNs } = own;
  const request = { ...wanted, ...(endNs !== undefined && { untilNs: endNs }) };
  return {
    state: {
      kind: "prepared",
      side,
      run: own.run + 1,
      asked: request,
      endNs,
      resting: false,
      busy: own.kind === "running",
    },
    commands: [...rests, { type: "drop_answers" }, { type: "look_up", request }],
  };
}

function changed(own: Settled, event: SideEvent, around: Around): SideStep {
  const { wanted, dragging } = around;
  if (wanted !== undefined && sameRequest(own.asked, wanted))
    return own.resting ? stay({ ...own, resting: false }, { type: "clear_timer" }) : stay(own);
  if (!dragging) return begin(own, event, around);
  return own.resting ? stay(own) : stay({ ...own, resting: true }, { type: "set_timer" });
}

function rested(own: Settled, event: SideEvent, around: Around): SideStep {
  return begin({ ...own, resting: false }, event, around);
}

function left(own: SideRun): SideStep {
  return stay(
    idleSide(own.side, own.run),
    ...(own.resting ? [{ type: "clear_timer" } as const] : []),
  );
}

function freed(own: Settled, _event: SideEvent, around: Around): SideStep {
  return ask({ ...own, endNs: undefined }, around);
}

/** Unequal stretches are not to be compared: a side that comes further ends there as well. */
function level(own: Reached | In<"running">, { atNs }: On<"level">, around: Around): SideStep {
  const further = own.kind === "running" || own.reachedNs > atNs;
  return further && (own.endNs ?? Infinity) > atNs
    ? ask({ ...own, endNs: atNs }, around)
    : stay(own);
}

function kept(own: In<"prepared">, { found }: On<"kept">): SideStep {
  const who = { side: own.side, run: own.run };
  const { asked: request } = own;
  const { meta, trace, report } = found;
  return {
    state: { ...settledFrom(own), kind: "adopted", reachedNs: report.simulated_ns },
    commands: [
      // A worker that is through keeps its run: a write to the found one goes on from there, as far
      // as they have their past in common.
      ...(own.busy ? [{ type: "cancel_engine" } as const] : []),
      { type: "dispatch", action: { type: "run_requested", ...who } },
      { type: "dispatch", action: { type: "run_meta", ...who, request, meta, trace } },
      { type: "dispatch", action: { type: "run_finished", ...who, report, limit: undefined } },
    ],
  };
}

function computed(
  type: "take_over" | "start_engine",
): (own: In<"prepared">, event: On<"under_way" | "unknown">) => SideStep {
  return (own, { foreseen }) => {
    const who = { side: own.side, run: own.run };
    return {
      state: { ...settledFrom(own), kind: "running" },
      commands: [
        { type: "dispatch", action: { type: "run_requested", ...who } },
        ...(foreseen === undefined
          ? []
          : [
              {
                type: "dispatch",
                action: { type: "run_reported", ...who, report: foreseen },
              } as const,
            ]),
        { type, run: own.run, request: own.asked },
      ],
    };
  };
}

/** What every state has that was asked for. */
function settledFrom({ side, run, asked, endNs, resting }: Settled | In<"prepared">) {
  return { side, run, asked, endNs, resting };
}

function said(own: SideRun, { action }: On<"begun" | "grew" | "reported">): SideStep {
  return stay(own, { type: "dispatch", action });
}

function ended(own: In<"running">, { run, report, limit }: On<"ended">): SideStep {
  const { side } = own;
  const kind = limit === undefined ? "finished" : limit === OTHER_SIDE ? "levelled" : "limited";
  const reachedNs = report.simulated_ns;
  const finished = {
    type: "dispatch",
    action: { type: "run_finished", side, run, report, limit },
  } as const;
  return {
    state: { ...settledFrom(own), kind, reachedNs },
    commands:
      kind === "limited"
        ? [finished, { type: "tell_other", event: { kind: "level", atNs: reachedNs } }]
        : [finished],
  };
}

function failed(own: Settled, { kind, action }: On<"refused" | "faulted">): SideStep {
  return stay({ ...settledFrom(own), kind }, { type: "dispatch", action });
}

function stopped(own: In<"running">): SideStep {
  const { side } = own;
  return stay(
    { ...settledFrom(own), kind: "cancelled" },
    { type: "cancel_engine" },
    { type: "drop_answers" },
    { type: "dispatch", action: { type: "run_cancelled", side } },
  );
}

const NOT_LOOKED_UP = cannot("nothing was looked up");
const LOOKING = cannot("the kept runs are being asked, and they answer at once");
const NOTHING_ASKED = cannot("nothing of it is asked for");
const ITS_END = cannot("the engine has reported the end of this run");
const NO_ENGINE = cannot("no engine computes a run that is shown from the kept ones");

const NO_ANSWER = { kept: NOT_LOOKED_UP, under_way: NOT_LOOKED_UP, unknown: NOT_LOOKED_UP };
/** Wherever a run was asked for. */
const ASKS = { changed, left, rested, again: begin, freed, ...NO_ANSWER };
/**
 * The page has stopped the engine, or has left its run: what the engine still says is of no use.
 */
const UNHEARD = {
  begun: unmoved,
  grew: unmoved,
  reported: unmoved,
  ended: unmoved,
  refused: unmoved,
  faulted: unmoved,
};
/** A worker may die after it has reported the end of its run. */
const ENDED = {
  begun: ITS_END,
  grew: ITS_END,
  reported: ITS_END,
  ended: ITS_END,
  refused: ITS_END,
  faulted: failed,
};
const DONE = { ...ASKS, ...ENDED, stopped: unmoved, level };

export const SIDE_TABLE: SideTable = {
  idle: {
    ...NO_ANSWER,
    ...UNHEARD,
    changed: begin,
    left: unmoved,
    rested: cannot("a side without a run waits for no slider"),
    again: begin,
    stopped: unmoved,
    freed: cannot("a side without a run was not ended for the other"),
    level: unmoved,
  },
  prepared: {
    changed: LOOKING,
    left: LOOKING,
    rested: LOOKING,
    again: LOOKING,
    stopped: LOOKING,
    freed: LOOKING,
    level: LOOKING,
    kept,
    under_way: computed("take_over"),
    unknown: computed("start_engine"),
    begun: NOTHING_ASKED,
    grew: NOTHING_ASKED,
    reported: NOTHING_ASKED,
    ended: NOTHING_ASKED,
    refused: NOTHING_ASKED,
    faulted: NOTHING_ASKED,
  },
  running: {
    ...ASKS,
    stopped,
    level,
    begun: said,
    grew: said,
    reported: said,
    ended,
    refused: failed,
    faulted: failed,
  },
  adopted: {
    ...DONE,
    begun: NO_ENGINE,
    grew: NO_ENGINE,
    reported: NO_ENGINE,
    ended: NO_ENGINE,
    refused: NO_ENGINE,
    faulted: NO_ENGINE,
  },
  finished: DONE,
  limited: DONE,
  levelled: DONE,
  // A refused write ends the run at once: rows from before it may still be taken in.
  refused: { ...DONE, level: unmoved, grew: unmoved },
  faulted: { ...DONE, level: unmoved, faulted: cannot("a worker dies once") },
  cancelled: { ...ASKS, ...UNHEARD, stopped: unmoved, level: unmoved },
};
