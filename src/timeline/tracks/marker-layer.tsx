// Two markers on the time axis, "from" and "to", and what lies between them. Lines over the
// picture, words on the ruler, which are dragged.

import type { PointerEvent, ReactElement } from "react";
import { formatNs } from "../../lib/format.ts";
import type { Plot } from "../plot/plot.ts";
import type { Markers } from "../plot/timeline-props.ts";

type Window = Pick<Plot, "viewport" | "gutter" | "width">;

const NAMES = ["from", "to"] as const;

/** Markers nearer than this leave no room for words between them, CSS px. */
const CLOSE_PX = 110;

/** Place of a marker, CSS px from the edge; undefined where it is out of view. */
function placeOf({ viewport, gutter, width }: Window, ns: number | undefined): number | undefined {
  if (ns === undefined || ns < viewport.fromNs || ns > viewport.toNs) return undefined;
  return gutter + ((ns - viewport.fromNs) / (viewport.toNs - viewport.fromNs)) * (width - gutter);
}

export function MarkerLines({
  markers,
  ...window
}: Window & { readonly markers: Markers }): ReactElement {
  return (
    <>
      {NAMES.map((name) => {
        const left = placeOf(window, markers[name]);
        return left === undefined ? null : (
          <div key={name} className="tl-marker" style={{ left }} />
        );
      })}
    </>
  );
}

/**
 * `-12345` -> "−12.345 µs", `18758173` -> "18.758173 ms": exact, in the unit that the axis has for
 * it.
 */
export function deltaWords(ns: number): string {
  return `${ns < 0 ? "\u2212" : ""}${formatNs(Math.abs(ns), 9)}`;
}

interface RulerProps extends Window {
  readonly domainNs: number;
  readonly markers: Markers;
  readonly onMarker: (which: keyof Markers, ns: number) => void;
}

/** The instant at a place of the ruler, CSS px from its edge: one in view, and of the run. */
export function markerNs({ viewport, gutter, width }: Window, domainNs: number, x: number): number {
  const share = Math.min(1, Math.max(0, (x - gutter) / (width - gutter)));
  return Math.min(
    domainNs,
    Math.max(0, Math.round(viewport.fromNs + share * (viewport.toNs - viewport.fromNs))),
  );
}

export function MarkersOnRuler({
  markers,
  domainNs,
  onMarker,
  ...window
}: RulerProps): ReactElement {
  const { from, to } = markers;
  const places = [placeOf(window, from), placeOf(window, to)];
  // Each name lies outside of the stretch between the two, whichever comes first: near ones hide
  // nothing of each other.
  const first = (from ?? -Infinity) <= (to ?? Infinity) ? "from" : "to";
  const delta = from === undefined || to === undefined ? undefined : to - from;
  // Between the two where both are in view, else beside the one that is, else at the edge: the
  // figure is what they are for.
  const seen = places.filter((place) => place !== undefined);
  const [least, most] = [Math.min(...seen), Math.max(...seen)];
  // Close together the names take the room between: the figure is then right of both.
  const middle =
    seen.length === 0
      ? window.width
      : most - least < CLOSE_PX
        ? most + CLOSE_PX * 0.75
        : (least + most) / 2;
  return (
    <>
      {NAMES.map((name, at) => {
        const left = places[at];
        return left === undefined ? null : (
          <span
            key={name}
            className={`tl-marker-name ${name === first ? "tl-marker-first" : ""}`}
            style={{ left }}
            data-testid={`marker-${name}`}
            data-ns={markers[name]}
            title="Drag to move; Delete removes both markers"
            {...dragOf((x) => onMarker(name, markerNs(window, domainNs, x)))}
          >
            {name}
          </span>
        );
      })}
      {delta === undefined ? null : (
        <span
          className="tl-area-length"
          style={{ left: Math.min(window.width - 60, Math.max(window.gutter + 60, middle)) }}
          data-testid="marker-delta"
          data-ns={delta}
        >
          {deltaWords(delta)}
        </span>
      )}
    </>
  );
}

type DragHandlers = Record<
  "onPointerDown" | "onPointerMove",
  (event: PointerEvent<HTMLElement>) => void
>;

/** Follows the pointer along the ruler while it is held. */
function dragOf(onMove: (x: number) => void): DragHandlers {
  return {
    onPointerDown: (event) => {
      if (event.button !== 0) return;
      event.stopPropagation();
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove: (event) => {
      const ruler = event.currentTarget.parentElement;
      if (ruler === null || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
      onMove(event.clientX - ruler.getBoundingClientRect().left);
    },
  };
}
