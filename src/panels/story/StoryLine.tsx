// The line over the lab's picture: the caption of the current step, and the buttons to the steps
// beside it.

import type { ReactNode } from "react";
import { stepsOf } from "../../scenario/step.ts";
import { shownViewport } from "../../state/select/selectors.ts";
import { useSelect } from "../page/page.ts";
import { Caption, EventLine, StepButton, StepCount } from "./Caption.tsx";

/** `beside`: other words on the line; in a scenario without steps they are the only ones. */
export function StoryLine({ beside }: { readonly beside: ReactNode }): ReactNode {
  const count = useSelect((state) => stepsOf(state.entry).length);
  const index = useSelect((state) => state.step.index);
  const fromNs = useSelect((state) => shownViewport(state).fromNs);
  const toNs = useSelect((state) => shownViewport(state).toNs);
  if (count === 0) return <EventLine>{beside}</EventLine>;
  return (
    <>
      <section
        className="story-line"
        aria-label="Steps"
        data-testid="story-line"
        data-from={fromNs}
        data-to={toNs}
      >
        <StepButton direction={-1} />
        <StepCount />
        <EventLine>
          <Caption index={index} />
        </EventLine>
        <StepButton direction={1} />
      </section>
      {beside}
    </>
  );
}
