// A puzzle of a lesson: a goal, the knobs that may be turned, what the engine says of it, and ways
// out.

import { useCallback, useEffect, useMemo, type ReactNode } from "react";
import { counted } from "../../lib/count.ts";
import { KnobCard } from "../../panels/knobs/Knobs.tsx";
import { useDispatch, usePage, useSelect } from "../../panels/page/page.ts";
import { figureText } from "../../state/figures/figure.ts";
import { isPerSecond } from "../../state/figures/headline.ts";
import { findKnob, knobName, valueText, valueWords } from "../../scenario/knob-values.ts";
import { lessonValue, lessonWords } from "../../state/lessons/figures.ts";
import { reaches, type Puzzle, type Scene } from "../../state/lessons/lesson.ts";
import type { ProgressAction } from "../../effects/storage/lesson-progress.ts";
import {
  openingOf,
  solvedBy,
  turnedSince,
  verdictOn,
  type Verdict,
} from "../../state/lessons/puzzle.ts";
import type { State } from "../../state/shape/state.ts";
import { knobValue } from "../../state/select/selectors.ts";
import { readyRuns } from "../../state/steps/resolve.ts";
import { seeded } from "./seeded-scene.ts";

interface PuzzleProps {
  readonly puzzle: Puzzle;
  readonly scene: Scene;
  /** Solved before. */
  readonly solved: boolean;
  /** Whether the viewer has seen the solution. */
  readonly shown: boolean;
  readonly change: (action: ProgressAction) => void;
}

/** What is turned and what came of it; undefined while the scene's own runs are not there. */
type Judged = { readonly verdict: Verdict; readonly turned: readonly string[] } | undefined;

export function PuzzleBox({ puzzle, scene, solved, shown, change }: PuzzleProps): ReactNode {
  const { store } = usePage();
  const { metric, side } = puzzle;
  const judge = useJudge(puzzle, scene, shown);
  // A text, so that it is the same as long as it says the same.
  const told = useSelect((state): string | undefined => JSON.stringify(judge(state)));
  const judged = useMemo(
    () => (told === undefined ? undefined : (JSON.parse(told) as Judged)),
    [told],
  );
  const figure = useSelect((state) => lessonValue(state, metric, side));
  const words = lessonWords(
    useSelect((state) => state.entry),
    metric,
  );
  const won = judged?.verdict === "solved";
  // Asked anew: what was drawn last may be of the scene before.
  useEffect(() => {
    const state = store.getState();
    const now = won && !solved ? judge(state) : undefined;
    const [path] = now?.turned ?? [];
    if (now?.verdict !== "solved" || path === undefined) return;
    change({ type: "solved", way: `${path}=${valueText(knobValue(state, side, path) ?? "")}` });
  }, [won, solved, judge, store, change, side]);
  return (
    <div className="lesson-puzzle" data-testid="lesson-puzzle" data-verdict={judged?.verdict}>
      <p>
        <strong>Puzzle: </strong>
        {puzzle.goal}
      </p>
      {puzzle.knobs.map((path) => (
        <KnobCard key={path} path={path} />
      ))}
      <p role="status" data-testid="lesson-judge">
        {judged === undefined ? (
          "The runs are computed …"
        ) : (
          <>
            {side.toUpperCase()}: {words.label} is{" "}
            {figure === undefined ? "none" : figureText(figure, words.unit)}
            {isPerSecond(words) && " per second"}.{" "}
            <VerdictWords verdict={judged.verdict} turned={judged.turned} />
          </>
        )}
      </p>
      <WaysOut
        puzzle={puzzle}
        scene={scene}
        shown={shown}
        turned={(judged?.turned.length ?? 0) > 0}
        change={change}
      />
    </div>
  );
}

/** Judges the page as it is. */
function useJudge(puzzle: Puzzle, scene: Scene, shown: boolean): (state: State) => Judged {
  const { catalogue } = usePage();
  return useCallback(
    (state) => {
      const opening = openingOf(seeded(scene), state.entry, catalogue.knobs);
      if (opening === undefined || readyRuns(state) === undefined) return undefined;
      const turned = turnedSince(opening, state.knobs, state.entry, catalogue.knobs);
      // A run whose kernel has no such thing has none of it.
      const reached = reaches(puzzle, lessonValue(state, puzzle.metric, puzzle.side) ?? 0);
      return { verdict: verdictOn(puzzle, reached, turned, shown), turned };
    },
    [puzzle, scene, shown, catalogue.knobs],
  );
}

function VerdictWords({
  verdict,
  turned,
}: {
  readonly verdict: Verdict;
  readonly turned: readonly string[];
}): ReactNode {
  const { catalogue } = usePage();
  const names = turned.map((path) => nameOf(path, catalogue.knobs)).join(", ");
  switch (verdict) {
    case "short":
      return "Not there yet.";
    case "several":
      return `That is the goal, but ${counted(turned.length, "knob")} are turned: ${names}. Which one is enough?`;
    case "given":
      return "That is the solution shown. Is there another way?";
    case "solved":
      return `Solved with one knob: ${names}.`;
  }
}

function nameOf(path: string, knobs: Parameters<typeof findKnob>[0]): string {
  const knob = findKnob(knobs, path);
  return knob === undefined ? path : knobName(knob);
}

interface WaysProps extends Pick<PuzzleProps, "puzzle" | "scene" | "shown" | "change"> {
  /** A knob is turned. */
  readonly turned: boolean;
}

function WaysOut({ puzzle, scene, shown, turned, change }: WaysProps): ReactNode {
  const { store, catalogue } = usePage();
  const dispatch = useDispatch();
  const tryOut = (solve: boolean): void => {
    const opening = openingOf(seeded(scene), store.getState().entry, catalogue.knobs);
    if (opening !== undefined)
      dispatch({ type: "knobs_tried", knobs: solve ? solvedBy(puzzle, opening) : opening });
  };
  const way = Object.entries(puzzle.solution).map(
    ([path, value]) => `${nameOf(path, catalogue.knobs)} = ${valueWords(value)}`,
  );
  return (
    <>
      <button
        type="button"
        className="button"
        disabled={!turned}
        data-testid="lesson-take-back"
        onClick={() => tryOut(false)}
      >
        Take the knobs back
      </button>
      <details>
        <summary>Hint</summary>
        <p>{puzzle.hint}</p>
      </details>
      <details data-testid="lesson-give-up">
        <summary>I give up</summary>
        <p>
          <button
            type="button"
            className="button"
            data-testid="lesson-show-solution"
            onClick={() => {
              change({ type: "shown" });
              tryOut(true);
            }}
          >
            Show the solution
          </button>
        </p>
        {shown && (
          <p data-testid="lesson-solution">
            One way, on side {puzzle.side.toUpperCase()}: <strong>{way.join(", ")}</strong>.
          </p>
        )}
      </details>
    </>
  );
}
