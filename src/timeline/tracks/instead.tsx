// Who ran instead of the selected wake-up's task, under the track of that task. Fetched behind the
// first picture.

import { useEffect, useMemo, useRef } from "react";
import type { ReactElement } from "react";
import { speakNs } from "../../lib/format.ts";
import { preparedContext } from "../../lib/frame-scheduler.ts";
import { useSettled } from "../draw/use-settled.ts";
import { askedNs } from "../plot/plot.ts";
import type { MarkedWake } from "../plot/timeline-props.ts";
import { Asked, type Answer } from "./asked.tsx";
import { drawInstead, insteadRows, insteadTip, insteadWords, rowPx } from "./draw-instead.ts";
import type { TrackProps } from "./track.ts";

interface InsteadProps extends TrackProps {
  /** Undefined on a side that has nothing selected. */
  readonly wake: MarkedWake | undefined;
  /** CSS px. */
  readonly height: number;
  readonly playing: boolean;
}

export function InsteadTrack(props: InsteadProps): ReactElement {
  const { side, ratio, scheduler, wake, playheadNs, playing, height, onPlayhead } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const { id, trace, version } = side;
  const plot = useMemo(() => ({ ...props.plot, height }), [props.plot, height]);
  const { width } = plot;
  const most = Math.max(1, Math.floor(height / rowPx(plot.theme)));
  useEffect(() => {
    scheduler.want(`instead ${id}`, () => {
      const context =
        canvas.current === null || width === 0
          ? undefined
          : preparedContext(canvas.current, width, height, ratio);
      if (context !== undefined) drawInstead(context, plot, wake, most, playheadNs);
    });
  }, [scheduler, id, version, plot, wake, most, playheadNs, width, height, ratio]);
  const settledNs = useSettled(playheadNs, playing);
  const words = insteadWords(trace, wake, most, settledNs, speakNs);
  const ask = (x: number, y: number): Answer | undefined => {
    const ns = askedNs(plot, x);
    const lines = ns === undefined ? undefined : insteadTip(plot, wake, most, x, y);
    return ns === undefined || lines === undefined ? undefined : { ns, lines };
  };
  return (
    <Asked
      width={width}
      ask={ask}
      onGo={({ ns }) => onPlayhead(Math.round(ns))}
      tipId="instead-tip"
    >
      <canvas
        ref={canvas}
        className="tl-strip tl-hero"
        style={{ height }}
        role="img"
        aria-label={`${id.toUpperCase()}: ${words}`}
        data-testid={`instead-${id}`}
        data-count={insteadRows(trace, wake, most).length}
      />
    </Asked>
  );
}
