// The chosen area over a picture that does not change for it: a frame over its CPUs' rows, or over
// everything for all CPUs.

import type { CSSProperties, ReactElement } from "react";
import { formatNs } from "../../lib/format.ts";
import type { Plot } from "../plot/plot.ts";
import type { Area } from "../plot/timeline-props.ts";
import { framesOf, reachOf } from "./area-frames.ts";

/** Over the rows of some CPUs: rows that touch share one frame. */
export function AreaOnRows({
  plot,
  area,
}: {
  readonly plot: Plot;
  readonly area: Area;
}): ReactElement | null {
  const reach = reachOf(plot, area);
  if (reach === undefined || area.cpus === undefined) return null;
  const frames = framesOf(plot, new Set(area.cpus));
  return (
    <>
      {frames.map(({ top, height }) => (
        <div
          key={top}
          className="tl-area"
          style={{ ...reach, top, height }}
          data-testid="area-frame"
        />
      ))}
    </>
  );
}

/** Over everything of a side, for an area on all CPUs. */
export function AreaOnAll({
  plot,
  area,
}: {
  readonly plot: Plot;
  readonly area: Area;
}): ReactElement | null {
  const reach = area.cpus === undefined ? reachOf(plot, area) : undefined;
  return reach === undefined ? null : (
    <div className="tl-area" style={{ ...reach, top: 0, bottom: 0 }} data-testid="area-frame" />
  );
}

/** On the ruler: its stretch, and how long it is. */
export function AreaOnRuler({
  area,
  ...window
}: Pick<Plot, "viewport" | "gutter" | "width"> & { readonly area: Area }): ReactElement | null {
  const reach = reachOf(window, area);
  if (reach === undefined) return null;
  const words = formatNs(area.toNs - area.fromNs, 3);
  const middle: CSSProperties = {
    left: Math.min(window.width - 40, Math.max(window.gutter + 40, reach.left + reach.width / 2)),
  };
  return (
    <>
      <div className="tl-area-ruler" style={{ left: reach.left, width: reach.width }} />
      <span
        className="tl-area-length"
        style={middle}
        data-testid="area-length"
        data-ns={area.toNs - area.fromNs}
      >
        {words}
      </span>
    </>
  );
}
