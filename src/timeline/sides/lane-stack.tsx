// The lanes of one side in their scrolling box: canvases, what lies over them, and the grid of
// words.

import { lazy, type ReactElement, type RefObject, Suspense, useEffect, useRef } from "react";
import { observeSize } from "../../lib/element-size.ts";
import type { Run, Scene } from "../marks/mark.ts";
import type { LaneRow, LaneRows } from "../plot/lane-rows.ts";
import type { Plot } from "../plot/plot.ts";
import { AreaOnRows } from "../tracks/area-layer.tsx";
import { LinkedPair } from "../tracks/linked-layer.tsx";
import { Silos } from "../tracks/tank.tsx";
import { LaneTip, usePointer } from "./lane-pointer.tsx";
import type { SideProps } from "./side-props.ts";
import { SpokenLanes, type SpokenProps } from "./spoken-lanes.tsx";

const GhostLayer = lazy(() => import("../tracks/ghost-layer.tsx"));

interface StackProps extends SideProps {
  readonly scene: Scene;
  /** Stays one object while only the window moves. */
  readonly run: Run;
  /** The rows as laid out, before scrolling. */
  readonly laid: LaneRows;
  readonly inView: readonly LaneRow[];
  /** The box that scrolls. */
  readonly box: RefObject<HTMLDivElement | null>;
  readonly base: RefObject<HTMLCanvasElement | null>;
  readonly marks: RefObject<HTMLCanvasElement | null>;
  readonly calls: Pick<SpokenProps, "onSelect" | "onPoint">;
}

export function LaneStack(props: StackProps): ReactElement {
  const { side, scene, laid, inView, box } = props;
  const { plot } = scene;
  const room = useRoom(props.onRoom);
  useScroll(box, props.scrollTop);
  const pointer = usePointer(props, scene);
  return (
    <div ref={room} className="tl-room">
      <div
        ref={box}
        className="tl-lanes"
        style={{ height: plot.height }}
        onScroll={(event) => props.onScroll(event.currentTarget.scrollTop)}
      >
        <div style={{ height: laid.height }}>
          <div
            className="tl-stack"
            style={{ height: plot.height }}
            data-testid={`lanes-${side.id}`}
            data-emphasis={props.emphasis?.join(" ")}
            {...pointer.handlers}
          >
            <canvas ref={props.base} aria-hidden="true" />
            <Ghost {...props} plot={plot} />
            <canvas ref={props.marks} aria-hidden="true" />
            {props.area === undefined ? null : <AreaOnRows plot={plot} area={props.area} />}
            <LinkedPair pointer={props.pointer} side={side.id} plot={plot} />
            {props.tanks.length > 0 ? <Silos {...props} plot={plot} /> : null}
            {props.tools !== undefined && props.onGrab !== undefined && props.drag === "area" && (
              <props.tools.BarHand side={side.id} scene={scene} onGrab={props.onGrab} />
            )}
            {props.tools === undefined ? null : (
              <props.tools.LaneHeads {...props} side={side.id} plot={plot} />
            )}
            <SpokenLanes
              {...props}
              run={props.run}
              all={plot.rows.rows}
              rows={inView}
              {...props.calls}
            />
            <LaneTip side={side} hit={pointer.hit} width={props.width} height={plot.height} />
          </div>
        </div>
      </div>
    </div>
  );
}

function Ghost(props: SideProps & { readonly plot: Plot }): ReactElement | null {
  const { ghost } = props.side;
  return ghost === undefined ? null : (
    <Suspense>
      <GhostLayer {...props} ghost={ghost} />
    </Suspense>
  );
}

/** Reports the height of an element, now and at every change. */
function useRoom(onRoom: (px: number) => void): RefObject<HTMLDivElement | null> {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current } = element;
    // A side that has just been taken away is 0 high, which is not the room of the one that stays.
    return current === null
      ? undefined
      : observeSize(current, ({ height }) => current.isConnected && onRoom(Math.floor(height)));
  }, [onRoom]);
  return element;
}

/** Scrolls the lanes where another side was scrolled. */
function useScroll(box: RefObject<HTMLDivElement | null>, scrollTop: number): void {
  useEffect(() => {
    if (box.current !== null && box.current.scrollTop !== scrollTop)
      box.current.scrollTop = scrollTop;
  }, [box, scrollTop]);
}
