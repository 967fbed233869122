// The moments of the run over the scrubber: a tick for each, with its words, and a click that goes there. By keys one gets to the same moments
// by L, the arrows of the story and the jumps: to screen readers the ticks say nothing.

import { useState, type ReactNode } from "react";
import { runMoments, type MomentKind } from "../../state/play/run-moments.ts";
import { domainNs } from "../../state/selectors.ts";
import type { Side } from "../../state/sides.ts";
import { Tip } from "../../timeline/draw/tip.tsx";
import type { TimelineTheme } from "../../timeline/draw/theme.ts";
import type { ScrubberPlace } from "../../timeline/index.ts";
import { usePage, useSelect } from "../page.ts";
import { goToRunMoment } from "./to-moment.ts";
import { APART_PX, ticksOf, type Tick } from "./run-ticks.ts";

/** Of a row of ticks, CSS px. */
const ROW_PX = 10;
/** As many moments of one tick are told. */
const TOLD_MAX = 4;

interface RunTicksProps extends ScrubberPlace {
  /** From top to bottom. */
  readonly sides: readonly Side[];
}

export default function RunTicks({ sides, width, height, theme }: RunTicksProps): ReactNode {
  const { store } = usePage();
  const moments = useSelect(runMoments);
  const endNs = useSelect(domainNs);
  const [pointed, setPointed] = useState<Tick>();
  /** The tick gone to last, and to which of its moments. */
  const [gone, setGone] = useState<{ readonly key: string; readonly at: number }>();
  if (width === 0 || endNs === 0) return null;
  const ticks = ticksOf(moments, sides, endNs, width);
  const go = (tick: Tick): void => {
    // Again on the same tick leads to the next of the moments that share it.
    const at = gone?.key === keyOf(tick) ? (gone.at + 1) % tick.moments.length : 0;
    setGone({ key: keyOf(tick), at });
    goToRunMoment(store, tick.moments[at] ?? tick.moments[0]);
  };
  return (
    <>
      <svg className="tl-ticks" aria-hidden="true">
        {ticks.map((tick) => {
          const top = sides.indexOf(tick.side) === 0 ? 0 : height - ROW_PX;
          const [{ kind, ns }] = tick.moments;
          return (
            <g
              key={keyOf(tick)}
              className="tl-tick"
              transform={`translate(${tick.x.toFixed(1)} ${String(top)})`}
              data-testid="scrubber-tick"
              data-kind={kind}
              data-side={tick.side}
              data-ns={ns}
              onPointerDown={(event) => event.stopPropagation()}
              onPointerEnter={() => setPointed(tick)}
              onPointerLeave={() => setPointed(undefined)}
              onClick={() => go(tick)}
            >
              <title />
              <rect x={-APART_PX / 2} width={APART_PX} height={ROW_PX} fill="transparent" />
              <path d={SHAPES[kind]} {...inkOf(kind, theme)} strokeWidth={1} />
            </g>
          );
        })}
      </svg>
      {pointed === undefined ? null : (
        // Over the scrubber: below it the window ends.
        <Tip lines={wordsOf(pointed)} x={pointed.x} y={height} width={width} height={2 * height - 1} testId="scrubber-tip" />
      )}
    </>
  );
}

function keyOf({ side, moments: [{ kind, ns }] }: Tick): string {
  return `${side} ${kind} ${String(ns)}`;
}

function wordsOf({ moments }: Tick): readonly string[] {
  const told = moments.slice(0, TOLD_MAX).map(({ words }) => words);
  const more = moments.length - told.length;
  const hint = moments.length > 1 ? "A click leads to the first, again to the next." : "A click leads there.";
  return [...told, ...(more > 0 ? [`and ${String(more)} more`] : []), hint];
}

/** Around the middle of a row's upper edge: each kind has a shape of its own, so that colour is not needed. */
const SHAPES: Readonly<Record<MomentKind, string>> = {
  herd: "M-5 9.5L0 0.5L5 9.5Z",
  wake: "M0 0.5L4.5 5L0 9.5L-4.5 5Z",
  throttle: "M-4.5 2.5H4.5V7.5H-4.5Z",
  refill: "M-3.5 2H3.5L0 8.5Z",
  step: "M-3 5A3 3 0 1 1 3 5A3 3 0 1 1 -3 5Z",
};

function inkOf(kind: MomentKind, theme: TimelineTheme): { readonly fill: string; readonly stroke: string } {
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
