// The runs on screen as the timeline takes them.

import { useMemo } from "react";
import { sideLabel } from "../state/selectors.ts";
import { KNOBS } from "../engine/gen/knobs.ts";
import { liveOn } from "../state/knobs/knob-sets.ts";
import { findKnob, knobName, valueText } from "../state/knobs/knob-values.ts";
import { SIDES } from "../state/sides.ts";
import type { TimelineSide } from "../timeline/index.ts";
import { useSelect } from "./page.ts";

function nameOf(path: string): string {
  const knob = findKnob(KNOBS, path);
  return knob === undefined ? path : knobName(knob);
}

export function useTimelineSides(): readonly TimelineSide[] {
  const sides = useSelect((state) => state.sides);
  const knobs = useSelect((state) => state.knobs);
  const only = useSelect((state) => (state.onlyOneSide ? state.focus : undefined));
  const labelA = useSelect((state) => sideLabel(state, "a"));
  const labelB = useSelect((state) => sideLabel(state, "b"));
  return useMemo(
    () =>
      SIDES.filter((side) => only === undefined || side === only).flatMap((side) => {
        const { shown, status } = sides[side];
        if (shown === undefined) return [];
        const running = status.kind === "computing" && shown.report === undefined;
        const changes = liveOn(knobs, side).map(({ atNs, path, value }) => ({ ns: atNs, words: `${nameOf(path)} ${valueText(value)}` }));
        return [{ id: side, label: side === "a" ? labelA : labelB, trace: shown.trace, version: shown.version, running, changes }];
      }),
    [sides, only, labelA, labelB, knobs],
  );
}
