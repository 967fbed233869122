// Layers over all tracks and lanes of a side that do not depend on the playhead.

import { lazy, Suspense } from "react";
import type { ReactElement } from "react";
import type { Plot } from "../plot/plot.ts";
import type { Pointer } from "../input/pointed.ts";
import type { Area, Markers, Spot, TimelineSide } from "../plot/timeline-props.ts";
import { AreaOnAll } from "./area-layer.tsx";
import { DivergenceLine } from "./divergence-layer.tsx";
import { LinkedLine } from "./linked-layer.tsx";

const MarkerLines = lazy(() =>
  import("./marker-layer.tsx").then((layer) => ({ default: layer.MarkerLines })),
);

/** Whether there is anything for their script to draw. */
export function hasMarkers({ from, to }: Markers): boolean {
  return from !== undefined || to !== undefined;
}

interface OverAllProps {
  readonly id: TimelineSide["id"];
  readonly plot: Plot;
  readonly area: Area | undefined;
  readonly markers: Markers;
  readonly divergence?: Spot | undefined;
  readonly pointer: Pointer;
}

export function OverAll({
  id,
  plot,
  area,
  markers,
  divergence,
  pointer,
}: OverAllProps): ReactElement {
  const { viewport, gutter, width } = plot;
  return (
    <>
      {area === undefined ? null : <AreaOnAll plot={plot} area={area} />}
      {hasMarkers(markers) ? (
        <Suspense>
          <MarkerLines viewport={viewport} gutter={gutter} width={width} markers={markers} />
        </Suspense>
      ) : null}
      {divergence === undefined ? null : (
        <DivergenceLine viewport={viewport} gutter={gutter} width={width} spot={divergence} />
      )}
      <LinkedLine pointer={pointer} side={id} plot={plot} />
    </>
  );
}
