// The level of a tank in the hand: dragged up or down it is the group's quota.

import { type ReactElement, useEffect, useRef, useState } from "react";
import type { GroupTrack } from "../../model/index.ts";
import { threeFigures } from "../../lib/format.ts";
import { nsAt, type Plot } from "../plot/plot.ts";
import type { TimelineSide } from "../plot/timeline-props.ts";
import { tankNsAt, type TankScale } from "./draw-tank.ts";
import { followUpright } from "../input/upright-drag.ts";
import type { Grab } from "../plot/grab.ts";

interface TankHandProps {
  readonly side: TimelineSide["id"];
  /** With the tank's height. */
  readonly plot: Plot;
  readonly track: GroupTrack;
  readonly scale: TankScale;
  readonly onGrab: (grab: Grab) => void;
}

interface Level {
  readonly y: number;
  readonly ns: number;
}

/** A quota is written in steps of this share of its period. */
const STEPS = 20;

/** Lies in the tank, and takes drags that begin anywhere in it. */
export function TankHand(props: TankHandProps): ReactElement {
  const root = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  const [level, setLevel] = useState<Level>();
  useEffect(() => {
    const tank = root.current?.parentElement;
    if (tank === null || tank === undefined) return undefined;
    let atNs = 0;
    const levelAt = (clientY: number): Level => {
      const { plot, track, scale } = latest.current;
      const y = clientY - tank.getBoundingClientRect().top;
      const step = Math.max(1_000_000, track.limitAt(atNs).periodNs / STEPS);
      return { y, ns: Math.max(1, Math.round(tankNsAt(plot, scale, y) / step)) * step };
    };
    return followUpright(tank, {
      begin: ({ clientX }) => {
        const { plot, track } = latest.current;
        atNs = Math.round(nsAt(plot, clientX - tank.getBoundingClientRect().left));
        const inside = atNs > 0 && clientX - tank.getBoundingClientRect().left >= plot.gutter;
        return inside && track.limitAt(atNs).quotaNs !== undefined;
      },
      move: ({ clientY }) => setLevel(levelAt(clientY)),
      drop: ({ clientY }) => {
        const { side, track, onGrab } = latest.current;
        const { ns: quotaNs } = levelAt(clientY);
        onGrab({ kind: "quota", side, group: track.info.path, ns: atNs, quotaNs });
      },
      end: () => setLevel(undefined),
    });
  }, []);
  return (
    <div ref={root} className="tl-hand" aria-hidden="true">
      {level !== undefined && (
        <div
          className="tl-hand-level"
          style={{ top: level.y, left: props.plot.gutter }}
          data-testid="hand-level"
        >
          <span>quota {threeFigures(level.ns)}</span>
        </div>
      )}
    </div>
  );
}
