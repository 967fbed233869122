// The left edge: what is compared, what came of it, and what can be turned.

import type { ReactNode } from "react";
import { Boundary } from "../Boundary.tsx";
import { Knobs } from "../knobs/Knobs.tsx";
import { isWithoutSimulator } from "../../state/select/shipped.ts";
import { stepsOf } from "../../scenario/step.ts";
import { useSelect } from "../page.ts";
import { Score } from "../numbers/Score.tsx";
import { Setup } from "../knobs/Setup.tsx";
import { Variants } from "../variants/Variants.tsx";

export function Rail({ onVariants }: { readonly onVariants: () => void }): ReactNode {
  const without = useSelect(isWithoutSimulator);
  const steps = useSelect((state) => stepsOf(state.entry).length > 0);
  return (
    <section className="rail" aria-label="Knobs and results" data-testid="rail">
      <Variants onAll={onVariants} />
      <Boundary what="The score">
        <Score />
      </Boundary>
      {steps && (
        <p className="rail-setup">
          <Setup />
        </p>
      )}
      {without ? (
        <p className="rail-setup" data-testid="knobs-unknown">
          No knobs: only a run knows their values.
        </p>
      ) : (
        <Boundary what="The list of knobs">
          <Knobs />
        </Boundary>
      )}
    </section>
  );
}
