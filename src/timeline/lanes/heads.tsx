// The heads of the lanes, over the CPU numbers: a click keeps a lane on top or folds a group, a
// drag puts a lane in its place on top. What a head does by pointer, a lane's row does by key
// (twin.tsx).

import { useEffect, useRef, useState } from "react";
import type { PointerEvent, ReactElement } from "react";
import type { Plot } from "../draw/plot.ts";
import { pinAt, readChoice, toggleGroup, togglePin } from "./choice.ts";
import type { LaneRow } from "./rows.ts";
import { rowAt } from "./rows.ts";

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
  const [drag, setDrag] = useState<Drag>();
  const [under, setUnder] = useState<LaneRow>();
  const { pins } = readChoice(lanes);
  const rowUnder = (y: number): LaneRow | undefined => rowAt(plot.rows, y + plot.scrollTop);
  const isDrag = drag !== undefined && Math.abs(drag.y - drag.fromY) >= LEAST_PX;
  const place = isDrag ? placeAt(drag.y, pins.length) : undefined;
  const release = (): void => {
    setDrag(undefined);
    if (drag === undefined) return;
    if (!isDrag) press(rowUnder(drag.fromY));
    else if (place !== undefined) onLanes(pinAt(lanes, drag.cpu, place));
    // Where nothing moves, the same choice is answered.
    else onLanes(pins.includes(drag.cpu) ? togglePin(lanes, drag.cpu) : lanes);
  };
  const press = (row: LaneRow | undefined): void => {
    if (row?.fold !== undefined) onLanes(toggleGroup(lanes, row.fold.group));
    else if (row !== undefined) onLanes(togglePin(lanes, row.cpu));
  };
  return (
    <div
      ref={element}
      className={isDrag ? "tl-heads tl-heads-drag" : "tl-heads"}
      style={{
        width: plot.gutter,
        cursor:
          isDrag && place === undefined && !pins.includes(drag.cpu) ? "not-allowed" : undefined,
      }}
      title={under === undefined ? undefined : wordsOf(under, pins)}
      data-testid={`heads-${side}`}
      aria-hidden="true"
      onPointerDown={(event) => {
        const y = yOf(event);
        const row = event.button === 0 ? rowUnder(y) : undefined;
        if (row === undefined) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setDrag({ cpu: row.cpu, fromY: y, y });
      }}
      onPointerMove={(event) => {
        const y = yOf(event);
        setUnder(rowUnder(y));
        // A group stays in its place.
        if (
          drag !== undefined &&
          rowUnder(drag.fromY)?.fold === undefined &&
          event.pointerType !== "touch"
        )
          setDrag({ ...drag, y });
      }}
      onPointerUp={release}
      onPointerCancel={() => setDrag(undefined)}
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
      {isDrag ? (
        <div
          className="tl-head-drag"
          style={{ top: place === undefined ? drag.y - 8 : place * PINNED_PX }}
        >
          {drag.cpu}
        </div>
      ) : null}
    </div>
  );
}

/** Among so many lanes on top; undefined below them. */
function placeAt(y: number, pins: number): number | undefined {
  return y < (pins + 1) * PINNED_PX ? Math.max(0, Math.round(y / PINNED_PX)) : undefined;
}

function wordsOf({ cpu, fold }: LaneRow, pins: readonly number[]): string {
  if (fold !== undefined)
    return `${fold.label}: a click ${fold.open ? "folds" : "unfolds"} the group`;
  if (pins.includes(cpu))
    return `CPU ${String(cpu)} is kept on top. A click lets it go (T); a drag moves it (Alt+↑, Alt+↓).`;
  return `CPU ${String(cpu)}. A click keeps it on top (T), as does a drag to the top. Only lanes on top can be put in order.`;
}

function yOf(event: PointerEvent<HTMLElement>): number {
  return event.clientY - event.currentTarget.getBoundingClientRect().top;
}

/** What is pressed here is no drag on the picture behind. */
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
