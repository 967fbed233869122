// A lock that tasks of a run hold, with its words at the playhead: who holds it and whether that
// task runs, who waits and since when. Fetched behind the first picture.

import { useEffect, useMemo, useRef } from "react";
import type { ReactElement } from "react";
import { counted } from "../../lib/count.ts";
import { formatNs } from "../../lib/format.ts";
import { stretchAt } from "../../model/locks/lock-stretch.ts";
import {
  isSpinLock,
  isUnrecorded,
  offAt,
  taskLockIn,
  taskLockName,
  waitsSince,
} from "../../model/locks/task-locks.ts";
import type { LockTrack, TraceStore } from "../../model/index.ts";
import { preparedContext } from "../../lib/frame-scheduler.ts";
import type { Plot } from "../plot/plot.ts";
import { askedNs, nsPerPx } from "../plot/plot.ts";
import type { TimelineSide } from "../plot/timeline-props.ts";
import { Asked, type Answer } from "./asked.tsx";
import { drawTaskLock, hasSort, holderWords, UNRECORDED, waiterAt } from "./task-lock.ts";
import type { TrackProps } from "./track.ts";

/** Waiters with a line of their own, at most. */
const WAITERS_MAX = 4;
/** Above this number of spinners, what each of them does is not looked up. */
const SPINNERS_MAX = 200;
/** With more rows than this a pixel holds many moments. */
const ROWS_MAX = 2;

interface TaskLockProps extends TrackProps {
  /** All that are shown: the scale is theirs. */
  readonly sides: readonly TimelineSide[];
  /** Height of the lane, CSS px. */
  readonly height: number;
}

export function TaskLockTrack({
  sides,
  side,
  ratio,
  scheduler,
  height,
  playheadNs,
  onPlayhead,
  ...rest
}: TaskLockProps): ReactElement {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { id, trace, version } = side;
  const plot = useMemo(() => ({ ...rest.plot, height }), [rest.plot, height]);
  const { width, viewport } = plot;
  const lock = taskLockIn(trace, viewport.fromNs, viewport.toNs);
  const most = mostWaiters(sides);
  useEffect(() => {
    scheduler.want(`task lock ${id}`, () => {
      const context =
        canvas.current === null || width === 0
          ? undefined
          : preparedContext(canvas.current, width, height, ratio);
      if (context !== undefined) drawTaskLock(context, plot, lock, most);
    });
  }, [scheduler, id, version, plot, lock, most, width, height, ratio]);
  const words = taskLockWords(trace, lock, playheadNs).join(" · ");
  return (
    <div
      role="group"
      aria-label={`${id.toUpperCase()}: ${sortsOf(trace).join(" or ")}`}
      data-testid={`task-lock-${id}`}
    >
      <p
        className="tl-tank-words tl-counter-words"
        title={words}
        data-testid={`task-lock-words-${id}`}
      >
        {words}
      </p>
      <Asked
        width={width}
        ask={(x, y) => (lock === undefined ? undefined : askTaskLock(plot, lock, most, x, y))}
        onGo={({ ns }) => onPlayhead(Math.round(ns))}
        tipId="task-lock-tip"
      >
        <canvas
          ref={canvas}
          className="tl-strip"
          style={{ height }}
          aria-hidden="true"
          data-testid={`task-lock-lane-${id}`}
        />
      </Asked>
    </div>
  );
}

/** The longest queue that the lane must hold, of all that are shown. */
export function mostWaiters(sides: readonly TimelineSide[]): number {
  return Math.max(
    1,
    ...sides.map(({ trace }) => taskLockIn(trace, 0, trace.endNs + 1)?.peak.depth ?? 0),
  );
}

/** The sorts of locks that tasks of a run may hold. */
function sortsOf(trace: TraceStore): readonly string[] {
  return (["mutex", "spin lock"] as const).filter((sort) => hasSort(trace, sort));
}

