// Latencies of one side on a log axis. A bar's height is its number of wake-ups, on a log scale,
// because the tail is the point; its colours are the shares of the time those wake-ups lost to each
// cause.

import { scaleLog } from "d3-scale";
import { useId, type ReactNode } from "react";
import { counted } from "../lib/count.ts";
import { formatNs } from "../lib/format.ts";
import type { LatencyBin } from "../model/trace/run-types.ts";
import { CauseRect, TextureDefs } from "./cause-rect.tsx";
import { useWidth } from "./use-width.ts";

export interface HistogramRange {
  readonly fromNs: number;
  readonly toNs: number;
  /** Wake-ups in the fullest bar of either side: both have one scale. */
  readonly most: number;
}

/** A stretch the source reports, drawn as a labelled mark. */
export interface RangeMark {
  /** A few words, drawn over the mark. */
  readonly label: string;
  readonly title: string;
  readonly fromNs: number;
  readonly toNs: number;
}

interface HistogramProps {
  readonly label: string;
  readonly testId: string;
  readonly bins: readonly LatencyBin[];
  /** Another run's, drawn as an outline. */
  readonly before?: readonly LatencyBin[] | undefined;
  readonly range: HistogramRange;
  readonly chosen: number | undefined;
  readonly marks: readonly RangeMark[];
  /** Size of the text: 1.6 in the projector theme. */
  readonly scale: number;
  readonly onChoose: (bin: number) => void;
}

/**
 * The plot and the room around it, in units of text size 1: the whole drawing grows with the text.
 */
const HEIGHT = 128;
const MARGIN = { left: 34, right: 8, top: 26, bottom: 20 };
/** Labels of neighbouring marks are on two lines in turn. */
const MARK_LINE = 11;

export function Histogram({
  label,
  testId,
  bins,
  before,
  range,
  chosen,
  marks,
  scale,
  onChoose,
}: HistogramProps): ReactNode {
  const [ref, pixels] = useWidth<HTMLDivElement>();
  const width = pixels / scale;
  const defs = useId();
  const right = Math.max(MARGIN.left + 40, width - MARGIN.right);
  const x = scaleLog([range.fromNs, range.toNs], [MARGIN.left, right]);
  const y = scaleLog([0.7, Math.max(10, range.most)], [HEIGHT - MARGIN.bottom, MARGIN.top]);
  return (
    <div ref={ref} className="chart" data-testid={testId}>
      {width > 0 && (
        <svg
          width={pixels}
          height={HEIGHT * scale}
          viewBox={`0 0 ${width} ${HEIGHT}`}
          role="group"
          aria-label={label}
        >
          <TextureDefs id={defs} />
          <CountAxis y={y} left={MARGIN.left} right={right} most={range.most} />
          {marks.map((mark, index) => (
            <Mark
              key={mark.label}
              mark={mark}
              line={index % 2}
              left={x(clampTo(mark.fromNs, range))}
              right={x(clampTo(mark.toNs, range))}
              bottom={HEIGHT - MARGIN.bottom}
            />
          ))}
          <Bars {...{ bins, range, chosen, testId, defs, x, y, onChoose }} />
          {before !== undefined && (
            <path
              className="hist-before"
              d={outline(before, range, x, y, HEIGHT - MARGIN.bottom)}
              data-testid={`${testId}-before`}
            />
          )}
          <TimeAxis
            ticks={labelled(range, x)}
            x={x}
            y={HEIGHT - MARGIN.bottom}
            left={MARGIN.left}
            right={right}
          />
        </svg>
      )}
    </div>
  );
}

type Scale = (value: number) => number;

interface BarsProps extends Pick<
  HistogramProps,
  "bins" | "range" | "chosen" | "testId" | "onChoose"
> {
  readonly defs: string;
  readonly x: Scale;
  readonly y: Scale;
}

function Bars({ bins, range, chosen, testId, defs, x, y, onChoose }: BarsProps): ReactNode {
  return bins.map((bin, index) =>
    bin.count === 0 || bin.toNs <= range.fromNs || bin.fromNs >= range.toNs ? undefined : (
      <Bar
        key={bin.fromNs}
        bin={bin}
        index={index}
        defs={defs}
        testId={`${testId}-bin-${index}`}
        left={x(bin.fromNs)}
        right={x(bin.toNs)}
        top={y(bin.count)}
        bottom={HEIGHT - MARGIN.bottom}
        chosen={chosen === index}
        onChoose={() => onChoose(index)}
      />
    ),
  );
}

/** Steps over the bars, down to the axis where a bar is empty. */
function outline(
  bins: readonly LatencyBin[],
  range: HistogramRange,
  x: Scale,
  y: Scale,
  bottom: number,
): string {
  let path = "";
  let height = bottom;
  for (const bin of bins) {
    if (bin.toNs <= range.fromNs || bin.fromNs >= range.toNs) continue;
    const top = bin.count === 0 ? bottom : y(bin.count);
    const from = x(clampTo(bin.fromNs, range));
    path += path === "" ? `M${from} ${bottom}V${top}` : height === top ? "" : `H${from}V${top}`;
    path += `H${x(clampTo(bin.toNs, range))}`;
    height = top;
  }
  return path === "" ? "" : `${path}V${bottom}`;
}

function clampTo(ns: number, { fromNs, toNs }: HistogramRange): number {
  return Math.min(toNs, Math.max(fromNs, ns));
}

/**
 * Which steps of a decade, and of how many decades one, have a label: the first that leaves every
 * label its room.
 */
