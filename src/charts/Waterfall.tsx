// One wake-up's latency by cause: each with where its stretches lie from the due time on, adding up
// to 100.00 %.

import { useId, useState, type ReactNode } from "react";
import { CAUSES } from "../engine/gen/catalogue.ts";
import { counted } from "../lib/count.ts";
import { formatNs, instantFormat, threeFigures, timeSigns } from "../lib/format.ts";
import { basisPointsText, WHOLE } from "../lib/percent.ts";
import { SLACK } from "../model/causes/slack.ts";
import type { WakeRecord, WakeSegment } from "../model/trace/run-types.ts";
import { wakeRows, type WakeRow } from "../model/causes/wake-rows.ts";
import { causeName, CauseRect, causeWords, TextureDefs } from "./cause-rect.tsx";
import { RowName, rowPress } from "./RowName.tsx";

interface WaterfallProps {
  readonly wake: WakeRecord;
  readonly testId: string;
  /** A remark on the stretches of a line, in a few words. */
  readonly remark?: (parts: readonly WakeSegment[]) => ReactNode;
  /** The way to the kernel's function behind a stretch. */
  readonly rule?: (segment: WakeSegment) => ReactNode;
  /** The viewer pressed a row, to see its first stretch on the timeline. */
  readonly onChoose: (segment: WakeSegment) => void;
}

export function Waterfall({ wake, testId, remark, rule, onChoose }: WaterfallProps): ReactNode {
  const { rows, short } = wakeRows(wake);
  const [open, setOpen] = useState(false);
  const line = (row: WakeRow, index: number): ReactNode => {
    const [first] = row.parts;
    return (
      first !== undefined && (
        <Row
          key={`${first.fromNs} ${row.cause} ${index}`}
          wake={wake}
          row={row}
          index={index}
          testId={testId}
          remarked={remark?.(row.parts)}
          rule={rule?.(first)}
          onChoose={() => onChoose(first)}
        />
      )
    );
  };
  return (
    <table className="waterfall" data-testid={testId}>
      <Columns />
      <tbody>
        {rows.map(line)}
        {short.length > 0 && (
          <Short
            wake={wake}
            short={short}
            testId={testId}
            open={open}
            onToggle={() => setOpen(!open)}
          />
        )}
      </tbody>
      {open && (
        <tbody data-testid={`${testId}-short-rows`}>
          {short.map((row, index) => line(row, rows.length + index))}
        </tbody>
      )}
      <Sum wake={wake} testId={testId} />
    </table>
  );
}

function Columns(): ReactNode {
  return (
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
  );
}

/** The segments' sums: the whole latency, and 100 %. */
function Sum({ wake, testId }: Pick<WaterfallProps, "wake" | "testId">): ReactNode {
  const shares = wake.segments.reduce((sum, segment) => sum + segment.basisPoints, 0);
  const sum = wake.segments.reduce((ns, segment) => ns + segment.ns, 0);
  return (
    <tfoot>
      <tr>
        <th scope="row" colSpan={2}>
          latency
        </th>
        <td className="number" title={exact(wake)(sum)} data-testid={`${testId}-sum`} data-ns={sum}>
          {threeFigures(sum)}
        </td>
        <td className="number" data-testid={`${testId}-total`} data-basis-points={shares}>
          {wake.latencyNs === 0 ? "–" : `${basisPointsText(shares)} %`}
        </td>
      </tr>
    </tfoot>
  );
}

interface RowProps {
  readonly wake: WakeRecord;
  readonly row: WakeRow;
  readonly index: number;
  readonly testId: string;
  readonly remarked: ReactNode;
  readonly rule: ReactNode;
  readonly onChoose: () => void;
}

function Row({ wake, row, index, testId, remarked, rule, onChoose }: RowProps): ReactNode {
  const words = CAUSES[row.cause];
  const times = row.parts.length;
  const rtla = words?.rtla ?? "";
  return (
    <tr
      data-testid={`${testId}-row-${index}`}
      data-ns={row.ns}
      data-from-ns={row.parts[0]?.fromNs}
      onClick={rowPress(onChoose)}
      title={timeSigns(words?.doc ?? "")}
    >
      <th scope="row">
        <RowName>{causeWords(row.cause)}</RowName>
      </th>
      <td className="waterfall-when">
        {row.parts.some(({ summed }) => summed === true) ? (
          <span className="muted">in all, off and on</span>
        ) : (
          <When wake={wake} parts={row.parts} />
        )}
      </td>
      <td className="number" title={exact(wake)(row.ns)}>
        {threeFigures(row.ns)}
      </td>
      <td className="number">{basisPointsText(row.basisPoints)} %</td>
      <td className="waterfall-more">
        {times > 1 && <span>in {counted(times, "stretch", "stretches")} </span>}
        {remarked !== undefined && (
          <span data-testid={`${testId}-row-${index}-remark`}>{remarked} </span>
        )}
        {rtla !== "" && <span>rtla: {rtla} </span>}
        {rule !== undefined && <span>{rule}</span>}
      </td>
    </tr>
  );
}

