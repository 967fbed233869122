// What the numbers rest on: every cost with how it is known, what the thread reports, what a run remarks about itself.

import type { ReactNode } from "react";
import type { CostInfo, Finding } from "../engine/gen/types.ts";
import { formatCount, formatNs } from "../lib/format.ts";
import { metricWords } from "../state/figures/headline.ts";
import { SIDES, type Side } from "../state/sides.ts";
import { Chip, SideBadge } from "./bits.tsx";
import { rangeText } from "./figure.ts";
import { useSelect } from "./page.ts";

export function Provenance(): ReactNode {
  return (
    <section className="provenance" aria-label="Where the numbers come from" data-testid="provenance">
      <Whose />
      <Remarks />
    </section>
  );
}

function Whose(): ReactNode {
  const references = useSelect((state) => state.entry.references);
  return (
    <div className="panel">
      <h2>Whose number is it?</h2>
      <p>
        <Chip whose="model">the model’s</Chip> is computed in this page, from the scenario, the seed and the costs listed below. Shapes,
        ratios and causes are its claim; its microseconds are those of a machine nobody measured.
      </p>
      {references.length > 0 && (
        <p>
          <Chip whose="thread">the thread’s</Chip> is what its author reports of a machine of their own. It is drawn as a mark and never
          mixed with ours:
        </p>
      )}
      <ul className="references">
        {references.map((reference) => {
          const { unit, label } = metricWords(reference.metric);
          return (
            <li key={`${reference.metric} ${reference.label}`}>
              <strong>{rangeText(reference, unit)}</strong> {reference.label}{" "}
              <span className="muted">
                ({label}; {reference.source})
              </span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function Remarks(): ReactNode {
  return (
    <div className="panel">
      <h2>What the runs remark</h2>
      {SIDES.map((side) => (
        <SideRemarks key={side} side={side} />
      ))}
    </div>
  );
}

function SideRemarks({ side }: { readonly side: Side }): ReactNode {
  const run = useSelect((state) => state.sides[side].shown);
  if (run === undefined) return undefined;
  const { report, meta } = run;
  return (
    <div className="side-remarks" data-testid={`remarks-${side}`}>
      <p>
        <SideBadge side={side} /> {formatNs(run.simulatedNs, 3)} of machine time, {formatCount(report?.records ?? run.trace.rows)} records
        {report !== undefined && (
          <>
            , engine {report.engine}, digest{" "}
            <code data-testid={`digest-${side}`} data-digest={report.digest} title={report.digest}>
              {report.digest.slice(0, 16)}
            </code>
          </>
        )}
      </p>
      <ul>
        {meta.notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
        {groupFindings(report?.findings ?? []).map(({ finding, count }) => (
          <li key={finding.kind}>
            <code>{finding.kind}</code> {finding.what}{" "}
            <span className="muted">
              first at {formatNs(finding.time_ns, 3)}
              {count > 1 ? `, ${formatCount(count)} times` : ""}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function groupFindings(findings: readonly Finding[]): readonly { readonly finding: Finding; readonly count: number }[] {
  const kinds = [...new Set(findings.map((finding) => finding.kind))];
  return kinds.flatMap((kind) => {
    const all = findings.filter((finding) => finding.kind === kind);
    return all[0] === undefined ? [] : [{ finding: all[0], count: all.length }];
  });
}

export function Costs(): ReactNode {
  const costs = useSelect((state) => state.sides.a.shown?.meta.costs);
  if (costs === undefined) return undefined;
  const [assumed, stated] = (["assumed", "stated"] as const).map((whose) => costs.filter((cost) => cost.provenance === whose).length);
  return (
    <details className="panel costs" data-testid="costs">
      <summary>
        <h2>What everything costs</h2>
        <span className="muted">
          {costs.length} costs, {assumed} of them <Chip whose="assumed" />
          {stated !== 0 && (
            <>
              {" "}
              and {stated} <Chip whose="stated" />
            </>
          )}
          . What was fitted to a figure of its machine is called <Chip whose="calibrated" />.
        </span>
      </summary>
      <table className="costs-table">
        <thead>
          <tr>
            <th scope="col">cost</th>
            <th scope="col" className="number">
              value
            </th>
            <th scope="col">known how</th>
            <th scope="col">what it is</th>
          </tr>
        </thead>
        <tbody>
          {costs.map((cost) => (
            <CostRow key={cost.name} cost={cost} />
          ))}
        </tbody>
      </table>
    </details>
  );
}

/** The ranges in a cost's description are in the cost's own unit: it is written behind them. */
function rangesWithUnit({ name, doc }: CostInfo): string {
  const unit = name.endsWith("_ns") ? " ns" : name.endsWith("_percent") ? " %" : "";
  return doc.replaceAll(/(\d)\.\.(\d+)(?!\d| ?(?:ns|us|%))/g, `$1–$2${unit}`);
}

function CostRow({ cost }: { readonly cost: CostInfo }): ReactNode {
  const value = cost.name.endsWith("_ns")
    ? formatNs(cost.value)
    : cost.name.endsWith("_percent")
      ? `${cost.value} %`
      : formatCount(cost.value);
  return (
    <tr>
      <th scope="row">
        <code>{cost.name}</code>
      </th>
      <td className="number">{value}</td>
      <td>
        <Chip whose={cost.provenance} />
      </td>
      <td className="muted">{rangesWithUnit(cost)}</td>
    </tr>
  );
}
