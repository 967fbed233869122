// What heads a side of the guided page: what people call it, its switch's value, two numbers.

import type { ReactNode } from "react";
import { SideBadge } from "../../panels/widgets/SideBadge.tsx";
import { useScoreWords } from "../../panels/numbers/score-rows.ts";
import { useSelect } from "../../panels/page/page.ts";
import { figureOf } from "../../state/figures/figure.ts";
import { isPerSecond, type MetricWords } from "../../state/figures/headline.ts";
import { sideValue } from "../../state/figures/score-words.ts";
import { sideCalled, sideLabel } from "../../state/select/selectors.ts";
import type { Side } from "../../scenario/sides.ts";

/** Numbers a side has room for. */
const NUMBERS = 2;

interface SideProps {
  readonly side: Side;
  readonly numbers?: boolean;
}

export function GuidedSide({ side, numbers = true }: SideProps): ReactNode {
  const rows = useScoreWords().slice(0, NUMBERS);
  const label = useSelect((state) => sideLabel(state, side));
  const called = useSelect((state) => sideCalled(state, side));
  return (
    <div className="guided-side" data-testid={`guided-side-${side}`}>
      <h2 className="guided-name" title={label}>
        <SideBadge side={side} /> {called ?? label}
        {called !== undefined && <span className="guided-variant"> {label}</span>}
      </h2>
      {numbers && rows.map((words) => <SideNumber key={words.path} side={side} words={words} />)}
    </div>
  );
}

function SideNumber({
  side,
  words,
}: {
  readonly side: Side;
  readonly words: MetricWords;
}): ReactNode {
  const value = useSelect((state) => sideValue(state, side, words));
  const computing = useSelect((state) => state.sides[side].status.kind === "computing");
  const figure =
    value === undefined
      ? { digits: computing ? "…" : "none", unit: "" }
      : figureOf(value, words.unit);
  return (
    <p className="guided-number" title={words.of}>
      <output
        className="guided-figure"
        aria-live="polite"
        data-testid={`headline-${words.path}-${side}`}
        data-value={value}
      >
        {figure.digits}
        {figure.unit !== "" && <span className="guided-unit"> {figure.unit}</span>}
      </output>
      <span className="guided-label">
        {words.label}
        {isPerSecond(words) && ", per second"}
      </span>
    </p>
  );
}
