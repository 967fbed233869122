// cpu.stat, cpu.stat.local and cpu.pressure of a group at the end of the run, both sides beside each
// other, each line of throttling and waiting with what it says.

import { Fragment, type ReactNode } from "react";
import type { RunReport } from "../../engine/gen/types.ts";
import { SIDES, type PerSide, type Side } from "../../scenario/sides.ts";
import { useSelect } from "../page/page.ts";
import { SideBadge } from "../widgets/SideBadge.tsx";
import Terms from "../glossary/Terms.tsx";
import { TableFiles } from "../numbers/TableFiles.tsx";
import { fileName } from "../numbers/tables.ts";
import {
  filesTable,
  groupFiles,
  meaningOf,
  NO_AVERAGE,
  THROTTLED_WAITS,
  type FileLine,
} from "./group-files.ts";

/** Whether the run ended before the first averaging period of cpu.pressure: 2 s and a tick. */
function endsBeforeAverages(report: RunReport | undefined): boolean {
  const hz = Number(report?.config["kernel.hz"]);
  return report !== undefined && report.simulated_ns < 2e9 + 1e9 / hz;
}

interface GroupFilesProps {
  readonly path: string;
  /** cgroup v1 counts in ns, v2 in us. */
  readonly version: 1 | 2;
}

export function GroupFiles({ path, version }: GroupFilesProps): ReactNode {
  const sides = useSelect((state) => state.sides);
  const groups = SIDES.map((side) => sides[side].shown?.report?.metrics.groups?.[path]);
  const [a = [], b = []] = groups.map((group) =>
    group === undefined ? [] : groupFiles(group, version),
  );
  const lines = a.length === 0 ? b : a;
  if (lines.length === 0) return undefined;
  const isShort = SIDES.some((side) => endsBeforeAverages(sides[side].shown?.report));
  return (
    <div className="group-files">
      <table aria-label={`cpu.stat and cpu.pressure of ${path}`} data-testid={`files-${path}`}>
        <thead>
          <tr>
            <th scope="col">at the end of the run</th>
            {SIDES.map((side) => (
              <th key={side} scope="col" className="number">
                <SideBadge side={side} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map((line, at) => (
            <Fragment key={`${line.file} ${line.name}`}>
              {line.file !== lines[at - 1]?.file && <FileName line={line} />}
              <Line path={path} line={line} both={{ a: a[at], b: b[at] }} />
            </Fragment>
          ))}
        </tbody>
      </table>
      <TableFiles
        name={`cpu-stat-${fileName(path)}`}
        table={() => filesTable(a, b)}
        testId={`files-${path}`}
      />
      <p className="muted quota-words">
        <Terms text={THROTTLED_WAITS} />
      </p>
      {isShort && <p className="muted quota-words">{NO_AVERAGE}</p>}
    </div>
  );
}

function FileName({ line }: { readonly line: FileLine }): ReactNode {
  return (
    <tr className="group-file">
      <th scope="rowgroup" colSpan={3}>
        <code>{line.file}</code>
      </th>
    </tr>
  );
}

interface LineProps {
  readonly path: string;
  readonly line: FileLine;
  readonly both: PerSide<FileLine | undefined>;
}

function Line({ path, line, both }: LineProps): ReactNode {
  const meaning = meaningOf(line);
  return (
    <>
      <tr className="group-line">
        <th scope="row">
          <code>{line.name}</code>
        </th>
        {SIDES.map((side) => (
          <Value key={side} path={path} side={side} line={both[side]} name={idOf(line)} />
        ))}
      </tr>
      {meaning !== undefined && (
        <tr>
          <td className="muted" colSpan={3}>
            <Terms text={meaning} />
            {SIDES.map((side) => (
              <Printed key={side} path={path} side={side} line={both[side]} />
            ))}
          </td>
        </tr>
      )}
    </>
  );
}

interface PrintedProps {
  readonly path: string;
  readonly side: Side;
  readonly line: FileLine | undefined;
}

function Printed({ path, side, line }: PrintedProps): ReactNode {
  if (line?.printed === undefined) return undefined;
  return (
    <span className="printed-line" data-testid={`printed-${path}-${line.name}-${side}`}>
      <SideBadge side={side} /> {line.printed}
    </span>
  );
}

/** `throttled_usec` is a line of two files. */
function idOf({ file, name }: FileLine): string {
  return file === "cpu.stat.local" ? `local-${name}` : name;
}

interface ValueProps {
  readonly path: string;
  readonly side: Side;
  readonly line: FileLine | undefined;
  readonly name: string;
}

function Value({ path, side, line, name }: ValueProps): ReactNode {
  return (
    <td className="number" data-testid={`file-${path}-${name}-${side}`} data-value={line?.value}>
      {line?.text ?? "–"}
    </td>
  );
}
