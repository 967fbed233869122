// The tracks over the lanes of one side, from top to bottom.

import type { ReactElement } from "react";
import type { Selection } from "../../model/index.ts";
import type { Plot } from "../plot/plot.ts";
import { LockStrip, TASK_LANE_PX } from "../tracks/strips.tsx";
import { TankTracks } from "../tracks/tank.tsx";
import type { SideProps } from "./side-props.ts";
import { hasCounters } from "./use-lay.ts";

type OverLanesProps = SideProps & {
  readonly plot: Plot;
  readonly onWake: (selection: Selection | undefined) => void;
  readonly onLane: (cpu: number) => void;
};

export function OverLanes(props: OverLanesProps): ReactElement {
  const { over, tools } = props;
  return (
    <>
      {props.withLock && over.lockPx > 0 ? (
        <LockStrip {...props} height={over.lockPx} onCpu={props.onLane} />
      ) : null}
      {props.withTaskLock && over.taskLockPx > 0 ? (
        <div style={{ height: over.taskLockPx }}>
          {tools && <tools.TaskLockTrack {...props} height={over.taskLockLanePx} />}
        </div>
      ) : null}
      <TankTracks {...props} height={over.tankPx} />
      {props.withTask ? (
        <div style={{ minHeight: TASK_LANE_PX + 1 }}>{tools && <tools.TaskStrip {...props} />}</div>
      ) : null}
      {hasCounters(props.lanes) && over.counters ? (
        <div className="tl-counters">{tools && <tools.CounterTrack {...props} />}</div>
      ) : null}
    </>
  );
}
