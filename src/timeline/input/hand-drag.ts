// A drag of something held, with the mouse: up or down, or along the time axis. Any other drag is an
// area's or a pan's, and a press that does not move stays a click.

import { swallowClick } from "./area-drag.ts";

interface Point {
  readonly clientX: number;
  readonly clientY: number;
}

/** Up or down, or along the time axis. */
export type Way = "upright" | "along";

interface HandDrag {
  /** The ways in which what is held can be dragged; none for nothing held. */
  readonly begin: (at: Point) => readonly Way[];
  readonly move: (at: Point, way: Way) => void;
  readonly drop: (at: Point, way: Way) => void;
  /** Dropped or given up. */
  readonly end: () => void;
}

/** So far is a drag, CSS px. Along the time axis it has to come before an area's drag. */
const LEAST_PX: Readonly<Record<Way, number>> = { upright: 8, along: 3 };

/** Attaches a drag with the mouse; returns what detaches it. Escape gives it up. */
export function followHand(node: HTMLElement, drag: HandDrag): () => void {
  let giveUp: (() => void) | undefined;
  const press = (start: PointerEvent): void => {
    giveUp?.();
    const plain = start.button === 0 && !start.shiftKey && start.pointerType === "mouse";
    const ways = plain ? drag.begin(start) : [];
    if (ways.length > 0) giveUp = follow(start, ways, drag);
  };
  node.addEventListener("pointerdown", press);
  return () => {
    giveUp?.();
    node.removeEventListener("pointerdown", press);
  };
}

function follow(start: PointerEvent, ways: readonly Way[], drag: HandDrag): () => void {
  let holds: Way | undefined;
  const move = (event: PointerEvent): void => {
    const along = Math.abs(event.clientX - start.clientX);
    const upright = Math.abs(event.clientY - start.clientY);
    const way = along >= upright ? "along" : "upright";
    const far = Math.max(along, upright);
    if (holds === undefined && !ways.includes(way) && far >= LEAST_PX.upright / 2) return stop();
    if (holds === undefined && (!ways.includes(way) || far < LEAST_PX[way])) return;
    holds ??= way;
    event.stopImmediatePropagation();
    drag.move(event, holds);
  };
  const release = (event: PointerEvent): void => {
    const held = holds;
    stop();
    if (held === undefined) return;
    swallowClick(true);
    drag.drop(event, held);
  };
  const escape = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || holds === undefined) return;
    event.stopImmediatePropagation();
    swallowClick(false);
    stop();
  };
  const stop = (): void => {
    window.removeEventListener("pointermove", move, true);
    window.removeEventListener("pointerup", release, true);
    window.removeEventListener("pointercancel", stop, true);
    window.removeEventListener("keydown", escape, true);
    if (holds !== undefined) drag.end();
    holds = undefined;
  };
  window.addEventListener("pointermove", move, true);
  window.addEventListener("pointerup", release, true);
  window.addEventListener("pointercancel", stop, true);
  window.addEventListener("keydown", escape, true);
  return stop;
}
