// How long the playhead takes for each part of the view: long where much happens, short where
// nothing does, the same in all. Pure arithmetic over numbers of trace rows; the clock is the
// page's.

import type { TraceStore } from "../../model/index.ts";
import type { Viewport } from "../../model/trace/run-types.ts";

/** How long the playhead takes through what is shown unless the viewer chose a speed, s. */
export const CROSSING_S = 8;
/** Parts of the view, each with a speed of its own. */
const PARTS = 160;
/**
 * Share of the time that is spread evenly: a stretch without events is crossed quickly, not jumped.
 */
const EVEN = 0.3;

/**
 * When the playhead is where: `reached[i]` is the share of the time, 0 to 1, after which part i
 * begins.
 */
export interface Pace {
  readonly view: Viewport;
  readonly reached: Float64Array;
  /** How long the whole takes, s. */
  readonly seconds: number;
}

/** How long a step takes to its answer without slow stretches, and at most with them, s. */
const ANSWER_S = { least: 4, usual: 7, most: 12 } as const;
/** A slow stretch takes so many times as long. */
const SLOW = 3;

/** The pace through `view` for what these runs do in it. */
export function paceOf(traces: readonly TraceStore[], view: Viewport): Pace {
  return paced(view, busyShares(traces, view), CROSSING_S);
}

/** A stretch in which nothing of the subject happens takes at most this long, s. */
const SILENCE_S = 0.5;

/**
 * The pace to a step's answer, the end of `view`; `slow`: stretches of it that take longer.
 * `subject`: the stretches that the step is about; the silence between them is skipped. Undefined:
 * all of the view is.
 */
export function paceToAnswer(
  traces: readonly TraceStore[],
  view: Viewport,
  slow: readonly Viewport[],
  subject?: readonly Viewport[],
): Pace {
  const partNs = (view.toNs - view.fromNs) / PARTS;
  const shares = busyShares(traces, view).map((share, part) => {
    const ns = view.fromNs + (part + 0.5) * partNs;
    return slow.some(({ fromNs, toNs }) => ns >= fromNs && ns < toNs) ? SLOW * share : share;
  });
  const longer = shares.reduce((sum, share) => sum + share, 0);
  const seconds = Math.min(ANSWER_S.most, ANSWER_S.usual * longer);
  const times = shares.map((share) => (share / longer) * seconds);
  return subject === undefined
    ? paced(
        view,
        shares.map((share) => share / longer),
        seconds,
      )
    : withoutSilence(view, times, subject);
}

/** Shortens each silence of the subject; what is left takes at least as long as an answer does. */
function withoutSilence(view: Viewport, times: Float64Array, subject: readonly Viewport[]): Pace {
  const silent = silentParts(view, subject);
  if (silent.every((each) => each)) return paced(view, times.map(shareOf(times)), sumOf(times));
  const loudS = times.reduce((sum, each, part) => sum + (silent[part] === true ? 0 : each), 0);
  for (let part = 0; part < PARTS; part += 1) {
    let end = part;
    while (silent[end] === true) end += 1;
    const long = sumOf(times.subarray(part, end));
    if (long > SILENCE_S)
      for (let at = part; at < end; at += 1) times[at] = ((times[at] ?? 0) * SILENCE_S) / long;
    part = Math.max(part, end);
  }
  const stretch = Math.max(1, (ANSWER_S.least - (sumOf(times) - loudS)) / loudS);
  const all = times.map((each, part) => (silent[part] === true ? each : each * stretch));
  return paced(view, all.map(shareOf(all)), sumOf(all));
}

function sumOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function shareOf(values: Float64Array): (value: number) => number {
  const sum = sumOf(values);
  return (value) => value / sum;
}

/** By part of the view: whether no stretch of the subject touches it. */
function silentParts(view: Viewport, subject: readonly Viewport[]): readonly boolean[] {
  const partNs = (view.toNs - view.fromNs) / PARTS;
  return Array.from({ length: PARTS }, (_, part) => {
    const start = view.fromNs + part * partNs;
    return subject.every(({ fromNs, toNs }) => toNs < start || fromNs >= start + partNs);
  });
}

function paced(view: Viewport, shares: Float64Array, seconds: number): Pace {
  const reached = new Float64Array(PARTS + 1);
  for (let part = 0; part < PARTS; part += 1)
    reached[part + 1] = (reached[part] ?? 0) + (shares[part] ?? 0);
  return { view, reached, seconds };
}

/** The share of the time that each part of the view has, 1 in all. */
function busyShares(traces: readonly TraceStore[], view: Viewport): Float64Array {
  const partNs = (view.toNs - view.fromNs) / PARTS;
  // The square root: a herd of a thousand rows is ten times as slow as ten rows, not a hundred
  // times.
  const weights = Float64Array.from({ length: PARTS }, (_, part) => {
    const fromNs = view.fromNs + part * partNs;
    return Math.sqrt(
      traces.reduce(
        (sum, { events }) => sum + events.firstAt(fromNs + partNs) - events.firstAt(fromNs),
        0,
      ),
    );
  });
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map(
    (weight) => EVEN / PARTS + (1 - EVEN) * (all === 0 ? 1 / PARTS : weight / all),
  );
}

/**
 * Where the playhead is `share` of the crossing after `ns`; beyond the view's end it is at the end.
 */
export function onward({ view, reached }: Pace, ns: number, share: number): number {
  const span = view.toNs - view.fromNs;
  const place = ((ns - view.fromNs) / span) * PARTS;
  const part = Math.min(PARTS - 1, Math.max(0, Math.floor(place)));
  const at = (reached[part] ?? 0) + (place - part) * lengthOf(reached, part) + share;
  for (let next = part; next < PARTS; next += 1) {
    if (at >= (reached[next + 1] ?? 1) && next < PARTS - 1) continue;
    const inside = Math.min(1, Math.max(0, (at - (reached[next] ?? 0)) / lengthOf(reached, next)));
    return view.fromNs + ((next + inside) / PARTS) * span;
  }
  return view.toNs;
}

/** Machine time per share of the crossing at `ns`: its speed there, ns. */
export function speedIn({ view, reached }: Pace, ns: number): number {
  const span = view.toNs - view.fromNs;
  const part = Math.min(PARTS - 1, Math.max(0, Math.floor(((ns - view.fromNs) / span) * PARTS)));
  return span / PARTS / lengthOf(reached, part);
}

function lengthOf(reached: Float64Array, part: number): number {
  return (reached[part + 1] ?? 1) - (reached[part] ?? 0);
}
