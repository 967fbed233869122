// What the marks may know of a side's run, the same object as long as nothing in it changes.

import { useMemo } from "react";
import type { TimelineSide } from "../types.ts";
import type { Run } from "./mark.ts";

const NO_CHANGES: NonNullable<TimelineSide["changes"]> = [];
/** The scenario speaks of every mark. */
const ALL_TOLD: readonly string[] = [];

export function useRun({ trace, changes = NO_CHANGES, asides = ALL_TOLD }: TimelineSide): Run {
  return useMemo<Run>(() => ({ trace, changes, asides }), [trace, changes, asides]);
}
