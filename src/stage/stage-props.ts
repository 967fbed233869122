// What the stage takes and gives.

import type { ReactNode } from "react";
import type {
  Grab,
  Area,
  Drag,
  Markers,
  Place,
  Room,
  RulerPlace,
  Selection,
  Spot,
  ThemeName,
  TimelineSide,
  Viewport,
} from "../timeline/index.ts";

/** Where the viewer looks. */
export interface StageView {
  /** The whole axis, ns. */
  readonly domainNs: number;
  readonly viewport: Viewport;
  readonly playheadNs: number;
  readonly playing: boolean;
  /** The side shown where there is room for one. */
  readonly focus: TimelineSide["id"];
  /** A over B, or A left of B: many rows, a short stretch. */
  readonly layout: "stacked" | "beside";
  /** Lock in the lock lane: an id, or on each side the one with the longest queue in sight. */
  readonly lock: number | "deepest";
  /** Whether the picture is about locks: their lane is then there from the start. */
  readonly aboutLocks: boolean;
  /**
   * Whether a wake-up will be selected once the runs are done: its task's track has its room from
   * the start.
   */
  readonly aboutTask?: boolean;
  /** Ids of the marks that the headline is about, the most important first. */
  readonly aboutMarks?: readonly string[];
  /** The chosen area: drawn on both sides. */
  readonly area: Area | undefined;
  /** What a plain drag of the mouse does. */
  readonly drag: Drag;
  readonly markers: Markers;
  /** Where the two runs first differ. */
  readonly divergence?: Spot | undefined;
  /** How the viewer arranged the lanes, as links say it; "" as they come. */
  readonly lanes: string;
  /** A CPU that must be in sight, and the instant at which it was gone to. */
  readonly reveal?: { readonly cpu: number; readonly ns: number } | undefined;
  /** CPUs the caption speaks of: the others are faint. None: all are alike. */
  readonly emphasis?: readonly number[];
  /**
   * CPUs of the step, wherever the viewer looks: their lanes are seen even where groups are folded.
   */
  readonly stepCpus?: readonly number[];
  /**
   * CPUs whose lanes are large; those of the others are drawn together. None or undefined: all are
   * alike.
   */
  readonly subject?: readonly number[] | undefined;
  /** The track that carries the step. */
  readonly hero?: string | undefined;
}

export type StageEvent =
  /** `settled: false` while a gesture goes on. */
  | { readonly type: "window"; readonly viewport: Viewport; readonly settled: boolean }
  | { readonly type: "playhead"; readonly ns: number }
  | {
      readonly type: "select";
      readonly selection: Selection | undefined;
      readonly side: TimelineSide["id"];
    }
  | { readonly type: "point"; readonly cpu: number; readonly side: TimelineSide["id"] }
  | { readonly type: "area"; readonly area: Area }
  /** A marker was dragged to there. */
  | { readonly type: "marker"; readonly which: keyof Markers; readonly ns: number }
  /** To the next of a mark, by its id, or to the one before. */
  | { readonly type: "mark"; readonly id: string; readonly later: boolean }
  | { readonly type: "lanes"; readonly lanes: string }
  /** A hand pressed or dragged something. */
  | { readonly type: "grab"; readonly grab: Grab }
  /** To the first divergence. */
  | { readonly type: "divergence" }
  | { readonly type: "focus"; readonly side: TimelineSide["id"] }
  /** To the other layout. */
  | { readonly type: "layout" };

export interface StageProps {
  /** Runs that have something to show, A first. */
  readonly sides: readonly TimelineSide[];
  readonly view: StageView;
  readonly theme: ThemeName;
  /** What there is room for; undefined: plenty. */
  readonly room?: Room | undefined;
  /** What heads a side in place of its lock in words. */
  readonly head?: ((side: TimelineSide["id"]) => ReactNode) | undefined;
  /** Multiplies the sizes of labels, tracks and lanes; undefined: 1. */
  readonly scale?: number | undefined;
  /** The story line: one sentence, cut off where it does not fit. */
  readonly caption?: ReactNode;
  /** What is shown while there is no picture. */
  readonly empty: ReactNode;
  /** What lies on the ruler below its labels: moments of the runs. */
  readonly onRuler?: ((place: RulerPlace) => ReactNode) | undefined;
  /** What lies below A and B on their axis: more runs. */
  readonly below?: ((place: Place) => ReactNode) | undefined;
  /** Whether one side is shown on purpose: the switch between them then is there at any width. */
  readonly one?: boolean;
  /** Whether bars and tanks can be pressed and dragged. */
  readonly hand?: boolean | undefined;
  readonly onEvent: (event: StageEvent) => void;
}
