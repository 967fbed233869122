// What is compared, in a sentence, and what its costs are.

import type { ReactNode } from "react";
import { CostWords } from "./KnobNotes.tsx";
import { usePage, useSelect } from "../page.ts";
import { setupWords } from "./setup-words.ts";

export function Setup(): ReactNode {
  const { catalogue } = usePage();
  const words = useSelect((state) => setupWords(state, catalogue.knobs));
  return (
    <>
      <span data-testid="setup" title={words}>
        {words}
      </span>{" "}
      <CostWords />
    </>
  );
}
