// The props of one more run below A and B.

import type { TraceStore } from "../../model/index.ts";
import type { Drag, Place, Selection, Viewport } from "../../timeline/index.ts";

export interface StripFigure {
  /** The metric's, and its value as integers go. */
  readonly path: string;
  readonly value: number;
  readonly text: string;
  readonly label: string;
  readonly of: string;
}

export interface StripRowProps {
  readonly place: Place;
  readonly letter: "c" | "d";
  readonly label: string;
  readonly open: boolean;
  readonly run: { readonly trace: TraceStore; readonly version: number } | undefined;
  /** Switches written to the running kernel: a line each. */
  readonly changes: readonly { readonly ns: number; readonly words: string }[];
  /** Ids of marks that the scenario never speaks of. */
  readonly asides: readonly string[];
  /** What is selected, as this run has it; undefined if it has none of it. */
  readonly selection: Selection | undefined;
  /** The selected wake-up of this run in words. */
  readonly selected: string;
  /** Words beside the figures: "computing", or why there is no run. */
  readonly status: string;
  /** The picture and the figures are of other knobs than now. */
  readonly stale: boolean;
  readonly figures: readonly StripFigure[];
  readonly viewport: Viewport;
  readonly domainNs: number;
  readonly playheadNs: number;
  readonly playing: boolean;
  readonly drag: Drag;
  readonly onViewport: (viewport: Viewport, phase: "move" | "end") => void;
  readonly onPlayhead: (ns: number) => void;
  /** A wake-up of this run, by the run's own number; undefined: the selection ends. */
  readonly onSelect: (selection: Selection | undefined) => void;
  readonly onToggle: () => void;
  /** Undefined where there is nothing that could become a side. */
  readonly onPromote: (() => void) | undefined;
  readonly onRemove: () => void;
}
