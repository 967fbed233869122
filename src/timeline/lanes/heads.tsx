// The heads of the lanes, over the CPU numbers: a click keeps a lane on top or folds a group, a
// drag puts a lane in its place on top. What a head does by pointer, a lane's row does by key
// (sides/lane-twin.tsx).

import { useEffect, useRef, useState } from "react";
import type { PointerEvent, ReactElement } from "react";
import type { Plot } from "../plot/plot.ts";
import { pinAt, readChoice, toggleGroup, togglePin } from "./choice.ts";
import type { LaneRow } from "../plot/lane-rows.ts";
import { rowAt } from "../plot/lane-rows.ts";

interface HeadsProps {
  readonly side: string;
  readonly plot: Plot;
  readonly lanes: string;
  readonly onLanes: (lanes: string) => void;
}

interface Drag {
  readonly cpu: number;
  readonly fromY: number;
  readonly y: number;
}

/** Shorter is a click with an unsteady hand, CSS px. */
const LEAST_PX = 4;
const PINNED_PX = 22;

export function LaneHeads({ side, plot, lanes, onLanes }: HeadsProps): ReactElement {
  const element = useOwnPresses();
  const [under, setUnder] = useState<LaneRow>();
  const { pins } = readChoice(lanes);
  const rowUnder = (y: number): LaneRow | undefined => rowAt(plot.rows, y + plot.scrollTop);
  const { drag, place, handlers } = useHeadDrag(rowUnder, lanes, onLanes);
  const nowhere = drag !== undefined && place === undefined && !pins.includes(drag.cpu);
  return (
    <div
      ref={element}
      className={drag === undefined ? "tl-heads" : "tl-heads tl-heads-drag"}
      style={{ width: plot.gutter, cursor: nowhere ? "not-allowed" : undefined }}
      title={under === undefined ? undefined : wordsOf(under, pins)}
      data-testid={`heads-${side}`}
      aria-hidden="true"
      {...handlers}
      onPointerMove={(event) => {
        setUnder(rowUnder(yOf(event)));
        handlers.onPointerMove(event);
      }}
      onPointerLeave={() => setUnder(undefined)}
    >
      {plot.rows.rows.map((row) =>
        row.pinned && pins.includes(row.cpu) ? (
          <div
            key={row.cpu}
            className="tl-kept"
            style={{ top: row.top - plot.scrollTop, height: row.height }}
            data-testid="kept-lane"
            data-cpu={row.cpu}
          />
        ) : null,
      )}
      {drag === undefined ? null : (
        <div
          className="tl-head-drag"
          style={{ top: place === undefined ? drag.y - 8 : place * PINNED_PX }}
        >
          {drag.cpu}
        </div>
      )}
    </div>
  );
}

type Press = PointerEvent<HTMLDivElement>;

interface HeadDrag {
  /** Undefined until the pointer has moved far enough. */
  readonly drag: Drag | undefined;
  /** Among the lanes on top; undefined where a release puts the lane nowhere. */
  readonly place: number | undefined;
  readonly handlers: {
    readonly onPointerDown: (event: Press) => void;
    readonly onPointerMove: (event: Press) => void;
    readonly onPointerUp: () => void;
    readonly onPointerCancel: () => void;
  };
}

/**
 * A press on a head: a click keeps a lane, releases it or folds a group; a drag orders lanes on
 * top.
 */
function useHeadDrag(
  rowUnder: (y: number) => LaneRow | undefined,
  lanes: string,
  onLanes: (lanes: string) => void,
): HeadDrag {
  const [held, setHeld] = useState<Drag>();
  const { pins } = readChoice(lanes);
  const drag = held !== undefined && Math.abs(held.y - held.fromY) >= LEAST_PX ? held : undefined;
  const place = drag && placeAt(drag.y, pins.length);
  const click = (row: LaneRow | undefined): void => {
    if (row?.fold?.fixed === true) return;
    if (row?.fold !== undefined) onLanes(toggleGroup(lanes, row.fold.group));
    else if (row !== undefined) onLanes(togglePin(lanes, row.cpu));
  };
  return {
    drag,
    place,
    handlers: {
      onPointerDown: (event) => {
        const y = yOf(event);
        const row = event.button === 0 ? rowUnder(y) : undefined;
        if (row === undefined) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setHeld({ cpu: row.cpu, fromY: y, y });
      },
      onPointerMove: (event) => {
        // A group stays in its place, and a finger only taps.
        const moves =
          held !== undefined &&
          rowUnder(held.fromY)?.fold === undefined &&
          event.pointerType !== "touch";
        if (moves) setHeld({ ...held, y: yOf(event) });
      },
      onPointerUp: () => {
        setHeld(undefined);
        if (held === undefined) return;
        if (drag === undefined) click(rowUnder(held.fromY));
        else if (place !== undefined) onLanes(pinAt(lanes, drag.cpu, place));
        // Where nothing moves, the same choice is answered.
        else onLanes(pins.includes(drag.cpu) ? togglePin(lanes, drag.cpu) : lanes);
      },
      onPointerCancel: () => setHeld(undefined),
    },
  };
}

/** The place among `pins` lanes on top; undefined below them. */
function placeAt(y: number, pins: number): number | undefined {
  return y < (pins + 1) * PINNED_PX ? Math.max(0, Math.round(y / PINNED_PX)) : undefined;
}

function wordsOf({ cpu, fold }: LaneRow, pins: readonly number[]): string {
  if (fold?.fixed === true) return `CPUs ${fold.label} together`;
  if (fold !== undefined)
    return `${fold.label}: a click ${fold.open ? "folds" : "unfolds"} the group`;
  if (pins.includes(cpu))
    return `CPU ${String(cpu)} is kept on top. A click lets it go (T); a drag moves it (Alt+↑, Alt+↓).`;
  return `CPU ${String(cpu)}. A click keeps it on top (T), as does a drag to the top. Only lanes on top can be put in order.`;
}

function yOf(event: PointerEvent<HTMLElement>): number {
  return event.clientY - event.currentTarget.getBoundingClientRect().top;
}

/** Keeps presses from the picture behind, which would take them for drags. */
function useOwnPresses(): React.RefObject<HTMLDivElement | null> {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const node = element.current;
    const keep = (event: Event): void => {
      event.stopPropagation();
    };
    node?.addEventListener("mousedown", keep);
    return () => node?.removeEventListener("mousedown", keep);
  }, []);
  return element;
}
