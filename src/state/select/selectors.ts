// What follows from the state. Nothing here is stored; what is costly is remembered by its inputs.

import type { KnobValue, RunReport, ResolvedKnob } from "../../engine/gen/types.ts";
import type { RunRequest } from "../../engine/protocol.ts";
import { plainText } from "../../engine/plain.ts";
import { counted } from "../../lib/count.ts";
import { instantText } from "../../lib/format.ts";
import type { Viewport } from "../../model/trace/run-types.ts";
import { fingerprint, headlineFigures } from "../../links/result-fingerprint.ts";
import { keysOf, sameValue, saidValue, writtenOver } from "../../scenario/knob-values.ts";
import { statedValue } from "../../scenario/viewer-scenario.ts";
import { CROSSING_S } from "./pace.ts";
import { effectiveSet, liveOn, lookUp, type LiveChange } from "../../scenario/knob-sets.ts";
import { taskWriteOf } from "../../scenario/task-writes.ts";
import { calledOn, sideName } from "../../scenario/variants.ts";
import { latestMeta } from "./offers.ts";
import { ofRuns } from "./of-runs.ts";
import { perSide, SIDES, type PerSide, type Side } from "../../scenario/sides.ts";
import { stepsOf } from "../../scenario/step.ts";
import type { State } from "../shape/state.ts";
import type { Run, SideState } from "../shape/run.ts";

/** Trace rows kept per side in the page. */
export const MAX_RECORDS = 8_000_000;
/**
 * Rows kept per side once the viewer has asked for more: about 1 GB of memory a side, which no link
 * may take by itself.
 */
export const MORE_RECORDS = 4 * MAX_RECORDS;

/** The longest planned duration of what is on screen: the end of the common time axis, ns. */
export function domainNs(state: State): number {
  return Math.max(1, ...SIDES.map((side) => runToDraw(state.sides[side])?.meta.duration_ns ?? 0));
}

/** The latest instant computed on either side, ns: as far as the playhead can go. */
export function endNs(state: State): number {
  return Math.max(0, ...SIDES.map((side) => state.sides[side].shown?.simulatedNs ?? 0));
}

/** The request that computes a side with the knobs as they are now. */
export function requestFor(
  state: Pick<State, "entry" | "knobs" | "moreRecords">,
  side: Side,
): RunRequest {
  const { slug, text } = state.entry;
  const changes = liveOn(state.knobs, side).map(
    ({ atNs, path, value }) => [atNs, path, value] as const,
  );
  return {
    slug,
    text,
    set: effectiveSet(state.entry, state.knobs, side),
    changes,
    maxRecords: state.moreRecords ? MORE_RECORDS : MAX_RECORDS,
  };
}

export function sameRequest(left: RunRequest, right: RunRequest): boolean {
  return (
    left.text === right.text &&
    left.slug === right.slug &&
    left.maxRecords === right.maxRecords &&
    JSON.stringify([left.set, left.changes ?? []]) ===
      JSON.stringify([right.set, right.changes ?? []])
  );
}

/** Whether either side is being computed, or is about to be. */
export function isComputing(state: State): boolean {
  if (state.linkProblem !== undefined || state.entry.text.trim() === "") return false;
  return SIDES.some(
    (side) =>
      state.sides[side].status.kind === "computing" || state.sides[side].status.kind === "waiting",
  );
}

/**
 * The name of a side: its variant's, or what it has instead once a knob of the variant was turned;
 * what else was turned; and what was written in mid-run. `whole`: with each of many knobs, for a
 * tooltip.
 */
export function sideLabel(state: State, side: Side, whole = false): string {
  const { entry, knobs } = state;
  const [first, ...more] = liveOn(knobs, side);
  const written =
    first === undefined
      ? ""
      : `, ${more.length > 0 ? "written to" : writtenWords(first)} from ${instantText(first.atNs)}`;
  const inert = inertKnobs(state)[side];
  return `${sideName(entry, knobs, side, { whole, inert })}${written}`;
}

/** What people call a side, where its run is one that they call so. */
export function sideCalled(state: State, side: Side): string | undefined {
  return calledOn(state.entry, state.knobs, side, inertKnobs(state)[side]);
}

/** Knobs that change nothing in each side's run, once it is that of the knobs. */
const inertKnobs = ofRuns((state): PerSide<readonly string[]> =>
  perSide((side) => {
    const run = state.sides[side].coming ?? state.sides[side].shown;
    if (run === undefined || !sameRequest(run.request, requestFor(state, side))) return [];
    return run.meta.knobs.flatMap(({ path, inert }) => (inert === undefined ? [] : [path]));
  }),
);

/** "serve.0 on CPU 1"; a knob's value speaks for itself beside the variant's name. */
function writtenWords({ path, value }: LiveChange): string {
  const words = saidValue(path, value).slice(0, WRITTEN_MAX);
  const write = taskWriteOf(path);
  return write === undefined
    ? words
    : `${plainText(write.task)} ${{ cpus: "on CPU", policy: "as", wake: "woken by a" }[write.what]} ${words}`;
}

