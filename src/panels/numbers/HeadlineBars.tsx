// The headline numbers with their bars and the sources' own figures beside them as marks, never as
// ours.

import type { ReactNode } from "react";
import type { Reference } from "../../engine/gen/types.ts";
import type { MetricWords } from "../../state/figures/headline.ts";
import { Chip } from "../widgets/Chip.tsx";
import { figureText, rangeText } from "../../state/figures/figure.ts";
import { useSelect } from "../page/page.ts";
import { useScoreWords } from "./score-rows.ts";
import { useSideValue } from "./Score.tsx";

export default function HeadlineBars(): ReactNode {
  const references = useSelect((state) => state.entry.references);
  return (
    <section className="numbers" aria-label="Headline numbers" data-testid="headline-bars">
      {useScoreWords().map((words) => (
        <Card
          key={words.path}
          words={words}
          references={references.filter(({ metric }) => metric === words.path)}
        />
      ))}
    </section>
  );
}

function Card({
  words,
  references,
}: {
  readonly words: MetricWords;
  readonly references: readonly Reference[];
}): ReactNode {
  const a = useSideValue("a", words);
  const b = useSideValue("b", words);
  const top = Math.max(a ?? 0, b ?? 0, ...references.map((reference) => reference.high), 1);
  const text = (value: number | undefined): string =>
    value === undefined ? "–" : figureText(value, words.unit);
  return (
    <article className="number-card">
      <h3 className="card-title">{words.label}</h3>
      <p className="number-pair">
        A <strong>{text(a)}</strong> B <strong>{text(b)}</strong>
      </p>
      <Bars a={a} b={b} top={top} references={references} />
      <footer className="card-foot">
        <Chip whose="model">simulated</Chip> <span className="muted">{words.of}</span>
        {references.map((reference) => (
          <span key={reference.label} className="thread-figure" title={reference.source}>
            <Chip whose="thread">reported</Chip> {rangeText(reference, words.unit)}{" "}
            <span className="muted">{reference.label}</span>
          </span>
        ))}
      </footer>
    </article>
  );
}

interface BarsProps {
  readonly a: number | undefined;
  readonly b: number | undefined;
  readonly top: number;
  readonly references: readonly Reference[];
}

/** Both values and the source's on one scale from 0. */
function Bars({ a, b, top, references }: BarsProps): ReactNode {
  const width = (value: number): string => `${Math.min(100, (value / top) * 100)}%`;
  return (
    <div className="bars" aria-hidden="true">
      {a !== undefined && <div className="bar bar-a" style={{ width: width(a) }} />}
      {b !== undefined && <div className="bar bar-b" style={{ width: width(b) }} />}
      {references.map(({ label, low, high }) => (
        <div
          key={label}
          className={low === high ? "thread-tick" : "thread-range"}
          style={{ left: width(low), width: low === high ? undefined : width(high - low) }}
        />
      ))}
    </div>
  );
}
