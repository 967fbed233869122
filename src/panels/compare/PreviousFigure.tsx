// What a number of the score came to in the runs before.

import type { ReactNode } from "react";
import { figureText } from "../../state/figures/figure.ts";
import { headlineValue, type MetricWords } from "../../state/figures/headline.ts";
import { SIDES } from "../../scenario/sides.ts";
import { useSelect } from "../page/page.ts";

export default function PreviousFigure({ words }: { readonly words: MetricWords }): ReactNode {
  const told = useSelect(({ sides }) =>
    SIDES.flatMap((side) => {
      const report = sides[side].previous?.report;
      const value = report === undefined ? undefined : headlineValue(report, words);
      return value === undefined ? [] : `${side.toUpperCase()} ${figureText(value, words.unit)}`;
    }).join(", "),
  );
  return told === "" ? undefined : (
    <p className="score-was" data-testid={`was-${words.path}`}>{`before: ${told}`}</p>
  );
}
