// The runs on screen as the timeline takes them.

import { useMemo } from "react";
import { ghostOf } from "../../state/compare/ghost.ts";
import { selectionOn } from "../../state/select/selection.ts";
import { runToDraw, sideLabel, sidesToDraw } from "../../state/select/selectors.ts";
import { plainText } from "../../engine/plain.ts";
import { liveOn, type LiveChange } from "../../scenario/knob-sets.ts";
import { settingWords } from "../../scenario/path-words.ts";
import type { TimelineSide } from "../../timeline/index.ts";
import { asideMarks } from "../../scenario/unmentioned-marks.ts";
import { perSide, type PerSide, type Side } from "../../scenario/sides.ts";
import type { State } from "../../state/shape/state.ts";
import { marksOff } from "../../state/steps/subject.ts";
import { useSelect } from "./page.ts";

/** A link states names and values of any length. */
const WORDS_MAX = 120;

/** Switches written to the running kernel as lines of the picture. */
export function changeLines(
  live: readonly LiveChange[],
): readonly { readonly ns: number; readonly words: string }[] {
  return live.map(({ atNs, path, value }) => ({
    ns: atNs,
    words: plainText(settingWords(path, value).slice(0, WORDS_MAX)),
  }));
}

/** The runs of a state as the timeline takes them. */
export function timelineSidesOf(state: State): readonly TimelineSide[] {
  const { sides, selection, selectedOn, ghost, knobs } = state;
  const only = state.onlyOneSide ? state.focus : undefined;
  return sidesOf({
    sides,
    selection,
    selectedOn,
    ghost,
    only,
    labels: perSide((side) => sideLabel(state, side)),
    wholes: perSide((side) => sideLabel(state, side, true)),
    changes: changesOf(knobs),
    asides: asideMarks(state.entry),
    off: marksOff(state),
  });
}

export function useTimelineSides(): readonly TimelineSide[] {
  const sides = useSelect((state) => state.sides);
  const knobs = useSelect((state) => state.knobs);
  const selection = useSelect((state) => state.selection);
  const selectedOn = useSelect((state) => state.selectedOn);
  const only = useSelect((state) => (state.onlyOneSide ? state.focus : undefined));
  const a = useSelect((state) => sideLabel(state, "a"));
  const b = useSelect((state) => sideLabel(state, "b"));
  const wholeA = useSelect((state) => sideLabel(state, "a", true));
  const wholeB = useSelect((state) => sideLabel(state, "b", true));
  const ghost = useSelect((state) => state.ghost);
  const asides = useSelect((state) => asideMarks(state.entry));
  const off = useSelect(marksOff);
  const changes = useMemo(() => changesOf(knobs), [knobs]);
  return useMemo(
    () =>
      sidesOf({
        sides,
        selection,
        selectedOn,
        ghost,
        only,
        labels: { a, b },
        wholes: { a: wholeA, b: wholeB },
        changes,
        asides,
        off,
      }),
    [sides, only, a, b, wholeA, wholeB, changes, asides, off, selection, selectedOn, ghost],
  );
}

interface Drawn extends Pick<State, "sides" | "selection" | "selectedOn" | "ghost"> {
  readonly only: Side | undefined;
  readonly labels: PerSide<string>;
  readonly wholes: PerSide<string>;
  readonly changes: PerSide<ReturnType<typeof changeLines>>;
  readonly asides: readonly string[];
  readonly off: readonly string[];
}

function changesOf(knobs: State["knobs"]): Drawn["changes"] {
  return perSide((side) => changeLines(liveOn(knobs, side)));
}

function sidesOf({
  sides,
  selection,
  selectedOn,
  ghost,
  only,
  labels,
  wholes,
  changes,
  asides,
  off,
}: Drawn): readonly TimelineSide[] {
  return sidesToDraw(sides, only).flatMap((side) => {
    const { status } = sides[side];
    const run = runToDraw(sides[side]);
    if (run === undefined) return [];
    const running = status.kind === "computing" && run.report === undefined;
    const named = selectionOn({ sides, selection, selectedOn }, side);
    const kernel = (path: string): unknown =>
      run.meta.knobs.find((knob) => knob.path === path)?.value;
    const { trace, version } = run;
    const under = ghostOf(sides, ghost, side, labels.a);
    const drawn = {
      trace,
      version,
      selection: named,
      running,
      changes: changes[side],
      asides,
      off,
      kernel,
      ghost: under,
    };
    return [{ id: side, label: labels[side], whole: wholes[side], ...drawn }];
  });
}
