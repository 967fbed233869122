// IPIs that a CPU sends to itself, or of a push chain, over a side's lanes. Fetched behind the first
// picture.

import { useEffect, useMemo, useRef } from "react";
import type { ReactElement } from "react";
import { speakNs } from "../../lib/format.ts";
import { preparedContext } from "../../lib/frame-scheduler.ts";
import { askedNs } from "../plot/plot.ts";
import type { TimelineSide } from "../plot/timeline-props.ts";
import { useSettled } from "../draw/use-settled.ts";
import { Asked, type Answer } from "./asked.tsx";
import { drawRing, ringTip, ringWords } from "./draw-ring.ts";
import { ringAt, ringSubject } from "./ring-moment.ts";
import type { TrackProps } from "./track.ts";

interface RingProps extends TrackProps {
  /** All that are shown: one CPU or one chain for all of them. */
  readonly sides: readonly TimelineSide[];
  /** CPUs of the step. */
  readonly stepCpus?: readonly number[];
  /** CSS px. */
  readonly height: number;
  readonly playing: boolean;
}

const NO_CPUS: readonly number[] = [];

export function RingTrack(props: RingProps): ReactElement {
  const {
    sides,
    stepCpus = NO_CPUS,
    side,
    ratio,
    scheduler,
    playheadNs,
    playing,
    height,
    onPlayhead,
  } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const { id, trace, version } = side;
  const plot = useMemo(() => ({ ...props.plot, height }), [props.plot, height]);
  const { viewport, width } = plot;
  const versions = sides.map((each) => each.version).join(" ");
  const subject = useMemo(
    () =>
      versions === ""
        ? undefined
        : ringSubject(
            sides.map((each) => each.trace),
            stepCpus,
            viewport,
          ),
    [versions, sides, stepCpus, viewport],
  );
  const at = (ns: number): ReturnType<typeof ringAt> =>
    subject === undefined ? undefined : ringAt(trace, subject, ns, viewport);
  const ring = at(playheadNs);
  useEffect(() => {
    scheduler.want(`ring ${id}`, () => {
      const context =
        canvas.current === null || width === 0
          ? undefined
          : preparedContext(canvas.current, width, height, ratio);
      if (context !== undefined) drawRing(context, plot, ring);
    });
  }, [scheduler, id, version, plot, ring, width, height, ratio]);
  const settled = at(useSettled(playheadNs, playing));
  const words =
    settled === undefined
      ? "no CPU sends IPIs to itself, and there is no push chain in view"
      : ringWords(settled, speakNs).join("; ");
  const ask = (x: number): Answer | undefined => {
    const ns = askedNs(plot, x);
    const there = ns === undefined ? undefined : at(ns);
    return ns === undefined || there === undefined ? undefined : { ns, lines: ringTip(there, ns) };
  };
  return (
    <Asked width={width} ask={ask} onGo={({ ns }) => onPlayhead(Math.round(ns))} tipId="ring-tip">
      <canvas
        ref={canvas}
        className="tl-strip tl-hero"
        style={{ height }}
        role="img"
        aria-label={`${id.toUpperCase()}: ${words}`}
        data-testid={`ring-${id}`}
        {...(ring && {
          "data-count": ring.count,
          "data-undone": ring.undone.length,
          "data-ns": ring.undone[0]?.ns ?? 0,
        })}
      />
    </Asked>
  );
}
