// The sentence of the step, large, and how the two sides' first numbers compare, in words.

import type { ReactNode } from "react";
import { Caption } from "../../panels/story/StoryLine.tsx";
import { useScoreWords } from "../../panels/numbers/Score.tsx";
import { useSelect } from "../../panels/page/page.ts";
import { timesWords } from "../../state/figures/ratio.ts";
import { isOfNow, sideValue } from "../../state/figures/score-words.ts";
import { betMade, isAtRest } from "../../state/steps/bet.ts";
import { sideLabel } from "../../state/select/selectors.ts";

export function StepWords(): ReactNode {
  const index = useSelect((state) => state.step.index);
  return (
    <div className="guided-words">
      <Outcome />
      <Caption index={index} />
      <Compared />
    </div>
  );
}

/** What was bet and what happened, once the picture is that of the answer. */
function Outcome(): ReactNode {
  const made = useSelect(betMade);
  const shown = useSelect(isAtRest);
  if (made === undefined) return undefined;
  return (
    <p className="guided-outcome" role="status" data-shown={shown} data-testid="bet-outcome">
      {made}
    </p>
  );
}

function Compared(): ReactNode {
  const [words] = useScoreWords();
  const ratio = useSelect((state) => {
    if (words === undefined || isOfNow(state, "a") !== isOfNow(state, "b")) return "";
    return timesWords(sideValue(state, "a", words), sideValue(state, "b", words), (side) =>
      sideLabel(state, side),
    );
  });
  if (words === undefined || ratio === "") return undefined;
  return (
    <p className="guided-ratio" title={words.of} data-testid="guided-ratio">
      {ratio} <span className="guided-label">{words.label}</span>
    </p>
  );
}
