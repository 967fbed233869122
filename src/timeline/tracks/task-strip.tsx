// The life of the selected wake-up's task over a side's lanes. Fetched behind the first picture.

import { useDeferredValue, useEffect, useMemo, useRef } from "react";
import type { ReactElement } from "react";
import { taskSpans, trackSpans } from "../../model/tasks/task-track.ts";
import type { Selection, TrackSpan } from "../../model/index.ts";
import { preparedContext } from "../../lib/frame-scheduler.ts";
import type { Plot } from "../plot/plot.ts";
import { nsPerPx } from "../plot/plot.ts";
import { useSettled } from "../draw/use-settled.ts";
import type { MarkedWake } from "../plot/timeline-props.ts";
import { Asked } from "./asked.tsx";
import { TASK_LANE_PX } from "./strips.tsx";
import { drawTaskLane } from "./draw-task.ts";
import { askTask, speakTask } from "./task-answer.ts";
import type { TrackProps } from "./track.ts";

/** So much is looked through at first for what a task does, CSS px. */
const LOOK_PX = 8;

interface TaskStripProps extends TrackProps {
  readonly onWake: (selection: Selection) => void;
  /** Undefined on a side that has nothing selected. */
  readonly wake: MarkedWake | undefined;
  readonly playing: boolean;
}

export function TaskStrip(props: TaskStripProps): ReactElement {
  const { side, ratio, scheduler, wake, playheadNs, playing, onPlayhead, onWake } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const { version, id, trace } = side;
  const height = TASK_LANE_PX;
  const plot = useMemo(() => ({ ...props.plot, height }), [props.plot, height]);
  const { width } = plot;
  useEffect(() => {
    scheduler.want(`task ${id}`, () => {
      const context =
        canvas.current === null || width === 0
          ? undefined
          : preparedContext(canvas.current, width, height, ratio);
      if (context !== undefined) drawTaskLane(context, plot, spansOf(plot, wake, version));
    });
  }, [scheduler, id, plot, wake, version, width, height, ratio]);
  const ns = useSettled(Math.round(playheadNs), playing);
  // The words come after the picture: a key is answered by that.
  const asked = useMemo(
    () => (wake === undefined ? undefined : { trace, wake, ns, plot }),
    [trace, wake, ns, plot],
  );
  const settled = useDeferredValue(asked, undefined);
  const words = useMemo(
    () =>
      settled &&
      speakTask(settled.trace, settled.wake, settled.ns, nsPerPx(settled.plot) * LOOK_PX),
    [settled],
  );
  return (
    <Asked
      width={width}
      tipId="task-tip"
      ask={(x) => (wake === undefined ? undefined : askTask(plot, wake, x))}
      onGo={(answer) => {
        onPlayhead(Math.round(answer.ns));
        if (answer.chosen !== undefined) onWake(answer.chosen);
      }}
    >
      <canvas
        ref={canvas}
        className="tl-strip"
        style={{ height }}
        data-testid={`task-lane-${id}`}
        {...(words === undefined ? { "aria-hidden": true } : { role: "img", "aria-label": words })}
      />
    </Asked>
  );
}

/** What the task of a wake-up does in view. `version`: that of the run's store. */
export function spansOf(
  plot: Plot,
  wake: MarkedWake | undefined,
  version = plot.trace.version,
): readonly TrackSpan[] {
  const { fromNs, toNs } = plot.viewport;
  if (wake === undefined || version === 0) return [];
  return trackSpans(taskSpans(plot.trace, wake.taskId, Math.max(0, fromNs), toNs), nsPerPx(plot));
}
