// Said where both sides are the same: nothing to compare, and three things to change.

import type { ReactNode } from "react";
import { sidesAlike, suggestions } from "../../state/knobs/suggestions.ts";
import { SideBadge } from "../bits.tsx";
import { usePage, useSelect } from "../page.ts";

export default function Alike(): ReactNode {
  const alike = useSelect((state) => !state.onlyOneSide && sidesAlike(state));
  return alike ? <Suggestions /> : undefined;
}

function Suggestions(): ReactNode {
  const { store, catalogue } = usePage();
  // What is offered follows the knobs and what the run's version has.
  useSelect((state) => state.knobs);
  useSelect((state) => state.sides.b.shown?.meta);
  const state = store.getState();
  return (
    <div className="strip strip-limit alike" role="status" data-testid="alike">
      <strong>Both sides are identical. Change one thing:</strong>
      {suggestions(state, catalogue.knobs).map(({ words, action }, index) => (
        <button
          key={words}
          type="button"
          className="button tiny"
          data-testid={`alike-${String(index + 1)}`}
          onClick={() => store.dispatch(action)}
        >
          <SideBadge side="b" /> {words}
        </button>
      ))}
      <button type="button" className="button tiny" data-testid="alike-one" onClick={() => store.dispatch({ type: "one_side_toggled" })}>
        Show one side
      </button>
    </div>
  );
}
