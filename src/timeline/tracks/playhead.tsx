// What marks the playhead over a side: its line, and while playing a veil over what lies ahead.

import type { ReactElement } from "react";

interface AtX {
  readonly x: number;
  readonly gutter: number;
  readonly width: number;
}

/**
 * While playing, what lies ahead is faint, and shown as the playhead comes to it. The box stays and
 * is scaled: a box that gets another edge at each frame is laid out anew, and browsers count it as
 * a layout that shifts.
 */
export function Veil({ x, gutter, width, on }: AtX & { readonly on: boolean }): ReactElement {
  const share = Math.min(1, Math.max(0, (width - x) / Math.max(1, width - gutter)));
  return (
    <div
      className={on ? "tl-veil tl-veil-on" : "tl-veil"}
      style={{ left: gutter, transform: `scaleX(${share})` }}
      aria-hidden="true"
    />
  );
}

/** A line of its own over everything: moving it draws nothing anew. */
export function Playhead({ x, gutter, width }: AtX): ReactElement | null {
  if (x < gutter || x > width) return null;
  return (
    <div
      className="tl-playhead"
      style={{ transform: `translateX(${x}px)` }}
      data-testid="playhead-line"
    />
  );
}
