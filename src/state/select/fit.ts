// Whether the runs come to their ends before a limit, and the duration that does. It must not know
// how it is shown.

import type { KnobValue, RunReport } from "../../engine/gen/types.ts";
import type { Reached, RunRequest } from "../../engine/protocol.ts";
import { nearestRun } from "./shipped.ts";
import { type KnownRun } from "../shape/known-run.ts";
import { setKnob, type Where } from "../../scenario/knob-sets.ts";
import { parseTime } from "../../scenario/knob-values.ts";
import { knobValue, reportOf, requestFor, sameRequest } from "./selectors.ts";
import { SIDES, type Side } from "../../scenario/sides.ts";
import type { State } from "../shape/state.ts";

/** The whole way to a limit, hundredths of a per cent. */
const WHOLE = 10_000;
/**
 * After this share of the way the rate of a run shows where it would end; before, the run's start
 * may be busier than the rest.
 */
const TOLD_AFTER = 2_000;
/**
 * After this share already, where the last stretch points to the same end as the whole way: the run
 * is steady.
 */
const STEADY_AFTER = 500;
/** How far the two may differ, of the end. */
const STEADY_WITHIN = 0.05;
/**
 * The share of the foreseen stretch that is offered as the new duration: rates change on the way.
 */
const MARGIN = 0.9;

/**
 * A run falls short if its own rate ends it before this share of its duration: nearer to its end,
 * the run may come through.
 */
const SHORT = 0.98;
/**
 * A run surely falls short if another run's rate ends it before this share of its duration: a rate
 * of other knobs or CPUs is less certain than the run's own.
 */
const CLEAR = 0.5;
/**
 * How many times as many records a CPU may write on a machine with more CPUs than the run whose
 * rate is used: a CPU of quota-stranded writes 1.45 times as many on 512 CPUs as on 8.
 */
const MORE_A_CPU = 1.5;

/** A run under way, or about to start, that meets a limit before its end. */
export interface Foreseen {
  readonly side: Side;
  /**
   * Where the limit would end the run at the rate used, ns; past the run's end if only more records
   * a CPU would bring the limit before it.
   */
  readonly endNs: number;
  /** The run surely comes this far, as far as a rate can show, ns. */
  readonly leastNs: number;
  readonly durationNs: number;
  /** Whose rate is used: the run's own, or, before that is known, another run's of the scenario. */
  readonly by: "own" | "other";
  /** The run has not started: its knobs say how long it will be. */
  readonly ahead?: true;
}

/** The side whose run is foreseen to meet a limit first, before its end. */
export function foreseenLimit(state: State): Foreseen | undefined {
  return firstOf(SIDES.flatMap((side) => foreseenOn(state, side) ?? []));
}

/**
 * The side whose run would meet a limit first if a knob had this value; undefined where the value
 * changes no run.
 */
export function foreseenWith(
  state: State,
  where: Where,
  path: string,
  value: KnobValue,
): Foreseen | undefined {
  const turned = { ...state, knobs: setKnob(state.knobs, where, path, value) };
  const restarted = SIDES.filter(
    (side) => !sameRequest(requestFor(state, side), requestFor(turned, side)),
  );
  return firstOf(restarted.flatMap((side) => aheadOn(turned, side) ?? []));
}

/**
 * Whether the run surely meets the limit, as far as a rate can show: another run's rate decides
 * clear cases only.
 */
export function isCertain({ by, endNs, durationNs }: Foreseen): boolean {
  return by === "own" || endNs < CLEAR * durationNs;
}

function firstOf(all: readonly Foreseen[]): Foreseen | undefined {
  return all.reduce<Foreseen | undefined>(
    (first, each) => (first === undefined || each.endNs < first.endNs ? each : first),
    undefined,
  );
}

