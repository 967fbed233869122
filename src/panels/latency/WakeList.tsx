// The wake-ups behind one bar of a histogram, worst first.

import type { ReactNode } from "react";
import type { Table } from "../../lib/csv.ts";
import { formatNs, threeFigures } from "../../lib/format.ts";
import { latencyEdgeNs } from "../../model/index.ts";
import type { Side } from "../../scenario/sides.ts";
import type { Run } from "../../state/shape/run.ts";
import { SideBadge } from "../widgets/SideBadge.tsx";
import { Icon } from "../widgets/Icon.tsx";
import { usePage, useSelect } from "../page/page.ts";
import { TableFiles } from "../numbers/TableFiles.tsx";
import { lookAt } from "../moments/wake-selection.ts";

const SHOWN_MAX = 50;

/** Every wake-up of the bar, also those that the list leaves out. */
function tableOf({ trace }: Run, bin: number, kind: string | undefined): Table {
  const rows = trace.latency.rowsInBin(bin, Infinity, kind).map((row) => trace.wakes.record(row));
  return {
    columns: ["task", "nth", "cpu", "due_ns", "latency_ns"],
    rows: rows.map(({ task, nth, cpu, dueNs, latencyNs }) => [task, nth, cpu, dueNs, latencyNs]),
  };
}

export function WakeList({
  side,
  bin,
  kind,
  onClose,
}: {
  readonly side: Side;
  readonly bin: number;
  readonly kind: string | undefined;
  readonly onClose: () => void;
}): ReactNode {
  const run = useSelect((state) => state.sides[side].shown);
  const { store } = usePage();
  if (run === undefined) return undefined;
  const rows = run.trace.latency.rowsInBin(bin, SHOWN_MAX, kind);
  return (
    <div className="wake-list" data-testid="wake-list">
      <header className="panel-head">
        <h3>
          <SideBadge side={side} /> {formatNs(latencyEdgeNs(bin))} to{" "}
          {formatNs(latencyEdgeNs(bin + 1))}, worst first
        </h3>
        <TableFiles
          name={`wake-ups-${side}`}
          table={() => tableOf(run, bin, kind)}
          testId="wake-list"
        />
        <button type="button" className="button tiny" onClick={onClose} aria-label="Close the list">
          <Icon name="close" />
        </button>
      </header>
      <ol>
        {rows.map((row) => {
          const wake = run.trace.wakes.record(row);
          return (
            <li key={row}>
              <button
                type="button"
                className="wake-item"
                data-testid={`wake-item-${wake.task}.w${wake.nth}`}
                onClick={() => lookAt(store, side, wake)}
              >
                <span>
                  {wake.task} <span className="muted">#{wake.nth}</span>
                </span>
                <span className="muted">at {formatNs(wake.dueNs, 3)}</span>
                <span className="number">{threeFigures(wake.latencyNs)}</span>
              </button>
            </li>
          );
        })}
      </ol>
    </div>
  );
}
