// The numbers that answer the scenario's question, for both sides, big; the thread's own figures beside them as marks, never
// as ours. Which numbers they are is the scenario's choice.

import type { ReactNode } from "react";
import type { Reference } from "../engine/gen/types.ts";
import { headlineValue, headlineWords, type MetricWords } from "../state/figures/headline.ts";
import { SIDES, type Side } from "../state/sides.ts";
import { Chip, SideBadge } from "./bits.tsx";
import { figureOf, rangeText } from "./figure.ts";
import { useSelect } from "./page.ts";

const HERD_METRIC = "latency.cyclictest.max_ns";

/** Cards of full size; what follows them is said in small ones, so that the timeline stays in sight. */
const LARGE = 4;

/** A card's place decides its size. */
const sizeOf = (index: number): string => (index >= LARGE ? "card card-small" : index >= 2 ? "card card-third" : "card");

const rowOf = (cards: number): string =>
  cards === 5 ? "headline headline-many headline-five" : cards > 3 ? "headline headline-many" : "headline";

export function Headline(): ReactNode {
  const entry = useSelect((state) => state.entry);
  const hasSlack = useSelect((state) => SIDES.some((side) => state.sides[side].shown?.meta.herd_slack_ns !== undefined));
  const paths = hasSlack && !entry.headline.includes(HERD_METRIC) ? [...entry.headline, HERD_METRIC] : entry.headline;
  const cards = headlineWords(paths);
  return (
    <section className={rowOf(cards.length)} aria-label="Results" data-testid="headline">
      {cards.map((words, index) => (
        <Card
          key={words.path}
          words={words}
          references={entry.references.filter((reference) => reference.metric === words.path)}
          className={sizeOf(index)}
        />
      ))}
    </section>
  );
}

function Card({
  words,
  references,
  className,
}: {
  readonly words: MetricWords;
  readonly references: readonly Reference[];
  readonly className: string;
}): ReactNode {
  const a = useSideValue("a", words);
  const b = useSideValue("b", words);
  const top = Math.max(a ?? 0, b ?? 0, ...references.map((reference) => reference.high), 1);
  return (
    <article className={className} data-testid={`headline-${words.path}`}>
      <h2 className="card-title">{words.label}</h2>
      <div className="card-pair">
        <BigNumber side="a" value={a} words={words} />
        <BigNumber side="b" value={b} words={words} />
      </div>
      <Bars a={a} b={b} top={top} references={references} />
      <footer className="card-foot">
        <Chip whose="model">the model’s</Chip> <span className="muted">{words.of}</span>
        {references.map((reference) => (
          <ThreadMark key={reference.label} reference={reference} words={words} />
        ))}
      </footer>
    </article>
  );
}

function useSideValue(side: Side, words: MetricWords): number | undefined {
  return useSelect((state) => {
    const report = state.sides[side].shown?.report;
    return report === undefined ? undefined : headlineValue(report, words);
  });
}

function BigNumber({
  side,
  value,
  words,
}: {
  readonly side: Side;
  readonly value: number | undefined;
  readonly words: MetricWords;
}): ReactNode {
  const computing = useSelect((state) => state.sides[side].status.kind === "computing");
  // A run whose kernel has no such thing counts none of it.
  const done = useSelect((state) => state.sides[side].shown?.report !== undefined);
  const missing = computing ? "computing" : done ? (words.none ?? "nothing to count here") : "no run";
  const figure = value === undefined ? { digits: "", unit: missing } : figureOf(value, words.unit);
  return (
    <div className={`big side-${side}${computing ? " stale" : ""}`}>
      <SideBadge side={side} />
      <output
        className="big-number"
        data-testid={`headline-${words.path}-${side}`}
        data-value={value}
        aria-label={`${side.toUpperCase()}: ${figure.digits} ${figure.unit}`}
      >
        {figure.digits}
        {figure.unit !== "" && <span className={value === undefined ? "big-none" : "big-unit"}>{figure.unit}</span>}
      </output>
    </div>
  );
}

/** Both values and the thread's on one scale from 0. */
function Bars({
  a,
  b,
  top,
  references,
}: {
  readonly a: number | undefined;
  readonly b: number | undefined;
  readonly top: number;
  readonly references: readonly Reference[];
}): ReactNode {
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

function ThreadMark({ reference, words }: { readonly reference: Reference; readonly words: MetricWords }): ReactNode {
  const range = rangeText(reference, words.unit);
  return (
    <span className="thread-figure" title={reference.source}>
      <Chip whose="thread">the thread’s</Chip> {range}{" "}
      <span className="muted" title={reference.label}>
        {reference.label}
      </span>
    </span>
  );
}
