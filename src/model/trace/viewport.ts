// Moving a viewport over the time axis. Pure arithmetic: no pixels but a width, no events.

import type { Viewport } from "./run-types.ts";

/**
 * No deeper: at 40 ns across, one nanosecond is tens of pixels and there is nothing more to see.
 */
export const SPAN_NS_MIN = 40;

export function spanNs(viewport: Viewport): number {
  return viewport.toNs - viewport.fromNs;
}

/** The span moved, or shrunk, to lie inside [0, domainNs]. */
export function clampViewport(viewport: Viewport, domainNs: number): Viewport {
  const domain = Math.max(domainNs, SPAN_NS_MIN);
  const span = Math.min(Math.max(spanNs(viewport), SPAN_NS_MIN), domain);
  const fromNs = Math.min(Math.max(viewport.fromNs, 0), domain - span);
  return { fromNs, toNs: fromNs + span };
}

/** Zooms by `factor` (2 = twice as close) with `anchorNs` kept where it is on the screen. */
export function zoomAt(
  viewport: Viewport,
  anchorNs: number,
  factor: number,
  domainNs: number,
): Viewport {
  const span = Math.min(
    Math.max(spanNs(viewport) / factor, SPAN_NS_MIN),
    Math.max(domainNs, SPAN_NS_MIN),
  );
  const share = (anchorNs - viewport.fromNs) / spanNs(viewport);
  const fromNs = anchorNs - share * span;
  return clampViewport({ fromNs, toNs: fromNs + span }, domainNs);
}

/** Moves by `share` of the span: 0.25 = a quarter of the screen later. */
export function panBy(viewport: Viewport, share: number, domainNs: number): Viewport {
  const shift = share * spanNs(viewport);
  return clampViewport({ fromNs: viewport.fromNs + shift, toNs: viewport.toNs + shift }, domainNs);
}

/** The span moved until `ns` is in its middle. */
export function centreOn(viewport: Viewport, ns: number, domainNs: number): Viewport {
  const half = spanNs(viewport) / 2;
  return clampViewport({ fromNs: ns - half, toNs: ns + half }, domainNs);
}

/** A stretch with a fifth of its length to spare on both sides. */
export function fitTo(stretch: Viewport, domainNs: number): Viewport {
  const margin = Math.max(spanNs(stretch), SPAN_NS_MIN / 2) * 0.2;
  return clampViewport({ fromNs: stretch.fromNs - margin, toNs: stretch.toNs + margin }, domainNs);
}

/**
 * The viewport that keeps a moving playhead in sight: a page turn when it leaves, so that the
 * picture does not move in between.
 */
export function followPlayhead(viewport: Viewport, playheadNs: number, domainNs: number): Viewport {
  if (playheadNs >= viewport.fromNs && playheadNs <= viewport.toNs) return viewport;
  const fromNs = playheadNs - spanNs(viewport) * 0.05;
  return clampViewport({ fromNs, toNs: fromNs + spanNs(viewport) }, domainNs);
}

export function sameViewport(one: Viewport, other: Viewport): boolean {
  return one.fromNs === other.fromNs && one.toNs === other.toNs;
}
