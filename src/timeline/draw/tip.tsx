// The tooltip: words beside the pointer.

import { useLayoutEffect, useRef, type ReactElement } from "react";

export interface TipProps {
  /** The heading first. */
  readonly lines: readonly string[];
  /** One more line, which may come later. */
  readonly last?: string | undefined;
  /** The point it is about, CSS px from the corner of the element around it. */
  readonly x: number;
  readonly y: number;
  /** Width of that element, CSS px. */
  readonly width: number;
  readonly height: number;
  readonly testId: string;
}

/** CSS px from the window's edge, and from the point that the words are about. */
const EDGE_PX = 4;
const AWAY_PX = 14;

/** A finger in the words scrolls them: the picture under them must not hear these events. */
const OWN = ["touchstart", "pointerdown", "pointermove", "pointerout", "mousedown", "click"];
const keep = (event: Event): void => event.stopPropagation();

/**
 * Lies above everything that would cut it off: low lanes have less room than their words need.
 */
export function Tip({ lines, last, x, y, width, height, testId }: TipProps): ReactElement {
  const [heading, ...rest] = last === undefined ? lines : [...lines, last];
  const tip = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = tip;
    // A browser without popovers shows what lies over the lanes anyway.
    if (current === null || !("showPopover" in current)) return undefined;
    for (const type of OWN) current.addEventListener(type, keep);
    current.showPopover();
    return () => current.hidePopover();
  }, []);
  useLayoutEffect(() => {
    const { current } = tip;
    const box = current?.parentElement?.getBoundingClientRect();
    if (current === null || box === undefined) return;
    const { style } = current;
    const [atX, atY] = [box.left + x, box.top + y];
    const above = atY - AWAY_PX - EDGE_PX;
    const below = window.innerHeight - EDGE_PX - AWAY_PX - atY;
    style.setProperty("--room", `${Math.max(above, below)}px`);
    const { offsetWidth, offsetHeight } = current;
    const up = offsetHeight > below || (y > height / 2 && offsetHeight <= above);
    const left = x > width / 2 ? atX - AWAY_PX - offsetWidth : atX + AWAY_PX;
    const top = up ? atY - AWAY_PX - offsetHeight : atY + AWAY_PX;
    style.left = inWindow(left, window.innerWidth - offsetWidth);
    style.top = inWindow(top, window.innerHeight - offsetHeight);
  });
  return (
    <div ref={tip} className="tl-tip" popover="manual" role="presentation" data-testid={testId}>
      <p>{heading}</p>
      {rest.map((line, index) => (
        <p key={`${String(index)} ${line}`} className="tl-dim">
          {line}
        </p>
      ))}
    </div>
  );
}

function inWindow(at: number, most: number): string {
  return `${Math.max(EDGE_PX, Math.min(at, most - EDGE_PX))}px`;
}
