// What the run under the lanes does where they are pointed at. Fetched behind the first picture.

import { describeSlice } from "../../model/words/describe.ts";
import type { GhostRun } from "../plot/timeline-props.ts";

/** With its name; nothing where the run has no such CPU. */
export function ghostLines({ trace, words }: GhostRun, cpu: number, ns: number): readonly string[] {
  const slice = trace.cpuAt(cpu, ns);
  return slice === undefined ? [] : [`${words}: ${describeSlice(trace, slice, ns)}`];
}
