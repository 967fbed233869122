// The counters of one side with their words at the playhead. Counted once a run is done, in parts;
// both sides have one scale.

import { useEffect, useMemo, useRef } from "react";
import type { ReactElement } from "react";
import { preparedContext } from "../../lib/frame-scheduler.ts";
import { askedNs, nsPerPx } from "../plot/plot.ts";
import type { TimelineSide } from "../plot/timeline-props.ts";
import { Asked, type Answer } from "./asked.tsx";
import { counterScale, counterTip, counterWords, drawCounters } from "./draw-counters.ts";
import type { TrackProps } from "./track.ts";
import { useOverload } from "./use-overload.ts";

interface CounterProps extends TrackProps {
  /** All that are shown: the scale is theirs. */
  readonly sides: readonly TimelineSide[];
}

function done(side: TimelineSide | undefined): TimelineSide["trace"] | undefined {
  return side === undefined || side.running ? undefined : side.trace;
}

export function CounterTrack({
  sides,
  side,
  plot,
  ratio,
  scheduler,
  playheadNs,
  onPlayhead,
}: CounterProps): ReactElement {
  const canvas = useRef<HTMLCanvasElement>(null);
  const overload = useOverload(done(side));
  const other = useOverload(done(sides.find(({ id }) => id !== side.id)));
  const scale = useMemo(
    () => counterScale([overload, other].flatMap((each) => each ?? [])),
    [overload, other],
  );
  const { id, trace } = side;
  const { width } = plot;
  const height = plot.theme.fontPx * 4;
  useEffect(() => {
    scheduler.want(`counters ${id}`, () => {
      const context =
        canvas.current === null || width === 0
          ? undefined
          : preparedContext(canvas.current, width, height, ratio);
      if (context !== undefined) drawCounters(context, { ...plot, height }, overload, scale);
    });
  }, [scheduler, id, plot, overload, scale, width, height, ratio]);
  const isPast = playheadNs > trace.endNs;
  const words =
    overload === undefined || isPast
      ? ["runnable tasks and idle CPUs: counted when the run is done"]
      : counterWords(overload, playheadNs);
  const ask = (x: number): Answer | undefined => {
    const ns = askedNs(plot, x);
    if (ns === undefined || overload === undefined) return undefined;
    return { ns, lines: counterTip(overload, ns, ns + Math.max(1, nsPerPx(plot))) };
  };
  return (
    <div
      role="group"
      aria-label={`${id.toUpperCase()}: counters`}
      data-testid={`counters-${id}`}
      {...(overload === undefined
        ? {}
        : {
            "data-runnable": overload.runnable.at(playheadNs),
            "data-idle": overload.idle.at(playheadNs),
          })}
    >
      <p className="tl-tank-words tl-counter-words" title={words.join(" · ")}>
        {words.join(" · ")}
      </p>
      <Asked
        width={width}
        ask={ask}
        onGo={({ ns }) => onPlayhead(Math.round(ns))}
        tipId="counter-tip"
      >
        <canvas ref={canvas} className="tl-strip" style={{ height }} aria-hidden="true" />
      </Asked>
    </div>
  );
}
