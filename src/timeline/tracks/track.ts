// The props of every track over the lanes of a side.

import type { FrameScheduler } from "../../lib/frame-scheduler.ts";
import type { Plot } from "../plot/plot.ts";
import type { TimelineSide } from "../plot/timeline-props.ts";

export interface TrackProps {
  readonly side: TimelineSide;
  readonly plot: Plot;
  readonly ratio: number;
  readonly scheduler: FrameScheduler;
  readonly playheadNs: number;
  readonly onPlayhead: (ns: number) => void;
}
