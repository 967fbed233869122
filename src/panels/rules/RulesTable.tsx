// Every mark, state and cause with the kernel's function behind it, in the kernel of a side.

import { Fragment, useState, type ReactNode } from "react";
import { causeWords } from "../../charts/cause-rect.tsx";
import { CAUSES, CPU_STATES } from "../../engine/gen/catalogue.ts";
import {
  cite,
  ruleOfCause,
  ruleOfState,
  rulesOfKind,
  WRITE_RULES,
  type Kernel,
  type Rule,
} from "../../model/rules/rules.ts";
import { MARKS } from "../../timeline/marks/registry.ts";
import type { Table } from "../../lib/csv.ts";
import { SideBadge } from "../widgets/SideBadge.tsx";
import { TableFiles } from "../numbers/TableFiles.tsx";
import { RuleEntry, useKernel } from "./RuleLink.tsx";

interface Row {
  readonly name: string;
  readonly rules: readonly Rule[];
}

function rowOf(name: string, rules: readonly (Rule | undefined)[]): Row {
  const seen = new Map(
    rules.flatMap((rule) => (rule === undefined ? [] : [[rule.says, rule] as const])),
  );
  return { name, rules: [...seen.values()] };
}

/** In three parts; what a mark's rows say is found by their kinds. */
const PARTS: readonly (readonly [string, readonly Row[]])[] = [
  [
    "mark",
    MARKS.map(({ plural, kinds }) =>
      rowOf(plural, kinds.length === 0 ? WRITE_RULES : kinds.flatMap(rulesOfKind)),
    ),
  ],
  ["state of a CPU", CPU_STATES.map(({ name }, state) => rowOf(name, [ruleOfState(state)]))],
  ["cause of latency", CAUSES.map((_, cause) => rowOf(causeWords(cause), [ruleOfCause(cause)]))],
];

export default function RulesTable(): ReactNode {
  const [open, setOpen] = useState(false);
  const kernel = useKernel("a");
  if (kernel === undefined) return undefined;
  return (
    <details
      className="panel"
      data-testid="rules-table"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        <h2>The kernel’s functions</h2>
        <span className="muted">
          behind every mark, state and cause, in the kernel of <SideBadge side="a" />.
        </span>
      </summary>
      {open && <TableOf kernel={kernel} />}
      {open && (
        <TableFiles
          name="kernel-functions-a"
          table={() => rulesTable(kernel)}
          testId="rules-table"
        />
      )}
    </details>
  );
}

/** A row for each rule; of a rule that no source states there is the sentence alone. */
export function rulesTable(kernel: Kernel): Table {
  const rows = PARTS.flatMap(([part, named]) =>
    named.flatMap(({ name, rules }) => rules.map((rule) => ({ part, name, rule }))),
  );
  return {
    columns: ["part", "name", "what", "function", "file", "version", "url"],
    rows: rows.map(({ part, name, rule }) => {
      const cited = cite(rule, kernel);
      return [part, name, rule.says, cited?.name, cited?.file, cited?.version, cited?.url];
    }),
  };
}

function TableOf({ kernel }: { readonly kernel: Kernel }): ReactNode {
  return (
    <table className="costs-table rules-table">
      {PARTS.map(([heading, rows]) => (
        <Fragment key={heading}>
          <thead>
            <tr>
              <th scope="col">{heading}</th>
              <th scope="col">what the kernel does, and where</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, rules }) => (
              <tr key={name} data-testid="rules-row" data-name={name}>
                <th scope="row">{name}</th>
                <td>
                  <ul className="rules">
                    {rules.map((rule) => (
                      <li key={rule.says}>
                        <RuleEntry rule={rule} kernel={kernel} />
                      </li>
                    ))}
                  </ul>
                </td>
              </tr>
            ))}
          </tbody>
        </Fragment>
      ))}
    </table>
  );
}
