// What the numbers rest on: every cost with how it is known, what its sources report, what a run
// says about itself.

import type { ReactNode } from "react";
import type { CostInfo, Finding } from "../../engine/gen/types.ts";
import { plainText } from "../../engine/plain.ts";
import { counted } from "../../lib/count.ts";
import { formatCount, formatNs } from "../../lib/format.ts";
import { slugOf } from "../../lib/slug.ts";
import { FINDING_RULES } from "../../model/rules/rules.ts";
import { metricWords } from "../../state/figures/headline.ts";
import { OWN_SLUG } from "../../scenario/viewer-scenario.ts";
import { SIDES, type Side } from "../../scenario/sides.ts";
import { Chip } from "../widgets/Chip.tsx";
import { SideBadge } from "../widgets/SideBadge.tsx";
import { rangeText } from "../../state/figures/figure.ts";
import Terms from "../glossary/Terms.tsx";
import { usePage, useSelect } from "../page/page.ts";
import { Breakable } from "../widgets/Breakable.tsx";
import { TableFiles } from "../numbers/TableFiles.tsx";
import { costsTable } from "../numbers/tables.ts";
import { ModelLink } from "../rules/RuleLink.tsx";
import RulesTable from "../rules/RulesTable.tsx";

export default function Provenance(): ReactNode {
  return (
    <section
      className="provenance"
      aria-label="Where the numbers come from"
      data-testid="provenance"
    >
      <ScenarioSources />
      <Whose />
      <Remarks />
      <Costs />
      <RulesTable />
    </section>
  );
}

