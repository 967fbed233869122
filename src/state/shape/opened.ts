// A link, typed: the values that the page takes over when it opens one.

import type { ScenarioEntry } from "../../engine/gen/types.ts";
import type { Area, Markers, Selection, Viewport } from "../../model/trace/run-types.ts";
import type { KnobSets } from "../../scenario/knob-sets.ts";
import type { LinkExpectation, RawSet } from "../../links/link-types.ts";
import type { LabChoice } from "./state.ts";
import type { Side } from "../../scenario/sides.ts";

/** A link made into what the page shows. */
export interface Opened {
  readonly entry: ScenarioEntry;
  readonly knobs: KnobSets;
  /** Variants of the strips there are, and the letters of those that are open. */
  readonly strips: { readonly names: readonly string[]; readonly open: string };
  readonly viewport: Viewport | undefined;
  /** undefined: where the view begins. */
  readonly playheadNs: number | undefined;
  /** The side in question, which a narrow screen shows; undefined: the link does not say. */
  readonly side: Side | undefined;
  /** The side is shown alone at any width. */
  readonly only: boolean;
  /** A beside B. */
  readonly beside: boolean;
  /** The open step, from 0; undefined: the link names none. */
  readonly step: number | undefined;
  readonly selection: Selection | undefined;
  readonly area: Area | undefined;
  readonly markers: Markers;
  readonly lanes: string;
  readonly lab: LabChoice;
  readonly expectation: LinkExpectation | undefined;
  /** The sweep that the link asks for, in the link's own words. */
  readonly sweep: RawSet | undefined;
  /** The question "Which change did it?" that the link asks, in the link's own words. */
  readonly which: RawSet | undefined;
  readonly unknownFields: readonly (readonly [key: string, value: string])[];
  /** One sentence per thing that could not be taken over. */
  readonly notes: readonly string[];
}
