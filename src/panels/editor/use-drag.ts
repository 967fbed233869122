// Dragging a task onto a CPU of the map, with any pointer. The task follows the pointer; the CPU
// under it is where it is dropped.

import {
  useEffect,
  useRef,
  useState,
  type PointerEvent as ReactPointerEvent,
  type RefObject,
} from "react";

/** A press that moves less than this is a click, px. */
const CLICK_PX = 4;

interface Dragged {
  readonly name: string;
  /** The CPU under the pointer. */
  readonly over: number | undefined;
}

export interface Drag {
  readonly dragged: Dragged | undefined;
  /** What follows the pointer. */
  readonly ghost: RefObject<HTMLDivElement | null>;
  readonly start: (name: string, event: ReactPointerEvent<HTMLElement>) => void;
}

/** `drop`: a task was let go of over a CPU; `more`: with Shift, which adds it to those it has. */
export function useDrag(drop: (name: string, cpu: number, more: boolean) => void): Drag {
  const [dragged, setDragged] = useState<Dragged>();
  const ghost = useRef<HTMLDivElement>(null);
  const end = useRef<() => void>(undefined);
  const latest = useRef(drop);
  useEffect(() => {
    latest.current = drop;
  });
  useEffect(() => () => end.current?.(), []);
  const start = (
    name: string,
    { button, clientX, clientY, nativeEvent }: ReactPointerEvent<HTMLElement>,
  ): void => {
    if (button !== 0) return;
    let over: number | undefined;
    let began = false;
    const moved = ({ clientX: x, clientY: y, pointerId }: PointerEvent): void => {
      if (pointerId !== nativeEvent.pointerId) return;
      if (!began && Math.hypot(x - clientX, y - clientY) < CLICK_PX) return;
      began = true;
      over = cpuAt(x, y);
      setDragged({ name, over });
      if (ghost.current !== null) ghost.current.style.translate = `${x + 12}px ${y + 12}px`;
    };
    // The press itself is not prevented: it gives the task the focus.
    const unselected = (event: Event): void => event.preventDefault();
    const finish = (): void => {
      window.removeEventListener("selectstart", unselected);
      window.removeEventListener("pointermove", moved);
      window.removeEventListener("pointerup", up);
      window.removeEventListener("pointercancel", finish);
      window.removeEventListener("keydown", escape, true);
      setDragged(undefined);
    };
    const up = (event: PointerEvent): void => {
      finish();
      if (began && over !== undefined) latest.current(name, over, event.shiftKey);
    };
    const escape = (event: KeyboardEvent): void => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      event.stopImmediatePropagation();
      finish();
    };
    end.current = finish;
    window.addEventListener("selectstart", unselected);
    window.addEventListener("pointermove", moved);
    window.addEventListener("pointerup", up);
    window.addEventListener("pointercancel", finish);
    window.addEventListener("keydown", escape, true);
  };
  return { dragged, ghost, start };
}

function cpuAt(x: number, y: number): number | undefined {
  const cell = document.elementFromPoint(x, y)?.closest<HTMLElement>("[data-pin-cpu]");
  return cell === null || cell === undefined ? undefined : Number(cell.dataset["pinCpu"]);
}
