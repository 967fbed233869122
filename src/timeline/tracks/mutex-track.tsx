// The mutex of a run with its words at the playhead: who holds it and whether that task runs, who waits and since when. Fetched behind the first
// picture.

import { useEffect, useMemo, useRef } from "react";
import type { ReactElement } from "react";
import { counted } from "../../lib/count.ts";
import { formatNs } from "../../lib/format.ts";
import { stretchAt } from "../../model/lock-stretch.ts";
import { mutexIn, mutexName, offAt, waitsSince } from "../../model/mutexes.ts";
import type { LockTrack, TraceStore } from "../../model/index.ts";
import { preparedContext } from "../draw/frames.ts";
import type { Plot } from "../draw/plot.ts";
import { askedNs, nsPerPx } from "../draw/plot.ts";
import type { TimelineSide } from "../types.ts";
import { Asked, type Answer } from "./asked.tsx";
import { drawMutex, holderWords, waiterAt } from "./mutex.ts";
import type { TrackProps } from "./track.ts";

/** As many waiters have a line each. */
const WAITERS_MAX = 4;
/** With more rows than this in a pixel it holds no one moment. */
const ROWS_MAX = 2;

interface MutexProps extends TrackProps {
  /** All that are shown: the scale is theirs. */
  readonly sides: readonly TimelineSide[];
  /** Of the lane, CSS px. */
  readonly height: number;
}

export function MutexTrack({ sides, side, ratio, scheduler, height, playheadNs, onPlayhead, ...rest }: MutexProps): ReactElement {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { id, trace, version } = side;
  const plot = useMemo(() => ({ ...rest.plot, height }), [rest.plot, height]);
  const { width, viewport } = plot;
  const lock = mutexIn(trace, viewport.fromNs, viewport.toNs);
  const most = mostWaiters(sides);
  useEffect(() => {
    scheduler.want(`mutex ${id}`, () => {
      const context = canvas.current === null || width === 0 ? undefined : preparedContext(canvas.current, width, height, ratio);
      if (context !== undefined) drawMutex(context, plot, lock, most);
    });
  }, [scheduler, id, version, plot, lock, most, width, height, ratio]);
  const words = mutexWords(trace, lock, playheadNs).join(" · ");
  return (
    <div role="group" aria-label={`${id.toUpperCase()}: mutex`} data-testid={`mutex-${id}`}>
      <p className="tl-tank-words tl-counter-words" title={words} data-testid={`mutex-words-${id}`}>
        {words}
      </p>
      <Asked
        width={width}
        ask={(x, y) => (lock === undefined ? undefined : askMutex(plot, lock, most, x, y))}
        onGo={({ ns }) => onPlayhead(Math.round(ns))}
        tipId="mutex-tip"
      >
        <canvas ref={canvas} className="tl-strip" style={{ height }} aria-hidden="true" data-testid={`mutex-lane-${id}`} />
      </Asked>
    </div>
  );
}

/** The longest queue that the lane must hold, of all that are shown. */
export function mostWaiters(sides: readonly TimelineSide[]): number {
  return Math.max(1, ...sides.map(({ trace }) => mutexIn(trace, 0, trace.endNs + 1)?.peak.depth ?? 0));
}

/** What holds of a mutex at an instant, in parts. */
export function mutexWords(trace: TraceStore, lock: LockTrack | undefined, ns: number): readonly string[] {
  if (lock === undefined) return ["nobody has taken a mutex yet"];
  if (ns > trace.endNs) return [mutexName(trace, lock)];
  const { holder, queue } = lock.at(ns);
  const state = holder === undefined ? "free" : holderWords(trace, holder, offAt(trace, holder, ns), ns);
  return [`${mutexName(trace, lock)}: ${state}`, ...waiterWords(trace, lock, queue, ns)];
}

function waiterWords(trace: TraceStore, lock: LockTrack, queue: readonly number[], ns: number): readonly string[] {
  const told = queue
    .slice(0, WAITERS_MAX)
    .map((task) => `${trace.taskName(task)} has waited ${formatNs(ns - waitsSince(trace, lock, task, ns), 3)}`);
  return queue.length > WAITERS_MAX ? [...told, `and ${String(queue.length - WAITERS_MAX)} more`] : told;
}

/** What lies at a point of the lane; undefined in the gutter and where nothing is simulated. */
export function askMutex(plot: Plot, lock: LockTrack, most: number, x: number, y: number): Answer | undefined {
  const ns = askedNs(plot, x);
  if (ns === undefined) return undefined;
  const { trace } = plot;
  const half = nsPerPx(plot) / 2;
  if (lock.countIn(ns - half, ns + half) > ROWS_MAX) {
    const deepest = lock.peakIn(ns - half, ns + half);
    return { ns, lines: [`${mutexName(trace, lock)}: at most ${counted(deepest, "task")} waiting in ${formatNs(2 * half)} here`] };
  }
  const { holder, fromNs, toNs } = stretchAt(trace, lock, ns);
  const pointed = lock.at(ns).queue[waiterAt(plot, most, y)];
  const lasts = `${holder === undefined ? "free" : "held"} for ${formatNs(toNs - fromNs, 3)}, from ${formatNs(fromNs, 6)} to ${formatNs(toNs, 6)}`;
  const [state = "", ...waiters] = mutexWords(trace, lock, ns);
  const number =
    pointed === undefined ? [] : [`${trace.taskName(pointed)} is number ${String(lock.at(ns).queue.indexOf(pointed) + 1)} to come`];
  return { ns, lines: [state, lasts, ...number, ...waiters] };
}
