// What moves with the playhead, over everything else of a side. The playhead is an element of its
// own: moving it repaints no canvas.

import type { ReactElement } from "react";
import type { LabelLayer } from "../draw/label-layer.ts";
import type { Scene } from "../marks/mark.ts";
import { xOf } from "../plot/plot.ts";
import { FlightLayer } from "../tracks/flight-layer.tsx";
import type { SideProps } from "./side-props.ts";

export function AtPlayhead({
  side,
  scene,
  gutter,
  width,
  ratio,
  playing,
  playheadNs,
  tanks,
  tools,
  labels,
}: SideProps & { readonly scene: Scene; readonly labels: LabelLayer }): ReactElement {
  const { plot } = scene;
  const x = xOf(plot, playheadNs);
  return (
    <>
      <Veil x={x} gutter={gutter} width={width} on={playing} />
      {tanks.length > 0 && tools ? (
        <tools.DropLayer
          side={side.id}
          plot={plot}
          tanks={tanks}
          playheadNs={playheadNs}
          labels={labels}
        />
      ) : null}
      {playing ? (
        <FlightLayer side={side.id} scene={scene} ratio={ratio} playheadNs={playheadNs} />
      ) : null}
      <Playhead x={x} gutter={gutter} width={width} />
      {tools && <tools.CountdownLayer scene={scene} playheadNs={playheadNs} />}
    </>
  );
}

interface AtX {
  readonly x: number;
  readonly gutter: number;
  readonly width: number;
}

/**
 * While playing, what lies ahead is faint, and shown as the playhead comes to it. The box stays and
 * is scaled: a box that gets another edge at each frame is laid out anew, and browsers count it as
 * a layout that shifts.
 */
function Veil({ x, gutter, width, on }: AtX & { readonly on: boolean }): ReactElement {
  const share = Math.min(1, Math.max(0, (width - x) / Math.max(1, width - gutter)));
  return (
    <div
      className={on ? "tl-veil tl-veil-on" : "tl-veil"}
      style={{ left: gutter, transform: `scaleX(${share})` }}
      aria-hidden="true"
    />
  );
}

/** A line of its own over everything: moving it redraws nothing else. */
function Playhead({ x, gutter, width }: AtX): ReactElement | null {
  if (x < gutter || x > width) return null;
  return (
    <div
      className="tl-playhead"
      style={{ transform: `translateX(${x}px)` }}
      data-testid="playhead-line"
    />
  );
}
