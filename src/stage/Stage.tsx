// The picture as one component, for every page that shows one.

import { useEffect, useMemo, useRef, useState, type ReactNode, type RefObject } from "react";
import { useMedia } from "../lib/use-media.ts";
import { Timeline, type TimelineProps, type TimelineSide } from "../timeline/index.ts";
import type { StageProps } from "./stage-props.ts";
import "./stage.css";

/** Below this there is room for one side, CSS px. */
const ONE_PX = 480;

export function Stage(props: StageProps): ReactNode {
  const { sides, view, theme, empty, onRuler, below, room, head, scale, one, onEvent } = props;
  const root = useRef<HTMLElement>(null);
  const { little, narrow } = useNarrow(root);
  const shown = narrow && sides.length > 1 ? sides.filter((side) => side.id === view.focus) : sides;
  const calls = useMemo(() => callsOf(onEvent), [onEvent]);
  return (
    <section
      ref={root}
      className={`stage stage-${theme}`}
      aria-label="The machine over time"
      data-testid="machine"
    >
      {(props.caption !== undefined || narrow || one === true) && (
        <StageLine {...props} little={little} narrow={narrow} />
      )}
      {shown.length === 0 ? (
        <div className="stage-empty" data-testid="machine-empty">
          {empty}
        </div>
      ) : (
        <div className="stage-picture">
          <Timeline
            {...view}
            {...calls}
            sides={shown}
            theme={theme}
            room={room}
            head={head}
            onGrab={props.hand === true ? calls.onGrab : undefined}
            scale={scale}
            onRuler={onRuler}
            below={below}
          />
        </div>
      )}
    </section>
  );
}

type TimelineCalls = Omit<
  Pick<TimelineProps, Extract<keyof TimelineProps, `on${string}`>>,
  "onRuler"
>;

/** The timeline's callbacks as events of the stage. */
function callsOf(onEvent: StageProps["onEvent"]): TimelineCalls {
  return {
    onViewport: (viewport, phase) =>
      onEvent({ type: "window", viewport, settled: phase === "end" }),
    onPlayhead: (ns) => onEvent({ type: "playhead", ns }),
    onPoint: (cpu, side) => onEvent({ type: "point", cpu, side }),
    onMark: (id, later) => onEvent({ type: "mark", id, later }),
    onLanes: (lanes) => onEvent({ type: "lanes", lanes }),
    onSelect: (selection, side) => onEvent({ type: "select", selection, side }),
    onArea: (area) => onEvent({ type: "area", area }),
    onMarker: (which, ns) => onEvent({ type: "marker", which, ns }),
    onDivergence: () => onEvent({ type: "divergence" }),
    onGrab: (grab) => onEvent({ type: "grab", grab }),
  };
}

interface LineProps extends StageProps {
  readonly little: boolean;
  readonly narrow: boolean;
}

/** The caption, and the switches of layout and side. */
function StageLine({
  sides,
  view,
  caption,
  one = false,
  little,
  narrow,
  onEvent,
}: LineProps): ReactNode {
  return (
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
 * Whether there is little room, and whether only one side is shown for that reason: paper is long,
 * and a switch on paper cannot be pressed.
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
