// The left edge: what is compared, what came of it, and what can be turned.

import type { ReactNode } from "react";
import { Boundary } from "./Boundary.tsx";
import { Knobs } from "./Knobs.tsx";
import { Score } from "./Score.tsx";
import { Variants } from "./Variants.tsx";

export function Rail({ onVariants }: { readonly onVariants: () => void }): ReactNode {
  return (
    <section className="rail" aria-label="Switches and results" data-testid="rail">
      <Variants onAll={onVariants} />
      <Boundary what="The score">
        <Score />
      </Boundary>
      <Boundary what="The list of knobs">
        <Knobs />
      </Boundary>
    </section>
  );
}
