// The tank of each group with a quota, with its words at the playhead, and the silos
// beside the lanes. Both sides show the same groups in the same order on the same scale.

import { useEffect, useMemo, useRef } from "react";
import type { ReactElement } from "react";
import { describeTank, tankWords, type TankWords } from "../../model/words/describe-quota.ts";
import type { GroupTrack, TraceStore } from "../../model/index.ts";
import { threeFigures } from "../../lib/format.ts";
import { silosPx } from "../plot/gutter.ts";
import { cpusSharing, drawSilos } from "./silos.ts";
import type { TankScale } from "./draw-tank.ts";
import { drawTank, tankScale } from "./draw-tank.ts";
import { preparedContext } from "../../lib/frame-scheduler.ts";
import { askedNs } from "../plot/plot.ts";
import { Asked, type Answer } from "./asked.tsx";
import type { Grab } from "../plot/grab.ts";
import type { TrackTools } from "./track-tools.ts";
import type { TrackProps } from "./track.ts";

/** From so many tanks on they are lower. */
export const LOW_FROM = 3;

export interface ShownTank {
  readonly path: string;
  readonly scale: TankScale;
}

/** The groups with a quota on any side, by path. */
export function pathsOf(traces: readonly TraceStore[]): readonly string[] {
  return [...new Set(traces.flatMap((trace) => trace.quota.limited.map(({ info }) => info.path)))];
}

/** The groups at `paths`, each with the scale that holds it on every side. */
export function tanksOf(
  traces: readonly TraceStore[],
  paths: readonly string[],
): readonly ShownTank[] {
  return paths.map((path) => {
    const scales = traces.flatMap((trace) =>
      trace.quota.limited
        .filter(({ info }) => info.path === path)
        .map((track) => tankScale(track, trace.endNs)),
    );
    return {
      path,
      scale: {
        top: Math.max(...scales.map(({ top }) => top)),
        debt: Math.max(...scales.map(({ debt }) => debt)),
      },
    };
  });
}

interface TankTracksProps extends TrackProps {
  readonly onGrab?: ((grab: Grab) => void) | undefined;
  readonly tools: TrackTools | undefined;
  readonly tanks: readonly ShownTank[];
  /** Height of each tank, CSS px. */
  readonly height: number;
}

export function TankTracks({ tanks, height, ...props }: TankTracksProps): ReactElement[] {
  const { limited } = props.side.trace.quota;
  return tanks.map(({ path, scale }) => (
    <Tank
      key={path}
      {...props}
      path={path}
      scale={scale}
      track={limited.find((each) => each.info.path === path)}
      height={height}
    />
  ));
}

interface OneTankProps extends Omit<TankTracksProps, "tanks"> {
  readonly path: string;
  readonly scale: TankScale;
  /** Undefined on a side that has no such group. */
  readonly track: GroupTrack | undefined;
  readonly height: number;
}

function Tank({
  tools,
  side,
  plot,
  ratio,
  scheduler,
  playheadNs,
  onPlayhead,
  onGrab,
  path,
  scale,
  track,
  height,
}: OneTankProps): ReactElement {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { version, id, trace } = side;
  const { width } = plot;
  const { top, debt } = scale;
  useEffect(() => {
    scheduler.want(`tank ${id} ${path}`, () => {
      const context =
        canvas.current === null || width === 0
          ? undefined
          : preparedContext(canvas.current, width, height, ratio);
      if (context !== undefined) drawTank(context, { ...plot, height }, track, { top, debt });
    });
  }, [scheduler, id, path, version, plot, track, top, debt, width, height, ratio]);
  const words: readonly TankWords[] =
    track === undefined
      ? [{ about: "slack", words: `${path}: no limit here` }]
      : playheadNs > trace.endNs
        ? [{ about: "slack", words: path }]
        : tankWords(trace, track, playheadNs, threeFigures);
  const ask = (x: number): Answer | undefined => {
    const ns = askedNs(plot, x);
    if (ns === undefined || track === undefined) return undefined;
    const event = tools?.tankEvent(plot, track, ns);
    return {
      ns: event?.ns ?? ns,
      lines: [...describeTank(trace, track, ns), ...(event?.lines ?? [])],
    };
  };
  return (
    <div
      className="tl-tank"
      data-testid={`tank-${path}-${id}`}
      data-pool={track?.pool.at(playheadNs)}
    >
      <Words words={words} testId={`tank-words-${path}-${id}`} />
      <Asked
        width={width}
        ask={ask}
        onGo={({ ns }) => onPlayhead(Math.round(ns))}
        tipId="tank-tip"
        tank={path}
      >
        <canvas ref={canvas} className="tl-strip" style={{ height }} aria-hidden="true" />
        {tools !== undefined && track !== undefined && onGrab !== undefined && (
          <tools.TankHand
            side={id}
            plot={{ ...plot, height }}
            track={track}
            scale={scale}
            onGrab={onGrab}
          />
        )}
      </Asked>
    </div>
  );
}

interface WordsProps {
  readonly words: readonly TankWords[];
  readonly testId: string;
}

function Words({ words, testId }: WordsProps): ReactElement {
  return (
    <p
      className="tl-tank-words"
      data-testid={testId}
      title={words.map((each) => each.words).join(" · ")}
    >
      {words.map((each, nth) => (
        <span key={each.words} className={`tl-tank-${each.about}`}>
          {nth > 0 && " · "}
          {each.words}
        </span>
      ))}
    </p>
  );
}

/**
 * What each CPU holds at the playhead: a canvas of its own, since it changes when nothing else
 * does.
 */
export function Silos({ side, plot, ratio, scheduler, playheadNs }: TrackProps): ReactElement {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { id, version } = side;
  const at = useMemo(() => Math.round(playheadNs), [playheadNs]);
  const each = cpusSharing(plot.rows, plot.theme);
  const wide = silosPx(plot.gutter, plot.theme);
  useEffect(() => {
    scheduler.want(`silos ${id}`, () => {
      const context =
        canvas.current === null
          ? undefined
          : preparedContext(canvas.current, wide, plot.height, ratio);
      if (context !== undefined) drawSilos(context, plot, at);
    });
  }, [scheduler, id, version, plot, ratio, at, wide]);
  return (
    <canvas
      ref={canvas}
      style={{ left: plot.gutter - wide, width: wide - 1, height: plot.height }}
      aria-hidden="true"
      data-testid={`silos-${id}`}
      data-cpus={each}
    />
  );
}
