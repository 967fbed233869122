// One metric over the values of a swept knob: a line per variant through the medians, the range
// of nine in ten seeds as a band behind it. Numbers lie on a number line, by their size where they span more
// than a factor of 20 or double; words are at equal distances. So do the figures, where they span
// more than a factor of 50 or the viewer wants it.

import { scaleLinear, scaleLog, scalePoint } from "d3-scale";
import { useState, type ReactNode } from "react";
import { useWidth } from "./use-width.ts";

export interface SweepMark {
  /** Index of the value. */
  readonly value: number;
  /** Least and greatest but for a twentieth of the seeds at either end. */
  readonly low: number;
  readonly median: number;
  readonly high: number;
  readonly runs: number;
  /** What is said of seeds without a figure. */
  readonly lacking: string;
}

export interface SweepLine {
  readonly name: string;
  readonly marks: readonly SweepMark[];
}

interface SweepChartProps {
  readonly title: string;
  /** The values in words, in the plan's order. */
  readonly values: readonly string[];
  /** Their places on a number line; undefined if they are words. */
  readonly places: readonly number[] | undefined;
  readonly lines: readonly SweepLine[];
  readonly figure: (value: number) => string;
  readonly scale: number;
  readonly testId: string;
  readonly onOpen: (line: number, value: number) => void;
}

const HEIGHT = 190;
const MARGIN = { left: 64, right: 16, top: 10, bottom: 26 };
/** Above this ratio of the ends a number line goes by size. */
const WIDE = 20;

/** Above this ratio of the widest gap to the narrowest, too: values that double. */
const GAPS = 4;

/** Above this ratio of the greatest figure to the least the figures go by size. */
const TALL = 50;
/** Lines across the chart. */
const TICKS = 4;

type X = (value: number) => number;

interface Y {
  readonly at: (figure: number) => number;
  readonly ticks: readonly number[];
}

/** The axis of the figures, by size or straight from 0. */
function axisOf(marks: readonly SweepMark[], bySize: boolean): Y {
  const ends = [HEIGHT - MARGIN.bottom, MARGIN.top];
  const top = Math.max(1, ...marks.map((mark) => mark.high));
  if (!bySize) {
    const at = scaleLinear([0, top], ends).nice(TICKS);
    return { at, ticks: at.ticks(TICKS) };
  }
  const at = scaleLog([leastOf(marks), top], ends).nice();
  const tens = at
    .ticks()
    .filter((tick) => Number.isInteger(Math.round(Math.log10(tick) * 1e9) / 1e9));
  const step = Math.ceil(tens.length / (TICKS + 2));
  return { at, ticks: tens.filter((_tick, index) => index % step === 0) };
}

function leastOf(marks: readonly SweepMark[]): number {
  return Math.min(...marks.map((mark) => mark.low));
}

function gapsGrow(places: readonly number[]): boolean {
  const sorted = [...places].sort((one, other) => one - other);
  const gaps = sorted.slice(1).map((place, index) => place - (sorted[index] ?? place));
  return gaps.length > 1 && Math.max(...gaps) >= GAPS * Math.min(...gaps);
}

export function SweepChart(props: SweepChartProps): ReactNode {
  const { title, lines, scale, testId } = props;
  const [ref, pixels] = useWidth<HTMLDivElement>();
  const width = pixels / scale;
  const x = placesOn(props, width);
  const marks = lines.flatMap((line) => line.marks);
  const [wanted, setWanted] = useState<boolean>();
  const least = leastOf(marks);
  const bySize =
    least > 0 && (wanted ?? Math.max(...marks.map((mark) => mark.high)) > TALL * least);
  const y = axisOf(marks, bySize);
  return (
    <figure className="sweep-chart" data-testid={testId} data-axis={bySize ? "log" : "linear"}>
      <figcaption>
        {title}
        {least > 0 && marks.length > 0 && (
          <label className="sweep-tick">
            <input
              type="checkbox"
              checked={bySize}
              data-testid={`${testId}-log`}
              onChange={() => setWanted(!bySize)}
            />
            log axis
          </label>
        )}
      </figcaption>
      <div ref={ref} className="chart">
        {width > MARGIN.left + MARGIN.right && (
          <svg
            width={pixels}
            height={HEIGHT * scale}
            viewBox={`0 0 ${width} ${HEIGHT}`}
            role="group"
            aria-label={title}
          >
            <Axes {...props} x={x} y={y} width={width} />
            {lines.map((line, index) => (
              <Line key={line.name} {...props} line={line} index={index} x={x} y={y.at} />
            ))}
          </svg>
        )}
      </div>
    </figure>
  );
}

