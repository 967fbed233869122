// A track that can be asked: a tooltip says what lies under the pointer, and a click or a tap
// goes there. What a track answers is its own.

import { useState } from "react";
import type { PointerEvent, ReactElement, ReactNode } from "react";
import { Tip } from "../draw/tip.tsx";
import { pointOf, tapAt } from "../input/pointed.ts";

export interface Answer {
  /** Where a click goes. */
  readonly ns: number;
  /** For the tooltip, the heading first. */
  readonly lines: readonly string[];
}

interface AskedProps<Found extends Answer> {
  /** CSS px. */
  readonly width: number;
  /**
   * What lies at a point, CSS px from the track's upper left corner; undefined where nothing does.
   */
  readonly ask: (x: number, y: number) => Found | undefined;
  readonly onGo: (answer: Found) => void;
  readonly tipId: string;
  /** The group whose tank it is: drops fall from its floor. */
  readonly tank?: string;
  readonly children: ReactNode;
}

/**
 * Only the point is kept: its answer is looked up again when the picture moves under a resting
 * pointer.
 */
export function Asked<Found extends Answer>({
  width,
  ask,
  onGo,
  tipId,
  tank,
  children,
}: AskedProps<Found>): ReactElement {
  const [point, setPoint] = useState<{ readonly x: number; readonly y: number }>();
  const answer = point === undefined ? undefined : ask(point.x, point.y);
  const onPointerMove = (event: PointerEvent<HTMLDivElement>): void => {
    const hovers = event.buttons === 0 && event.pointerType === "mouse";
    setPoint(hovers ? pointOf(event) : undefined);
  };
  return (
    <div
      className="tl-asked"
      data-tank={tank}
      onPointerMove={onPointerMove}
      onPointerLeave={() => setPoint(undefined)}
      onClick={(event) => {
        const { x, y } = tapAt(event, setPoint);
        const found = ask(x, y);
        if (found !== undefined) onGo(found);
      }}
    >
      {children}
      {answer === undefined || point === undefined ? null : (
        // Always below the pointer: over the first track of a side there is no room.
        <Tip lines={answer.lines} {...point} width={width} height={Infinity} testId={tipId} />
      )}
    </div>
  );
}
