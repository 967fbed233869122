// The moments in view on the ruler, below its labels. Both sides share the axis, so they share its
// ticks.

import { useState, type ReactNode } from "react";
import { runMoments } from "../../state/play/run-moments.ts";
import type { Side } from "../../scenario/sides.ts";
import { Tip } from "../../timeline/draw/tip.tsx";
import type { RulerPlace, Viewport } from "../../timeline/index.ts";
import { useSelect } from "../page/page.ts";
import { ticksOf, type Tick } from "./run-ticks.ts";
import { ROW_PX, Ticks, wordsOf } from "./Ticks.tsx";

/** Nearer moments share a tick, which answers as wide: the least that is easily hit, CSS px. */
const APART_PX = 24;

interface RulerTicksProps extends RulerPlace {
  readonly sides: readonly Side[];
  readonly viewport: Viewport;
}

export default function RulerTicks({
  sides,
  viewport: { fromNs, toNs },
  gutter,
  width,
  height,
  theme,
}: RulerTicksProps): ReactNode {
  const moments = useSelect(runMoments);
  const [pointed, setPointed] = useState<Tick>();
  const placeOf = (ns: number): number | undefined =>
    ns < fromNs || ns > toNs
      ? undefined
      : gutter + ((ns - fromNs) / (toNs - fromNs)) * (width - gutter);
  const ticks = ticksOf(moments, sides, placeOf, { apart: APART_PX, oneRow: true });
  const top = height - ROW_PX - 1;
  return (
    <>
      <Ticks
        ticks={ticks}
        theme={theme}
        reach={APART_PX}
        tall={APART_PX}
        testId="ruler-tick"
        topOf={() => top}
        onPointed={setPointed}
      />
      {pointed === undefined ? null : (
        // The tooltip covers the lanes, because the story is above the ruler.
        <Tip
          lines={wordsOf(pointed)}
          x={pointed.x}
          y={top}
          width={width}
          height={4 * height}
          testId="ruler-tip"
        />
      )}
    </>
  );
}
