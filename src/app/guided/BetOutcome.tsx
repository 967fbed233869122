// What was bet on the open step and what happened, said once the picture is that of the answer.

import type { ReactNode } from "react";
import { useSelect } from "../../panels/page/page.ts";
import { isAtRest } from "../../state/steps/bet.ts";
import { betMade } from "../../state/steps/bet-choices.ts";
import "./bet.css";

export default function BetOutcome(): ReactNode {
  const made = useSelect(betMade);
  const shown = useSelect(isAtRest);
  if (made === undefined) return undefined;
  return (
    <p className="guided-outcome" role="status" data-shown={shown} data-testid="bet-outcome">
      {made}
    </p>
  );
}
