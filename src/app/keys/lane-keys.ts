// Keys that act on the lanes: areas, markers, events of one CPU. By physical key; keyboard.ts has
// the map.

import { stepEventOnTrack } from "../../panels/moments/step-events.ts";
import type { Way } from "../../panels/moments/walk-causes.ts";
import { areaOfWake } from "../../state/area/area-words.ts";
import { selectedStretch, selectedWake } from "../../state/select/selection.ts";
import type { Viewport } from "../../model/trace/run-types.ts";
import { otherSide } from "../../scenario/sides.ts";
import type { Store } from "../../state/store.ts";

/** Without Ctrl, Alt or Meta. Whether the key was one of these. */
export function handleLaneKey(
  { code, shiftKey }: Pick<KeyboardEvent, "code" | "shiftKey">,
  store: Store,
): boolean {
  const state = store.getState();
  switch (code) {
    case "KeyA":
    case "KeyB":
      if (shiftKey)
        store.dispatch({
          type: "marker_set",
          which: code === "KeyA" ? "from" : "to",
          ns: state.playheadNs,
        });
      return shiftKey;
    case "Delete":
      store.dispatch({ type: "markers_cleared" });
      return true;
    case "KeyR":
    case "KeyM": {
      // The side in focus goes first, as for F.
      const wake = selectedWake(state, state.focus) ?? selectedWake(state, otherSide(state.focus));
      const area = wake === undefined ? selectedStretch(state, state.selectedOn) : areaOfWake(wake);
      if (shiftKey) markEnds(store, state.area ?? area);
      else if (area !== undefined) store.dispatch({ type: "area_set", area });
      return true;
    }
    case "KeyT":
      if (!shiftKey) keepOnTop(store);
      return !shiftKey;
    case "BracketLeft":
    case "BracketRight":
      if (!shiftKey) walk(store, code === "BracketLeft" ? "cause" : "back");
      return !shiftKey;
    case "Period":
    case "Comma":
      if (shiftKey) return false;
      stepEventOnTrack(store, code === "Period" ? 1 : -1);
      return true;
    default:
      return false;
  }
}

/** Markers stay where an area would go with the next one. */
function markEnds(store: Store, stretch: Viewport | undefined): void {
  if (stretch === undefined) return;
  store.dispatch({ type: "marker_set", which: "from", ns: stretch.fromNs });
  store.dispatch({ type: "marker_set", which: "to", ns: stretch.toNs });
}

/**
 * The lane that was pointed at or focused last stays on top, or goes back; its script comes with
 * the first press.
 */
function keepOnTop(store: Store): void {
  const { track } = store.getState();
  if (track === undefined) return;
  // The lanes are read when the script is there: the presses before it have changed them.
  const load = import("../../timeline/lanes/choice.ts");
  void load
    .then(({ togglePin }) =>
      store.dispatch({ type: "lanes_set", lanes: togglePin(store.getState().lanes, track.cpu) }),
    )
    .catch(() => undefined);
}

/**
 * Along causes; its script comes with the first press, and the next press asks again for one that
 * did not come.
 */
export function walk(store: Store, way: Way): void {
  void import("../../panels/moments/walk-causes.ts")
    .then(({ walkAlong }) => walkAlong(store, way))
    .catch(() => undefined);
}

/** Escape takes away one layer a press: the area, the markers, the selection. */
export function clearLayer(store: Store): void {
  const { area, markers } = store.getState();
  if (area !== undefined) store.dispatch({ type: "area_cleared" });
  else if (markers.from !== undefined || markers.to !== undefined)
    store.dispatch({ type: "markers_cleared" });
  else store.dispatch({ type: "selection_cleared" });
}
