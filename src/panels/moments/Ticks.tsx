// A row of ticks for moments of the runs: each kind has its shape; a press goes to the moment, a
// further one to the next that shares the tick. To screen readers ticks say nothing: by keys one
// gets to the same moments by L, the arrows of the story and the jumps.

import { useState, type ReactNode } from "react";
import type { MomentKind } from "../../state/play/run-moments.ts";
import type { TimelineTheme } from "../../timeline/plot/timeline-theme.ts";
import { usePage } from "../page/page.ts";
import { goToRunMoment } from "./to-moment.ts";
import type { Tick } from "./run-ticks.ts";

/** The height of a row of ticks, CSS px. */
export const ROW_PX = 10;
/** The distance from a tick's middle to the count of the moments that share it. */
const COUNT_PX = 6;
/** The most moments of one tick that are listed. */
const TOLD_MAX = 4;

interface TicksProps {
  readonly ticks: readonly Tick[];
  readonly theme: TimelineTheme;
  /** What a tick answers to around its middle, CSS px. */
  readonly reach: number;
  readonly testId: string;
  /** How high that is, from the row's lower edge up, CSS px. */
  readonly tall?: number;
  /** The upper edge of a tick's row, CSS px. */
  readonly topOf: (tick: Tick) => number;
  readonly onPointed: (tick: Tick | undefined) => void;
}

export function Ticks({
  ticks,
  theme,
  reach,
  tall = ROW_PX,
  testId,
  topOf,
  onPointed,
}: TicksProps): ReactNode {
  const { store } = usePage();
  /** The tick gone to last, and to which of its moments. */
  const [gone, setGone] = useState<{ readonly key: string; readonly at: number }>();
  const go = (tick: Tick): void => {
    const at = gone?.key === keyOf(tick) ? (gone.at + 1) % tick.moments.length : 0;
    setGone({ key: keyOf(tick), at });
    goToRunMoment(store, tick.moments[at] ?? tick.moments[0]);
  };
  return (
    <svg className="tl-ticks" aria-hidden="true">
      {ticks.map((tick) => {
        const [{ kind, ns }] = tick.moments;
        return (
          <g
            key={keyOf(tick)}
            className="tl-tick"
            transform={`translate(${tick.x.toFixed(1)} ${String(topOf(tick))})`}
            data-testid={testId}
            data-kind={kind}
            data-side={tick.side}
            data-ns={ns}
            onPointerDown={(event) => event.stopPropagation()}
            onPointerEnter={() => onPointed(tick)}
            onPointerLeave={() => onPointed(undefined)}
            onClick={() => go(tick)}
          >
            <title />
            <rect x={-reach / 2} y={ROW_PX - tall} width={reach} height={tall} fill="transparent" />
            <path d={SHAPES[kind]} {...inkOf(kind, theme)} strokeWidth={1} />
            {tick.moments.length > 1 && tall > ROW_PX ? (
              <text x={COUNT_PX} y={ROW_PX - 1} fontSize={11} fill={theme.text}>
                {tick.moments.length}
              </text>
            ) : null}
          </g>
        );
      })}
    </svg>
  );
}

function keyOf({ side, moments: [{ kind, ns }] }: Tick): string {
  return `${side} ${kind} ${String(ns)}`;
}

export function wordsOf({ moments }: Tick): readonly string[] {
  const told = moments.slice(0, TOLD_MAX).map(({ words }) => words);
  const more = moments.length - told.length;
  const hint =
    moments.length > 1 ? "A click leads to the first, again to the next." : "A click leads there.";
  return [...told, ...(more > 0 ? [`and ${String(more)} more`] : []), hint];
}

/**
 * Around the middle of a row's upper edge: each kind has a shape of its own, so that colour is not
 * needed.
 */
const SHAPES: Readonly<Record<MomentKind, string>> = {
  herd: "M-5 9.5L0 0.5L5 9.5Z",
  wake: "M0 0.5L4.5 5L0 9.5L-4.5 5Z",
  throttle: "M-4.5 2.5H4.5V7.5H-4.5Z",
  refill: "M-3.5 2H3.5L0 8.5Z",
  step: "M-3 5A3 3 0 1 1 3 5A3 3 0 1 1 -3 5Z",
};

function inkOf(
  kind: MomentKind,
  theme: TimelineTheme,
): { readonly fill: string; readonly stroke: string } {
  const ground = theme.background;
  switch (kind) {
    case "herd":
      return { fill: theme.spin, stroke: ground };
    case "wake":
      return { fill: theme.selection, stroke: ground };
    case "throttle":
      return { fill: theme.throttled, stroke: ground };
    case "refill":
      return { fill: theme.quota, stroke: ground };
    case "step":
      return { fill: ground, stroke: theme.text };
  }
}
