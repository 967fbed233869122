// The way from a step's bet to its caption.

import type { ReactNode } from "react";
import { useDispatch } from "../page.ts";

interface ShowBetProps {
  readonly index: number;
  readonly testId: string;
  /** Goes to the step as well. */
  readonly opens?: boolean;
}

export function ShowBet({ index, testId, opens = false }: ShowBetProps): ReactNode {
  const dispatch = useDispatch();
  return (
    <button
      type="button"
      className="button tiny bet-show"
      data-testid={testId}
      onClick={() => {
        if (opens) dispatch({ type: "step_opened", index });
        dispatch({ type: "bet_settled", index });
      }}
    >
      Show what happens
    </button>
  );
}
