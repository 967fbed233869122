// What a link means for the page: typed knob values, a viewport, a selection; and the link that
// names the present state.

import type { Knob, KnobValue, ScenarioEntry } from "../../engine/gen/types.ts";
import { plainText } from "../../engine/plain.ts";
import type { Markers, Selection } from "../../model/trace/run-types.ts";
import { fingerprint, headlineFigures } from "../../links/result-fingerprint.ts";
import {
  effectiveSet,
  lookUp,
  setLive,
  type KnobSet,
  type KnobSets,
  type LiveChange,
} from "../../scenario/knob-sets.ts";
import {
  findKnob,
  parseTime,
  parseValue,
  valueText,
  VERSION,
  writeTime,
} from "../../scenario/knob-values.ts";
import type { LinkContent, LinkView, RawSet } from "../../links/link-types.ts";
import {
  readArea,
  readMarkers,
  readViewport,
  writeArea,
  writeMarkers,
  writeViewport,
} from "../../links/view-forms.ts";
import { writeSweep } from "../../links/sweep-form.ts";
import { writeWhich } from "../../links/which-form.ts";
import { taskWriteOf } from "../../scenario/task-writes.ts";
import { statedSwitch } from "../../scenario/viewer-scenario.ts";
import { sideOfStep, stepsOf } from "../../scenario/step.ts";
import { stripLetter, stripsOf, stripVariant } from "../compare/strips.ts";
import { selectionOn } from "../select/selection.ts";
import { SIDES, type Side } from "../../scenario/sides.ts";
import type { State } from "../shape/state.ts";
import type { Opened } from "../shape/opened.ts";

/** Types a link's values by their knobs. `known` are all knobs there are. */
export function openContent(
  content: LinkContent,
  entry: ScenarioEntry,
  known: readonly Knob[],
): Opened {
  const ignored: (readonly [string, string])[] = [...content.unknown];
  const typed = (prefix: string, set: RawSet): KnobSet =>
    set.flatMap(([path, text]) => {
      const knob = findKnob(known, path);
      if (knob !== undefined) return [[path, typedValue(knob, text)] as const];
      ignored.push([`${prefix}.${path}`, text]);
      return [];
    });
  const sets = {
    both: typed("k", content.both),
    a: typed("a", content.a),
    b: typed("b", content.b),
    live: [],
  };
  const live = liveOf(content, known, ignored);
  const { lay } = content.view;
  const layout = LAYOUT.exec(lay ?? "");
  if (lay !== undefined && layout === null) ignored.push(["lay", lay]);
  const step = content.view.step === undefined ? undefined : Number(content.view.step) - 1;
  const hasStep = step === undefined || step < stepsOf(entry).length;
  if (!hasStep) ignored.push(["step", content.view.step ?? ""]);
  const stated = content.keepsStated === true ? keepStated(entry, sets, known) : sets;
  const knobs = live.reduce(setLive, stated);
  const { fp, was, e } = content.view;
  const area = content.view.area === undefined ? undefined : readArea(content.view.area);
  if (content.view.area !== undefined && area === undefined)
    ignored.push(["area", content.view.area]);
  const markers =
    content.view.markers === undefined
      ? NO_MARKERS
      : readMarkers(content.view.markers, plannedNs(entry, knobs));
  if (markers === undefined) ignored.push(["markers", content.view.markers ?? ""]);
  const names = stripsOf({ entry, strips: [] }, content.strips ?? [], "").map(
    ({ variant }) => variant,
  );
  for (const [index, name] of (content.strips ?? []).entries())
    if (names[index] !== name) ignored.push([`strip.${stripLetter(index)}`, name]);
  return {
    entry,
    knobs,
    strips: { names, open: content.view.open ?? "" },
    viewport: content.view.t === undefined ? undefined : readViewport(content.view.t),
    playheadNs: content.view.p === undefined ? undefined : parseTime(content.view.p),
    side: layout?.[3] as Side | undefined, // The pattern allows no other letter.
    only: layout !== null && layout[0] === layout[3],
    beside: (layout?.[1] ?? layout?.[2]) === "beside",
    step: hasStep ? step : undefined,
    selection: content.view.sel === undefined ? undefined : readSelection(content.view.sel),
    area,
    markers: markers ?? NO_MARKERS,
    lanes: content.view.lanes ?? "",
    lab: content.view.lab !== undefined ? "linked" : carriesLab(content) ? "kept" : "no",
    expectation:
      fp === undefined && was === undefined
        ? undefined
        : { fp, was, figures: content.figures ?? [], engine: e },
    sweep: content.sweep,
    which: content.which,
    unknownFields: ignored,
    notes: [...emptyStrips(entry, names), ...notesOf(ignored)],
  };
}

/** Whether a link shows what only the lab has. */
function carriesLab({ view, strips = [], sweep = [] }: LinkContent): boolean {
  const { sel, area, markers, lanes, open, lay, t, step } = view;
  return (
    [sel, area, markers, lanes, open, lay].some((each) => each !== undefined) ||
    strips.length + sweep.length > 0 ||
    (t !== undefined && step === undefined)
  );
}