function foreseenOn(state: State, side: Side): Foreseen | undefined {
  const { status, shown, coming, runId } = state.sides[side];
  const run = [coming, shown].find((each) => each?.id === runId);
  // A run that was asked for is not known before the engine has read its scenario; while a slider
  // moves, no run is asked for yet.
  const moved =
    state.undo.open && run !== undefined && !sameRequest(run.request, requestFor(state, side));
  if (moved || (run === undefined && (status.kind === "computing" || status.kind === "waiting")))
    return aheadOn(state, side);
  if (status.kind !== "computing" || run === undefined || run.request.untilNs !== undefined)
    return undefined;
  const durationNs = run.meta.duration_ns;
  const own = endFrom({ simulatedNs: run.simulatedNs, shareDone: status.shareDone }, status.last);
  if (own !== undefined)
    return own < SHORT * durationNs
      ? { side, endNs: own, leastNs: own, durationNs, by: "own" }
      : undefined;
  const other = endAsOthers(state, side, { request: run.request, cpus: run.meta.cpus });
  return other !== undefined && other.leastNs < durationNs
    ? { side, ...other, durationNs, by: "other" }
    : undefined;
}

/** Foresees a run before it starts, from its knobs and another run's rate. */
function aheadOn(state: State, side: Side): Foreseen | undefined {
  const duration = knobValue(state, side, "duration");
  const cpus = knobValue(state, side, "machine.cpus");
  const durationNs = typeof duration === "string" ? parseTime(duration) : undefined;
  if (durationNs === undefined || typeof cpus !== "number") return undefined;
  const other = endAsOthers(state, side, { request: requestFor(state, side), cpus });
  return other !== undefined && other.leastNs < durationNs
    ? { side, ...other, durationNs, by: "other", ahead: true }
    : undefined;
}

/**
 * Where the record limit would end a run if each of its CPUs wrote as much as in the run before it,
 * or in the shipped one.
 */
function endAsOthers(
  state: State,
  side: Side,
  run: { readonly request: RunRequest; readonly cpus: number },
): Pick<Foreseen, "endNs" | "leastNs"> | undefined {
  const { shown, before } = state.sides[side];
  const last =
    shown?.report === undefined ? before : { request: shown.request, report: shown.report };
  const known =
    last?.request.slug === run.request.slug ? paceOf(last.report) : nearestRun(state, side);
  if (known === undefined || !(known.records > 0)) return undefined;
  const endNs =
    (run.request.maxRecords / known.records) * known.simulatedNs * (known.cpus / run.cpus);
  return { endNs, leastNs: run.cpus > known.cpus ? endNs / MORE_A_CPU : endNs };
}

function paceOf({
  records,
  simulated_ns: simulatedNs,
  config,
}: RunReport): Omit<KnownRun, "metrics"> {
  return { records, simulatedNs, cpus: Number(config["machine.cpus"]) };
}

/**
 * Where a run at `now` would end, ns; undefined while its rate does not show that yet. `last`: an
 * earlier place of its way.
 */
function endFrom(
  { simulatedNs, shareDone }: Reached,
  last: Reached | undefined,
): number | undefined {
  const endNs = (simulatedNs * WHOLE) / shareDone;
  if (shareDone >= TOLD_AFTER) return endNs;
  // The stretch must be neither a few records nor nearly all of the way.
  if (
    shareDone < STEADY_AFTER ||
    last === undefined ||
    last.shareDone < shareDone / 4 ||
    last.shareDone > shareDone * 0.8
  )
    return undefined;
  const lately =
    simulatedNs +
    ((simulatedNs - last.simulatedNs) * (WHOLE - shareDone)) / (shareDone - last.shareDone);
  return Math.abs(lately - endNs) <= STEADY_WITHIN * endNs ? endNs : undefined;
}

/**
 * The longest duration in two digits that both sides are known, or foreseen, to come through, ns;
 * undefined if neither met a limit.
 */
export function fittingNs(state: State): number | undefined {
  const foreseen = foreseenLimit(state);
  const met = SIDES.flatMap((side) =>
    state.sides[side].status.kind === "limit" ? [reportOf(state, side)?.simulated_ns ?? 0] : [],
  );
  const least = Math.min(...met, ...(foreseen === undefined ? [] : [fitsNs(foreseen)]));
  return least > 0 && Number.isFinite(least) ? twoDigits(least) : undefined;
}

/** A duration in two digits that a run comes through which would be too long, ns. */
export function fitsNs({ leastNs }: Foreseen): number {
  return twoDigits(leastNs * MARGIN);
}

/** Rounded down. */
function twoDigits(ns: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(ns)) - 1);
  return Math.floor(ns / unit) * unit;
}
