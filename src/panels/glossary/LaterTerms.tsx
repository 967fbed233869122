// Prose of the first screen: the words appear at once, and their terms link to the glossary once
// that part of the page has come.

import { Suspense, type ReactNode } from "react";
import { Figures } from "../widgets/Figures.tsx";
import { atLeisure, lazily } from "../../lib/lazily.tsx";

interface TermsProps {
  readonly text: string;
  /**
   * Whether the text is about a quota; without it "slice" and "pool" are the fair class's and
   * everyday words.
   */
  readonly quota: boolean;
}

const Terms = lazily(() => atLeisure(() => import("./Terms.tsx")));

export function LaterTerms(props: TermsProps): ReactNode {
  return (
    <Suspense fallback={<Figures text={props.text} />}>
      <Terms {...props} />
    </Suspense>
  );
}
