// One wake-up's latency laid out in time: each stretch with its cause, end to end from the due time, ending in 100.00 %.

import { useId, type ReactNode } from "react";
import { CAUSES } from "../engine/gen/catalogue.ts";
import { formatNs, instantFormat, microSigns } from "../lib/format.ts";
import { basisPointsText, WHOLE } from "../lib/percent.ts";
import type { WakeRecord, WakeSegment } from "../model/types.ts";
import { CauseRect, causeWords, TextureDefs } from "./causes.tsx";
import { RowName, rowPress } from "./RowName.tsx";

interface WaterfallProps {
  readonly wake: WakeRecord;
  readonly testId: string;
  /** What else is to be said of a stretch, in a few words. */
  readonly remark?: (segment: WakeSegment) => ReactNode;
  /** The way to the kernel's function behind a stretch. */
  readonly rule?: (segment: WakeSegment) => ReactNode;
  /** The viewer pressed a stretch's row, to see it on the timeline. */
  readonly onChoose: (segment: WakeSegment) => void;
}

export function Waterfall({ wake, testId, remark, rule, onChoose }: WaterfallProps): ReactNode {
  const shares = wake.segments.reduce((sum, segment) => sum + segment.basisPoints, 0);
  const sum = wake.segments.reduce((ns, segment) => ns + segment.ns, 0);
  return (
    <table className="waterfall" data-testid={testId}>
      <thead>
        <tr>
          <th scope="col">cause</th>
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
        {wake.segments.map((segment, index) => (
          <Row
            key={index}
            wake={wake}
            segment={segment}
            index={index}
            testId={testId}
            remarked={remark?.(segment)}
            rule={rule?.(segment)}
            onChoose={onChoose}
          />
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row" colSpan={2}>
            latency
          </th>
          <td className="number" data-testid={`${testId}-sum`} data-ns={sum}>
            {exact(wake)(sum)}
          </td>
          <td className="number" data-testid={`${testId}-total`} data-basis-points={shares}>
            {wake.latencyNs === 0 ? "–" : `${basisPointsText(shares)} %`}
          </td>
        </tr>
      </tfoot>
    </table>
  );
}

function Row({
  wake,
  segment,
  index,
  testId,
  remarked,
  rule,
  onChoose,
}: Omit<WaterfallProps, "remark" | "rule"> & {
  readonly rule: ReactNode;
  readonly segment: WakeSegment;
  readonly index: number;
  readonly remarked: ReactNode;
}): ReactNode {
  const words = CAUSES[segment.cause];
  return (
    <tr
      data-testid={`${testId}-row-${index}`}
      data-ns={segment.ns}
      onClick={rowPress(() => onChoose(segment))}
      title={microSigns(words?.doc ?? "")}
    >
      <th scope="row">
        <RowName>{causeWords(segment.cause)}</RowName>
        {remarked !== undefined && (
          <span className="cause-rtla" data-testid={`${testId}-row-${index}-remark`}>
            {remarked}
          </span>
        )}
        <span className="cause-rtla">{words === undefined || words.rtla === "" ? "no rtla line" : `rtla: ${words.rtla}`}</span>
        {rule !== undefined && <span className="cause-rtla">{rule}</span>}
      </th>
      <td className="waterfall-when">
        {segment.summed === true ? <span className="muted">in all, off and on</span> : <When wake={wake} segment={segment} />}
      </td>
      <td className="number">{exact(wake)(segment.ns)}</td>
      <td className="number">{basisPointsText(segment.basisPoints)} %</td>
    </tr>
  );
}

/** All in the unit of the whole, with all their nanoseconds: the figures are exact, and must add up by eye. */
function exact(wake: WakeRecord): (ns: number) => string {
  return instantFormat(wake.latencyNs, 1);
}

/** Where in the latency the stretch lies. */
function When({ wake, segment }: { readonly wake: WakeRecord; readonly segment: WakeSegment }): ReactNode {
  const defs = useId();
  const whole = Math.max(1, wake.latencyNs);
  const x = ((segment.fromNs - wake.dueNs) / whole) * 100;
  const width = Math.max(0.8, (segment.ns / whole) * 100);
  return (
    <svg
      className="when"
      viewBox="0 0 100 12"
      preserveAspectRatio="none"
      role="img"
      aria-label={`from ${formatNs(segment.fromNs - wake.dueNs)} after it was due`}
    >
      <TextureDefs id={defs} />
      <line className="when-line" x1="0" x2="100" y1="11.5" y2="11.5" />
      <CauseRect defs={defs} cause={segment.cause} x={Math.min(x, 99.2)} y={1} width={width} height={9} />
    </svg>
  );
}

/** The same in the style of `rtla timerlat -a`, for mails and tickets. */
export function rtlaText(wake: WakeRecord): string {
  const line = (name: string, ns: number, share: string): string =>
    `${name.padEnd(42)}${(ns / 1_000).toFixed(3).padStart(14)} us (${share.padStart(6)} %)`;
  const rows = wake.segments.map((segment) => {
    const words = CAUSES[segment.cause];
    const rtla = words?.rtla ?? "";
    const own = words?.name ?? "unknown";
    return line(rtla === "" ? own : `${rtla} [${own}]`, segment.ns, basisPointsText(segment.basisPoints));
  });
  const head = `## CPU ${wake.cpu}, ${wake.task} wake-up ${wake.nth}, due at ${(wake.dueNs / 1_000).toFixed(3)} us`;
  const rule = "-".repeat(70);
  return [head, ...rows, rule, line("Thread latency", wake.latencyNs, wake.latencyNs === 0 ? "0.00" : basisPointsText(WHOLE)), ""].join(
    "\n",
  );
}
