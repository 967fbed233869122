// What is laid over the picture by hand: an area, markers; and which CPU is pointed at.

import type { CraftAction } from "../shape/actions.ts";
import type { State } from "../shape/state.ts";
import { wholeArea } from "../area/area-words.ts";

/** A drag or a key that asks for another order where there is none to have. */
const NO_LANE_MOVED =
  "No lane moved: only lanes on top, at most 16, can be put in order. T puts a lane on top.";

export function reduceCraft(state: State, action: CraftAction): State {
  switch (action.type) {
    case "area_set":
      return {
        ...state,
        area: wholeArea(action.area),
        areasMade: state.areasMade + 1,
        commits: state.commits + 1,
      };
    case "area_cleared":
      return state.area === undefined ? state : { ...state, area: undefined };
    case "lanes_set":
      if (action.lanes === state.lanes) return { ...state, reply: NO_LANE_MOVED };
      return { ...state, lanes: action.lanes, commits: state.commits + 1 };
    case "marker_set":
      return { ...state, markers: { ...state.markers, [action.which]: Math.round(action.ns) } };
    case "markers_cleared":
      return { ...state, markers: {} };
    case "track_pointed": {
      const { side, cpu } = action.track;
      return state.track?.side === side && state.track.cpu === cpu
        ? state
        : { ...state, track: action.track };
    }
    case "drag_set":
      return { ...state, drag: action.drag };
    case "letters_set":
      return { ...state, letters: action.on };
  }
}
