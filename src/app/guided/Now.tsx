// What the viewer's own switches come to, where the caption is about the runs as shipped.

import type { ReactNode } from "react";
import { useScoreWords } from "../../panels/numbers/score-rows.ts";
import { useSelect } from "../../panels/page/page.ts";
import { SIDES } from "../../scenario/sides.ts";
import { figureText } from "../../state/figures/figure.ts";
import { isOfNow, sideValue } from "../../state/figures/score-words.ts";

export default function Now(): ReactNode {
  const [words] = useScoreWords();
  const now = useSelect((state) => {
    if (words === undefined) return undefined;
    const said = SIDES.map((side) => {
      const value = isOfNow(state, side) ? sideValue(state, side, words) : undefined;
      return value === undefined
        ? undefined
        : `${figureText(value, words.unit)} in ${side.toUpperCase()}`;
    });
    return said.includes(undefined) ? undefined : said.join(", ");
  });
  if (words === undefined || now === undefined) return undefined;
  return (
    <p className="guided-now" data-testid="guided-now">
      Now {now} <span className="guided-label">{words.label}</span>
    </p>
  );
}
