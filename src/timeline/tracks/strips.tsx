// The two strips over a side's lanes: the queue of a lock, and the life of the selected wake-up's task. Both answer to the pointer; their words
// come with the lanes' tools.

import { useEffect, useMemo, useRef } from "react";
import type { ReactElement } from "react";
import { taskSpans, trackSpans } from "../../model/task-track.ts";
import type { LockTrack, Selection, TrackSpan } from "../../model/index.ts";
import { preparedContext } from "../draw/frames.ts";
import type { Plot } from "../draw/plot.ts";
import { nsPerPx } from "../draw/plot.ts";
import type { TimelineTheme } from "../draw/theme.ts";
import { useSettled } from "../draw/use-settled.ts";
import type { LaneTools } from "../lanes/use-tools.ts";
import type { MarkedWake } from "../types.ts";
import { Asked } from "./asked.tsx";
import { drawLockLane } from "./lock.ts";
import { drawTaskLane } from "./task.ts";
import type { TrackProps } from "./track.ts";

/** So much is looked through at first for what a task does, CSS px. */
const LOOK_PX = 8;
export const TASK_LANE_PX = 22;

interface StripProps extends TrackProps {
  readonly tools: LaneTools | undefined;
  readonly onWake: (selection: Selection) => void;
}

/** One height whatever the queue: lanes that move because a run has no herd would be a picture that jumps. */
export function lockLanePx(theme: TimelineTheme): number {
  return theme.fontPx * 5;
}

interface LockStripProps extends StripProps {
  readonly lock: LockTrack | undefined;
  /** Of the lane, CSS px. */
  readonly height: number;
  /** Full height of the scale, shared by the sides. */
  readonly depthMax: number;
  /** A CPU of the queue was pressed, or the holder. */
  readonly onCpu: (cpu: number) => void;
}

export function LockStrip(props: LockStripProps): ReactElement {
  const { side, ratio, scheduler, lock, depthMax, height, tools, onPlayhead, onCpu, onWake } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const { version, id, trace } = side;
  const plot = useMemo(() => ({ ...props.plot, height }), [props.plot, height]);
  const { width } = plot;
  useEffect(() => {
    scheduler.want(`lock ${id}`, () => {
      const context = canvas.current === null || width === 0 ? undefined : preparedContext(canvas.current, width, height, ratio);
      if (context !== undefined) drawLockLane(context, plot, lock, depthMax);
    });
  }, [scheduler, id, version, plot, lock, depthMax, width, height, ratio]);
  return (
    <Asked
      width={width}
      tipId="lock-tip"
      ask={(x, y) => (lock === undefined ? undefined : tools?.askLock(plot, lock, depthMax, x, y))}
      onGo={({ ns, cpu }) => {
        onPlayhead(Math.round(ns));
        if (cpu === undefined) return;
        onCpu(cpu);
        const row = trace.wakes.at(cpu, ns);
        if (row !== undefined) onWake(trace.wakes.selectionOf(row));
      }}
    >
      <canvas ref={canvas} className="tl-strip" style={{ height }} aria-hidden="true" data-testid={`lock-lane-${id}`} />
    </Asked>
  );
}

interface TaskStripProps extends StripProps {
  /** Undefined on a side that has nothing selected. */
  readonly wake: MarkedWake | undefined;
  readonly playing: boolean;
}

export function TaskStrip(props: TaskStripProps): ReactElement {
  const { side, ratio, scheduler, wake, tools, playheadNs, playing, onPlayhead, onWake } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const { version, id, trace } = side;
  const height = TASK_LANE_PX;
  const plot = useMemo(() => ({ ...props.plot, height }), [props.plot, height]);
  const { width } = plot;
  const spans = useMemo(() => spansOf(plot, wake, version), [plot, wake, version]);
  useEffect(() => {
    scheduler.want(`task ${id}`, () => {
      const context = canvas.current === null || width === 0 ? undefined : preparedContext(canvas.current, width, height, ratio);
      if (context !== undefined) drawTaskLane(context, plot, spans);
    });
  }, [scheduler, id, plot, spans, width, height, ratio]);
  const ns = useSettled(Math.round(playheadNs), playing);
  const words = useMemo(
    () => (wake === undefined ? undefined : tools?.speakTask(trace, wake, ns, nsPerPx(plot) * LOOK_PX)),
    [tools, trace, wake, ns, plot],
  );
  return (
    <Asked
      width={width}
      tipId="task-tip"
      ask={(x) => (wake === undefined ? undefined : tools?.askTask(plot, wake, x))}
      onGo={(told) => {
        onPlayhead(Math.round(told.ns));
        if (told.chosen !== undefined) onWake(told.chosen);
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

/** What the task of a wake-up does in view. `version`: of what is known of the run. */
export function spansOf(plot: Plot, wake: MarkedWake | undefined, version = plot.trace.version): readonly TrackSpan[] {
  const { fromNs, toNs } = plot.viewport;
  if (wake === undefined || version === 0) return [];
  return trackSpans(taskSpans(plot.trace, wake.taskId, Math.max(0, fromNs), toNs), nsPerPx(plot));
}
