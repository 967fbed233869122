// The time axis: SVG through d3-axis, because people read it and select it. Pressing or dragging on it moves the playhead.

import { axisTop } from "d3-axis";
import { select } from "d3-selection";
import { useEffect, useRef } from "react";
import type { PointerEvent, ReactElement } from "react";
import type { Viewport } from "../types.ts";
import { axisTicks } from "./ticks.ts";

interface AxisProps {
  readonly viewport: Viewport;
  readonly width: number;
  readonly gutter: number;
  readonly fontPx: number;
  readonly onPlayhead: (ns: number) => void;
}

export function TimeAxis({ viewport, width, gutter, fontPx, onPlayhead }: AxisProps): ReactElement {
  const group = useRef<SVGGElement>(null);
  const height = Math.round(fontPx * 2);
  const { fromNs, toNs } = viewport;
  useEffect(() => {
    if (group.current === null) return;
    const { scale, values, format } = axisTicks({ fromNs, toNs }, width, gutter, fontPx);
    select(group.current).call(
      axisTop(scale)
        .tickValues(values)
        .tickFormat((ns) => format(ns.valueOf()))
        .tickSizeOuter(0),
    );
  }, [fromNs, toNs, width, gutter, fontPx]);
  const seek = (event: PointerEvent<SVGSVGElement>): void => {
    if (event.type === "pointermove" && event.buttons !== 1) return;
    if (event.type === "pointerdown") event.currentTarget.setPointerCapture(event.pointerId);
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left;
    const share = Math.min(1, Math.max(0, (x - gutter) / (width - gutter)));
    onPlayhead(Math.round(fromNs + share * (toNs - fromNs)));
  };
  return (
    <svg
      className="tl-axis"
      height={height}
      width={width}
      aria-hidden="true"
      data-testid="time-axis"
      onPointerDown={seek}
      onPointerMove={seek}
    >
      <rect width={width} height={height} fill="transparent" />
      <g ref={group} transform={`translate(0,${height - 1})`} />
    </svg>
  );
}
