// What the lock lane answers: who holds the lock from when to when, who waits since when, the
// deepest queue. Fetched behind the first picture.

import { counted } from "../../lib/count.ts";
import { formatNs } from "../../lib/format.ts";
import type { LockTrack } from "../../model/index.ts";
import { deepestAt, stretchAt, waitAt, type LockStretch } from "../../model/locks/lock-stretch.ts";
import type { Plot } from "../plot/plot.ts";
import { askedNs, nsPerPx } from "../plot/plot.ts";
import type { LegendEntry } from "../draw/legend-entry.ts";
import { cpuWords, REACH_PX } from "../marks/mark.ts";
import type { Answer } from "./asked.tsx";
import { fillWaiter, paleInk, peakLeft, peakPlace, placeAt } from "./draw-lock.ts";
import { lockWords } from "../../model/locks/lock-words.ts";

export interface LockAnswer extends Answer {
  /** The waiter pointed at, else the holder; undefined while the lock is free. */
  readonly cpu: number | undefined;
}

/** Waiters with a line of their own, at most. */
const WAITERS_MAX = 4;
/** Radius of the peak's dot, CSS px. */
const DOT_PX = 3;
/** Width of a letter of the peak's words, about, as a share of the type size. */
const LETTER_SHARE = 0.6;
/** With more rows than this a pixel holds many moments. */
const ROWS_MAX = 2;

/**
 * What lies at a point of the lane of `lock`; undefined in the gutter and where nothing is
 * simulated.
 */
export function askLock(
  plot: Plot,
  lock: LockTrack,
  depthMax: number,
  x: number,
  y: number,
): LockAnswer | undefined {
  const ns = askedNs(plot, x);
  if (isOnPeak(plot, lock, depthMax, x, y)) return peakAnswer(plot, lock);
  if (ns === undefined) return undefined;
  const half = nsPerPx(plot) / 2;
  const others = otherLines(plot, lock, ns - half, ns + half);
  const told =
    lock.countIn(ns - half, ns + half) > ROWS_MAX
      ? crowdAnswer(plot, lock, ns - half, ns + half)
      : momentAnswer(plot, lock, ns, placeAt(plot, depthMax, y));
  return { ...told, lines: [...told.lines, ...others] };
}

function isOnPeak(plot: Plot, lock: LockTrack, depthMax: number, x: number, y: number): boolean {
  const peak = peakPlace(plot, lock, depthMax);
  if (peak === undefined) return false;
  if (peak.inSight) return Math.hypot(x - peak.x, y - peak.y) <= DOT_PX + REACH_PX;
  const { fontPx } = plot.theme;
  const width = peak.words.length * (fontPx - 1) * LETTER_SHARE;
  const left = peakLeft(plot, peak, width);
  return (
    x >= left && x <= left + width && Math.abs(y - Math.max(fontPx / 2, peak.y)) <= fontPx * 0.7
  );
}

function nameOf({ trace }: Plot, lock: LockTrack): string {
  return lockWords(trace.lockName(lock.id));
}

function peakAnswer(plot: Plot, lock: LockTrack): LockAnswer {
  const { depth, atNs } = lock.peak;
  const { holder } = lock.at(atNs);
  return {
    ns: atNs,
    cpu: holder,
    lines: [
      `${nameOf(plot, lock)}: the deepest queue of the run`,
      `${waitWords(depth)} at ${formatNs(atNs, 6)}${holder === undefined ? "" : `, ${cpuWords(holder)} holds the lock`}`,
    ],
  };
}

/** From afar a pixel holds many moments: the answer is the deepest of them. */
function crowdAnswer(plot: Plot, lock: LockTrack, fromNs: number, toNs: number): LockAnswer {
  const { ns, depth } = deepestAt(plot.trace, lock, fromNs, toNs);
  const { holder } = lock.at(ns);
  const most = depth === 0 ? "no CPU waits" : `at most ${waitWords(depth)}`;
  const then = holder === undefined ? "" : `, ${cpuWords(holder)} holds the lock then`;
  return {
    ns,
    cpu: holder,
    lines: [
      `${nameOf(plot, lock)}: ${most} in ${formatNs(toNs - fromNs)} here`,
      ...(depth === 0 ? [] : [`deepest at ${formatNs(ns, 6)}${then}`]),
    ],
  };
}

