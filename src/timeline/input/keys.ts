// Which viewport a key asks for. By physical key (`event.code`), so that the letters lie in the
// same place on every keyboard. Pure.

import type { Viewport } from "../plot/timeline-props.ts";
import {
  centreOn,
  clampViewport,
  fitTo,
  panBy,
  sameViewport,
  zoomAt,
} from "../../model/trace/viewport.ts";

export type KeyPress = Pick<KeyboardEvent, "code" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">;

export interface KeyContext {
  readonly viewport: Viewport;
  readonly domainNs: number;
  readonly playheadNs: number;
  /** Where the mouse rests over the lanes: 0 is the beginning of the view, 1 its end. */
  readonly pointer?: number | undefined;
  /** What F looks for: the selected wake-up. Without one F centres the playhead. */
  readonly focus: Viewport | undefined;
}

const ZOOM = 1.5;
const PAN = 0.15;

/**
 * W S or arrows up and down zoom at the pointer, else at the playhead (or the middle, when it is
 * out of sight); A D, or arrows left and right with Shift, pan; without Shift those arrows walk the
 * steps, which is not the timeline's; 0 shows the whole run; F centres, F again fits. Undefined for
 * a key that is not the timeline's, and for any with Ctrl, Alt or Meta held.
 */
export function handleTimelineKey(event: KeyPress, context: KeyContext): Viewport | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  // Letters with Shift are not the axis's.
  if (event.shiftKey && event.code.startsWith("Key")) return undefined;
  const { viewport, domainNs } = context;
  switch (event.code) {
    case "KeyW":
    case "ArrowUp":
      return zoomAt(viewport, anchorNs(context), ZOOM, domainNs);
    case "KeyS":
    case "ArrowDown":
      return zoomAt(viewport, anchorNs(context), 1 / ZOOM, domainNs);
    case "ArrowLeft":
      return event.shiftKey ? panBy(viewport, -PAN, domainNs) : undefined;
    case "ArrowRight":
      return event.shiftKey ? panBy(viewport, PAN, domainNs) : undefined;
    case "KeyA":
      return panBy(viewport, -PAN, domainNs);
    case "KeyD":
      return panBy(viewport, PAN, domainNs);
    case "Digit0":
    case "Numpad0":
      return { fromNs: 0, toNs: domainNs };
    case "KeyF":
      return focusOn(context);
    default:
      return undefined;
  }
}

function anchorNs({ viewport, playheadNs, pointer }: KeyContext): number {
  if (pointer !== undefined) return viewport.fromNs + pointer * (viewport.toNs - viewport.fromNs);
  const inSight = playheadNs >= viewport.fromNs && playheadNs <= viewport.toNs;
  return inSight ? playheadNs : (viewport.fromNs + viewport.toNs) / 2;
}

function focusOn({ viewport, domainNs, playheadNs, focus }: KeyContext): Viewport {
  if (focus === undefined) return centreOn(viewport, playheadNs, domainNs);
  const centred = centreOn(viewport, (focus.fromNs + focus.toNs) / 2, domainNs);
  return sameViewport(centred, clampViewport(viewport, domainNs))
    ? fitTo(focus, domainNs)
    : centred;
}
