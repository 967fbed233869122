// What is laid over the picture by hand: an area.

import type { CraftAction } from "../actions.ts";
import type { State } from "../state.ts";
import { wholeArea } from "./area.ts";

export function reduceCraft(state: State, action: CraftAction): State {
  switch (action.type) {
    case "area_set":
      return { ...state, area: wholeArea(action.area), areasMade: state.areasMade + 1, commits: state.commits + 1 };
    case "area_cleared":
      return state.area === undefined ? state : { ...state, area: undefined };
    case "drag_set":
      return { ...state, drag: action.drag };
  }
}