/** Where the scenario comes from, each to be opened. */
function ScenarioSources(): ReactNode {
  const { source, slug } = useSelect((state) => state.entry);
  if (source.length === 0) return undefined;
  return (
    <ul
      className="references"
      aria-label="Where the scenario comes from"
      data-testid="scenario-sources"
    >
      {source.map(({ id, title, url }) => (
        <li key={`${id ?? ""} ${title}`}>
          {url === undefined ? (
            title
          ) : (
            <a href={url} target="_blank" rel="noreferrer">
              {title}
            </a>
          )}{" "}
          {id !== undefined && (
            <span className="muted">
              (<SourceName id={id} known={slug !== OWN_SLUG} />)
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The short name, as a link to its row on the page of sources; `known` if it has one. */
function SourceName({ id, known }: { readonly id: string; readonly known: boolean }): ReactNode {
  const { root } = usePage();
  if (!known || id.startsWith("commit ")) return id;
  return (
    <a
      href={`${root}sources/#${slugOf(id)}`}
      target="_blank"
      rel="noreferrer"
      data-testid="source-name"
    >
      {id}
    </a>
  );
}

function Whose(): ReactNode {
  const { references, source, slug, labels } = useSelect((state) => state.entry);
  const known = (name: string): boolean =>
    slug !== OWN_SLUG && source.some(({ id }) => id === name);
  return (
    <div className="panel">
      <h2>Where do the numbers come from?</h2>
      <p>
        <Chip whose="model">simulated</Chip>: the number is computed in this page, from the
        scenario, the seed and the costs listed below. The model claims shapes, ratios and causes.
        Its microseconds are those of a machine that nobody measured.
      </p>
      {references.length > 0 && (
        <p>
          <Chip whose="thread">reported</Chip> is what its author reports of a machine of their own.
          It is drawn as a mark and never mixed with ours:
        </p>
      )}
      <ul className="references">
        {references.map((reference) => {
          const { unit, label } = metricWords(reference.metric, labels);
          return (
            <li key={`${reference.metric} ${reference.label}`}>
              <strong>{rangeText(reference, unit)}</strong> {reference.label}{" "}
              <span className="muted">
                ({label}; <SourceName id={reference.source} known={known(reference.source)} />)
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
      <h2>Findings and notes of the runs</h2>
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
        <SideBadge side={side} /> {formatNs(run.simulatedNs, 3)} of machine time,{" "}
        {counted(report?.records ?? run.trace.rows, "record")}
        {report !== undefined && (
          <>
            , engine {report.engine}-{report.engine_behaviour}, digest{" "}
            <code data-testid={`digest-${side}`} data-digest={report.digest} title={report.digest}>
              {report.digest.slice(0, 16)}
            </code>
          </>
        )}
      </p>
      <ul>
        {meta.notes.map((note) => (
          <li key={note}>
            <Terms text={plainText(note)} />
          </li>
        ))}
        {groupFindings(report?.findings ?? []).map(({ finding, count }) => (
          <li key={finding.kind}>
            <code>{finding.kind}</code> <Terms text={plainText(finding.what)} />{" "}
            <FindingRule kind={finding.kind} />{" "}
            <span className="muted">
              ({count > 1 ? `${counted(count, "time")}, first` : "once,"} at{" "}
              {formatNs(finding.time_ns, 3)})
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function FindingRule({ kind }: { readonly kind: string }): ReactNode {
  const rule = FINDING_RULES[kind];
  return rule === undefined ? undefined : <ModelLink rule={rule} />;
}

function groupFindings(
  findings: readonly Finding[],
): readonly { readonly finding: Finding; readonly count: number }[] {
  const kinds = [...new Set(findings.map((finding) => finding.kind))];
  return kinds.flatMap((kind) => {
    const all = findings.filter((finding) => finding.kind === kind);
    return all[0] === undefined ? [] : [{ finding: all[0], count: all.length }];
  });
}

/** One cost on the sides that are shown, A first. */
type OnSides = readonly CostInfo[];

function Costs(): ReactNode {
  const a = useSelect((state) => state.sides.a.shown?.meta.costs);
  const b = useSelect((state) => state.sides.b.shown?.meta.costs);
  if (a === undefined) return undefined;
  const rows = costRows(a, b);
  const apart = rows.some((row) => row.length > 1);
  return (
    <details className="panel costs" data-testid="costs">
      <summary>
        <h2>What each operation costs</h2>
        <span className="muted">
          {apart && b !== undefined ? (
            <>
              <SideBadge side="a" /> <HowKnown costs={a} />; <SideBadge side="b" />{" "}
              <HowKnown costs={b} />
            </>
          ) : (
            <HowKnown costs={a} />
          )}
          . What was fitted to a figure of its machine is called <Chip whose="calibrated" />.
        </span>
      </summary>
      <table className="costs-table">
        <thead>
          <tr>
            <th scope="col">cost, with what it is below</th>
            {(apart ? SIDES : [undefined]).map((side) => (
              <CostHead key={side ?? "both"} side={side} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <CostRow key={row[0]?.name} row={row} columns={apart ? 2 : 1} />
          ))}
        </tbody>
      </table>
      <TableFiles name="costs" table={() => costsTable(a, b)} testId="costs" />
    </details>
  );
}

/** Every cost of A, with B's beside it where that is another or known otherwise. */
function costRows(a: readonly CostInfo[], b: readonly CostInfo[] | undefined): readonly OnSides[] {
  const ofB = new Map(b?.map((cost) => [cost.name, cost]));
  return a.map((cost) => {
    const other = ofB.get(cost.name);
    return other === undefined ||
      (other.value === cost.value && other.provenance === cost.provenance)
      ? [cost]
      : [cost, other];
  });
}

function HowKnown({ costs }: { readonly costs: readonly CostInfo[] }): ReactNode {
  const [assumed, stated] = (["assumed", "stated"] as const).map(
    (whose) => costs.filter((cost) => cost.provenance === whose).length,
  );
  return (
    <>
      {costs.length} costs, {assumed} of them <Chip whose="assumed" />
      {stated !== 0 && (
        <>
          {" "}
          and {stated} <Chip whose="stated" />
        </>
      )}
    </>
  );
}

function CostHead({ side }: { readonly side: Side | undefined }): ReactNode {
  return (
    <>
      <th scope="col" className="number">
        {side !== undefined && <SideBadge side={side} />} value
      </th>
      <th scope="col">known how</th>
    </>
  );
}

/** The ranges in a cost's description are in the cost's own unit: it is written behind them. */
function rangesWithUnit({ name, doc }: CostInfo): string {
  const unit = name.endsWith("_ns") ? " ns" : name.endsWith("_percent") ? " %" : "";
  return doc.replaceAll(/(\d)\.\.(\d+)(?!\d| ?(?:ns|us|%))/g, `$1–$2${unit}`);
}

function valueOf({ name, value }: CostInfo): string {
  // To the nanosecond: a cost that was set for one side may differ by no more.
  if (name.endsWith("_ns")) return `${formatCount(value)} ns`;
  return name.endsWith("_percent") ? `${value} %` : formatCount(value);
}

/**
 * Two rows: the words of a cost have no room beside its value. `columns`: 2 where the two sides
 * have a column each, also where their values are equal.
 */
function CostRow({ row, columns }: { readonly row: OnSides; readonly columns: 1 | 2 }): ReactNode {
  const [first, last] = [row[0], row.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  return (
    <>
      <tr data-differs={row.length > 1} data-testid={`cost-${first.name}`}>
        <th scope="row">
          <code>
            <Breakable text={first.name} />
          </code>
        </th>
        {(columns === 1 ? [first] : [first, last]).map((cost, side) => (
          <CostCells key={side} cost={cost} />
        ))}
      </tr>
      <tr className="cost-words">
        <td className="muted" colSpan={1 + 2 * columns}>
          {rangesWithUnit(first)}
        </td>
      </tr>
    </>
  );
}

function CostCells({ cost }: { readonly cost: CostInfo }): ReactNode {
  return (
    <>
      <td className="number">{valueOf(cost)}</td>
      <td>
        <Chip whose={cost.provenance} />
      </td>
    </>
  );
}
