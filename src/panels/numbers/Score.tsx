// The numbers that answer the scenario's question, a row for each: A, B and how they compare. A
// number leads to what made it.

import { useScoreWords } from "./score-rows.ts";
import { Suspense, useContext, useState, type ReactNode } from "react";
import type { Reference } from "../../engine/gen/types.ts";
import { HandHeld } from "../../lib/hand-held.ts";
import { fewSamples } from "../../model/index.ts";
import { isPerSecond, type MetricWords } from "../../state/figures/headline.ts";
import { metricAt } from "../../scenario/metric-path.ts";
import { knownRun } from "../../state/select/shipped.ts";
import { isOfNow, sameInAll, sideValue } from "../../state/figures/score-words.ts";
import { ratioWords } from "../../state/figures/ratio.ts";
import { SIDES, type Side } from "../../scenario/sides.ts";
import type { State } from "../../state/shape/state.ts";
import { SideBadge } from "../widgets/SideBadge.tsx";
import { lazily, optionally } from "../../lib/lazily.tsx";
import { figureOf, rangeText } from "../../state/figures/figure.ts";
import { usePage, useSelect } from "../page/page.ts";
import { Breakable } from "../widgets/Breakable.tsx";

const GhostLine = lazily(() => import("../compare/GhostLine.tsx"));

const PreviousFigure = optionally(() => import("../compare/PreviousFigure.tsx"));
const MoreScores = optionally(() => import("./MoreScores.tsx"));

/** The most figures that are all shown over the picture of a low phone. */
const FEW = 3;

export function Score(): ReactNode {
  const rows = useScoreWords();
  const references = useSelect((state) => state.entry.references);
  const same = useSelect((state) => sameInAll(state, rows));
  const [open, setOpen] = useState(false);
  const folds = useContext(HandHeld) && rows.length > 1;
  return (
    <section
      className={`score${folds && !open ? " few" : ""}${rows.length > FEW ? " many" : ""}`}
      aria-label="Results"
      data-testid="headline"
    >
      {rows.map((words, index) => (
        <Row
          key={words.path}
          words={words}
          same={same ? (index === 0 ? "all same" : "") : undefined}
          references={references.filter(({ metric }) => metric === words.path)}
        />
      ))}
      {/* A low phone shows the first figures over the picture, and on its side only the first one;
          this button opens the others. */}
      <div className="score-foot">
        {folds && (
          <button
            type="button"
            className="button tiny score-all"
            aria-expanded={open}
            data-testid="score-all"
            onClick={() => setOpen(!open)}
          >
            {open ? "Fewer figures" : `All ${rows.length} figures`}
          </button>
        )}
        <Previous />
      </div>
    </section>
  );
}

/** On one line, and how many have no room there. */
export function Band(): ReactNode {
  const rows = useScoreWords();
  return (
    <div className="band">
      <Score />
      <MoreScores rows={rows} />
    </div>
  );
}

/**
 * The line's room is kept free until there is a previous run: a knob under the pointer must not move at
 * the first change.
 */
function Previous(): ReactNode {
  const any = useSelect(
    (state) =>
      state.ghost !== "off" || SIDES.some((side) => state.sides[side].previous !== undefined),
  );
  const room = <div className="ghost-room" />;
  return any ? (
    <Suspense fallback={room}>
      <GhostLine />
    </Suspense>
  ) : (
    room
  );
}

interface RowProps {
  readonly words: MetricWords;
  /** Where no row differs this is said once. */
  readonly same: string | undefined;
  readonly references: readonly Reference[];
}