/** At most this many letters of a written value are shown: a link states values of any length. */
const WRITTEN_MAX = 24;

/** A knob as the run on screen resolved it. */
export function resolvedKnob(run: Run | undefined, path: string): ResolvedKnob | undefined {
  return run?.meta.knobs.find((knob) => knob.path === path);
}

/**
 * Where a group's first refill lies in its period, ns: drawn by the seed, or stated. Undefined for
 * any other knob.
 */
export function phaseOf(
  run: Run | undefined,
  path: string,
): { readonly ns: number; readonly periodNs: number } | undefined {
  const keys = keysOf(path);
  if (keys[0] !== "cgroups" || keys.at(-1) !== "period_phase") return undefined;
  const group = run?.meta.groups.find((each) => each.path === keys[1]);
  return group?.phase_ns === undefined
    ? undefined
    : { ns: group.phase_ns, periodNs: group.period_ns };
}

/** The value a knob has on a side: what was set, what the run resolved, what the file states. */
export function knobValue(state: State, side: Side, path: string): KnobValue | undefined {
  const set = lookUp(effectiveSet(state.entry, state.knobs, side), path);
  if (set !== undefined) return writtenOver(path, statedValue(state.entry, path), set);
  return resolvedKnob(state.sides[side].shown, path)?.value ?? statedValue(state.entry, path);
}

/** The value of a live knob in force at an instant. */
export function valueAt(state: State, side: Side, path: string, ns: number): KnobValue | undefined {
  const written = liveOn(state.knobs, side).findLast(
    (change) => change.path === path && change.atNs <= ns,
  );
  return written?.value ?? knobValue(state, side, path);
}

/**
 * What the running kernel of a side takes for this knob, none meaning any of its values; undefined
 * if it is no switch of that kernel.
 */
export function liveValues(state: State, side: Side, path: string): readonly string[] | undefined {
  return latestMeta(state, side)?.live.find((knob) => knob.path === path)?.values;
}

/** Whether the running kernel of a side has this knob as a switch that can be written. */
export function isLive(state: State, side: Side, path: string): boolean {
  return liveValues(state, side, path) !== undefined;
}

/** Paths of the knobs that are set differently on the two sides. */
export const differingKnobs = ofRuns((state): readonly string[] => {
  const paths = SIDES.flatMap((side) =>
    effectiveSet(state.entry, state.knobs, side).map(([path]) => path),
  );
  return [...new Set(paths)].filter(
    (path) => !sameValue(knobValue(state, "a", path), knobValue(state, "b", path)),
  );
});

/** The runs of A and B, once both are those that the knobs ask for. */
const askedRuns = ofRuns((state): readonly Run[] => {
  const runs = SIDES.flatMap((side) => {
    const run = state.sides[side].coming ?? state.sides[side].shown;
    return run !== undefined && sameRequest(run.request, requestFor(state, side)) ? [run] : [];
  });
  return runs.length === SIDES.length ? runs : [];
});

/**
 * The differing knobs that come to the same on both sides: `auto_gt16` on 40 CPUs is `on`. Known
 * once the runs are those of the knobs.
 */
export const alikeInEffect = ofRuns((state): readonly string[] => {
  const [a, b] = askedRuns(state);
  return differingKnobs(state).filter((path) =>
    sameValue(resolvedKnob(a, path)?.value ?? "", resolvedKnob(b, path)?.value ?? "?"),
  );
});

/**
 * Knobs that differ although neither the scenario nor the viewer set them apart: they follow one
 * that was set apart, most often the version. Known with the runs.
 */
export const followingKnobs = ofRuns((state): readonly string[] => {
  const [a, b] = askedRuns(state);
  const stated = differingKnobs(state);
  const follows = ({ path, value }: ResolvedKnob): boolean => {
    const other = resolvedKnob(b, path)?.value;
    return other !== undefined && !sameValue(value, other) && !stated.includes(path);
  };
  return (a?.meta.knobs ?? []).filter(follows).map(({ path }) => path);
});

/** Whether both sides have the runs of their present knobs, and these wrote the same rows. */
export const sameRows = ofRuns((state): boolean => {
  const [a, b] = askedRuns(state).map(({ report }) => report?.digest);
  return a !== undefined && a === b;
});

function wholeNumber(value: KnobValue | undefined): readonly number[] {
  return typeof value === "number" ? [value] : [];
}

/** The scenario's question; a number of CPUs in it follows the machine on screen. */
export function questionOf(state: State): string {
  const stated = statedValue(state.entry, "machine.cpus");
  const counts = [
    ...new Set(SIDES.flatMap((side) => wholeNumber(knobValue(state, side, "machine.cpus")))),
  ];
  if (typeof stated !== "number" || counts.length === 0) return state.entry.title;
  const [last, ...others] = counts.toReversed();
  const words = [...others.toReversed().map(String), counted(last ?? stated, "CPU")].join(" or ");
  const asked = state.entry.title.replace(new RegExp(`\\b${String(stated)} CPUs?\\b`), words);
  return asked.replace(/\bdo (?=1 CPU\b)/, "does ");
}

