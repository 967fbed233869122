// Two runs on one time axis. Controlled: the owner keeps viewport, playhead and selection.

import { useMemo, useRef, useState } from "react";
import type { ComponentProps, CSSProperties, KeyboardEvent, ReactElement, RefObject } from "react";
import { useFrameScheduler } from "../lib/frame-scheduler.ts";
import type { LegendEntry } from "./draw/legend-entry.ts";
import { usePixelRatio, useHeight, useWidth } from "./draw/use-size.ts";
import { useTheme } from "./draw/use-theme.ts";
import { pointerShare } from "./input/gestures.ts";
import { handleTimelineKey } from "./input/keys.ts";
import { Pointer } from "./input/pointed.ts";
import { GuideLegend } from "./marks/guide-legend.tsx";
import { MarkChips } from "./marks/chips.tsx";
import { gutterOf, isNarrow } from "./plot/gutter.ts";
import type { Lay } from "./plot/lane-rows.ts";
import type { Area, TimelineProps, Viewport } from "./plot/timeline-props.ts";
import type { TimelineTheme } from "./plot/timeline-theme.ts";
import { type Shown, shownOf, siloCpus } from "./sides/shown.ts";
import { Side } from "./sides/side.tsx";
import type { SideProps } from "./sides/side-props.ts";
import { hasTrack, useLay, useReveal } from "./sides/use-lay.ts";
import { type LaneTools, useLaneTools } from "./sides/use-tools.ts";
import { TimeAxis } from "./tracks/axis.tsx";
import { tracksRoom, type TracksRoom } from "./tracks/room.ts";
import { firstShown, TankPager } from "./tracks/tank-pager.tsx";
import { pathsOf, type ShownTank, tanksOf } from "./tracks/tank.tsx";
import { tankLegend } from "./tracks/silos.ts";
import "./timeline.css";
import "./tracks/tracks.css";
import "./tracks/over-lanes.css";
import "./lanes/lanes.css";
import "./marks/chips.css";

const GAP_PX = 10;
/** Labels where sides have heads of the page's own, CSS px: the smallest letters then have 13. */
const LARGE_PX = 15;
/** Height for the lanes of one side until the room there is has been measured. */
const LANES_PX = 280;

export function Timeline(props: TimelineProps): ReactElement {
  const { sides, room = "plenty" } = props;
  const root = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const ratio = usePixelRatio();
  const scheduler = useFrameScheduler();
  const theme = useTheme(props.theme, props.head === undefined ? 0 : LARGE_PX, props.scale);
  const { beside, width, gutter } = usePlace(root, props, theme);
  const tools = useLaneTools();
  const levels = beside ? 1 : sides.length;
  const { shown, over, quotas } = useTracks(props, tools, body, { levels, width, theme });
  const [draft, setDraft] = useState<Area>();
  const area = draft ?? props.area;
  const { lay, arranged, tracks } = useLay(tools, props, shown);
  const level = useLevel(props, lay);
  const place = { width, ratio, gutter, theme, scheduler };
  const { depthMax, withLock, deepLock, withTask, withTaskLock } = shown;
  const queues = { depthMax, withLock, deepLock, withTask, withTaskLock };
  const common = { ...queues, ...place, ...level, area, over, lay, tools, onDraft: setDraft };
  const axis = <Axis {...props} {...place} area={area} onDraft={setDraft} />;
  return (
    <div
      ref={root}
      className={`tl tl-${theme.name} tl-room-${room} tl-drag-${props.drag} ${beside ? "tl-beside" : ""}`}
      style={{ "--tl-font": `${theme.fontPx}px` } as CSSProperties}
      data-testid="timeline"
      onKeyDown={keysOf(props, shown)}
    >
      {beside ? null : axis}
      {tools === undefined || arranged === undefined ? null : (
        <tools.LanesMenu {...props} arranged={arranged} />
      )}
      <TankPager {...quotas} />
      <div ref={body} className="tl-body">
        {shown.sides.map(({ side, track, wake }) => (
          <div key={side.id} className={`tl-cell tl-cell-${side.id}`}>
            {beside ? axis : null}
            <Side
              {...props}
              {...common}
              side={side}
              lock={track}
              wake={wake}
              tanks={quotas.tanks}
            />
          </div>
        ))}
      </div>
      {width > gutter ? props.below?.(place) : null}
      {props.head === undefined ? (
        <MarkChips
          {...props}
          theme={theme}
          ratio={ratio}
          runs={sides}
          tracks={[...silosLegend(quotas.tanks, sides, level.lanesPx, lay, theme), ...tracks]}
        />
      ) : (
        <GuideLegend
          {...props}
          theme={theme}
          ratio={ratio}
          runs={sides}
          version={sides.map(({ version }) => version).join(" ")}
        />
      )}
    </div>
  );
}

interface Columns {
  /** A left of B. */
  readonly beside: boolean;
  /** CSS px of one column. */
  readonly width: number;
  readonly gutter: number;
}

/** The columns of a timeline as wide as `root`. */
function usePlace(
  root: RefObject<HTMLElement | null>,
  { sides, layout }: TimelineProps,
  theme: TimelineTheme,
): Columns {
  const whole = useWidth(root);
  const beside = layout === "beside" && sides.length > 1;
  const width = beside ? Math.floor((whole - GAP_PX) / 2) : whole;
  const traces = sides.map(({ trace }) => trace);
  return { beside, width, gutter: gutterOf(theme, width, traces, isNarrow(whole, traces)) };
}

