// The counters of one side with their words at the playhead. Counted once a run is done, in parts; both sides have one scale.

import { useEffect, useMemo, useRef, useState } from "react";
import type { PointerEvent, ReactElement } from "react";
import { preparedContext } from "../draw/frames.ts";
import { nsAt, nsPerPx } from "../draw/plot.ts";
import { Tip } from "../draw/tip.tsx";
import type { TimelineSide } from "../types.ts";
import { counterScale, counterTip, counterWords, drawCounters } from "./counters.ts";
import type { TrackProps } from "./track.ts";
import { useOverload } from "./use-overload.ts";

interface CounterProps extends TrackProps {
  /** All that are shown: the scale is theirs. */
  readonly sides: readonly TimelineSide[];
}

function done(side: TimelineSide | undefined): TimelineSide["trace"] | undefined {
  return side === undefined || side.running ? undefined : side.trace;
}

export function CounterTrack({ sides, side, plot, ratio, scheduler, playheadNs, onPlayhead }: CounterProps): ReactElement {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [point, setPoint] = useState<{ readonly x: number; readonly y: number }>();
  const overload = useOverload(done(side));
  const other = useOverload(done(sides.find(({ id }) => id !== side.id)));
  const scale = useMemo(() => counterScale([overload, other].flatMap((each) => each ?? [])), [overload, other]);
  const { id, trace } = side;
  const { width } = plot;
  const height = plot.theme.fontPx * 4;
  useEffect(() => {
    scheduler.want(`counters ${id}`, () => {
      const context = canvas.current === null || width === 0 ? undefined : preparedContext(canvas.current, width, height, ratio);
      if (context !== undefined) drawCounters(context, { ...plot, height }, overload, scale);
    });
  }, [scheduler, id, plot, overload, scale, width, height, ratio]);
  const isPast = playheadNs > trace.endNs;
  const words =
    overload === undefined || isPast ? ["runnable tasks and idle CPUs: counted when the run is done"] : counterWords(overload, playheadNs);
  const ns = point === undefined ? -1 : nsAt(plot, point.x);
  const isOn = overload !== undefined && point !== undefined && point.x >= plot.gutter && ns >= 0 && ns <= trace.endNs;
  const onPointerMove = (event: PointerEvent<HTMLDivElement>): void => {
    const box = event.currentTarget.getBoundingClientRect();
    const hovers = event.buttons === 0 && event.pointerType === "mouse";
    setPoint(hovers ? { x: event.clientX - box.left, y: event.clientY - box.top } : undefined);
  };
  return (
    <div
      role="group"
      aria-label={`${id.toUpperCase()}: counters`}
      data-testid={`counters-${id}`}
      {...(overload === undefined ? {} : { "data-runnable": overload.runnable.at(playheadNs), "data-idle": overload.idle.at(playheadNs) })}
    >
      <p className="tl-tank-words tl-counter-words" title={words.join(" · ")}>
        {words.join(" · ")}
      </p>
      <div
        className="tl-tank-plot"
        onPointerMove={onPointerMove}
        onPointerLeave={() => setPoint(undefined)}
        onClick={() => {
          if (isOn) onPlayhead(Math.round(ns));
        }}
      >
        <canvas ref={canvas} className="tl-strip" style={{ height }} aria-hidden="true" />
        {isOn ? (
          <Tip
            lines={counterTip(overload, ns, ns + Math.max(1, nsPerPx(plot)))}
            {...point}
            width={width}
            height={height}
            testId="counter-tip"
          />
        ) : null}
      </div>
    </div>
  );
}
