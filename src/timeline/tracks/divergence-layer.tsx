// Where the two runs first part: a button on the ruler, a line over both sides. Out of view the
// button is at the edge it lies beyond.

import type { ReactElement } from "react";
import type { Plot } from "../plot/plot.ts";
import type { Spot } from "../plot/timeline-props.ts";

type Window = Pick<Plot, "viewport" | "gutter" | "width">;

function placeOf({ viewport, gutter, width }: Window, ns: number): number {
  return gutter + ((ns - viewport.fromNs) / (viewport.toNs - viewport.fromNs)) * (width - gutter);
}

interface OnRuler extends Window {
  readonly spot: Spot;
  readonly onGo: () => void;
}

export function DivergenceOnRuler({ spot, onGo, ...window }: OnRuler): ReactElement {
  const { fromNs, toNs } = window.viewport;
  const [where, sign] =
    spot.ns < fromNs
      ? (["before", "◂≠"] as const)
      : spot.ns > toNs
        ? (["after", "≠▸"] as const)
        : (["in", "≠"] as const);
  const left = where === "before" ? 0 : where === "after" ? window.width : placeOf(window, spot.ns);
  return (
    <button
      type="button"
      tabIndex={-1}
      className={`tl-diverge tl-diverge-${where}`}
      style={{ left }}
      title={spot.words}
      aria-label={spot.words}
      data-testid="divergence"
      data-ns={spot.ns}
      data-where={where}
      onClick={onGo}
    >
      {sign}
    </button>
  );
}

export function DivergenceLine({
  spot,
  ...window
}: Window & { readonly spot: Spot }): ReactElement | null {
  const { fromNs, toNs } = window.viewport;
  if (spot.ns < fromNs || spot.ns > toNs) return null;
  return (
    <div
      className="tl-diverge-line"
      style={{ left: placeOf(window, spot.ns) }}
      data-testid="divergence-line"
    />
  );
}