function Row({ words, same, references }: RowProps): ReactNode {
  const a = useSideValue("a", words);
  const b = useSideValue("b", words);
  const alike = useSelect((state) => isOfNow(state, "a") === isOfNow(state, "b"));
  const ghosts = useSelect((state) => state.ghost === "before");
  const cited = references.map(
    (reference) => `reported: ${rangeText(reference, words.unit)} ${reference.label}`,
  );
  return (
    <article className="score-row" data-testid={`headline-${words.path}`}>
      <h2 className="score-label" title={[`${words.label}: ${words.of}`, ...cited].join("\n")}>
        <Breakable text={words.label} />
        {isPerSecond(words) && ", per second"}
      </h2>
      <p className="score-numbers">
        <ScoreNumber side="a" value={a} words={words} />
        <ScoreNumber side="b" value={b} words={words} />
        <span className="score-ratio">{same ?? (alike && ratioWords(a, b))}</span>
      </p>
      {ghosts && <PreviousFigure words={words} />}
    </article>
  );
}

export function useSideValue(side: Side, words: MetricWords): number | undefined {
  return useSelect((state) => sideValue(state, side, words));
}

/** What a side's run is asked; undefined before it has ended. */
function ofRun(
  state: State,
  side: Side,
  ask: (own: (path: string) => number | undefined) => number | undefined,
): number | undefined {
  const { shown, reported } = state.sides[side];
  const report = reported ?? shown?.report;
  return report && ask((path) => metricAt(report, path));
}

/** In place of a figure that so few samples do not support, and why. */
function fewWords(few: number, left: number): readonly [shown: string, title: string] {
  if (few > 0) return [`n = ${few}`, "Too few samples for this percentile"];
  return left > 0
    ? ["unfinished", `None ended in this run. Under way at its end: ${left}`]
    : ["n = 0", "None in this run"];
}

function titleOf(words: MetricWords, value: number | undefined, done: boolean): string {
  if (value === 0) return words.of;
  if (value !== undefined)
    return `${words.of}. ${done ? "Go to the moment that made it, or to its table." : "Known from the shipped run. A run here shows what made it."}`;
  return done ? (words.none ?? "nothing to count here") : words.of;
}

interface NumberProps {
  readonly side: Side;
  readonly value: number | undefined;
  readonly words: MetricWords;
}

function ScoreNumber({ side, value, words }: NumberProps): ReactNode {
  const { store } = usePage();
  const reported = useSelect((state) => state.sides[side].reported !== undefined);
  const known = useSelect((state) => knownRun(state, side) !== undefined) && !reported;
  const computing = useSelect((state) => state.sides[side].status.kind === "computing");
  const ran = useSelect((state) => state.sides[side].shown?.report !== undefined);
  // A run whose kernel has no such thing counts none of it.
  const done = reported || (ran && !known);
  const few = useSelect((state) => ofRun(state, side, (own) => fewSamples(own, words.path)));
  const left =
    useSelect((state) =>
      ofRun(state, side, (own) => own(words.path.replace(/\w+$/, "unfinished"))),
    ) ?? 0;
  const [instead, why] = few === undefined ? [] : fewWords(few, left);
  const missing = computing ? "…" : (instead ?? (done ? "none" : "–"));
  const figure = value === undefined ? { digits: missing, unit: "" } : figureOf(value, words.unit);
  return (
    <button
      type="button"
      className={`score-number side-${side}${done ? "" : known ? " known" : " stale"}`}
      disabled={(value ?? 0) === 0 || !ran || reported}
      title={why ?? titleOf(words, value, done)}
      onClick={({ currentTarget }) => {
        void import("../moments/to-moment.ts")
          .then(
            ({ goToFigure }) =>
              (currentTarget.title = `${words.of}. ${goToFigure(store, side, words.path)}`),
          )
          .catch(() => undefined);
      }}
    >
      <SideBadge side={side} />
      <output
        className="score-figure"
        aria-live="polite"
        data-testid={`headline-${words.path}-${side}`}
        data-value={done ? value : undefined}
        aria-label={`${side.toUpperCase()}: ${figure.digits} ${figure.unit}`}
      >
        {figure.digits}
        {figure.unit !== "" && <span className="score-unit"> {figure.unit}</span>}
      </output>
    </button>
  );
}
