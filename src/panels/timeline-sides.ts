// The runs on screen as the timeline takes them.

import { useMemo } from "react";
import { ghostOf } from "../state/compare/ghost.ts";
import { selectionOn } from "../state/compare/selection.ts";
import { runToDraw, sideLabel, sidesToDraw } from "../state/selectors.ts";
import { KNOBS } from "../engine/gen/knobs.ts";
import { plainText } from "../engine/plain.ts";
import { liveOn, type LiveChange } from "../state/knobs/knob-sets.ts";
import { findKnob, knobName, valueWords } from "../state/knobs/knob-values.ts";
import { taskWriteName } from "../state/knobs/task-writes.ts";
import type { TimelineSide } from "../timeline/index.ts";
import { perSide } from "../state/sides.ts";
import { useSelect } from "./page.ts";

/** A link states names and values of any length. */
const WORDS_MAX = 120;

function nameOf(path: string): string {
  const knob = findKnob(KNOBS, path);
  return knob === undefined ? (taskWriteName(path) ?? path) : knobName(knob);
}

/** Switches written to the running kernel as lines of the picture. */
export function changeLines(live: readonly LiveChange[]): readonly { readonly ns: number; readonly words: string }[] {
  return live.map(({ atNs, path, value }) => ({
    ns: atNs,
    words: plainText(`${nameOf(path)} ${valueWords(value)}`.slice(0, WORDS_MAX)),
  }));
}

export function useTimelineSides(): readonly TimelineSide[] {
  const sides = useSelect((state) => state.sides);
  const knobs = useSelect((state) => state.knobs);
  const selection = useSelect((state) => state.selection);
  const selectedOn = useSelect((state) => state.selectedOn);
  const only = useSelect((state) => (state.onlyOneSide ? state.focus : undefined));
  const labelA = useSelect((state) => sideLabel(state, "a"));
  const labelB = useSelect((state) => sideLabel(state, "b"));
  const ghost = useSelect((state) => state.ghost);
  const changes = useMemo(() => perSide((side) => changeLines(liveOn(knobs, side))), [knobs]);
  return useMemo(() => {
    return sidesToDraw(sides, only).flatMap((side) => {
      const { status } = sides[side];
      const run = runToDraw(sides[side]);
      if (run === undefined) return [];
      const running = status.kind === "computing" && run.report === undefined;
      const label = side === "a" ? labelA : labelB;
      const named = selectionOn({ sides, selection, selectedOn }, side);
      const kernel = (path: string): unknown => run.meta.knobs.find((knob) => knob.path === path)?.value;
      const { trace, version } = run;
      const under = ghostOf(sides, ghost, side, labelA);
      return [{ id: side, label, trace, version, selection: named, running, changes: changes[side], kernel, ghost: under }];
    });
  }, [sides, only, labelA, labelB, changes, selection, selectedOn, ghost]);
}
