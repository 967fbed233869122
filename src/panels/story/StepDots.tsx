// One dot for each step; a press opens the step. The current step is marked.

import type { ReactNode } from "react";
import { captionSaid } from "../../state/steps/resolve.ts";
import { stepsOf } from "../../scenario/step.ts";
import { useDispatch, useSelect } from "../page/page.ts";
import "./steps.css";

/** Nothing in a scenario without steps. */
export function StepDots(): ReactNode {
  const dispatch = useDispatch();
  const steps = useSelect((state) => stepsOf(state.entry));
  const at = useSelect((state) => state.step.index);
  const captions = useSelect((state) =>
    steps.map((step) => captionSaid(state, step)).join("\n"),
  ).split("\n");
  if (steps.length === 0) return undefined;
  return (
    <nav className="step-dots" aria-label="Steps of the story" data-testid="step-dots">
      {captions.map((caption, index) => (
        <button
          key={index}
          type="button"
          className="step-dot"
          // One stop for the Tab key; arrows walk.
          tabIndex={index === (at ?? 0) ? 0 : -1}
          aria-current={index === at ? "step" : undefined}
          aria-label={`Step ${index + 1}: ${caption}`}
          title={caption}
          data-testid={`step-dot-${index + 1}`}
          onClick={() => dispatch({ type: "step_opened", index })}
        />
      ))}
    </nav>
  );
}
