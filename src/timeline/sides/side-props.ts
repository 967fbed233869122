// The props of one side of the timeline.

import type { FrameScheduler } from "../../lib/frame-scheduler.ts";
import type { LockTrack } from "../../model/index.ts";
import type { Pointer } from "../input/pointed.ts";
import type { Lay } from "../plot/lane-rows.ts";
import type { Area, MarkedWake, TimelineProps, TimelineSide } from "../plot/timeline-props.ts";
import type { TimelineTheme } from "../plot/timeline-theme.ts";
import type { TracksRoom } from "../tracks/room.ts";
import type { ShownTank } from "../tracks/tank.tsx";
import type { LaneTools } from "./use-tools.ts";

export interface SideProps extends Pick<
  TimelineProps,
  | "sides"
  | "viewport"
  | "playheadNs"
  | "domainNs"
  | "playing"
  | "emphasis"
  | "room"
  | "head"
  | "area"
  | "drag"
  | "lanes"
  | "hero"
  | "stepCpus"
  | "onLanes"
  | "markers"
  | "divergence"
  | "onViewport"
  | "onPlayhead"
  | "onSelect"
  | "onArea"
  | "onPoint"
  | "onGrab"
> {
  readonly side: TimelineSide;
  /** The area while it is dragged. */
  readonly onDraft: (area: Area | undefined) => void;
  /** Where the pointer is, for the other side. */
  readonly pointer: Pointer;
  readonly width: number;
  readonly ratio: number;
  readonly gutter: number;
  readonly theme: TimelineTheme;
  readonly scheduler: FrameScheduler;
  readonly lock: LockTrack | undefined;
  /** Full height of the lock lane's scale, shared by the sides. */
  readonly depthMax: number;
  /**
   * Whether any side has a selected wake-up: both then show a task lane, so that their lanes stay
   * level.
   */
  readonly withTask: boolean;
  /** Without it neither side shows a lock lane: there is nothing to see in one. */
  readonly withLock: boolean;
  /**
   * Whether a queue of the run, on either side, is deep enough to be a herd; else nothing is said
   * of it in words.
   */
  readonly deepLock: boolean;
  /** Whether either side's tasks share a mutex, or spin for a lock of user space. */
  readonly withTaskLock: boolean;
  /** Heights of the tracks over the lanes, on both sides alike. */
  readonly over: TracksRoom;
  /** Groups with a quota on either side: both show a tank for each. */
  readonly tanks: readonly ShownTank[];
  readonly wake: MarkedWake | undefined;
  /** CSS px there are for the lanes; more lanes than fit scroll. */
  readonly lanesPx: number;
  readonly onRoom: (px: number) => void;
  /** How far the lanes of all sides are scrolled, CSS px. */
  readonly scrollTop: number;
  readonly onScroll: (px: number) => void;
  /** Shared by both sides, so that their lanes stay level. */
  readonly lay: Lay;
  readonly tools: LaneTools | undefined;
}
