// Why there is no run on a side: "yet" only while one may still come.

import { SIDES, type Side } from "../../scenario/sides.ts";
import type { State } from "../shape/state.ts";
import type { RunStatus } from "../shape/run.ts";

/** "no run yet", or why none will come; the end of a sentence. */
export function whyNoRun(status: RunStatus): string {
  if (status.kind === "scenario_error") return "no run: the scenario has an error";
  if (status.kind !== "fault") return "no run yet";
  if (status.blame === "browser") return "no run: this browser cannot run the simulator";
  return status.blame === "network"
    ? "no run: the simulator could not be loaded"
    : "no run: the simulator failed";
}

/** `whyNoRun` as a sentence. */
export function noRun(status: RunStatus): string {
  const words = whyNoRun(status);
  return `N${words.slice(1)}.`;
}

/** Names the first side that has no run, and why. */
export function sideWithoutRun(sides: State["sides"]): string {
  const side: Side = SIDES.find((each) => sides[each].shown === undefined) ?? "a";
  return `${side.toUpperCase()} has ${whyNoRun(sides[side].status)}`;
}