/** What holds of a lock at an instant, in parts. */
export function taskLockWords(
  trace: TraceStore,
  lock: LockTrack | undefined,
  ns: number,
): readonly string[] {
  if (lock === undefined)
    return sortsOf(trace).map((sort) =>
      sort === "mutex" ? "nobody has taken a mutex yet" : `spin lock: ${UNRECORDED}`,
    );
  if (ns > trace.endNs) return [taskLockName(trace, lock)];
  const { holder, queue } = lock.at(ns);
  const free = isUnrecorded(lock, ns) ? UNRECORDED : "free";
  const state =
    holder === undefined ? free : holderWords(trace, holder, offAt(trace, holder, ns), ns);
  return [`${taskLockName(trace, lock)}: ${state}`, ...waiterWords(trace, lock, queue, ns)];
}

function waiterWords(
  trace: TraceStore,
  lock: LockTrack,
  queue: readonly number[],
  ns: number,
): readonly string[] {
  const told = queue
    .slice(0, WAITERS_MAX)
    .map(
      (task) =>
        `${trace.taskName(task)} has waited ${formatNs(ns - waitsSince(trace, lock, task, ns), 3)}`,
    );
  const all = isSpinLock(lock) ? [...spinnerWords(trace, queue, ns), ...told] : told;
  return queue.length > WAITERS_MAX
    ? [...all, `and ${String(queue.length - WAITERS_MAX)} more`]
    : all;
}

/**
 * "18 wait: 16 spin, 2 preempted": who waits for a spin lock burns a CPU unless something keeps it
 * off.
 */
function spinnerWords(trace: TraceStore, queue: readonly number[], ns: number): readonly string[] {
  if (queue.length === 0 || queue.length > SPINNERS_MAX) return [];
  const [only, ...others] = queue.map((task) => offAt(trace, task, ns));
  if (others.length === 0) return [`1 waits: ${only ?? "spins"}`];
  const counts = [undefined, "preempted", "throttled", "asleep"].flatMap((off) => {
    const count = [only, ...others].filter((each) => each === off).length;
    return count === 0 ? [] : [`${String(count)} ${off ?? (count === 1 ? "spins" : "spin")}`];
  });
  return [`${String(queue.length)} wait: ${counts.join(", ")}`];
}

/** What lies at a point of the lane; undefined in the gutter and where nothing is simulated. */
export function askTaskLock(
  plot: Plot,
  lock: LockTrack,
  most: number,
  x: number,
  y: number,
): Answer | undefined {
  const ns = askedNs(plot, x);
  if (ns === undefined) return undefined;
  const { trace } = plot;
  const half = nsPerPx(plot) / 2;
  if (lock.countIn(ns - half, ns + half) > ROWS_MAX) {
    const deepest = lock.peakIn(ns - half, ns + half);
    return {
      ns,
      lines: [
        `${taskLockName(trace, lock)}: at most ${counted(deepest, "task")} waiting in ${formatNs(2 * half)} here`,
      ],
    };
  }
  const { holder, fromNs, toNs } = stretchAt(trace, lock, ns);
  const pointed = lock.at(ns).queue[waiterAt(plot, most, y)];
  const lasts = `${lastWords(lock, ns, holder)} for ${formatNs(toNs - fromNs, 3)}, from ${formatNs(fromNs, 6)} to ${formatNs(toNs, 6)}`;
  const [state = "", ...waiters] = taskLockWords(trace, lock, ns);
  const number = pointed === undefined ? [] : [turnWords(trace, lock, pointed, ns)];
  return { ns, lines: [state, lasts, ...number, ...waiters] };
}

/**
 * Rows of a spin lock name its holder from the first spin on: it may have taken the lock before.
 */
function lastWords(lock: LockTrack, ns: number, holder: number | undefined): string {
  if (isUnrecorded(lock, ns)) return "not recorded";
  const state = holder === undefined ? "free" : "held";
  return isSpinLock(lock) ? `known to be ${state}` : state;
}

function turnWords(trace: TraceStore, lock: LockTrack, task: number, ns: number): string {
  const name = trace.taskName(task);
  if (!isSpinLock(lock))
    return `${name} is number ${String(lock.at(ns).queue.indexOf(task) + 1)} to come`;
  const ago = formatNs(ns - waitsSince(trace, lock, task, ns), 3);
  return `${name} has waited ${ago}: the first to try has the lock next`;
}
