// The searches of a throttled group: what is asked, and how far it has come.

import { assertUnreachable } from "../../lib/unreachable.ts";
import { NO_LIMIT, type LimitAction, type LimitState } from "../shape/sweep.ts";

/** How many typed bounds are kept. */
const TYPED_MAX = 50;

export function reduceLimit(limit: LimitState, action: LimitAction): LimitState {
  if ("nth" in action && (action.nth !== limit.nth || !limit.running)) return limit;
  switch (action.type) {
    case "limit_typed": {
      const others = limit.typed.filter(([key]) => key !== action.key);
      return {
        ...limit,
        typed: [...others, [action.key, action.bound] as const].slice(-TYPED_MAX),
      };
    }
    case "limit_asked": {
      const { nth, typed } = limit;
      return { ...NO_LIMIT, nth: nth + 1, typed, asked: action.asked, running: true };
    }
    case "limit_ran":
      return { ...limit, done: limit.done + action.runs, left: limit.left - action.runs };
    case "limit_found":
      return { ...limit, [action.which]: action.answer, left: action.left };
    case "limit_ended":
      return { ...limit, running: false };
    case "limit_stopped":
      return { ...limit, running: false, stopped: true };
    default:
      return assertUnreachable(action);
  }
}
