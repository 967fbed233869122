// The time axis: SVG through d3-axis, because people read it and select it. A press on it moves the
// playhead, a drag selects that stretch on all CPUs; with Shift, and by touch, a drag moves the
// playhead.

import { axisTop } from "d3-axis";
import { select } from "d3-selection";
import { lazy, Suspense, useEffect, useRef } from "react";
import type { MouseEvent, ReactElement, SVGProps } from "react";
import type { TimelineTheme } from "../plot/timeline-theme.ts";
import { beginsArea, useAreaDrag } from "../input/area-drag.ts";
import type { Area, Drag, Markers, Spot, TimelineProps, Viewport } from "../plot/timeline-props.ts";
import { hasMarkers } from "./over-all.tsx";
import { DivergenceOnRuler } from "./divergence-layer.tsx";
import { AreaOnRuler } from "./area-layer.tsx";
import { axisTicks } from "./ticks.ts";

const MarkersOnRuler = lazy(() =>
  import("./marker-layer.tsx").then((layer) => ({ default: layer.MarkersOnRuler })),
);

/** Labels are no smaller, CSS px. */
const FONT_LEAST_PX = 12;
/**
 * Below the labels: ticks, moments, the first divergence, names of markers. As high as in the style
 * sheet, CSS px.
 */
const BAND_PX = 14;

interface AxisProps {
  readonly viewport: Viewport;
  readonly width: number;
  readonly gutter: number;
  readonly theme: TimelineTheme;
  readonly domainNs: number;
  readonly area: Area | undefined;
  readonly drag: Drag;
  readonly markers: Markers;
  readonly onRuler?: TimelineProps["onRuler"];
  readonly divergence?: Spot | undefined;
  readonly onDivergence?: () => void;
  readonly onPlayhead: (ns: number) => void;
  /** The area while it is dragged. */
  readonly onDraft: (area: Area | undefined) => void;
  readonly onArea: (area: Area) => void;
  readonly onMarker: (which: keyof Markers, ns: number) => void;
}

export function TimeAxis(props: AxisProps): ReactElement {
  const { viewport, width, gutter, theme, area } = props;
  const group = useRef<SVGGElement>(null);
  const svg = useRef<SVGSVGElement>(null);
  useAreaDrag(svg, { ...props, plotPx: width - gutter, gutterPx: gutter, cpusBetween: allCpus });
  const fontPx = Math.max(FONT_LEAST_PX, theme.fontPx);
  const height = fontPx + BAND_PX + 2;
  const { fromNs, toNs } = viewport;
  useEffect(() => {
    if (group.current === null) return;
    const { scale, values, format } = axisTicks({ fromNs, toNs }, width, gutter, fontPx);
    select(group.current).call(
      axisTop(scale)
        .tickValues(values)
        .tickFormat((ns) => format(ns.valueOf()))
        .tickSizeInner(BAND_PX)
        .tickSizeOuter(0),
    );
  }, [fromNs, toNs, width, gutter, fontPx]);
  return (
    <div className="tl-ruler">
      <svg
        ref={svg}
        className="tl-axis"
        height={height}
        width={width}
        aria-hidden="true"
        data-testid="time-axis"
        {...seekHandlers(props)}
      >
        <rect width={width} height={height} fill="transparent" />
        <g ref={group} transform={`translate(0,${height - 1})`} />
      </svg>
      {props.onRuler?.({ width, gutter, height, theme })}
      {props.divergence === undefined ? null : (
        <DivergenceOnRuler
          viewport={viewport}
          gutter={gutter}
          width={width}
          spot={props.divergence}
          onGo={props.onDivergence ?? noGo}
        />
      )}
      {hasMarkers(props.markers) ? (
        <Suspense>
          <MarkersOnRuler
            viewport={viewport}
            gutter={gutter}
            width={width}
            domainNs={props.domainNs}
            markers={props.markers}
            onMarker={props.onMarker}
          />
        </Suspense>
      ) : null}
      {area === undefined ? null : (
        <AreaOnRuler viewport={viewport} gutter={gutter} width={width} area={area} />
      )}
    </div>
  );
}

/** A press on the axis, and a drag that selects no area, move the playhead. */
function seekHandlers({
  viewport: { fromNs, toNs },
  width,
  gutter,
  drag,
  onPlayhead,
}: AxisProps): Pick<SVGProps<SVGSVGElement>, "onPointerDown" | "onPointerMove" | "onClick"> {
  const seek = (event: MouseEvent<SVGSVGElement>): void => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left;
    const share = Math.min(1, Math.max(0, (x - gutter) / (width - gutter)));
    onPlayhead(Math.round(fromNs + share * (toNs - fromNs)));
  };
  return {
    onPointerDown: (event) => {
      if (event.pointerType !== "touch" && beginsArea(event, drag)) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      seek(event);
    },
    onPointerMove: (event) => {
      if (event.currentTarget.hasPointerCapture(event.pointerId)) seek(event);
    },
    onClick: seek,
  };
}

function allCpus(): undefined {
  return undefined;
}

function noGo(): void {
  // The owner shows the mark and goes nowhere.
}