/** `place`: in the queue, from 0; -1 is the holder's own. */
function momentAnswer(plot: Plot, lock: LockTrack, ns: number, place: number): LockAnswer {
  const { queue } = lock.at(ns);
  const stretch = stretchAt(plot.trace, lock, ns);
  const { holder } = stretch;
  const pointed = queue[place];
  return {
    ns,
    cpu: pointed ?? holder,
    lines: [
      `${nameOf(plot, lock)}: ${stateWords(stretch, queue.length)}`,
      ...(pointed === undefined ? [] : [pointedWords(plot, lock, pointed, place, ns)]),
      stretchWords(stretch, queue.length),
      ...waiterLines(plot, lock, queue, pointed, ns),
    ],
  };
}

function stateWords({ holder }: LockStretch, waiting: number): string {
  const held =
    holder === undefined
      ? waiting === 0
        ? "free"
        : "being handed over"
      : `held by ${cpuWords(holder)}`;
  return waiting === 0 ? held : `${held}, ${waitWords(waiting)}`;
}

function waitWords(cpus: number): string {
  return `${counted(cpus, "CPU")} ${cpus === 1 ? "waits" : "wait"}`;
}

function stretchWords({ holder, fromNs, toNs }: LockStretch, waiting: number): string {
  const who =
    holder === undefined
      ? waiting === 0
        ? "free"
        : "nobody holds the lock"
      : `${cpuWords(holder)} holds the lock`;
  return `${who} for ${formatNs(toNs - fromNs, 3)}, from ${formatNs(fromNs, 6)} to ${formatNs(toNs, 6)}`;
}

function pointedWords(
  { trace }: Plot,
  lock: LockTrack,
  cpu: number,
  place: number,
  ns: number,
): string {
  const { fromNs, toNs } = waitAt(trace, lock, cpu, ns);
  const whole = toNs === undefined ? "" : ` of ${formatNs(toNs - fromNs, 3)}`;
  return `${cpuWords(cpu)} is number ${String(place + 1)} in the queue: it has waited ${formatNs(ns - fromNs, 3)}${whole}`;
}

function waiterLines(
  { trace }: Plot,
  lock: LockTrack,
  queue: readonly number[],
  pointed: number | undefined,
  ns: number,
): string[] {
  const others = queue.filter((cpu) => cpu !== pointed);
  const lines = others.slice(0, WAITERS_MAX).map((cpu) => {
    const { fromNs } = waitAt(trace, lock, cpu, ns);
    return `${cpuWords(cpu)} waits since ${formatNs(fromNs, 6)}, ${formatNs(ns - fromNs, 3)} so far`;
  });
  return others.length > WAITERS_MAX
    ? [...lines, `and ${String(others.length - WAITERS_MAX)} more`]
    : lines;
}

/** The paler area behind: another lock with a longer queue. */
function otherLines({ trace }: Plot, lock: LockTrack, fromNs: number, toNs: number): string[] {
  const [deepest = 0] = trace.locks.depthProfile(fromNs, toNs, 1);
  const id = trace.locks.deepestIn(fromNs, toNs);
  if (id === undefined || id === lock.id || deepest <= lock.peakIn(fromNs, toNs)) return [];
  return [
    `pale: ${waitWords(deepest)} for the ${lockWords(trace.lockName(id))}, the longest queue here`,
  ];
}

export const LOCK_LEGEND: readonly LegendEntry[] = [
  {
    words: "CPUs that wait for the lock",
    swatch: (context, theme, width, height) => {
      for (let place = 0; place < 3; place += 1) {
        fillWaiter(
          context,
          theme,
          place,
          0,
          height - ((place + 1) * height) / 3,
          (width * (3 - place)) / 3,
          height / 3,
        );
      }
    },
  },
  {
    words: "longest queue of any lock",
    swatch: (context, theme, width, height) => {
      context.fillStyle = paleInk(theme);
      context.fillRect(0, height * 0.3, width, height * 0.7);
    },
  },
  {
    words: "CPU that holds the lock",
    swatch: (context, theme, width, height) => {
      context.fillStyle = theme.kernel;
      context.fillRect(0, height * 0.6, width, height * 0.4);
    },
  },
];
