// Which of its two forms the page has.

import { stepsOf } from "../../scenario/step.ts";
import type { State } from "../shape/state.ts";

/**
 * Whether the guided page is shown: unless the lab was asked for, and where there are steps to be
 * guided through.
 */
export function isGuided({ lab, entry }: State): boolean {
  return (lab === "no" || lab === "never") && stepsOf(entry).length > 0;
}
