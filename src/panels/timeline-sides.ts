// The runs on screen as the timeline takes them.

import { useMemo } from "react";
import { sideLabel } from "../state/selectors.ts";
import { SIDES } from "../state/sides.ts";
import type { TimelineSide } from "../timeline/index.ts";
import { useSelect } from "./page.ts";

export function useTimelineSides(): readonly TimelineSide[] {
  const sides = useSelect((state) => state.sides);
  const only = useSelect((state) => (state.onlyOneSide ? state.focus : undefined));
  const labelA = useSelect((state) => sideLabel(state, "a"));
  const labelB = useSelect((state) => sideLabel(state, "b"));
  return useMemo(
    () =>
      SIDES.filter((side) => only === undefined || side === only).flatMap((side) => {
        const { shown, status } = sides[side];
        if (shown === undefined) return [];
        const running = status.kind === "computing" && shown.report === undefined;
        return [{ id: side, label: side === "a" ? labelA : labelB, trace: shown.trace, version: shown.version, running }];
      }),
    [sides, only, labelA, labelB],
  );
}