/** Writes to the running kernel, typed; what cannot be is added to what is ignored. */
function liveOf(
  content: LinkContent,
  known: readonly Knob[],
  ignored: (readonly [string, string])[],
): readonly LiveChange[] {
  return (content.live ?? []).flatMap((change): readonly LiveChange[] => {
    const knob = findKnob(known, change.path);
    const atNs = parseTime(change.at);
    // What is written to a task is no knob, and a text; whether the run has that task is for the
    // engine to say.
    const value =
      knob === undefined ? taskWriteOf(change.path) && change.text : typedValue(knob, change.text);
    if (value !== undefined && atNs !== undefined)
      return [
        { where: change.where === "k" ? "both" : change.where, path: change.path, value, atNs },
      ];
    ignored.push([`at.${change.where}.${change.at}.${change.path}`, change.text]);
    return [];
  });
}

const NO_MARKERS: Markers = {};

/**
 * How long the longer of both runs will be: as much as there is of an axis. Without bound where the
 * file does not say it.
 */
function plannedNs(entry: ScenarioEntry, knobs: KnobSets): number {
  const planned = SIDES.map(
    (side) => lookUp(effectiveSet(entry, knobs, side), DURATION) ?? statedSwitch(entry, DURATION),
  );
  return Math.max(
    ...planned.map((time) => (typeof time === "string" ? parseTime(time) : undefined) ?? Infinity),
  );
}

const DURATION = "duration";

const NAMED = 10;
const SHOWN = 80;

function short(text: string): string {
  return plainText(text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);
}

/** Strips whose variants the scenario does not have, where they hold another one's place. */
function emptyStrips(entry: ScenarioEntry, names: readonly string[]): readonly string[] {
  return names.flatMap((variant, index) => {
    const letter = stripLetter(index).toUpperCase();
    return stripVariant({ entry }, { variant }) === undefined
      ? [`This scenario has no variant “${short(variant)}”. Strip ${letter} stays empty.`]
      : [];
  });
}

function notesOf(ignored: readonly (readonly [key: string, value: string])[]): readonly string[] {
  const named = ignored
    .slice(0, NAMED)
    .map(
      ([key, value]) =>
        `This page does not know “${short(`${key}=${value}`)}”. It is ignored, and kept in the link.`,
    );
  return ignored.length > NAMED
    ? [
        ...named,
        `There are ${ignored.length} such items in this link; the first ${NAMED} are named.`,
      ]
    : named;
}

/**
 * Where the link changes a side's version, what the file states for the version's switches is
 * stated too, unless the variant or the link does.
 */
function keepStated(entry: ScenarioEntry, sets: KnobSets, known: readonly Knob[]): KnobSets {
  const own = (side: Side): KnobSet => {
    if (lookUp([...sets.both, ...sets[side]], VERSION) === undefined) return sets[side];
    const effective = effectiveSet(entry, sets, side);
    const kept = known.filter(
      ({ path, follows_version }) => follows_version && lookUp(effective, path) === undefined,
    );
    const pins = kept.flatMap(({ path }) => {
      const value = statedSwitch(entry, path);
      return value === undefined ? [] : [[path, value] as const];
    });
    return [...pins, ...sets[side]];
  };
  return { ...sets, a: own("a"), b: own("b") };
}

/**
 * Hands on a value that the knob would refuse as it was typed: the scenario's reader says what is
 * wrong with it.
 */
function typedValue(knob: Knob, text: string): KnobValue {
  const parsed = parseValue(knob, text);
  if (parsed.ok) return parsed.value;
  return knob.type === "integer" && /^-?\d{1,15}$/.test(text) ? Number(text) : text;
}

/**
 * `b`, `beside`, `both_b`, `beside_b`. A word this page does not have makes the layout another one.
 */
const LAYOUT = /^(?:(beside)|(?:(both|beside)_)?([ab]))$/;

/** `cyclictest.12.w41`; of a sample `web_front.0.s3`. */
export function writeSelection({ kind, task, nth }: Selection): string {
  return `${task}.${kind === "wake" ? "w" : "s"}${nth}`;
}

export function readSelection(text: string): Selection | undefined {
  const match = /^(.+)\.([ws])(\d{1,10})$/s.exec(text);
  return match?.[1] === undefined
    ? undefined
    : { kind: match[2] === "w" ? "wake" : "sample", task: match[1], nth: Number(match[3]) };
}

function rawSet(set: KnobSet): RawSet {
  return set.map(([path, value]) => [path, valueText(value)] as const);
}

/**
 * The link that names what is on screen. Results are in it only when both sides are done and belong
 * to these knobs.
 */
