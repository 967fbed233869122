// "Which change did it?" where two releases are compared: opens the window that asks it.

import type { ReactNode } from "react";
import { twoReleases } from "../../state/which/question.ts";
import { useDispatch, useSelect } from "../page/page.ts";

export function WhichButton(): ReactNode {
  const dispatch = useDispatch();
  const releases = useSelect((state) => twoReleases(state)?.join(" and "));
  if (releases === undefined) return undefined;
  return (
    <button
      type="button"
      className="button tiny"
      title={`Which of the changes between ${releases} made a figure differ`}
      data-testid="which-open"
      onClick={() => dispatch({ type: "which_wanted" })}
    >
      Which change did it?
    </button>
  );
}
