// The point under the pointer, for the other side: a time, and the wake-up there. Kept outside
// React's state, so that a moving pointer redraws only what shows it.

import { useSyncExternalStore, type MouseEvent } from "react";
import type { TraceStore } from "../../model/index.ts";
import type { TimelineSide } from "../plot/timeline-props.ts";

export interface PointedAt {
  readonly side: TimelineSide["id"];
  readonly trace: TraceStore;
  /** CSS px from the edge of the side: sides are equally wide and share their axis. */
  readonly x: number;
  readonly cpu: number;
}

/** CSS px from the upper left corner of the element that hears the event. */
export function pointOf(event: MouseEvent<HTMLElement>): {
  readonly x: number;
  readonly y: number;
} {
  const { left, top } = event.currentTarget.getBoundingClientRect();
  return { x: event.clientX - left, y: event.clientY - top };
}

/**
 * A finger points by its tap alone, and away by its next, wherever that is: `set` is called for
 * both.
 */
export function tapAt(
  event: MouseEvent<HTMLElement>,
  set: (at: ReturnType<typeof pointOf> | undefined) => void,
): ReturnType<typeof pointOf> {
  const at = pointOf(event);
  set(at);
  addEventListener("pointerdown", () => set(undefined), { once: true });
  return at;
}

export class Pointer {
  private at: PointedAt | undefined;
  private readonly listeners = new Set<() => void>();

  readonly set = (at: PointedAt | undefined): void => {
    if (this.at === at) return;
    this.at = at;
    for (const listener of this.listeners) listener();
  };

  readonly get = (): PointedAt | undefined => this.at;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
}

/** What is pointed at on the other side of `side`. */
export function usePointedBeside(
  pointer: Pointer,
  side: TimelineSide["id"],
): PointedAt | undefined {
  const at = useSyncExternalStore(pointer.subscribe, pointer.get);
  return at === undefined || at.side === side ? undefined : at;
}
