// What the timeline takes and gives: everything is controlled by the owner, nothing is kept inside
// but hover and scroll.

import type { Grab } from "./grab.ts";
import type { ReactNode } from "react";
import type {
  Area,
  Markers,
  Selection,
  Viewport,
  WakeRecord,
} from "../../model/trace/run-types.ts";
import type { TraceStore } from "../../model/index.ts";
import type { FrameScheduler } from "../../lib/frame-scheduler.ts";
import type { ThemeName, TimelineTheme } from "./timeline-theme.ts";

export type { Area, Markers, Selection, Viewport } from "../../model/trace/run-types.ts";
export type { ThemeName } from "./timeline-theme.ts";
/**
 * What a plain drag of the mouse on the lanes does; with Shift it does the other. Touch always
 * pans.
 */
export type Drag = "area" | "pan";

/** An instant and what is said of it. */
export interface Spot {
  readonly ns: number;
  readonly words: string;
}

/**
 * What is selected, from its due time to its end; `label`: it is no wake-up but a sample of that,
 * on whatever CPUs.
 */
export interface MarkedWake extends WakeRecord {
  readonly label?: string;
}

/** A run that lies faintly under a side's lanes. */
export interface GhostRun {
  readonly trace: TraceStore;
  readonly version: number;
  /** What it is of: "before, RT_PUSH_IPI off". */
  readonly words: string;
}

/** One run as the timeline shows it. */
export interface TimelineSide {
  /** `a` or `b`: names the side in test ids and colours. */
  readonly id: "a" | "b";
  /** What makes this side different: "NO_RT_PUSH_IPI". */
  readonly label: string;
  /** The label with each of many knobs, where there is room; undefined: the label says all. */
  readonly whole?: string;
  readonly trace: TraceStore;
  /** `trace.version` at this render: another number lets React see that the store has grown. */
  readonly version: number;
  /** Switches written to the running kernel: a line each. */
  readonly changes?: readonly { readonly ns: number; readonly words: string }[];
  /** Ids of marks that the scenario never speaks of: they are drawn thin and without words. */
  readonly asides?: readonly string[];
  /** Ids of marks that are not drawn: what is shown is not about them. */
  readonly off?: readonly string[];
  /** The selected wake-up or sample as this side names it; undefined if it has none. */
  readonly selection: Selection | undefined;
  /** The run's kernel: a knob's value by its path. */
  readonly kernel?: (path: string) => unknown;
  /**
   * Whether the run is still being computed: the part after `trace.endNs` is drawn as not yet
   * known.
   */
  readonly running: boolean;
  /** What is drawn stippled where this run is idle. */
  readonly ghost?: GhostRun | undefined;
}

/** Where something lies that shares the sides' time axis. */
export interface Place {
  /** CSS px of one column: half of the whole where A lies beside B. */
  readonly width: number;
  /** CSS px left of the plot. */
  readonly gutter: number;
  /** Device pixels per CSS px. */
  readonly ratio: number;
  readonly theme: TimelineTheme;
  readonly scheduler: FrameScheduler;
}

/** Where something lies on the ruler, below its labels. */
export interface RulerPlace extends Pick<Place, "width" | "gutter" | "theme"> {
  /** CSS px. */
  readonly height: number;
}

/**
 * `plenty`: rows of a good height, which scroll. `fit`: all CPUs in sight. `little`: all CPUs in
 * sight, low tanks, and neither chips nor words of tanks.
 */
export type Room = "plenty" | "fit" | "little";

export interface TimelineProps {
  /** One or two, A first. All share one time axis. */
  readonly sides: readonly TimelineSide[];
  /** The whole axis, ns: the longest planned duration. */
  readonly domainNs: number;
  readonly viewport: Viewport;
  readonly playheadNs: number;
  /** The side whose selected wake-up F looks for first. */
  readonly focus: TimelineSide["id"];
  readonly theme: ThemeName;
  /** `stacked`: A above B. `beside`: A left of B, each with the same axis. */
  readonly layout: "stacked" | "beside";
  /** What there is room for; undefined: plenty. */
  readonly room?: Room | undefined;
  /** What heads a side in place of its lock in words. */
  readonly head?: ((side: TimelineSide["id"]) => ReactNode) | undefined;
  /** Multiplies the sizes of labels, tracks and lanes; undefined: 1. */
  readonly scale?: number | undefined;
  /** While true the spoken rows keep still, so that a screen reader is not flooded. */
  readonly playing: boolean;
  /**
   * Lock to show in the lock lane: an id, or on each side the one with the longest queue in sight.
   */
  readonly lock: number | "deepest";
  /**
   * Whether the lock lane is there from the start; else it comes with the first herd, or under
   * tanks when a lock is chosen.
   */
  readonly aboutLocks: boolean;
  /**
   * Whether a wake-up will be selected once the runs are done: its task's track has its room from
   * the start.
   */
  readonly aboutTask?: boolean;
  /**
   * Ids of the marks that the headline is about, the most important first: their chips come first.
   */
  readonly aboutMarks?: readonly string[];
  /** The chosen area, drawn on all sides. */
  readonly area: Area | undefined;
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
  /** The track that carries the step: there besides those that the viewer asks for. */
  readonly hero?: string | undefined;
  /** What lies on the ruler: moments of the runs. */
  readonly onRuler?: ((place: RulerPlace) => ReactNode) | undefined;
  /** What lies below the sides on their axis. */
  readonly below?: ((place: Place) => ReactNode) | undefined;
  /** `move` while a gesture goes on, `end` when it is over (the moment for a history entry). */
  readonly onViewport: (viewport: Viewport, phase: "move" | "end") => void;
  /** A chip was pressed: to the next of a mark, or to the one before. */
  readonly onMark: (id: string, later: boolean) => void;
  readonly onPlayhead: (ns: number) => void;
  readonly onArea: (area: Area) => void;
  readonly onMarker: (which: keyof Markers, ns: number) => void;
  readonly onLanes: (lanes: string) => void;
  /** The mark of the first divergence was pressed. */
  readonly onDivergence?: () => void;
  /** A CPU's lane was pointed at or focused. */
  readonly onPoint: (cpu: number, side: TimelineSide["id"]) => void;
  readonly onSelect: (selection: Selection | undefined, side: TimelineSide["id"]) => void;
  /** A hand pressed or dragged something; undefined: the picture is only looked at. */
  readonly onGrab?: ((grab: Grab) => void) | undefined;
}