interface AxesProps extends Pick<SweepChartProps, "values" | "figure"> {
  readonly x: X;
  readonly y: Y;
  readonly width: number;
}

function Axes({ values, figure, x, y, width }: AxesProps): ReactNode {
  return (
    <g className="axis" aria-hidden="true">
      {y.ticks.map((tick) => (
        <g key={tick}>
          <line
            className="grid"
            x1={MARGIN.left}
            x2={width - MARGIN.right}
            y1={y.at(tick)}
            y2={y.at(tick)}
          />
          <text x={MARGIN.left - 6} y={y.at(tick)} dy="0.32em" textAnchor="end">
            {figure(tick)}
          </text>
        </g>
      ))}
      <line
        className="axis-line"
        x1={MARGIN.left}
        x2={width - MARGIN.right}
        y1={HEIGHT - MARGIN.bottom}
        y2={HEIGHT - MARGIN.bottom}
      />
      {labelled(values, x, width).map((index) => (
        <text key={index} x={x(index)} y={HEIGHT - MARGIN.bottom + 15} textAnchor="middle">
          {values[index]}
        </text>
      ))}
    </g>
  );
}

function placesOn({ values, places }: SweepChartProps, width: number): X {
  const ends: [number, number] = [MARGIN.left + 14, width - MARGIN.right - 14];
  if (places === undefined || values.length < 2) {
    const points = scalePoint(
      values.map((_value, index) => index),
      ends,
    ).padding(values.length < 2 ? 0.5 : 0);
    return (index) => points(index) ?? MARGIN.left;
  }
  const [least, most] = [Math.min(...places), Math.max(...places)];
  const line =
    least > 0 && (most / least > WIDE || gapsGrow(places))
      ? scaleLog([least, most], ends)
      : scaleLinear([least, most], ends);
  return (index) => line(places[index] ?? least);
}

/** The labels that have room, the first and the last among them. */
function labelled(values: readonly string[], x: X, width: number): readonly number[] {
  const chosen: number[] = [];
  const half = (index: number): number => ((values[index] ?? "").length * 6.4) / 2 + 5;
  const order = [values.length - 1, ...values.keys()];
  for (const index of order) {
    const free = chosen.every((other) => Math.abs(x(other) - x(index)) > half(other) + half(index));
    if (index >= 0 && free && x(index) + half(index) < width + 10) chosen.push(index);
  }
  return chosen;
}

interface LineProps extends SweepChartProps {
  readonly line: SweepLine;
  readonly index: number;
  readonly x: X;
  readonly y: (value: number) => number;
}

function Line({ line, index, x, y, figure, values, testId, onOpen }: LineProps): ReactNode {
  const sorted = [...line.marks].sort((one, other) => x(one.value) - x(other.value));
  const path = (pick: (mark: SweepMark) => number): string =>
    sorted.map((mark) => `${x(mark.value)} ${y(pick(mark))}`).join(" L");
  const back = [...sorted].reverse().map((mark) => `${x(mark.value)} ${y(mark.low)}`);
  return (
    <g className={`sweep-line sweep-line-${index % 6}`}>
      {sorted.length > 1 && (
        <path className="sweep-band" d={`M${path((mark) => mark.high)} L${back.join(" L")} Z`} />
      )}
      {sorted.length > 1 && <path className="sweep-median" d={`M${path((mark) => mark.median)}`} />}
      {sorted.map((mark) => {
        const seeds = mark.runs === 1 ? "1 seed" : `${mark.runs} seeds`;
        const lacking = mark.lacking === "" ? "" : `; ${mark.lacking}`;
        const words = `${line.name}, ${values[mark.value] ?? ""}: ${figure(mark.median)} (${figure(mark.low)} to ${figure(mark.high)}, ${seeds}${lacking}). Opens the run in the middle.`;
        return (
          <g
            key={mark.value}
            className="sweep-mark"
            role="button"
            tabIndex={0}
            aria-label={words}
            data-testid={`${testId}-${index}-${mark.value}`}
            data-median={mark.median}
            onClick={() => onOpen(index, mark.value)}
            onKeyDown={(event) => {
              if (event.key === "Enter" || event.key === " ") onOpen(index, mark.value);
            }}
          >
            <title>{words}</title>
            <line x1={x(mark.value)} x2={x(mark.value)} y1={y(mark.low)} y2={y(mark.high)} />
            <circle className="hit" cx={x(mark.value)} cy={y(mark.median)} r={12} />
            <circle cx={x(mark.value)} cy={y(mark.median)} r={4} />
          </g>
        );
      })}
    </g>
  );
}
