// What a link says, and what can be wrong with one: docs/use/links.md. Values of knobs are still
// text here; their knobs type them later.

/** Text of a knob's value, by path, in the order written. */
export type RawSet = readonly (readonly [path: string, text: string])[];

/** A change of a running kernel: whose, from which instant on, which knob, to what. */
export interface RawLive {
  readonly where: "k" | "a" | "b";
  readonly at: string;
  readonly path: string;
  readonly text: string;
}

/** What was on screen and what the numbers were. */
export interface LinkView {
  readonly t?: string;
  /** The playhead. */
  readonly p?: string;
  /** Words on how it is laid out, joined by `_`. */
  readonly lay?: string;
  /** The scenario's step, from 1. */
  readonly step?: string;
  readonly sel?: string;
  readonly area?: string;
  /** The two markers. */
  readonly markers?: string;
  /** How the lanes are arranged. */
  readonly lanes?: string;
  /** The lab is shown: `1`. */
  readonly lab?: string;
  /** Letters of the strips that are open. */
  readonly open?: string;
  readonly e?: string;
  readonly was?: string;
  readonly fp?: string;
}

export interface LinkContent {
  /** undefined = the link carries its own scenario. */
  readonly slug: string | undefined;
  /** The scenario's text, in `lab` links only. */
  readonly scenario: string | undefined;
  readonly both: RawSet;
  readonly a: RawSet;
  readonly b: RawSet;
  /** In the link's order; the page sorts them by time. */
  readonly live?: readonly RawLive[];
  /** Names of the variants below A and B: C's, then D's. */
  readonly strips?: readonly string[];
  readonly view: LinkView;
  /** What figures were, by metric: A's, then B's if it ran, joined by `_`. */
  readonly figures?: RawSet;
  /** A sweep that is asked for, by keys without their prefix. */
  readonly sweep?: RawSet;
  /** "Which change did it?", asked, by keys without their prefix. */
  readonly which?: RawSet;
  /**
   * A changed kernel.version keeps the switches that the scenario's file states: so links of
   * version 1 mean it.
   */
  readonly keepsStated?: true;
  /** Keys that this page does not know, in the order they came. */
  readonly unknown: readonly (readonly [key: string, value: string])[];
}

export type LinkProblemCode =
  | "cut"
  | "changed"
  | "newer"
  | "malformed"
  | "payload"
  | "no_scenario"
  | "not_a_link"
  | "no_preset"
  | "no_page";

/** Why a link opens nothing. */
export interface LinkProblem {
  readonly code: LinkProblemCode;
  /** The preset it was for, to be opened on purpose. */
  readonly slug: string | undefined;
  /** Characters that arrived and that were sent, where the link says so. */
  readonly arrived?: number;
  readonly length?: number;
  /** Version of a newer link. */
  readonly version?: number;
  readonly detail?: string;
  /** The path below the site's root that names no page. */
  readonly path?: string;
  /** What it may have meant: path and fragment below the site's root. */
  readonly near?: string;
}

export type LinkResult =
  | { readonly ok: true; readonly content: LinkContent }
  | { readonly ok: false; readonly problem: LinkProblem };

/** What the sender of a link saw, to be compared with what we get. */
export interface LinkExpectation {
  readonly fp: string | undefined;
  /**
   * Figures without their names, as version 1 has them: they are shown, and compared with nothing.
   */
  readonly was: string | undefined;
  readonly figures: RawSet;
  readonly engine: string | undefined;
}
