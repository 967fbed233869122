// Where a run next reaches what the viewer waits for: the first instant behind the playhead, on
// either side, within what is computed.

import { counted } from "../../lib/count.ts";
import { KIND } from "../../engine/gen/catalogue.ts";
import { plainText } from "../../engine/plain.ts";
import { formatNs } from "../../lib/format.ts";
import type { TraceStore } from "../../model/index.ts";
import type { WakeRecord } from "../../model/trace/run-types.ts";
import { selectedStretch } from "../select/selection.ts";
import { shownViewport } from "../select/selectors.ts";
import { SIDES, type Side } from "../../scenario/sides.ts";
import type { State } from "../shape/state.ts";
import type { Run } from "../shape/run.ts";
import { lockWords } from "../../model/locks/lock-words.ts";

/** What to stop at. */
export type Break =
  /** A wake-up whose latency is more than this; the instant is when it was due. */
  | { readonly what: "wake"; readonly overNs: number }
  /** More than `over` CPUs wait for one lock. */
  | { readonly what: "waiters"; readonly over: number }
  /**
   * A group's queue is throttled although the group has used less than 99 % of its quota since the
   * refill.
   */
  | { readonly what: "throttle" }
  | { readonly what: "refill" }
  | { readonly what: "finding" }
  /** The worst wake-up of a kind of task, or of any, in the whole run, wherever the playhead is. */
  | { readonly what: "worst"; readonly of?: string | undefined };

export interface Stop {
  readonly side: Side;
  readonly ns: number;
  /** What happens there: a sentence without its full stop. */
  readonly words: string;
  readonly wake?: WakeRecord;
  /** The lock it speaks of. */
  readonly lock?: string;
}

/**
 * Behind which instant the next one lies: the playhead; where the page itself put the playhead,
 * what the viewer selected, else the beginning of the view, so that nothing in view is passed over.
 */
export function searchedFromNs(state: State): number {
  const { playheadNs, selection } = state;
  const { placed, selected } = state.step;
  if (placed?.ns !== playheadNs || placed.fromNs !== shownViewport(state).fromNs) return playheadNs;
  const chosen = selection === selected ? undefined : selectedStretch(state, state.focus);
  return chosen?.fromNs ?? placed.fromNs - 1;
}

/**
 * The nearest such instant behind the playhead, of the sides that are shown; of the worst wake-up,
 * the worse one's.
 */
export function nextStop(
  state: Pick<State, "sides" | "playheadNs" | "onlyOneSide" | "focus">,
  wanted: Break,
): Stop | undefined {
  const sides = state.onlyOneSide ? [state.focus] : SIDES;
  const stops = sides.flatMap((side) => {
    const run = state.sides[side].shown;
    const stop = run === undefined ? undefined : stopIn(run, wanted, state.playheadNs);
    return stop === undefined ? [] : [{ side, ...stop }];
  });
  // A side that is still computed may have an earlier one behind what there is of it.
  const knownNs = Math.min(
    ...sides.map((side) =>
      state.sides[side].status.kind === "computing"
        ? (state.sides[side].shown?.simulatedNs ?? 0)
        : Infinity,
    ),
  );
  const known = stops.filter(({ ns }) => wanted.what === "worst" || ns <= knownNs);
  const latency = (stop: Stop): number => stop.wake?.latencyNs ?? 0;
  return known.sort((one, other) =>
    wanted.what === "worst" ? latency(other) - latency(one) : one.ns - other.ns,
  )[0];
}

/** What was looked for, in words that follow "no". */
export function breakWords(wanted: Break): string {
  switch (wanted.what) {
    case "wake":
      return `wake-up later than ${formatNs(wanted.overNs, 4)}`;
    case "waiters":
      return `lock with more than ${counted(wanted.over, "waiter")}`;
    case "throttle":
      return "group throttled before its quota was used";
    case "refill":
      return "refill";
    case "finding":
      return "finding";
    case "worst":
      return wanted.of === undefined ? "wake-up" : `wake-up of ${plainText(wanted.of)}`;
  }
}

type InRun = Omit<Stop, "side">;

function stopIn(run: Run, wanted: Break, afterNs: number): InRun | undefined {
  switch (wanted.what) {
    case "wake":
      return lateWake(run.trace, wanted.overNs, afterNs);
    case "waiters":
      return deepQueue(run.trace, wanted.over, afterNs);
    case "throttle":
      return throttledEarly(run.trace, afterNs);
    case "refill":
      return refill(run.trace, afterNs);
    case "finding":
      return finding(run, afterNs);
    case "worst": {
      const row = worstOf(run.trace, wanted.of);
      const of = wanted.of === undefined ? "" : ` of ${plainText(wanted.of)}`;
      return row === undefined
        ? undefined
        : ofWake(
            run.trace,
            row,
            `the worst${of} ${run.report === undefined ? "so far" : "in its run"}`,
          );
    }
  }
}

/**
 * The first finding after an instant. The report has only the first time that a run time was spent
 * twice, so the later times come from the trace.
 */
