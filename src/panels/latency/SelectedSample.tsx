// Where the time of the selected sample went, on both sides: what its task did from its beginning
// to its end, line by line, adding up to it.

import { useMemo, type ReactNode } from "react";
import { SpentTable } from "../../charts/SpentTable.tsx";
import { plainText } from "../../engine/plain.ts";
import { formatNs, threeFigures } from "../../lib/format.ts";
import type { SampleRecord } from "../../model/index.ts";
import { spentIn, spentSums } from "../../model/tasks/spent.ts";
import { selectedSample } from "../../state/select/selection.ts";
import { otherSide, SIDES, type Side } from "../../scenario/sides.ts";
import type { Run } from "../../state/shape/run.ts";
import { SideBadge } from "../widgets/SideBadge.tsx";
import { useDispatch, usePage, useSelect } from "../page/page.ts";
import { TableFiles } from "../numbers/TableFiles.tsx";
import { spentTable } from "../numbers/tables.ts";
import { SampleList } from "./SampleList.tsx";

export function SelectedSample(): ReactNode {
  return (
    <>
      <div className="waterfalls">
        {SIDES.map((side) => (
          <SideSample key={side} side={side} />
        ))}
      </div>
      <SampleList />
    </>
  );
}

function SideSample({ side }: { readonly side: Side }): ReactNode {
  const selection = useSelect((state) => state.selection);
  const run = useSelect((state) => state.sides[side].shown);
  // The other side's growth can bring the sample that this one's is the partner of.
  useSelect((state) => state.sides[otherSide(side)].shown);
  const selectedOn = useSelect((state) => state.selectedOn);
  const { store } = usePage();
  if (selection?.kind !== "sample" || run === undefined) return undefined;
  const sample = selectedSample(store.getState(), side);
  if (sample === undefined) {
    return (
      <p className="empty" data-testid={`sample-${side}-missing`}>
        <SideBadge side={side} />{" "}
        {side === selectedOn
          ? `${selection.task} has no finished sample number ${selection.nth} in this run.`
          : "No partner: no sample of the same began at that instant, and the task has none of that number."}
      </p>
    );
  }
  return <Answer side={side} run={run} sample={sample} />;
}

interface AnswerProps {
  readonly side: Side;
  readonly run: Run;
  readonly sample: SampleRecord;
}

function Answer({ side, run: { trace, version }, sample }: AnswerProps): ReactNode {
  const dispatch = useDispatch();
  const { task, taskId, nth, series, label, fromNs, ns, cpu } = sample;
  // The store is the same object from chunk to chunk; the version says that it has grown.
  const sums = useMemo(
    () => spentSums(spentIn(trace, taskId, fromNs, fromNs + ns)),
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the trace grows in place
    [trace, version, taskId, fromNs, ns],
  );
  return (
    <div className="side-waterfall">
      <header className="waterfall-head">
        <SideBadge side={side} />
        <strong data-testid={`sample-${side}-name`} data-series={series}>
          {task} {plainText(label)} {nth}
        </strong>
        <strong
          className="number"
          data-testid={`sample-${side}-length`}
          data-ns={ns}
          data-from-ns={fromNs}
        >
          {threeFigures(ns)}
        </strong>
        <span className="muted waterfall-place">
          from {formatNs(fromNs, 5)} to {formatNs(fromNs + ns, 5)}, ended on CPU {cpu}
        </span>
      </header>
      <SpentTable
        fromNs={fromNs}
        ns={ns}
        sums={sums}
        testId={`sample-${side}`}
        onChoose={(part) => dispatch({ type: "playhead_set", ns: part.fromNs })}
      />
      <TableFiles
        name={`sample-${side}`}
        table={() => spentTable(sums)}
        testId={`sample-${side}`}
      />
    </div>
  );
}
