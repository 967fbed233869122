// A drag up or down with the mouse. One to the side is an area's or a pan's, and a press that does
// not move stays a click.

import { swallowClick } from "./area-drag.ts";

interface Point {
  readonly clientX: number;
  readonly clientY: number;
}

interface UprightDrag {
  /** Whether something is held that can be dragged. */
  readonly begin: (at: Point) => boolean;
  readonly move: (at: Point) => void;
  readonly drop: (at: Point) => void;
  /** Dropped or given up. */
  readonly end: () => void;
}

/** So far up or down is a drag, CSS px; a drag to the side is an area's or a pan's. */
const LEAST_PX = 8;

/** Attaches a drag up or down with the mouse; returns what detaches it. Escape gives it up. */
export function followUpright(node: HTMLElement, drag: UprightDrag): () => void {
  let giveUp: (() => void) | undefined;
  const press = (start: PointerEvent): void => {
    giveUp?.();
    const plain = start.button === 0 && !start.shiftKey && start.pointerType === "mouse";
    if (plain && drag.begin(start)) giveUp = follow(start, drag);
  };
  node.addEventListener("pointerdown", press);
  return () => {
    giveUp?.();
    node.removeEventListener("pointerdown", press);
  };
}

function follow(start: PointerEvent, drag: UprightDrag): () => void {
  let holds = false;
  const move = (event: PointerEvent): void => {
    const [right, down] = [event.clientX - start.clientX, event.clientY - start.clientY];
    if (!holds && Math.abs(right) >= LEAST_PX / 2 && Math.abs(right) >= Math.abs(down))
      return stop();
    if (!holds && Math.abs(down) < LEAST_PX) return;
    holds = true;
    event.stopImmediatePropagation();
    drag.move(event);
  };
  const release = (event: PointerEvent): void => {
    const held = holds;
    stop();
    if (!held) return;
    swallowClick(true);
    drag.drop(event);
  };
  const escape = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || !holds) return;
    event.stopImmediatePropagation();
    swallowClick(false);
    stop();
  };
  const stop = (): void => {
    window.removeEventListener("pointermove", move, true);
    window.removeEventListener("pointerup", release, true);
    window.removeEventListener("pointercancel", stop, true);
    window.removeEventListener("keydown", escape, true);
    if (holds) drag.end();
    holds = false;
  };
  window.addEventListener("pointermove", move, true);
  window.addEventListener("pointerup", release, true);
  window.addEventListener("pointercancel", stop, true);
  window.addEventListener("keydown", escape, true);
  return stop;
}
