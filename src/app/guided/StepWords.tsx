// The sentence of the step, large, and how the two sides' first numbers compare, in words.

import type { ReactNode } from "react";
import { BetOutcome, Now } from "./load-late.ts";
import { Caption, EventLine } from "../../panels/story/Caption.tsx";
import { useScoreWords } from "../../panels/numbers/score-rows.ts";
import { useSelect } from "../../panels/page/page.ts";
import { currentStep, isAsWritten } from "../../state/steps/resolve.ts";
import { timesWords } from "../../state/figures/ratio.ts";
import { isOfNow, sideValue } from "../../state/figures/score-words.ts";
import { stepsOf } from "../../scenario/step.ts";

/** `ratio`: how the sides compare, where a frame has no other place for the numbers. */
export function StepWords({ ratio = true }: { readonly ratio?: boolean }): ReactNode {
  const index = useSelect((state) => state.step.index);
  const bets = useSelect((state) => state.bets !== undefined);
  const count = useSelect((state) => stepsOf(state.entry).length);
  const turned = useSelect((state) => {
    const step = currentStep(state);
    return step !== undefined && !isAsWritten(state, step);
  });
  return (
    <div className="guided-words">
      {bets && <BetOutcome />}
      <EventLine>
        {turned && <Now />}
        {count > 0 && <Caption index={index} />}
      </EventLine>
      {ratio && <Compared />}
    </div>
  );
}

function Compared(): ReactNode {
  const [words] = useScoreWords();
  const ratio = useSelect((state) => {
    if (words === undefined || isOfNow(state, "a") !== isOfNow(state, "b")) return "";
    const [a, b] = [sideValue(state, "a", words), sideValue(state, "b", words)];
    return timesWords(a, b, (side) => side.toUpperCase());
  });
  if (words === undefined || ratio === "") return undefined;
  return (
    <p className="guided-ratio" title={words.of} data-testid="guided-ratio">
      {ratio} <span className="guided-label">{words.label}</span>
    </p>
  );
}
