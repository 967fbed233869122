// What is on its way at the playhead while playing: envelopes on the arcs of IPIs, tasks between
// two rows. A flight of nanoseconds lasts a fiftieth of the view here, and ends at the instant of
// its arrival: what it flies along is still faint, since the playhead has not come to it.

import { useEffect, useRef } from "react";
import type { ReactElement } from "react";
import { preparedContext } from "../../lib/frame-scheduler.ts";
import { useReducedMotion } from "../draw/use-size.ts";
import type { Scene } from "../marks/mark.ts";
import { drawnMarks } from "../marks/registry.ts";

/** Least share of the view that a flight takes. */
const LEAST_SHARE = 0.02;

interface FlightProps {
  readonly side: "a" | "b";
  readonly scene: Scene;
  readonly ratio: number;
  readonly playheadNs: number;
}

export function FlightLayer({ side, scene, ratio, playheadNs }: FlightProps): ReactElement {
  const canvas = useRef<HTMLCanvasElement>(null);
  const still = useReducedMotion();
  const { plot } = scene;
  useEffect(() => {
    const node = canvas.current;
    const context =
      node === null || plot.width === 0
        ? undefined
        : preparedContext(node, plot.width, plot.height, ratio);
    if (node === null || context === undefined) return;
    node.style.top = `${String(node.parentElement?.querySelector<HTMLElement>(".tl-room")?.offsetTop ?? 0)}px`;
    if (still) return;
    const leastNs = (plot.viewport.toNs - plot.viewport.fromNs) * LEAST_SHARE;
    for (const mark of drawnMarks(scene)) mark.fly?.(context, scene, playheadNs, leastNs);
  });
  return (
    <canvas
      ref={canvas}
      className="tl-flights"
      style={{ width: plot.width, height: plot.height }}
      aria-hidden="true"
      data-testid={`flights-${side}`}
    />
  );
}
