// The other side's pointer: a hairline at its time, and a frame around the wake-up that is a pair
// with the one it points at.

import type { ReactElement } from "react";
import { partnerOf } from "../../model/index.ts";
import type { WakeRecord } from "../../model/index.ts";
import type { Plot } from "../plot/plot.ts";
import { nsAt, nsPerPx } from "../plot/plot.ts";
import { usePointedBeside, type PointedAt, type Pointer } from "../input/pointed.ts";
import { REACH_PX } from "../marks/mark.ts";
import type { TimelineSide } from "../plot/timeline-props.ts";
import { AreaOnRows } from "./area-layer.tsx";

interface LinkedProps {
  readonly pointer: Pointer;
  readonly side: TimelineSide["id"];
  readonly plot: Plot;
}

export function LinkedLine({ pointer, side, plot }: LinkedProps): ReactElement | null {
  const at = usePointedBeside(pointer, side);
  if (at === undefined) return null;
  return (
    <div
      className="tl-linked-line"
      style={{ left: at.x }}
      data-testid={`linked-line-${side}`}
      data-ns={Math.round(nsAt(plot, at.x))}
    />
  );
}

export function LinkedPair({ pointer, side, plot }: LinkedProps): ReactElement | null {
  const at = usePointedBeside(pointer, side);
  const pair = at === undefined ? undefined : pairOf(at, plot);
  if (pair === undefined) return null;
  const { task, nth, dueNs, latencyNs, cpu } = pair;
  return (
    <div
      data-testid={`linked-pair-${side}`}
      data-due-ns={dueNs}
      data-wake={`${task}.w${String(nth)}`}
      aria-hidden="true"
    >
      <AreaOnRows plot={plot} area={{ fromNs: dueNs, toNs: dueNs + latencyNs, cpus: [cpu] }} />
    </div>
  );
}

/** The wake-up of this side that is the one whose wait lies under the other side's pointer. */
function pairOf({ trace, x, cpu }: PointedAt, plot: Plot): WakeRecord | undefined {
  const ns = nsAt(plot, x);
  const reach = REACH_PX * nsPerPx(plot);
  const row = trace.wakes.at(cpu, ns) ?? trace.wakes.at(cpu, ns + reach);
  if (row === undefined) return undefined;
  const { dueNs, latencyNs } = trace.wakes.record(row);
  if (ns < dueNs - reach || ns > dueNs + latencyNs + reach) return undefined;
  const partner = partnerOf(trace.wakes, row, plot.trace.wakes);
  return partner === undefined ? undefined : plot.trace.wakes.record(partner);
}
