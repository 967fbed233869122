// Said where both sides are the same: nothing to compare, and three things to change.

import { useState, type ReactNode } from "react";
import { runsAlike, sidesAlike, suggestions } from "../../state/knobs/suggestions.ts";
import { isComputing } from "../../state/select/selectors.ts";
import type { State } from "../../state/shape/state.ts";
import { currentStep, isAsWritten } from "../../state/steps/resolve.ts";
import { SideBadge } from "../widgets/SideBadge.tsx";
import { usePage, useSelect } from "../page/page.ts";

export default function SameSides(): ReactNode {
  const alike = useSelect((state) => !state.onlyOneSide && sidesAlike(state) && !isMeant(state));
  const apart = useSelect((state) => !isComputing(state) && !sidesAlike(state));
  const entry = useSelect((state) => state.entry);
  // A change that leaves the sides as they were is not offered twice; of another scenario, or once
  // the sides differ, it is.
  const [tried, setTried] = useState<{
    readonly entry: typeof entry;
    readonly words: readonly string[];
  }>({ entry, words: [] });
  if (tried.words.length > 0 && (apart || tried.entry !== entry)) setTried({ entry, words: [] });
  return alike ? (
    <Suggestions
      tried={tried.words}
      onTry={(words) => setTried({ entry, words: [...tried.words, words] })}
    />
  ) : undefined;
}

/** Whether the current step is about both sides being equal: its text says so already. */
function isMeant(state: State): boolean {
  const step = currentStep(state);
  return step?.same === true && isAsWritten(state, step);
}

interface SuggestionsProps {
  readonly tried: readonly string[];
  readonly onTry: (words: string) => void;
}

function Suggestions({ tried, onTry }: SuggestionsProps): ReactNode {
  const { store, catalogue } = usePage();
  // What is offered follows the knobs and what the run's version has.
  useSelect((state) => state.knobs);
  useSelect((state) => state.sides.b.shown?.meta);
  const state = store.getState();
  return (
    <div className="strip strip-limit alike" role="status" data-testid="alike">
      <strong>
        {runsAlike(state)
          ? "Both runs are the same under these knobs."
          : "Both sides are identical."}{" "}
        Change one thing:
      </strong>
      {suggestions(state, catalogue.knobs, tried).map(({ words, action }, index) => (
        <button
          key={words}
          type="button"
          className="button tiny"
          data-testid={`alike-${String(index + 1)}`}
          onClick={() => {
            onTry(words);
            store.dispatch(action);
          }}
        >
          <SideBadge side="b" /> {words}
        </button>
      ))}
      <button
        type="button"
        className="button tiny"
        data-testid="alike-one"
        onClick={() => store.dispatch({ type: "one_side_toggled" })}
      >
        Show one side
      </button>
    </div>
  );
}
