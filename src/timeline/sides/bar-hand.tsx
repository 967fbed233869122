// A task's bar in the hand: its name follows the pointer, and the lane under it is where the task
// is to run.

import { type ReactElement, useEffect, useRef, useState } from "react";
import type { Scene } from "../marks/mark.ts";
import { hitAt } from "../marks/hit.ts";
import { rowAt } from "../plot/lane-rows.ts";
import type { TimelineSide } from "../plot/timeline-props.ts";
import { followHand } from "../input/hand-drag.ts";
import type { Grab } from "../plot/grab.ts";

interface BarHandProps {
  readonly side: TimelineSide["id"];
  readonly scene: Scene;
  readonly onGrab: (grab: Grab) => void;
}

interface Held {
  readonly task: number;
  readonly ns: number;
  readonly from: number;
}

interface Over {
  readonly x: number;
  readonly y: number;
  readonly cpu: number | undefined;
}

/** Lies in the lanes' stack, and takes drags that begin anywhere in it. */
export function BarHand(props: BarHandProps): ReactElement {
  const root = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  const [held, setHeld] = useState<Held>();
  const [over, setOver] = useState<Over>();
  useEffect(() => {
    const stack = root.current?.parentElement;
    if (stack === null || stack === undefined) return undefined;
    let grabbed: Held | undefined;
    const placeOf = ({ clientX, clientY }: { clientX: number; clientY: number }): Over => {
      const { left, top } = stack.getBoundingClientRect();
      const { plot } = latest.current.scene;
      const row = rowAt(plot.rows, clientY - top + plot.scrollTop);
      const cpu = row?.fold === undefined ? row?.cpu : undefined;
      return { x: clientX - left, y: clientY - top, cpu };
    };
    return followHand(stack, {
      begin: (at) => {
        const { x, y } = placeOf(at);
        const hit = hitAt(latest.current.scene, x, y);
        grabbed =
          hit?.slice?.task === undefined || hit.fold !== undefined
            ? undefined
            : { task: hit.slice.task, ns: Math.round(hit.ns), from: hit.cpu };
        return grabbed === undefined ? [] : ["upright"];
      },
      move: (at) => {
        setHeld(grabbed);
        setOver(placeOf(at));
      },
      drop: (at) => {
        const { cpu } = placeOf(at);
        if (grabbed === undefined || cpu === undefined || cpu === grabbed.from) return;
        const { side, onGrab } = latest.current;
        onGrab({ kind: "pin", side, cpu, task: grabbed.task, ns: grabbed.ns });
      },
      end: () => {
        setHeld(undefined);
        setOver(undefined);
      },
    });
  }, []);
  return (
    <div ref={root} className="tl-hand" aria-hidden="true">
      {held !== undefined && over !== undefined && (
        <Carried scene={props.scene} held={held} over={over} />
      )}
    </div>
  );
}

interface CarriedProps {
  readonly scene: Scene;
  readonly held: Held;
  readonly over: Over;
}

function Carried({ scene, held, over }: CarriedProps): ReactElement {
  const { plot, trace } = scene;
  const row = over.cpu === undefined ? undefined : plot.rows.rowOfCpu[over.cpu];
  const goes = over.cpu !== undefined && over.cpu !== held.from;
  const name = trace.taskName(held.task);
  return (
    <>
      {row !== undefined && goes && (
        <div
          className="tl-hand-lane"
          style={{ top: row.top - plot.scrollTop, height: row.height, left: plot.gutter }}
        />
      )}
      <div
        className="tl-hand-task"
        style={{ transform: `translate(${String(over.x + 12)}px, ${String(over.y - 12)}px)` }}
        data-testid="hand-task"
      >
        {name}
        {goes ? ` → cpu${String(over.cpu)} only` : ""}
      </div>
    </>
  );
}