/** The report of the run on screen, if that run is done. */
export function reportOf(state: State, side: Side): RunReport | undefined {
  return state.sides[side].shown?.report;
}

export interface Mismatch {
  readonly engineThen: string | undefined;
  readonly engineNow: string;
  /**
   * Figures of both sides as the link names them, or of the headline where it names none, with what
   * we have.
   */
  readonly figures: readonly {
    readonly path: string;
    readonly side: Side;
    readonly then: string | undefined;
    readonly now: string;
  }[];
  /** Figures of a link that does not say what they are of. */
  readonly unnamed: readonly string[];
}

/**
 * Whether what we computed differs from what the link's sender saw; undefined while unknown or
 * equal.
 */
export function resultMismatch(state: State): Mismatch | undefined {
  const expected = state.expectation;
  const a = reportOf(state, "a");
  const b = reportOf(state, "b");
  if (expected === undefined || a === undefined || b === undefined || isComputing(state))
    return undefined;
  const named = new Map(expected.figures);
  const paths = named.size > 0 ? [...named.keys()] : state.entry.headline;
  const now = headlineFigures(paths, a, b);
  const same =
    (expected.fp === undefined || expected.fp === fingerprint(a, b)) &&
    (named.size === 0 || now.every(([path, values]) => named.get(path) === values));
  if (same) return undefined;
  const figures = now.flatMap(([path, values]) => {
    const then = named.get(path)?.split("_") ?? [];
    return values
      .split("_")
      .map((value, at) => ({ path, side: SIDES[at] ?? "a", then: then[at], now: value }));
  });
  const engineNow = `${a.engine}-${a.engine_behaviour}`;
  return {
    engineThen: expected.engine,
    engineNow,
    figures,
    unnamed: expected.was?.split("_") ?? [],
  };
}

/** The viewport in force: the viewer's, else the page's first choice, else the whole axis. */
export function shownViewport(state: State): Viewport {
  return state.viewport ?? state.firstViewport ?? { fromNs: 0, toNs: domainNs(state) };
}

/** Views whose widths differ by less than this share are as wide as each other. */
const SAME_WIDTH = 0.05;

export function isAsWide({ fromNs, toNs }: Viewport, spanNs: number): boolean {
  return Math.abs((toNs - fromNs) / spanNs - 1) < SAME_WIDTH;
}

/**
 * Machine time per second of wall time, ns: the viewer's choice, else so that the view is crossed
 * in a few seconds, however long it is.
 */
export function speedOf(state: State): number {
  const { fromNs, toNs } = shownViewport(state);
  return state.playback.chosenNsPerSecond ?? Math.max(1, Math.round((toNs - fromNs) / CROSSING_S));
}

/**
 * Paths that speak of the latency of tasks of a kind, and of what else they do: their tool's
 * samples, their sums.
 */
const LATENCY_OF = /^latency\.(.+)\.\w+$/;
const SAID_OF = /^(?:tool_samples|tasks)\.([^.]+)\./;

/**
 * The task kind whose latency is shown: the viewer's choice, the one whose latency the headline or
 * a step speaks of, one the headline names otherwise, or the first that had a wake-up.
 */
export function latencyKind(state: State, side: Side): string | undefined {
  const run = state.sides[side].shown;
  if (run === undefined) return undefined;
  const has = (kind: string): boolean => run.meta.tasks.some((task) => task.kind === kind);
  const named = (by: RegExp): readonly (string | undefined)[] =>
    state.entry.headline.map((path) => by.exec(path)?.[1]);
  const told = stepsOf(state.entry).map(({ focus }) => focus.wakeup);
  const woken = Object.keys(run.report?.metrics.latency ?? {});
  const first = run.meta.tasks.find(
    (task) => woken.length === 0 || woken.includes(task.kind),
  )?.kind;
  return (
    [state.latencyKind, ...named(LATENCY_OF), ...told, ...named(SAID_OF)].find(
      (kind) => kind !== undefined && has(kind),
    ) ?? first
  );
}

/**
 * What the timeline draws of a side. Where nothing is on screen yet, the lanes of the run on its
 * way: its rows then come into a picture that does not move.
 */
export function runToDraw({ shown, coming }: SideState): Run | undefined {
  return shown ?? coming;
}

/**
 * The sides that have a picture, or the one that is `only` wanted. Two come together: the later of
 * them would halve the room of the other.
 */
export function sidesToDraw(sides: State["sides"], only: Side | undefined): readonly Side[] {
  const wanted = SIDES.filter((side) => only === undefined || side === only);
  const onTheWay = wanted.some(
    (side) => runToDraw(sides[side]) === undefined && sides[side].status.kind === "computing",
  );
  return onTheWay ? [] : wanted.filter((side) => runToDraw(sides[side]) !== undefined);
}
