// What tools measured themselves: the ways to the longest of each series, and the samples of the
// selected one, longest first.

import type { ReactNode } from "react";
import type { Table } from "../../lib/csv.ts";
import { counted } from "../../lib/count.ts";
import { formatNs, threeFigures } from "../../lib/format.ts";
import type { SampleRecord } from "../../model/index.ts";
import { longestSamples } from "../../model/tasks/samples.ts";
import { seriesWords } from "../../scenario/labels.ts";
import { selectedSample } from "../../state/select/selection.ts";
import type { Side } from "../../scenario/sides.ts";
import type { Run } from "../../state/shape/run.ts";
import { SideBadge } from "../widgets/SideBadge.tsx";
import { usePage, useSelect } from "../page/page.ts";
import { TableFiles } from "../numbers/TableFiles.tsx";
import { lookAtSample } from "../moments/to-moment.ts";

const SHOWN_MAX = 20;

/**
 * A line for each series of either run: the ways to its longest samples. Nothing where no tool
 * measures anything.
 */
export function SampleSeries(): ReactNode {
  const a = useSelect((state) => state.sides.a.shown);
  const b = useSelect((state) => state.sides.b.shown);
  const labels = useSelect((state) => state.entry.labels);
  const names = [
    ...new Set(
      [a, b].flatMap((run) => run?.meta.series.map(({ kind, name }) => `${kind}.${name}`) ?? []),
    ),
  ];
  if (names.length === 0) return undefined;
  return (
    <div
      className="sample-series"
      role="group"
      aria-label="Longest samples of the tools"
      data-testid="sample-series"
    >
      {names.map((name) => (
        <p key={name} className="worst-buttons">
          <span title={name}>{seriesWords(labels, name)}, longest</span>
          <Longest side="a" run={a} series={name} />
          <Longest side="b" run={b} series={name} />
        </p>
      ))}
    </div>
  );
}

interface LongestProps {
  readonly side: Side;
  readonly run: Run | undefined;
  readonly series: string;
}

function Longest({ side, run, series }: LongestProps): ReactNode {
  const { store } = usePage();
  // Totals come with the report; until then the trace says what there is so far.
  const ns = run?.report?.metrics.tool_samples?.[series]?.max_ns;
  return (
    <button
      type="button"
      className="button"
      disabled={ns === undefined}
      data-testid={`sample-longest-${series}-${side}`}
      data-ns={ns}
      onClick={() => {
        const [longest] = run === undefined ? [] : longestSamples(run.trace, series);
        if (longest !== undefined) lookAtSample(store, side, longest);
      }}
    >
      <SideBadge side={side} /> {ns === undefined ? "none" : threeFigures(ns)}
    </button>
  );
}

/** The samples of the selected one's series, on the side where it was selected. */
export function SampleList(): ReactNode {
  const side = useSelect((state) => state.selectedOn);
  const run = useSelect((state) => state.sides[state.selectedOn].shown);
  const selection = useSelect((state) => state.selection);
  const labels = useSelect((state) => state.entry.labels);
  const { store } = usePage();
  const chosen = selection === undefined ? undefined : selectedSample(store.getState(), side);
  if (run === undefined || chosen === undefined) return undefined;
  const all = longestSamples(run.trace, chosen.series);
  return (
    <div className="wake-list" data-testid="sample-list" data-count={all.length}>
      <header className="panel-head">
        <h3>
          <SideBadge side={side} /> {counted(all.length, "sample")} of{" "}
          {seriesWords(labels, chosen.series)}, longest first
        </h3>
        <TableFiles name={`samples-${side}`} table={() => tableOf(all)} testId="sample-list" />
      </header>
      <ol>
        {all.slice(0, SHOWN_MAX).map((sample) => (
          <li key={`${sample.task} ${sample.nth}`}>
            <button
              type="button"
              className="wake-item"
              aria-current={sample.task === chosen.task && sample.nth === chosen.nth}
              data-testid={`sample-item-${sample.task}.s${sample.nth}`}
              data-ns={sample.ns}
              onClick={() => lookAtSample(store, side, sample)}
            >
              <span>
                {sample.task} <span className="muted">#{sample.nth}</span>
              </span>
              <span className="muted">from {formatNs(sample.fromNs, 4)}</span>
              <span className="number">{threeFigures(sample.ns)}</span>
            </button>
          </li>
        ))}
      </ol>
    </div>
  );
}

function tableOf(samples: readonly SampleRecord[]): Table {
  return {
    columns: ["series", "task", "nth", "cpu", "from_ns", "length_ns"],
    rows: samples.map(({ series, task, nth, cpu, fromNs, ns }) => [
      series,
      task,
      nth,
      cpu,
      fromNs,
      ns,
    ]),
  };
}
