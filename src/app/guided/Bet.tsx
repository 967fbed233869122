// A bet over the picture that answers it: on the guided page each choice is a button, in a talk the
// room raises hands.

import type { ReactNode } from "react";
import Terms from "../../panels/glossary/Terms.tsx";
import { useSelect } from "../../panels/page/page.ts";
import "./bet.css";

interface BetProps {
  readonly question: string;
  readonly choices: readonly string[];
  /** Makes the bet; undefined where hands are raised. */
  readonly onChoice?: ((index: number) => void) | undefined;
  /** Above the question. */
  readonly title?: string;
  /** How the bet is made, or passed over. */
  readonly children: ReactNode;
  readonly testId: string;
}

export function Bet({ question, choices, onChoice, title, children, testId }: BetProps): ReactNode {
  // A slice is another thing where no quota is.
  const ofQuota = useSelect(({ entry }) => entry.text.includes("cpu_max"));
  return (
    <section className="bet" aria-label="Your bet" data-testid={testId}>
      {title !== undefined && <p className="bet-title">{title}</p>}
      <p className="bet-question">
        <Terms text={question} quota={ofQuota} />
      </p>
      {onChoice === undefined ? (
        choices.length > 0 && (
          <ul className="bet-choices">
            {choices.map((choice) => (
              <li key={choice}>{choice}</li>
            ))}
          </ul>
        )
      ) : (
        <div className="bet-buttons">
          {choices.map((choice, index) => (
            <button
              key={choice}
              type="button"
              className="button bet-choice"
              data-testid={`bet-choice-${index + 1}`}
              onClick={() => onChoice(index)}
            >
              {choice}
            </button>
          ))}
        </div>
      )}
      {children}
    </section>
  );
}