/**
 * State that all sides share. Sides are level by construction: each has the room that the other
 * has, and they scroll together.
 */
function useLevel(
  props: TimelineProps,
  lay: Lay,
): Pick<SideProps, "pointer" | "lanesPx" | "scrollTop" | "onRoom" | "onScroll"> {
  const [lanesPx, onRoom] = useState(LANES_PX);
  const [scrollTop, onScroll] = useState(0);
  const [pointer] = useState(() => new Pointer());
  useReveal(props, lay, lanesPx, onScroll);
  return { pointer, lanesPx, scrollTop, onRoom, onScroll };
}

/** Legend of the tanks and of the silos at the edge of the lanes; empty without tanks. */
function silosLegend(
  tanks: readonly ShownTank[],
  sides: TimelineProps["sides"],
  lanesPx: number,
  lay: Lay,
  theme: TimelineTheme,
): readonly LegendEntry[] {
  return tankLegend(tanks.length > 0 ? siloCpus(sides, lanesPx, lay, theme) : 0);
}

/**
 * Until it is known how wide the picture is, the axis has its room: nothing shifts when it comes.
 */
function Axis(props: ComponentProps<typeof TimeAxis>): ReactElement {
  return props.width > props.gutter ? <TimeAxis {...props} /> : <div className="tl-axis-room" />;
}

interface Tanks {
  /** Paths of all groups with a quota on any side. */
  readonly paths: readonly string[];
  /** Those in the picture. */
  readonly tanks: readonly ShownTank[];
  readonly first: number;
  readonly most: number;
  readonly onFirst: (first: number) => void;
}

/** Rows of who ran instead until they are known. */
const ROWS = 4;

interface Levels {
  /** Sides one over the other. */
  readonly levels: number;
  readonly width: number;
  readonly theme: TimelineTheme;
}

/** The tracks over the lanes, with the room in `body` for all levels. */
function useTracks(
  props: TimelineProps,
  tools: LaneTools | undefined,
  body: RefObject<HTMLElement | null>,
  { levels, width, theme }: Levels,
): { readonly shown: Shown; readonly over: TracksRoom; readonly quotas: Tanks } {
  const paths = usePaths(props.sides);
  const shown = useShown(props, paths.length > 0);
  const sidePx = Math.floor(useHeight(body) / Math.max(1, levels));
  const { withLock: lock, withTask: task, withTaskLock: taskLock, sides } = shown;
  const idle = sides.every(({ side, track }) => track === undefined && !side.running);
  const over = tracksRoom(sidePx, width, theme, {
    groups: paths.length,
    lock,
    idle,
    task,
    taskLock,
    counters: hasTrack(props, "counters"),
    ring: hasTrack(props, "ring"),
    instead: hasTrack(props, "instead") ? (tools?.insteadCount(sides) ?? ROWS) : 0,
  });
  return { shown, over, quotas: useTanks(props.sides, paths, over.tanks) };
}

function usePaths(sides: TimelineProps["sides"]): readonly string[] {
  return useMemo(() => pathsOf(sides.map((side) => side.trace)), [sides]);
}

function useTanks(sides: TimelineProps["sides"], paths: readonly string[], most: number): Tanks {
  const [asked, onFirst] = useState(0);
  return useMemo(() => {
    const first = firstShown(asked, paths.length, most);
    const shown = paths.slice(first, first + most);
    return {
      paths,
      tanks: tanksOf(
        sides.map(({ trace }) => trace),
        shown,
      ),
      first,
      most,
      onFirst,
    };
  }, [sides, paths, most, asked]);
}

function useShown(
  { sides, lock, viewport, aboutLocks, aboutTask, hero }: TimelineProps,
  hasTanks: boolean,
): Shown {
  return useMemo(
    () => shownOf(sides, lock, viewport, { aboutLocks, aboutTask, hasTanks, hero }),
    [sides, lock, viewport, aboutLocks, aboutTask, hasTanks, hero],
  );
}

/** The keys of the time axis, while the focus is inside the timeline. */
function keysOf(
  { viewport, domainNs, playheadNs, focus, theme, onViewport }: TimelineProps,
  shown: Shown,
): (event: KeyboardEvent) => void {
  return (event) => {
    // Before a projector F is the page's: it leaves the stage alone.
    if (event.code === "KeyF" && theme === "projector") return;
    const next = handleTimelineKey(event, {
      viewport,
      domainNs,
      playheadNs,
      pointer: pointerShare(),
      focus: focusOf(shown, focus),
    });
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onViewport(next, "end");
  };
}

/**
 * The stretch of the selected wake-up: on the side in focus, or on the other side where the side in
 * focus has none.
 */
function focusOf(shown: Shown, focus: TimelineProps["focus"]): Viewport | undefined {
  const wake =
    shown.sides.find(({ side }) => side.id === focus)?.wake ??
    shown.sides.find((each) => each.wake !== undefined)?.wake;
  return wake === undefined ? undefined : { fromNs: wake.dueNs, toNs: wake.dueNs + wake.latencyNs };
}