function finding({ report, trace }: Run, afterNs: number): InRun | undefined {
  const reported = report?.findings.find(({ time_ns }) => time_ns > afterNs);
  const twice = spentTwice(trace, afterNs);
  if (reported === undefined || (twice !== undefined && twice.ns < reported.time_ns)) return twice;
  return { ns: reported.time_ns, words: plainText(`finding ${reported.kind}: ${reported.what}`) };
}

function worstOf({ wakes, shape }: TraceStore, kind: string | undefined): number | undefined {
  for (let rank = 0; ; rank += 1) {
    const row = wakes.rowAtRank(rank);
    if (row === undefined || kind === undefined || shape.tasks[wakes.taskIdOf(row)]?.kind === kind)
      return row;
  }
}

function ofWake({ wakes }: TraceStore, row: number, rank: string): InRun {
  const wake = wakes.record(row);
  return {
    ns: wake.dueNs,
    wake,
    words: `wake-up ${String(wake.nth)} of ${wake.task} is ${formatNs(wake.latencyNs, 4)} late, ${rank}`,
  };
}

/** Rows lie in order of finishing: the earliest due is looked for among all. */
function lateWake(trace: TraceStore, overNs: number, afterNs: number): InRun | undefined {
  const { wakes } = trace;
  let first: number | undefined;
  let firstDue = Infinity;
  for (let row = 0; row < wakes.count; row += 1) {
    if (wakes.latencyNs(row) <= overNs) continue;
    const due = wakes.doneNs(row) - wakes.latencyNs(row);
    if (due > afterNs && due < firstDue) [first, firstDue] = [row, due];
  }
  return first === undefined ? undefined : ofWake(trace, first, `more than ${formatNs(overNs, 4)}`);
}

/** The first row behind `afterNs` by which a lock's queue grows beyond `over`. */
function deepQueue(
  { events, locks, shape }: TraceStore,
  over: number,
  afterNs: number,
): InRun | undefined {
  const deep = shape.locks.flatMap((_, id) =>
    (locks.lock(id)?.peak.depth ?? 0) > over ? [id] : [],
  );
  if (deep.length === 0) return undefined;
  for (let row = events.firstAt(afterNs + 1); row < events.count; row += 1) {
    // A wait's row says how many wait with it: it is the one that makes the queue longer.
    if (
      events.kind.at(row) !== KIND.LockWait ||
      events.b.at(row) !== over + 1 ||
      !deep.includes(events.a.at(row))
    )
      continue;
    const ns = events.time.at(row);
    const lock = shape.locks[events.a.at(row)] ?? "?";
    const words = `CPU ${String(events.cpu.at(row))} makes it ${counted(over + 1, "waiter")} for the ${lockWords(lock)}`;
    return { ns, lock, words: plainText(words) };
  }
  return undefined;
}

function throttledEarly(trace: TraceStore, afterNs: number): InRun | undefined {
  const { events, quota } = trace;
  for (let row = events.firstAt(afterNs + 1); row < events.count; row += 1) {
    if (events.kind.at(row) !== KIND.BwThrottle) continue;
    const ns = events.time.at(row);
    const track = quota.group(events.a.at(row));
    const quotaNs = track?.limitAt(ns).quotaNs;
    if (track === undefined || quotaNs === undefined) continue;
    const refillRow = track.refills.listIn(0, ns + 1).at(-1);
    const used =
      track.usedAt(ns) - (refillRow === undefined ? 0 : track.usedAt(events.time.at(refillRow)));
    if (used * 100 >= quotaNs * 99) continue;
    const where = `group ${trace.groupName(track.id)} is throttled on CPU ${String(events.cpu.at(row))}`;
    return {
      ns,
      words: plainText(
        `${where} with ${formatNs(used, 3)} of ${formatNs(quotaNs, 3)} used since its refill`,
      ),
    };
  }
  return undefined;
}

function refill(trace: TraceStore, afterNs: number): InRun | undefined {
  return amountOf(
    trace,
    KIND.BwRefill,
    afterNs,
    (group, amount) => `group ${group} is refilled with ${amount}`,
  );
}

function spentTwice(trace: TraceStore, afterNs: number): InRun | undefined {
  return amountOf(
    trace,
    KIND.BwDoubleSpend,
    afterNs,
    (group, amount) => `finding: ${amount} of group ${group} is spent twice`,
  );
}

/** The first row of a kind that names a group and an amount of its run time. */
function amountOf(
  trace: TraceStore,
  kind: number,
  afterNs: number,
  say: (group: string, amount: string) => string,
): InRun | undefined {
  const { events } = trace;
  for (let row = events.firstAt(afterNs + 1); row < events.count; row += 1) {
    if (events.kind.at(row) !== kind) continue;
    return {
      ns: events.time.at(row),
      words: plainText(say(trace.groupName(events.a.at(row)), formatNs(events.b.at(row), 3))),
    };
  }
  return undefined;
}
