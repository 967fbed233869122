// The picture of the two runs on one time axis.

import { useCallback, useEffect, useRef, useState, type ReactNode } from "react";
import type { Selection } from "../model/types.ts";
import { domainNs, isComputing, shownViewport } from "../state/selectors.ts";
import type { Side } from "../state/sides.ts";
import { Timeline } from "../timeline/index.ts";
import { SideBadge } from "./bits.tsx";
import { useDispatch, useSelect } from "./page.ts";
import { focusedLock } from "../state/steps/resolve.ts";
import { StoryLine } from "./StoryLine.tsx";
import { useTimelineSides } from "./timeline-sides.ts";

/** From this width on A and B have room side by side, CSS px. */
const BESIDE_PX = 760;
/** Below this there is room for one side. */
const ONE_PX = 560;

export function Machine(): ReactNode {
  const root = useRef<HTMLElement>(null);
  const sides = useTimelineSides();
  const only = useSelect((state) => state.onlyOneSide);
  const focus = useSelect((state) => state.focus);
  const computing = useSelect(isComputing);
  const width = useNarrow(root);
  const shown = width < ONE_PX && width > 0 && !only ? sides.filter((side) => side.id === focus) : sides;
  return (
    <section ref={root} className="machine" aria-label="The machine over time" data-testid="machine">
      <header className="panel-head">
        <h2>What every CPU did</h2>
        <span className="muted machine-hint">drag to pan, Ctrl+wheel or W S to zoom, click a lane to ask why</span>
        {(only || width < ONE_PX) && <SideToggle />}
      </header>
      <StoryLine />
      {shown.length === 0 ? (
        <p className="empty machine-empty" data-testid="machine-empty">
          {computing ? "The first run is on its way." : "No run yet."}
        </p>
      ) : (
        <Lanes sides={shown} layout={width >= BESIDE_PX ? "beside" : "stacked"} />
      )}
    </section>
  );
}

function useNarrow(root: React.RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (root.current === null) return undefined;
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    observer.observe(root.current);
    return () => observer.disconnect();
  }, [root]);
  return width;
}

function Lanes({
  sides,
  layout,
}: {
  readonly sides: ReturnType<typeof useTimelineSides>;
  readonly layout: "stacked" | "beside";
}): ReactNode {
  const dispatch = useDispatch();
  const state = useSelect((each) => each);
  const onPlayhead = useCallback((ns: number) => dispatch({ type: "playhead_set", ns }), [dispatch]);
  const onSelect = useCallback(
    (selection: Selection | undefined, side: Side) =>
      dispatch(selection === undefined ? { type: "selection_cleared" } : { type: "selected", selection, side }),
    [dispatch],
  );
  return (
    <Timeline
      sides={sides}
      domainNs={domainNs(state)}
      viewport={shownViewport(state)}
      playheadNs={state.playheadNs}
      focus={state.focus}
      theme={state.theme}
      layout={layout}
      playing={state.playback.playing}
      lock={focusedLock(state) ?? "deepest"}
      onViewport={(viewport, phase) => dispatch({ type: "viewport_set", viewport, settled: phase === "end" })}
      onPlayhead={onPlayhead}
      onSelect={onSelect}
    />
  );
}

function SideToggle(): ReactNode {
  const dispatch = useDispatch();
  const focus = useSelect((state) => state.focus);
  return (
    <div className="segmented" role="radiogroup" aria-label="Side shown" data-testid="side-toggle">
      {(["a", "b"] as const).map((side) => (
        <label key={side} className="segment">
          <input
            type="radio"
            name="side-shown"
            checked={focus === side}
            data-testid={`side-toggle-${side}`}
            onChange={() => dispatch({ type: "side_focused", side })}
          />
          <span>
            <SideBadge side={side} />
          </span>
        </label>
      ))}
    </div>
  );
}