export function contentOf(state: State): LinkContent {
  return {
    slug: state.route === "own" ? undefined : state.entry.slug,
    scenario: state.route === "own" ? state.entry.text : undefined,
    both: rawSet(state.knobs.both),
    a: rawSet(state.knobs.a),
    b: rawSet(state.knobs.b),
    ...liveIn(state),
    ...(state.strips.length === 0 ? {} : { strips: state.strips.map(({ variant }) => variant) }),
    ...resultsOf(state),
    ...sweepIn(state),
    ...whichIn(state),
    unknown: state.unknownFields,
  };
}

/** The sweep of the window that is open; of one that has not read its link yet, what that says. */
export function sweepIn({ sweep: { shown, linked, forms } }: State): Pick<LinkContent, "sweep"> {
  if (!shown) return {};
  if (linked !== undefined) return { sweep: linked };
  return forms === undefined ? {} : { sweep: writeSweep(forms.form, forms.search) };
}

/** The question of the window that is open; of one that has not read its link yet, the link's. */
export function whichIn({ which: { shown, linked, form } }: State): Pick<LinkContent, "which"> {
  if (!shown) return {};
  if (linked !== undefined) return { which: linked };
  return form === undefined ? {} : { which: writeWhich(form) };
}

function liveIn({ knobs }: State): Pick<LinkContent, "live"> {
  if (knobs.live.length === 0) return {};
  const live = knobs.live.map(({ where, path, value, atNs }) => ({
    where: where === "both" ? ("k" as const) : where,
    at: `${Math.round(atNs)}ns`,
    path,
    text: valueText(value),
  }));
  return { live };
}

/** The playhead, unless it is at the view's beginning. */
function playheadIn({ playheadNs, viewport }: State): LinkView {
  const ns = Math.round(playheadNs);
  return ns ===
    (viewport === undefined ? 0 : parseTime(writeViewport(viewport).split("-")[0] ?? ""))
    ? {}
    : { p: writeTime(ns) };
}

/**
 * A link's selection counts on side A. While A has no run yet, the selection of the opened link
 * stays; a wake-up that A does not have is left out, because any name would mean another wake-up.
 */
function selectionIn(state: State): LinkView {
  const onA = state.selectedOn === "a" ? state.selection : selectionOn(state, "a");
  return onA === undefined ? {} : { sel: writeSelection(onA) };
}

function markersIn({ markers }: State): LinkView {
  const written = writeMarkers(markers);
  return written === undefined ? {} : { markers: written };
}

/**
 * Where both sides are shown, the one in question is said too, unless the link opens on it anyway:
 * a narrow screen has room for one.
 */
function layoutIn(state: State): LinkView {
  const { entry, focus, layout, onlyOneSide, step, viewport } = state;
  if (onlyOneSide) return { lay: focus };
  const side =
    focus === sideOfStep(entry, viewport === undefined ? (step.index ?? 0) : step.index)
      ? ""
      : `_${focus}`;
  return layout === "stacked" && side === ""
    ? {}
    : { lay: `${layout === "stacked" ? "both" : layout}${side}` };
}

function openIn({ strips }: State): LinkView {
  const letters = strips.map(({ open }, index) => (open ? stripLetter(index) : "")).join("");
  return letters === "" ? {} : { open: letters };
}

/** Whether what is seen is the open step's own view, at its answer or on the way there. */
function isStepsOwn({ viewport, playheadNs, playback, step }: State): boolean {
  const { index = 0, placed } = step;
  return (
    index > 0 &&
    placed !== undefined &&
    viewport?.fromNs === placed.fromNs &&
    viewport.toNs === placed.toNs &&
    (playback.part !== undefined || playheadNs === placed.ns)
  );
}

function viewOf(state: State, results: LinkView): LinkView {
  const seen = isStepsOwn(state)
    ? {}
    : {
        ...(state.viewport === undefined ? {} : { t: writeViewport(state.viewport) }),
        ...playheadIn(state),
      };
  return {
    ...seen,
    ...layoutIn(state),
    ...(state.step.index === undefined || (state.step.index === 0 && state.viewport === undefined)
      ? {}
      : { step: String(state.step.index + 1) }),
    ...selectionIn(state),
    ...(state.area === undefined ? {} : { area: writeArea(state.area) }),
    ...markersIn(state),
    ...(state.lanes === "" ? {} : { lanes: state.lanes }),
    ...(state.lab === "asked" || state.lab === "linked" ? { lab: "1" } : {}),
    ...openIn(state),
    ...results,
  };
}

function resultsOf(state: State): Pick<LinkContent, "view" | "figures"> {
  const { a, b } = state.sides;
  const done = (status: string): boolean => status === "finished" || status === "limit";
  const reportA = done(a.status.kind) ? a.shown?.report : undefined;
  const reportB = done(b.status.kind) ? b.shown?.report : undefined;
  if (reportA === undefined || reportB === undefined) return { view: viewOf(state, {}) };
  const view = viewOf(state, {
    e: `${reportA.engine}-${reportA.engine_behaviour}`,
    fp: fingerprint(reportA, reportB),
  });
  const figures = headlineFigures(state.entry.headline, reportA, reportB);
  return figures.length === 0 ? { view } : { view, figures };
}
