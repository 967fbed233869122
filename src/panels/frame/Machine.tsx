// The store's runs on the stage, and what happens there back in the store.

import { Suspense, useCallback, useState, type ReactNode } from "react";
import { Stage, type StageEvent, type StageProps } from "../../stage/index.ts";
import { noRun } from "../../state/select/no-run.ts";
import { isWithoutSimulator } from "../../state/select/shipped.ts";
import { aboutLocks, aboutMarks } from "../../state/steps/first-look.ts";
import { domainNs, isComputing, shownViewport } from "../../state/select/selectors.ts";
import { lookAtDivergence, useDivergence } from "../moments/go-to-divergence.ts";
import { useDispatch, usePage, useSelect, type Page } from "../page/page.ts";
import {
  emphasisOf,
  focusedLock,
  stepCpus,
  subjectLanes,
  willSelect,
} from "../../state/steps/resolve.ts";
import { atLeisure, lazily, optionally } from "../../lib/lazily.tsx";
import { heroOf } from "../../state/steps/subject.ts";
import { useTimelineSides } from "../page/timeline-sides.ts";
import type { Grab } from "../../timeline/index.ts";

/**
 * Goes to a mark. The first press fetches the script; if the fetch fails, the next press tries
 * again.
 */
function goToMark(page: Page, id: string, direction: 1 | -1): void {
  void import("../palette/go.ts")
    .then((go) => go.goToMark(page, id, direction))
    .catch(() => undefined);
}

const AsDrawn = optionally(() => import("./AsDrawn.tsx"));
const Hand = optionally(() => import("../live/Hand.tsx"));
const Strips = lazily(() => import("../strips/Strips.tsx"));

const RulerTicks = optionally(() => atLeisure(() => import("../moments/RulerTicks.tsx")));

/** More runs on the same axis; their room is there before their script is. */
function stripsBelow(count: number): StageProps["below"] {
  if (count === 0) return undefined;
  return (place) => (
    <Suspense fallback={<div className="strips-room" data-strips={count} />}>
      <Strips place={place} />
    </Suspense>
  );
}

/** What the reader does to the picture becomes actions. */
function useStageEvents(onGrab: (grab: Grab) => void): StageProps["onEvent"] {
  const dispatch = useDispatch();
  const page = usePage();
  const { store } = page;
  return useCallback(
    (event: StageEvent) => {
      switch (event.type) {
        case "window":
          return dispatch({
            type: "viewport_set",
            viewport: event.viewport,
            settled: event.settled,
          });
        case "playhead":
          return dispatch({ type: "playhead_set", ns: event.ns });
        case "select":
          return dispatch(
            event.selection === undefined
              ? { type: "selection_cleared" }
              : { type: "selected", selection: event.selection, side: event.side },
          );
        case "point":
          return dispatch({ type: "track_pointed", track: { side: event.side, cpu: event.cpu } });
        case "area":
          return dispatch({ type: "area_set", area: event.area });
        case "marker":
          return dispatch({ type: "marker_set", which: event.which, ns: event.ns });
        case "lanes":
          return dispatch({ type: "lanes_set", lanes: event.lanes });
        case "divergence":
          return void lookAtDivergence(store);
        case "mark":
          return goToMark(page, event.id, event.later ? 1 : -1);
        case "focus":
          return dispatch({ type: "side_focused", side: event.side, chosen: true });
        case "layout":
          return dispatch({ type: "beside_toggled" });
        case "grab":
          return onGrab(event.grab);
      }
    },
    [dispatch, store, page, onGrab],
  );
}

interface MachineProps {
  /** The line over the picture; without one, what heads a side says all. */
  readonly caption?: ReactNode;
  readonly head?: StageProps["head"];
  readonly scale?: StageProps["scale"];
  /** CPUs that are highlighted; undefined: those of the step. */
  readonly emphasis?: readonly number[] | undefined;
  readonly room?: StageProps["room"];
  /** Undefined: the page's. */
  readonly theme?: StageProps["theme"] | undefined;
  /** Whether the viewer's hand can change what it presses and drags. */
  readonly hand?: boolean;
}

export function Machine(props: MachineProps): ReactNode {
  const divergence = useDivergence();
  const state = useSelect((each) => each);
  const sides = useTimelineSides();
  const { caption, head, scale, emphasis, room, theme, hand = false } = props;
  const [grab, setGrab] = useState<Grab>();
  const onEvent = useStageEvents(setGrab);
  const letGo = useCallback(() => setGrab(undefined), []);
  const viewport = shownViewport(state);
  return (
    <>
      {grab !== undefined && <Hand grab={grab} onDone={letGo} />}
      <Stage
        sides={sides}
        view={{
          domainNs: domainNs(state),
          viewport,
          playheadNs: state.playheadNs,
          playing: state.playback.playing,
          focus: state.focus,
          layout: state.layout,
          lock: focusedLock(state) ?? "deepest",
          aboutLocks: aboutLocks(state.entry.headline),
          aboutTask: willSelect(state),
          aboutMarks: aboutMarks(state.entry.headline),
          area: state.area,
          drag: state.drag,
          markers: state.markers,
          lanes: state.lanes,
          reveal:
            state.eventOn === undefined || state.eventNs === undefined
              ? undefined
              : { cpu: state.eventOn.cpu, ns: state.eventNs },
          divergence: head === undefined ? divergence : undefined,
          emphasis: emphasis ?? emphasisOf(state),
          stepCpus: stepCpus(state),
          subject: head === undefined ? undefined : subjectLanes(state),
          hero: heroOf(state),
        }}
        theme={theme ?? state.theme}
        room={room}
        caption={caption}
        head={head}
        scale={scale}
        empty={
          isWithoutSimulator(state) ? (
            <AsDrawn />
          ) : isComputing(state) ? (
            "The first run is on its way."
          ) : (
            noRun(state.sides.a.status)
          )
        }
        onRuler={
          head === undefined
            ? (place) => (
                <RulerTicks {...place} sides={sides.map(({ id }) => id)} viewport={viewport} />
              )
            : undefined
        }
        below={stripsBelow(state.strips.length)}
        one={state.onlyOneSide}
        hand={hand}
        onEvent={onEvent}
      />
    </>
  );
}
