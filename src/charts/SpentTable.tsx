// What became of a task's time in a stretch: a line for each kind, most first, with where its parts
// lie; together they are the stretch.

import { useId, type ReactNode } from "react";
import { CAUSES } from "../engine/gen/catalogue.ts";
import { counted } from "../lib/count.ts";
import { formatNs, instantFormat, threeFigures } from "../lib/format.ts";
import { basisPointsText, largestRemainder } from "../lib/percent.ts";
import type { Spent, SpentPart, SpentSum } from "../model/tasks/spent.ts";
import { CauseRect, TextureDefs } from "./cause-rect.tsx";
import { RowName, rowPress } from "./RowName.tsx";
import { SPENT_WORDS } from "./spent-words.ts";

/** What each kind means, and the cause of latency that it looks like. */
const KINDS: {
  readonly [what in Spent]: readonly [doc: string, like: (typeof CAUSES)[number]["name"]];
} = {
  running: ["The task's own code ran.", "return_to_user"],
  kernel: ["The kernel worked for the task: system calls, schedule(), switches.", "switch"],
  userSpin: [
    "The task's own code spun for a lock of user space that another task held.",
    "rq_lock_spin",
  ],
  spinning: ["The task's CPU was spinning for a run-queue lock.", "rq_lock_spin"],
  interrupted: [
    "The task had the CPU, but an interrupt or softirq handler ran there, or hardware noise stopped it.",
    "irq",
  ],
  waking: ["From the start of a wake-up until the task was on a run queue.", "ipi"],
  ready: ["The task was runnable, but another task ran.", "same_class"],
  throttled: ["The task was runnable, but its group was throttled on that CPU.", "throttled"],
  lock: ["The task slept until a mutex was released.", "nonpreemptible"],
  blocked: ["The task slept until another task let it go on.", "lazy_wait"],
  parked: ["The task slept until another task resumed it.", "lazy_wait"],
  asleep: ["The task slept until a timer.", "idle_exit"],
};

/** Names of objects waited at that are written out; more are counted. */
const NAMED = 2;
/** Parts drawn in a line: closer together than these, they are one. */
const CELLS = 200;

interface SpentTableProps {
  readonly fromNs: number;
  readonly ns: number;
  readonly sums: readonly SpentSum[];
  readonly testId: string;
  /** The viewer pressed a line: its longest part, to be shown on the timeline. */
  readonly onChoose: (part: SpentPart) => void;
}

export function SpentTable({ fromNs, ns, sums, testId, onChoose }: SpentTableProps): ReactNode {
  const shares = largestRemainder(sums.map((sum) => sum.ns));
  const exact = instantFormat(ns, 1);
  const total = sums.reduce((sum, each) => sum + each.ns, 0);
  return (
    <table className="waterfall" data-testid={testId}>
      <thead>
        <tr>
          <th scope="col">the task</th>
          <th scope="col" className="waterfall-when">
            when
          </th>
          <th scope="col" className="number">
            time
          </th>
          <th scope="col" className="number">
            share
          </th>
        </tr>
      </thead>
      <tbody>
        {sums.map((sum, index) => (
          <tr
            key={sum.what}
            title={KINDS[sum.what][0]}
            data-testid={`${testId}-row-${index}`}
            data-what={sum.what}
            data-ns={sum.ns}
            onClick={rowPress(() => onChoose(longestOf(sum)))}
          >
            <th scope="row">
              <RowName>{SPENT_WORDS[sum.what]}</RowName>
              <span className="cause-rtla">{detail(sum)}</span>
            </th>
            <td className="waterfall-when">
              <Where sum={sum} fromNs={fromNs} ns={ns} />
            </td>
            <td className="number" title={exact(sum.ns)}>
              {threeFigures(sum.ns)}
            </td>
            <td className="number">{basisPointsText(shares[index] ?? 0)} %</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row" colSpan={2}>
            all of it
          </th>
          <td className="number" title={exact(total)} data-testid={`${testId}-sum`} data-ns={total}>
            {threeFigures(total)}
          </td>
          <td className="number">
            {basisPointsText(shares.reduce((sum, share) => sum + share, 0))} %
          </td>
        </tr>
      </tfoot>
    </table>
  );
}

function longestOf({ parts }: SpentSum): SpentPart {
  return parts.reduce((longest, part) => (part.ns > longest.ns ? part : longest));
}

/** "semaphore done 0; 16 times". */
function detail({ at, parts }: SpentSum): string {
  const more = at.length - NAMED;
  const names =
    at.length === 0
      ? []
      : [[...at.slice(0, NAMED), ...(more > 0 ? [`${String(more)} more`] : [])].join(", ")];
  const times = parts.length === 1 ? [] : [counted(parts.length, "time")];
  return [...names, ...times].join("; ");
}

interface WhereProps {
  readonly sum: SpentSum;
  readonly fromNs: number;
  readonly ns: number;
}

/** Where in the stretch the parts lie. */
function Where({ sum, fromNs, ns }: WhereProps): ReactNode {
  const defs = useId();
  const like = CAUSES.findIndex(({ name }) => name === KINDS[sum.what][1]);
  const whole = Math.max(1, ns);
  const first = sum.parts[0];
  return (
    <svg
      className="when"
      viewBox="0 0 100 12"
      preserveAspectRatio="none"
      role="img"
      aria-label={
        first === undefined ? "" : `first ${formatNs(first.fromNs - fromNs)} after the beginning`
      }
    >
      <TextureDefs id={defs} />
      <line className="when-line" x1="0" x2="100" y1="11.5" y2="11.5" />
      {cellsOf(sum.parts, fromNs, whole).map(([x, width]) => (
        <CauseRect
          key={x}
          defs={defs}
          cause={like}
          x={Math.min(x, 99.2)}
          y={1}
          width={width}
          height={9}
        />
      ))}
    </svg>
  );
}

/** The parts in percent of the stretch, those too close to be seen apart as one. */
function cellsOf(
  parts: readonly SpentPart[],
  fromNs: number,
  whole: number,
): readonly (readonly [x: number, width: number])[] {
  const cells: [number, number][] = [];
  const least = 100 / CELLS;
  for (const part of parts) {
    const x = ((part.fromNs - fromNs) / whole) * 100;
    const end = x + Math.max(0.8, (part.ns / whole) * 100);
    const last = cells.at(-1);
    if (last !== undefined && x <= last[0] + last[1] + least)
      last[1] = Math.max(last[1], end - last[0]);
    else cells.push([x, end - x]);
  }
  return cells;
}