interface ShortProps {
  readonly wake: WakeRecord;
  readonly short: readonly WakeRow[];
  readonly testId: string;
  readonly open: boolean;
  readonly onToggle: () => void;
}

/** What is too short for a line of its own, in one that opens. */
function Short({ wake, short, testId, open, onToggle }: ShortProps): ReactNode {
  const parts = short.flatMap((row) => row.parts);
  const ns = parts.reduce((sum, part) => sum + part.ns, 0);
  return (
    <tr data-testid={`${testId}-short`} data-ns={ns} onClick={rowPress(onToggle)}>
      <th scope="row">
        <button type="button" className="cause-name" aria-expanded={open}>
          {counted(parts.length, "shorter stretch", "shorter stretches")}
        </button>
      </th>
      <td className="waterfall-when">
        {parts.some(({ summed }) => summed === true) ? undefined : (
          <When wake={wake} parts={parts} />
        )}
      </td>
      <td className="number" title={exact(wake)(ns)}>
        {threeFigures(ns)}
      </td>
      <td className="number">
        {basisPointsText(short.reduce((sum, row) => sum + row.basisPoints, 0))} %
      </td>
      <td className="waterfall-more">{short.map((row) => causeWords(row.cause)).join(", ")}</td>
    </tr>
  );
}

/**
 * All nanoseconds, in the unit of the whole: what three figures leave out; the shares add up by
 * eye.
 */
function exact(wake: WakeRecord): (ns: number) => string {
  return instantFormat(wake.latencyNs, 1);
}

/** Where in the latency the stretches lie. */
function When({
  wake,
  parts,
}: {
  readonly wake: WakeRecord;
  readonly parts: readonly WakeSegment[];
}): ReactNode {
  const defs = useId();
  const whole = Math.max(1, wake.latencyNs);
  const from = (parts[0]?.fromNs ?? wake.dueNs) - wake.dueNs;
  return (
    <svg
      className="when"
      viewBox="0 0 100 12"
      preserveAspectRatio="none"
      role="img"
      aria-label={`from ${formatNs(from)} after it was due`}
    >
      <TextureDefs id={defs} />
      <line className="when-line" x1="0" x2="100" y1="11.5" y2="11.5" />
      {parts.map(({ cause, fromNs, ns }) => {
        const x = ((fromNs - wake.dueNs) / whole) * 100;
        const width = Math.max(0.8, (ns / whole) * 100);
        return (
          <CauseRect
            key={fromNs}
            defs={defs}
            cause={cause}
            x={Math.min(x, 99.2)}
            y={1}
            width={width}
            height={9}
          />
        );
      })}
    </svg>
  );
}

/**
 * The wake-up in the style of `rtla timerlat -a`, for mails and tickets. `slack`: how much of the
 * first stretch is timer slack, ns.
 */
export function rtlaText(wake: WakeRecord, slack: number): string {
  const line = (name: string, ns: number, share: string): string =>
    `${name.padEnd(42)}${(ns / 1_000).toFixed(3).padStart(14)} us (${share.padStart(6)} %)`;
  const rows = slackApart(wake, slack).map((segment) => {
    const rtla = CAUSES[segment.cause]?.rtla ?? "";
    const own = causeName(segment.cause);
    return line(
      rtla === "" ? own : `${rtla} [${own}]`,
      segment.ns,
      basisPointsText(segment.basisPoints),
    );
  });
  const head = `## CPU ${wake.cpu}, ${wake.task} wake-up ${wake.nth}, due at ${(wake.dueNs / 1_000).toFixed(3)} us`;
  const rule = "-".repeat(70);
  return [
    head,
    ...rows,
    rule,
    line("Thread latency", wake.latencyNs, wake.latencyNs === 0 ? "0.00" : basisPointsText(WHOLE)),
    "",
  ].join("\n");
}

/**
 * Timer slack is no interrupt's delay: a line of its own, before the rest of the stretch it begins.
 */
function slackApart(
  { segments, latencyNs }: WakeRecord,
  slack: number,
): readonly Pick<WakeSegment, "cause" | "ns" | "basisPoints">[] {
  const [first, ...others] = segments;
  if (first === undefined || slack === 0) return segments;
  const basisPoints =
    slack === first.ns ? first.basisPoints : Math.round((slack / latencyNs) * WHOLE);
  const rest = {
    cause: first.cause,
    ns: first.ns - slack,
    basisPoints: first.basisPoints - basisPoints,
  };
  return [{ cause: SLACK, ns: slack, basisPoints }, ...(rest.ns > 0 ? [rest] : []), ...others];
}
