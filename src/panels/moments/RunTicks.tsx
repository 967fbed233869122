// The moments of the run over the scrubber, each side's along its own edge.

import { useState, type ReactNode } from "react";
import { runMoments } from "../../state/play/run-moments.ts";
import { domainNs } from "../../state/select/selectors.ts";
import type { Side } from "../../scenario/sides.ts";
import { Tip } from "../../timeline/draw/tip.tsx";
import type { ScrubberPlace } from "../../timeline/index.ts";
import { useSelect } from "../page/page.ts";
import { APART_PX, ticksOf, type Tick } from "./run-ticks.ts";
import { ROW_PX, Ticks, wordsOf } from "./Ticks.tsx";

interface RunTicksProps extends ScrubberPlace {
  /** From top to bottom. */
  readonly sides: readonly Side[];
}

export default function RunTicks({
  sides,
  width,
  height,
  gutter,
  theme,
}: RunTicksProps): ReactNode {
  const moments = useSelect(runMoments);
  const endNs = useSelect(domainNs);
  const [pointed, setPointed] = useState<Tick>();
  if (width === 0 || endNs === 0) return null;
  const placeOf = (ns: number): number | undefined =>
    ns > endNs ? undefined : gutter + (ns / endNs) * (width - gutter);
  const topOf = ({ side }: Tick): number => (sides.indexOf(side) === 0 ? 0 : height - ROW_PX);
  const ticks = ticksOf(moments, sides, placeOf);
  return (
    <>
      <Ticks
        ticks={ticks}
        theme={theme}
        reach={APART_PX}
        testId="scrubber-tick"
        topOf={topOf}
        onPointed={setPointed}
      />
      {pointed === undefined ? null : (
        // Always over the scrubber: below it the window ends.
        <Tip
          lines={wordsOf(pointed)}
          x={pointed.x}
          y={0}
          width={width}
          height={-1}
          testId="scrubber-tip"
        />
      )}
    </>
  );
}
