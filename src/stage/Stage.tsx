// The picture as one component, for every page that shows one.

import { useCallback, useEffect, useRef, useState, type ReactNode, type RefObject } from "react";
import { useMedia } from "../lib/use-media.ts";
import { Timeline, type Selection, type TimelineSide } from "../timeline/index.ts";
import type { StageProps } from "./types.ts";
import "./stage.css";

/** Below this there is room for one side, CSS px. */
const ONE_PX = 480;

export function Stage({
  sides,
  view,
  theme,
  caption,
  empty,
  onRuler,
  below,
  one = false,
  room,
  onEvent,
}: StageProps): ReactNode {
  const root = useRef<HTMLElement>(null);
  const { little, narrow } = useNarrow(root);
  const shown = narrow && sides.length > 1 ? sides.filter((side) => side.id === view.focus) : sides;
  const onPlayhead = useCallback((ns: number) => onEvent({ type: "playhead", ns }), [onEvent]);
  const onPoint = useCallback(
    (cpu: number, side: TimelineSide["id"]) => onEvent({ type: "point", cpu, side }),
    [onEvent],
  );
  const onMark = useCallback(
    (id: string, later: boolean) => onEvent({ type: "mark", id, later }),
    [onEvent],
  );
  const onLanes = useCallback((lanes: string) => onEvent({ type: "lanes", lanes }), [onEvent]);
  const onSelect = useCallback(
    (selection: Selection | undefined, side: TimelineSide["id"]) =>
      onEvent({ type: "select", selection, side }),
    [onEvent],
  );
  return (
    <section
      ref={root}
      className={`stage stage-${theme}`}
      aria-label="The machine over time"
      data-testid="machine"
    >
      <header className="stage-line" data-narrow={little && sides.length > 1}>
        <div className="stage-words">{caption}</div>
        {!narrow && (sides.length > 1 || one) && (
          <LayoutButton
            beside={view.layout === "beside" && !one}
            onPress={() => onEvent({ type: "layout" })}
          />
        )}
        {(one || narrow) && (
          <SideSwitch focus={view.focus} onFocus={(side) => onEvent({ type: "focus", side })} />
        )}
      </header>
      {shown.length === 0 ? (
        <div className="stage-empty" data-testid="machine-empty">
          {empty}
        </div>
      ) : (
        <div className="stage-picture">
          <Timeline
            sides={shown}
            domainNs={view.domainNs}
            viewport={view.viewport}
            playheadNs={view.playheadNs}
            focus={view.focus}
            theme={theme}
            room={room}
            layout={view.layout}
            playing={view.playing}
            lock={view.lock}
            aboutLocks={view.aboutLocks}
            aboutTask={view.aboutTask ?? false}
            {...(view.aboutMarks === undefined ? {} : { aboutMarks: view.aboutMarks })}
            {...(view.emphasis === undefined ? {} : { emphasis: view.emphasis })}
            {...(view.told === undefined ? {} : { told: view.told })}
            onViewport={(viewport, phase) =>
              onEvent({ type: "window", viewport, settled: phase === "end" })
            }
            area={view.area}
            drag={view.drag}
            markers={view.markers}
            lanes={view.lanes}
            reveal={view.reveal}
            onLanes={onLanes}
            divergence={view.divergence}
            onDivergence={() => onEvent({ type: "divergence" })}
            onPoint={onPoint}
            onPlayhead={onPlayhead}
            onArea={(area) => onEvent({ type: "area", area })}
            onMarker={(which, ns) => onEvent({ type: "marker", which, ns })}
            onSelect={onSelect}
            onMark={onMark}
            onRuler={onRuler}
            below={below}
          />
        </div>
      )}
    </section>
  );
}

function LayoutButton({
  beside,
  onPress,
}: {
  readonly beside: boolean;
  readonly onPress: () => void;
}): ReactNode {
  return (
    <button
      type="button"
      className="button quiet stage-layout"
      aria-pressed={beside}
      aria-label="A beside B"
      title="A beside B, or A over B (⇧ \)"
      data-testid="beside"
      onClick={onPress}
    >
      A|B
    </button>
  );
}

/**
 * Whether there is little room, and whether one side stands alone for that: paper is long, and
 * nobody can press a switch on it.
 */
function useNarrow(root: RefObject<HTMLElement | null>): {
  readonly little: boolean;
  readonly narrow: boolean;
} {
  const width = useWidth(root);
  const paper = useMedia("print");
  const little = width > 0 && width < ONE_PX;
  return { little, narrow: little && !paper };
}

function useWidth(root: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (root.current === null) return undefined;
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    observer.observe(root.current);
    return () => observer.disconnect();
  }, [root]);
  return width;
}

interface SideSwitchProps {
  readonly focus: TimelineSide["id"];
  readonly onFocus: (side: TimelineSide["id"]) => void;
}

function SideSwitch({ focus, onFocus }: SideSwitchProps): ReactNode {
  return (
    <div className="segmented" role="radiogroup" aria-label="Side shown" data-testid="side-toggle">
      {(["a", "b"] as const).map((side) => (
        <label key={side} className="segment">
          <input
            type="radio"
            name="side-shown"
            checked={focus === side}
            data-testid={`side-toggle-${side}`}
            onChange={() => onFocus(side)}
          />
          <span>{side.toUpperCase()}</span>
        </label>
      ))}
    </div>
  );
}
