// The bet of the open step, over the dimmed stage: one press makes it, one passes it over, and the
// step plays. Where a lesson asks the same of the same step, the lesson's choices are offered. Under
// other knobs the outcome says only what was bet.

import { useLayoutEffect, type ReactNode } from "react";
import { useDispatch, useSelect } from "../../panels/page/page.ts";
import { stepsOf } from "../../scenario/step.ts";
import { LESSONS } from "../../state/lessons/all.ts";
import { stepBet } from "../../state/lessons/step-bet.ts";
import { lessonFigure } from "../../state/lessons/figures.ts";
import { captionWith } from "../../state/steps/caption.ts";
import { openBet } from "../../state/steps/bet.ts";
import { offered, outcomeOf, rightIn } from "../../state/steps/bet-choices.ts";
import { Bet } from "./Bet.tsx";

export default function GuidedBet(): ReactNode {
  const dispatch = useDispatch();
  const asked = useSelect(openBet);
  const slug = useSelect(({ entry }) => entry.slug);
  const index = useSelect(({ step }) => step.index ?? 0);
  const step = useSelect(({ entry }) => stepsOf(entry)[index]);
  const ofLesson = stepBet(LESSONS, slug, index + 1);
  const right = useSelect((state) => step && rightIn(state, step, ofLesson));
  const question = useSelect((state) =>
    captionWith(ofLesson?.question ?? asked ?? "", (name, side) => lessonFigure(state, name, side)),
  );
  const pass = (): void => dispatch({ type: "bet_made", words: "" });
  useEscape(pass);
  if (asked === undefined || step === undefined) return undefined;
  const choices = offered(step, ofLesson);
  const bet = (at: number): void =>
    dispatch({ type: "bet_made", words: outcomeOf(choices[at] ?? "", right) });
  return (
    <Bet question={question} choices={choices} onChoice={bet} testId="bet">
      <button
        type="button"
        className={choices.length === 0 ? "button primary-button bet-choice" : "button quiet"}
        title="Escape"
        data-testid="bet-skip"
        onClick={pass}
      >
        {choices.length === 0 ? "Show me" : "Skip: just show me"}
      </button>
    </Bet>
  );
}

/**
 * Escape passes the bet over, unless a dialog is open, which Escape closes. It does from the first
 * paint of the bet on: an effect after the paint would miss a key that comes at once.
 */
function useEscape(pass: () => void): void {
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.key === "Escape" && document.querySelector("dialog[open]") === null) pass();
    };
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  });
}
