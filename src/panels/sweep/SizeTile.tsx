// One size of the machine: a bar and a figure for A and B, and how they compare.

import type { ReactNode } from "react";
import type { MetricWords } from "../../state/figures/headline.ts";
import {
  figureOfSize,
  sizeFigure,
  sizeRatio,
  whyNone,
  type SizeRun,
} from "../../state/sweep/sizes.ts";
import { SIDES } from "../../scenario/sides.ts";
import { counted } from "../../lib/count.ts";
import { SideBadge } from "../widgets/SideBadge.tsx";
import { barHeight } from "./size-bars.ts";

/** Units of the picture's own. */
const PICTURE = { width: 120, height: 120, bar: 36 };

interface SizeTileProps {
  readonly cpus: number;
  readonly run: SizeRun | undefined;
  readonly words: MetricWords;
  readonly greatest: number;
  /** What the mark says; "" on other tiles. */
  readonly mark: string;
  /** Where the slider is. */
  readonly current: boolean;
  /** The size that A has. */
  readonly now: boolean;
  readonly onOpen: () => void;
}

export function SizeTile(props: SizeTileProps): ReactNode {
  const { cpus, run, words, mark, current, now, onOpen } = props;
  const why = run && whyNone(run);
  return (
    <li data-cpus={cpus}>
      <button
        type="button"
        className="size-tile"
        disabled={why !== undefined}
        data-state={run === undefined ? "waiting" : why === undefined ? "done" : "none"}
        data-marked={mark !== ""}
        data-current={current}
        data-testid={`size-${cpus}`}
        onClick={onOpen}
      >
        <strong className="size-name">
          {counted(cpus, "CPU")}
          {now && <span className="muted"> now</span>}
        </strong>
        <span className="size-tag">{mark}</span>
        {why === undefined ? (
          <>
            <Bars {...props} />
            {SIDES.map((side) => (
              <span
                key={side}
                className="size-figure"
                data-testid={`size-${cpus}-${side}`}
                data-value={figureOfSize(run, side, words)}
              >
                <SideBadge side={side} />{" "}
                {run === undefined ? "…" : sizeFigure(figureOfSize(run, side, words), words)}
              </span>
            ))}
            <span className="size-ratio">{run === undefined ? "" : sizeRatio(run, words)}</span>
          </>
        ) : (
          <span className="size-why">Not possible: {why}</span>
        )}
      </button>
    </li>
  );
}

function Bars({ run, words, greatest }: SizeTileProps): ReactNode {
  const { width, height, bar } = PICTURE;
  return (
    <svg className="size-bars" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <line x1="0" y1={height - 0.5} x2={width} y2={height - 0.5} className="size-base" />
      {SIDES.map((side, index) => {
        const tall = barHeight(figureOfSize(run, side, words), greatest, height - 4);
        return (
          <rect
            key={side}
            className={`size-bar-${side}`}
            x={(width / 2 - bar) / 2 + (index * width) / 2}
            y={height - tall}
            width={bar}
            height={tall}
          />
        );
      })}
    </svg>
  );
}
