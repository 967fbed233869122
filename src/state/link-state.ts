// What a link means for the page: typed knob values, a viewport, a selection; and the link that names the present state.

import type { Knob, KnobValue, ScenarioEntry } from "../engine/gen/types.ts";
import { plainText } from "../lib/plain.ts";
import type { Selection, Viewport } from "../model/types.ts";
import { fingerprint, headlineText } from "./fingerprint.ts";
import type { KnobSet, KnobSets } from "./knob-sets.ts";
import { findKnob, parseTime, parseValue, valueText, writeTime } from "./knob-values.ts";
import type { LinkContent, LinkExpectation, LinkView, RawSet } from "./link-types.ts";
import type { State } from "./state.ts";

/** A link made into what the page shows. */
export interface Opened {
  readonly entry: ScenarioEntry;
  readonly knobs: KnobSets;
  readonly viewport: Viewport | undefined;
  readonly selection: Selection | undefined;
  readonly expectation: LinkExpectation | undefined;
  readonly unknownFields: readonly (readonly [key: string, value: string])[];
  /** One sentence per thing that could not be taken over. */
  readonly notes: readonly string[];
}

/** Types a link's values by their knobs. `known` are all knobs there are. */
export function openContent(content: LinkContent, entry: ScenarioEntry, known: readonly Knob[]): Opened {
  const ignored: (readonly [string, string])[] = [...content.unknown];
  const typed = (prefix: string, set: RawSet): KnobSet =>
    set.flatMap(([path, text]) => {
      const knob = findKnob(known, path);
      if (knob !== undefined) return [[path, typedValue(knob, text)] as const];
      ignored.push([`${prefix}.${path}`, text]);
      return [];
    });
  const knobs = { both: typed("k", content.both), a: typed("a", content.a), b: typed("b", content.b), live: [] };
  const { fp, was, e } = content.view;
  return {
    entry,
    knobs,
    viewport: content.view.t === undefined ? undefined : readViewport(content.view.t),
    selection: content.view.sel === undefined ? undefined : readSelection(content.view.sel),
    expectation: fp === undefined && was === undefined ? undefined : { fp, was, engine: e },
    unknownFields: ignored,
    notes: ignored.map(([key, value]) => `This page does not know “${plainText(`${key}=${value}`)}”. It is ignored, and kept in the link.`),
  };
}

/** A value the knob would refuse is handed on as it stands: the scenario's reader says what is wrong with it. */
function typedValue(knob: Knob, text: string): KnobValue {
  const parsed = parseValue(knob, text);
  if (parsed.ok) return parsed.value;
  return knob.type === "integer" && /^-?\d{1,15}$/.test(text) ? Number(text) : text;
}

export function readViewport(text: string): Viewport | undefined {
  const [from, to] = text.split("-").map((part) => parseTime(part));
  return from !== undefined && to !== undefined && from < to ? { fromNs: from, toNs: to } : undefined;
}

export function writeViewport({ fromNs, toNs }: Viewport): string {
  const from = Math.max(0, Math.floor(fromNs));
  return `${writeTime(from)}-${writeTime(Math.max(from + 1, Math.ceil(toNs)))}`;
}

/** `cyclictest.12.w41`. */
export function writeSelection(selection: Selection): string {
  return `${selection.task}.w${selection.nth}`;
}

export function readSelection(text: string): Selection | undefined {
  const match = /^(.+)\.w(\d{1,10})$/s.exec(text);
  return match?.[1] === undefined ? undefined : { kind: "wake", task: match[1], nth: Number(match[2]) };
}

function rawSet(set: KnobSet): RawSet {
  return set.map(([path, value]) => [path, valueText(value)] as const);
}

/** The link that names what is on screen. Results are in it only when both sides are done and belong to these knobs. */
export function contentOf(state: State): LinkContent {
  return {
    slug: state.route === "own" ? undefined : state.entry.slug,
    scenario: state.route === "own" ? state.entry.text : undefined,
    both: rawSet(state.knobs.both),
    a: rawSet(state.knobs.a),
    b: rawSet(state.knobs.b),
    view: viewOf(state),
    unknown: state.unknownFields,
  };
}

function viewOf(state: State): LinkView {
  return {
    ...(state.viewport === undefined ? {} : { t: writeViewport(state.viewport) }),
    ...(state.selection === undefined ? {} : { sel: writeSelection(state.selection) }),
    ...resultsOf(state),
  };
}

function resultsOf(state: State): LinkView {
  // A link does not say what was changed in mid-run (docs/links.md): whoever opens it must not be told that results differ.
  if (state.knobs.live.length > 0) return {};
  const { a, b } = state.sides;
  const done = (status: string): boolean => status === "finished" || status === "limit";
  const reportA = done(a.status.kind) ? a.shown?.report : undefined;
  const reportB = done(b.status.kind) ? b.shown?.report : undefined;
  if (reportA === undefined || reportB === undefined) return {};
  const was = headlineText(state.entry.headline, reportA, reportB);
  const engine = /^\d+\.\d+/.exec(reportA.engine)?.[0];
  return { ...(engine === undefined ? {} : { e: engine }), ...(was === "" ? {} : { was }), fp: fingerprint(reportA, reportB) };
}