const LABELLED: readonly (readonly [steps: readonly number[], every: number])[] = [
  [[1, 2, 5], 1],
  [[1, 3], 1],
  [[1], 1],
  [[1], 2],
  [[1], 3],
];
/** Room of a label such as "500 µs". */
const LABEL_WIDTH = 46;

function labelled({ fromNs, toNs }: HistogramRange, x: Scale): readonly number[] {
  const sets = LABELLED.map(([steps, every]) => {
    const decades = Array.from({ length: 20 }, (_, power) => power).filter(
      (power) => power % every === 0,
    );
    return decades
      .flatMap((power) => steps.map((step) => step * 10 ** power))
      .filter((ns) => ns >= fromNs && ns <= toNs);
  });
  const roomy = sets.find((ticks) =>
    ticks.every((tick, index) => index === 0 || x(tick) - x(ticks[index - 1] ?? 0) >= LABEL_WIDTH),
  );
  return roomy ?? [];
}

interface BarProps {
  readonly bin: LatencyBin;
  /** The first bar also holds everything shorter. */
  readonly index: number;
  readonly defs: string;
  readonly testId: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly chosen: boolean;
  readonly onChoose: () => void;
}

function Bar({
  bin,
  index,
  defs,
  testId,
  left,
  right,
  top,
  bottom,
  chosen,
  onChoose,
}: BarProps): ReactNode {
  const total = bin.causeNs.reduce((sum, ns) => sum + ns, 0);
  const width = Math.max(2, right - left - 1);
  const upTo = formatNs(bin.toNs);
  const name = `${counted(bin.count, "wake-up")} of ${index === 0 ? `less than ${upTo}` : `${formatNs(bin.fromNs)} to ${upTo}`}`;
  return (
    <g
      className={chosen ? "hist-bar chosen" : "hist-bar"}
      role="button"
      tabIndex={0}
      aria-label={name}
      aria-pressed={chosen}
      data-testid={testId}
      data-count={bin.count}
      onClick={onChoose}
      onKeyDown={(event) => {
        if (event.key === "Enter") onChoose();
      }}
    >
      <title>{name}</title>
      <rect className="hit" x={left} y={MARGIN.top} width={width} height={bottom - MARGIN.top} />
      {stack(bin.causeNs, total, top, bottom).map(({ cause, y, height }) => (
        <CauseRect
          key={cause}
          defs={defs}
          cause={cause}
          x={left}
          y={y}
          width={width}
          height={height}
        />
      ))}
      {total === 0 && (
        <rect className="hist-free" x={left} y={top} width={width} height={bottom - top} />
      )}
      <rect className="hist-outline" x={left} y={top} width={width} height={bottom - top} />
    </g>
  );
}

interface Layer {
  readonly cause: number;
  readonly y: number;
  readonly height: number;
}

/** A bar cut into its causes' shares, the first cause at the bottom. */
function stack(
  causeNs: readonly number[],
  total: number,
  top: number,
  bottom: number,
): readonly Layer[] {
  const layers: Layer[] = [];
  let y = bottom;
  causeNs.forEach((ns, cause) => {
    const height = total > 0 ? ((bottom - top) * ns) / total : 0;
    y -= height;
    if (height > 0) layers.push({ cause, y, height });
  });
  return layers;
}

function CountAxis({
  y,
  left,
  right,
  most,
}: {
  readonly y: (count: number) => number;
  readonly left: number;
  readonly right: number;
  readonly most: number;
}): ReactNode {
  const ticks = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000].filter(
    (tick) => tick <= Math.max(10, most),
  );
  return (
    <g className="axis" aria-hidden="true">
      {ticks.map((tick) => (
        <g key={tick}>
          <line className="grid" x1={left} x2={right} y1={y(tick)} y2={y(tick)} />
          <text x={left - 4} y={y(tick)} dy="0.32em" textAnchor="end">
            {shortCount(tick)}
          </text>
        </g>
      ))}
    </g>
  );
}

function shortCount(count: number): string {
  if (count >= 1_000_000) return `${count / 1_000_000}M`;
  return count >= 1_000 ? `${count / 1_000}k` : `${count}`;
}

function TimeAxis({
  ticks,
  x,
  y,
  left,
  right,
}: {
  readonly ticks: readonly number[];
  readonly x: (ns: number) => number;
  readonly y: number;
  readonly left: number;
  readonly right: number;
}): ReactNode {
  return (
    <g className="axis" aria-hidden="true">
      <line className="axis-line" x1={left} x2={right} y1={y} y2={y} />
      {ticks.map((tick) => (
        <g key={tick}>
          <line className="axis-line" x1={x(tick)} x2={x(tick)} y1={y} y2={y + 4} />
          <text x={x(tick)} y={y + 15} textAnchor="middle">
            {formatNs(tick)}
          </text>
        </g>
      ))}
    </g>
  );
}

interface MarkProps {
  readonly mark: RangeMark;
  readonly line: number;
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
}

function Mark({ mark, line, left, right, bottom }: MarkProps): ReactNode {
  const near = Math.max(left, MARGIN.left);
  return (
    <g className="thread-mark">
      <title>{mark.title}</title>
      <rect
        x={near}
        y={MARGIN.top}
        width={Math.max(2, right - near)}
        height={bottom - MARGIN.top}
      />
      <text x={right} y={MARGIN.top - 4 - line * MARK_LINE} textAnchor="end">
        {mark.label}
      </text>
    </g>
  );
}
