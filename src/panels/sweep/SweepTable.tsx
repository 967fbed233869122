// The sweep as a table: what a chart shows, exactly. Each figure opens its run.

import type { ReactNode } from "react";
import type { KnobValue, Variant } from "../../engine/gen/types.ts";
import { plainText } from "../../engine/plain.ts";
import type { Table } from "../../lib/csv.ts";
import { timeSigns } from "../../lib/format.ts";
import { headlineWords } from "../../state/figures/headline.ts";
import { findKnob, valueText } from "../../scenario/knob-values.ts";
import { namedLines, type Outcomes } from "../../state/sweep/plan.ts";
import type { SweepPlan, SweepPoint, SweepResult } from "../../state/shape/sweep.ts";
import { figureText, meanText } from "../../state/figures/figure.ts";
import { valueLabel } from "../../scenario/sweep-values.ts";
import { usePage, useSelect } from "../page/page.ts";
import { Breakable } from "../widgets/Breakable.tsx";
import { TableFiles } from "../numbers/TableFiles.tsx";

interface SweepTableProps {
  readonly plan: SweepPlan;
  readonly outcomes: Outcomes;
  readonly onOpen: (metric: string, point: SweepPoint | undefined) => void;
}

export function SweepTable(props: SweepTableProps): ReactNode {
  const { plan, outcomes } = props;
  const entry = useSelect((state) => state.entry);
  const results = useSelect((state) => state.sweeping.results);
  const common = useSelect((state) => state.sweeping.common);
  const lines = namedLines(entry, plan, common);
  return (
    <details>
      <summary>Table</summary>
      <div className="sweep-scroll">
        <table className="sweep-table" data-testid="sweep-table">
          <thead>
            <tr>
              {[plan.path, "variant", "metric", "seeds", "mean", "5 %", "median", "95 %"].map(
                (name) => (
                  <th key={name} scope="col">
                    <Breakable text={name} />
                  </th>
                ),
              )}
            </tr>
          </thead>
          <tbody>
            {plan.values.flatMap((value, at) =>
              lines.map((variant, line) => (
                <Rows key={`${at} ${line}`} {...props} {...{ value, at, variant, line }} />
              )),
            )}
          </tbody>
        </table>
      </div>
      <TableFiles
        name="sweep"
        table={() => tableOf(lines, plan, results, outcomes)}
        testId="sweep-table"
      />
      <Lost plan={plan} results={results} />
    </details>
  );
}

interface RowsProps extends SweepTableProps {
  readonly value: KnobValue;
  /** Place of the value in the plan. */
  readonly at: number;
  readonly variant: Variant;
  readonly line: number;
}

/** A value's figures on one line, a row for each metric. */
function Rows({ plan, outcomes, onOpen, value, at, variant, line }: RowsProps): ReactNode {
  const entry = useSelect((state) => state.entry);
  const knob = findKnob(usePage().catalogue.knobs, plan.path);
  return headlineWords(plan.metrics, entry.labels).map((words, metric) => {
    const spread = outcomes.spread(metric, line, at);
    const lacking = outcomes.lacking(metric, line, at);
    if (spread === undefined && lacking === "") return undefined;
    return (
      <tr key={metric}>
        <th scope="row">{valueLabel(knob, value)}</th>
        <td>{plainText(timeSigns(variant.name))}</td>
        <td>{words.label}</td>
        <td className="number">{[spread?.runs, lacking].filter(Boolean).join("; ")}</td>
        {spread && <td className="number">{meanText(spread, words.unit)}</td>}
        {spread &&
          [spread.low, spread.median, spread.high].map((figure, nth) => (
            <td key={nth} className="number">
              <button
                type="button"
                className="link-button"
                onClick={() => onOpen(words.path, outcomes.runWith(metric, line, at, figure))}
              >
                {figureText(figure, words.unit)}
              </button>
            </td>
          ))}
      </tr>
    );
  });
}

/** Runs without figures, the first of them. */
function Lost({
  plan,
  results,
}: {
  readonly plan: SweepPlan;
  readonly results: readonly SweepResult[];
}): ReactNode {
  const knob = findKnob(usePage().catalogue.knobs, plan.path);
  const lost = results.filter(({ outcome }) => outcome.kind !== "figures");
  if (lost.length === 0) return undefined;
  return (
    <ul className="sweep-lost" aria-label="Runs without figures">
      {lost.slice(0, 10).map(({ point, outcome }) => (
        <li key={`${point.variant} ${point.value} ${point.seed}`}>
          {valueLabel(knob, plan.values[point.value] ?? "")}, seed {point.seed}:{" "}
          {lostWords(outcome)}
        </li>
      ))}
      {lost.length > 10 && <li>and {lost.length - 10} more</li>}
    </ul>
  );
}

/**
 * A row for each run, exact: those without figures say why, and how many of the value's seeds have
 * none.
 */
function tableOf(
  lines: readonly Variant[],
  plan: SweepPlan,
  results: readonly SweepResult[],
  outcomes: Outcomes,
): Table {
  return {
    columns: [plan.path, "variant", "seed", ...plan.metrics, "stopped_by", "no_figure"],
    rows: results.map(({ point, outcome }) => {
      const figures = outcome.kind === "figures" ? outcome.figures : [];
      const lacking = plan.metrics.flatMap((path, metric) =>
        figures[metric] === undefined
          ? `${path}: ${outcomes.lacking(metric, point.variant, point.value)}`
          : [],
      );
      return [
        valueText(plan.values[point.value] ?? ""),
        lines[point.variant]?.name,
        point.seed,
        ...plan.metrics.map((_, metric) => figures[metric]),
        outcome.kind === "figures" ? undefined : lostWords(outcome),
        lacking.join("; ") || undefined,
      ];
    }),
  };
}

function lostWords(outcome: SweepResult["outcome"]): string {
  if (outcome.kind === "limit") return `stopped at the limit of ${outcome.limit}, not counted`;
  return outcome.kind === "refused" ? plainText(outcome.message) : "";
}
