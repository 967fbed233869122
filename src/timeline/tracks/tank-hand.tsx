// A tank in the hand: its level dragged up or down is the group's quota, a refill dragged along the
// time axis is the group's period.

import { type ReactElement, useEffect, useRef, useState } from "react";
import type { GroupTrack } from "../../model/index.ts";
import { threeFigures } from "../../lib/format.ts";
import { nsAt, nsPerPx, type Plot } from "../plot/plot.ts";
import type { TimelineSide } from "../plot/timeline-props.ts";
import { tankNsAt, type TankScale } from "./draw-tank.ts";
import { followHand, type Way } from "../input/hand-drag.ts";
import type { Grab } from "../plot/grab.ts";
import { periodTo, refillAt, type HeldRefill } from "./held-refill.ts";

interface TankHandProps {
  readonly side: TimelineSide["id"];
  /** With the tank's height. */
  readonly plot: Plot;
  readonly track: GroupTrack;
  readonly scale: TankScale;
  readonly onGrab: (grab: Grab) => void;
}

interface Point {
  readonly clientX: number;
  readonly clientY: number;
}

/** Where what is dragged is now, in the tank, CSS px, and what it comes to, ns. */
interface Dragged {
  readonly way: Way;
  readonly at: number;
  readonly ns: number;
}

/** A quota is written in steps of this share of its period. */
const STEPS = 20;
/** So near to a refill is on it, CSS px. */
const REACH_PX = 6;

/** Lies in the tank, and takes drags that begin anywhere in it. */
export function TankHand(props: TankHandProps): ReactElement {
  const root = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  const [dragged, setDragged] = useState<Dragged>();
  useEffect(() => {
    const tank = root.current?.parentElement;
    if (tank === null || tank === undefined) return undefined;
    const held = new Held(tank, () => latest.current);
    const showHandle = ({ buttons, clientX }: PointerEvent): void => {
      if (buttons === 0) tank.style.cursor = held.refillUnder(clientX) ? "ew-resize" : "";
    };
    tank.addEventListener("pointermove", showHandle);
    const detach = followHand(tank, {
      begin: (at) => held.begin(at),
      move: (at, way) => setDragged(held.dragged(at, way)),
      drop: (at, way) => latest.current.onGrab(held.grab(at, way)),
      end: () => setDragged(undefined),
    });
    return () => {
      tank.removeEventListener("pointermove", showHandle);
      detach();
    };
  }, []);
  return (
    <div ref={root} className="tl-hand" aria-hidden="true">
      {dragged !== undefined && <Line {...dragged} left={props.plot.gutter} />}
    </div>
  );
}

/** What a drag holds, from its press on. */
class Held {
  private atNs = 0;
  private refill: HeldRefill | undefined;

  constructor(
    private readonly tank: HTMLElement,
    private readonly now: () => TankHandProps,
  ) {}

  begin({ clientX }: Point): readonly Way[] {
    const { plot, track } = this.now();
    const x = this.xOf(clientX);
    this.atNs = Math.round(nsAt(plot, x));
    this.refill = this.refillUnder(clientX);
    const inside = this.atNs > 0 && x >= plot.gutter;
    if (!inside || track.limitAt(this.atNs).quotaNs === undefined) return [];
    return this.refill === undefined ? ["upright"] : ["along", "upright"];
  }

  refillUnder(clientX: number): HeldRefill | undefined {
    const { plot, track } = this.now();
    return refillAt(plot.trace, track, nsAt(plot, this.xOf(clientX)), REACH_PX * nsPerPx(plot));
  }

  dragged(at: Point, way: Way): Dragged {
    const { plot, track, scale } = this.now();
    const { top, left } = this.tank.getBoundingClientRect();
    if (way === "along" && this.refill !== undefined) {
      const x = at.clientX - left;
      return { way, at: x, ns: periodTo(this.refill, nsAt(plot, x)) };
    }
    const y = at.clientY - top;
    const step = Math.max(1_000_000, track.limitAt(this.atNs).periodNs / STEPS);
    return { way, at: y, ns: Math.max(1, Math.round(tankNsAt(plot, scale, y) / step)) * step };
  }

  grab(at: Point, way: Way): Grab {
    const { side, track } = this.now();
    const { ns } = this.dragged(at, way);
    const of = { side, group: track.info.path };
    return way === "along" && this.refill !== undefined
      ? { kind: "period", ...of, ns: this.refill.writeNs, periodNs: ns }
      : { kind: "quota", ...of, ns: this.atNs, quotaNs: ns };
  }

  private xOf(clientX: number): number {
    return clientX - this.tank.getBoundingClientRect().left;
  }
}

/** Where the level or the refill goes, and what that comes to. */
function Line({ way, at, ns, left }: Dragged & { readonly left: number }): ReactElement {
  const upright = way === "upright";
  return (
    <div
      className={upright ? "tl-hand-level" : "tl-hand-refill"}
      style={upright ? { top: at, left } : { left: at }}
      data-testid={upright ? "hand-level" : "hand-refill"}
    >
      <span>
        {upright ? "quota" : "period"} {threeFigures(ns)}
      </span>
    </div>
  );
}
