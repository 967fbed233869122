// What every track over the lanes of a side is given.

import type { FrameScheduler } from "../draw/frames.ts";
import type { Plot } from "../draw/plot.ts";
import type { TimelineSide } from "../types.ts";

export interface TrackProps {
  readonly side: TimelineSide;
  readonly plot: Plot;
  readonly ratio: number;
  readonly scheduler: FrameScheduler;
  readonly playheadNs: number;
  readonly onPlayhead: (ns: number) => void;
}
