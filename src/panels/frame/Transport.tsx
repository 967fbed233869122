// Playing the run back: play, pause, speed as machine time per second, single events, and the
// scrubber over the whole run.

import { Suspense, useId, useState, type ReactNode } from "react";
import { clockText, formatNs } from "../../lib/format.ts";
import {
  domainNs,
  endNs,
  isComputing,
  shownViewport,
  speedOf,
} from "../../state/select/selectors.ts";
import { speedHere } from "../../state/reduce/advance.ts";
import { SIDES } from "../../scenario/sides.ts";
import type { State } from "../../state/shape/state.ts";
import type { RunStatus } from "../../state/shape/run.ts";
import { Scrubber, SPEEDS } from "../../timeline/index.ts";
import { Icon } from "../widgets/Icon.tsx";
import { atLeisure, lazily, optionally } from "../../lib/lazily.tsx";
import { keepInSight } from "../../effects/play/keep-in-sight.ts";
import { stepEvent } from "../moments/step-events.ts";
import { useDispatch, usePage, useSelect } from "../page/page.ts";
import { useTimelineSides } from "../page/timeline-sides.ts";

const FindNext = lazily(() => import("../moments/FindNext.tsx"));
const RunTicks = optionally(() => atLeisure(() => import("../moments/RunTicks.tsx")));

export function Transport(): ReactNode {
  const { store } = usePage();
  const ready = useSelect((state) => endNs(state) > 0);
  return (
    <footer className="transport" aria-label="Playback" data-testid="transport">
      <div className="transport-buttons">
        <button
          type="button"
          className="button round"
          disabled={!ready}
          title="One event back (J)"
          aria-label="One event back"
          data-testid="step-back"
          onClick={() => stepEvent(store, -1)}
        >
          <Icon name="stepBack" />
        </button>
        <PlayButton />
        <button
          type="button"
          className="button round"
          disabled={!ready}
          title="One event on (K)"
          aria-label="One event on"
          data-testid="step-on"
          onClick={() => stepEvent(store, 1)}
        >
          <Icon name="stepOn" />
        </button>
      </div>
      <LoopButton />
      <FindButton />
      <SpeedPicker />
      <Clock />
      <div className="transport-scrub">
        <RunScrubber />
      </div>
      <Progress />
    </footer>
  );
}

export function PlayButton(): ReactNode {
  const dispatch = useDispatch();
  const playing = useSelect((state) => state.playback.playing);
  const ready = useSelect((state) => endNs(state) > 0);
  return (
    <button
      type="button"
      className="button round play"
      disabled={!ready}
      title="Play or pause (Space)"
      aria-label={playing ? "Pause" : "Play"}
      data-testid="play"
      onClick={() => dispatch(playing ? { type: "paused" } : { type: "played" })}
    >
      <Icon name={playing ? "pause" : "play"} />
    </button>
  );
}

function LoopButton(): ReactNode {
  const dispatch = useDispatch();
  const looping = useSelect((state) => state.playback.looping);
  return (
    <button
      type="button"
      className="button round quiet"
      aria-pressed={looping}
      title={looping ? "The view plays again and again" : "Playing goes on behind the view"}
      aria-label="Loop the view"
      data-testid="loop"
      onClick={() => dispatch({ type: "loop_toggled" })}
    >
      <Icon name="loop" />
    </button>
  );
}

/** Opens the breakpoints; what is in the window is fetched with the first opening. */
function FindButton(): ReactNode {
  const id = useId();
  const [opened, setOpened] = useState(false);
  return (
    <>
      <button
        type="button"
        className="button round quiet"
        popoverTarget={id}
        title="Run to the next late wake-up, deep queue, throttle or finding"
        aria-label="Run to the next …"
        data-testid="find-open"
        onClick={() => setOpened(true)}
      >
        <Icon name="stopAt" />
      </button>
      <div id={id} popover="auto" className="find-window">
        {opened && (
          <Suspense>
            <FindNext />
          </Suspense>
        )}
      </div>
    </>
  );
}

function SpeedPicker(): ReactNode {
  const dispatch = useDispatch();
  const chosen = useSelect((state) => state.playback.chosenNsPerSecond);
  const derived = useSelect((state) =>
    speedOf({ ...state, playback: { ...state.playback, chosenNsPerSecond: undefined } }),
  );
  const ran = useSelect((state) => endNs(state) > 0);
  // Playing slows down where much happens: while it plays, show the speed in force at the playhead.
  const here = useSelect((state) =>
    state.playback.playing ? twoFigures(speedHere(state)) : derived,
  );
  return (
    <label className="speed" title="Machine time per second of yours; - and = change it">
      <select
        className="select"
        value={chosen ?? "auto"}
        aria-label="Speed: machine time per second"
        data-testid="speed"
        data-ns-per-second={chosen ?? derived}
        onChange={({ target: { value } }) =>
          dispatch({ type: "speed_set", nsPerSecond: value === "auto" ? undefined : Number(value) })
        }
      >
        <option value="auto">{ran ? `${formatNs(here)} / s, by view` : "by view"}</option>
        {SPEEDS.map((each) => (
          <option key={each} value={each}>
            {formatNs(each)} / s
          </option>
        ))}
      </select>
    </label>
  );
}

/** Figures that change at every frame cannot be read. */
function twoFigures(ns: number): number {
  return Number(ns.toPrecision(2));
}

function Clock(): ReactNode {
  const playhead = useSelect((state) => state.playheadNs);
  // The unit is the axis's: one of them says ms and the other µs otherwise.
  const endNs = useSelect((state) => shownViewport(state).toNs);
  return (
    // An output speaks by itself at every change: sixty times a second while it plays.
    <output
      className="clock"
      data-testid="playhead"
      data-ns={Math.round(playhead)}
      aria-label="Playhead"
      aria-live="off"
    >
      {clockText(playhead, endNs)}
    </output>
  );
}

function RunScrubber(): ReactNode {
  const { store } = usePage();
  const dispatch = useDispatch();
  const sides = useTimelineSides();
  const state = useSelect((each) => each);
  return (
    <Scrubber
      sides={sides}
      domainNs={domainNs(state)}
      viewport={shownViewport(state)}
      playheadNs={state.playheadNs}
      theme={state.theme}
      over={(place) => <RunTicks {...place} sides={sides.map(({ id }) => id)} />}
      onPlayhead={(ns) => {
        dispatch({ type: "playhead_set", ns });
        keepInSight(store);
      }}
    />
  );
}

function Progress(): ReactNode {
  const { runner } = usePage();
  const computing = useSelect(isComputing);
  const share = useSelect((state) =>
    Math.floor(Math.min(...SIDES.map((side) => shareDone(state.sides[side].status))) / 100),
  );
  const words = useSelect(doneWords);
  if (!computing)
    return (
      <span
        className="progress done"
        title="“computed”: both runs are simulated to their ends, and every number is final"
        data-testid="progress"
      >
        {words}
      </span>
    );
  return (
    <span className="progress" data-testid="progress">
      computing {share} %
      <button
        type="button"
        className="button tiny"
        data-testid="cancel"
        onClick={() => SIDES.forEach((side) => runner.cancel(side))}
      >
        cancel
      </button>
    </span>
  );
}

function shareDone(status: RunStatus): number {
  if (status.kind === "computing") return status.shareDone;
  return status.kind === "waiting" ? 0 : 10_000;
}

/** Whether what is on screen is whole. */
function doneWords({ sides }: State): string {
  if (SIDES.every((side) => sides[side].shown === undefined)) return "no run";
  // What is on screen of a side without a run is the run before, whole or not.
  const lacking = SIDES.filter((side) =>
    ["scenario_error", "fault"].includes(sides[side].status.kind),
  );
  if (lacking.length > 0) return `no run of ${lacking.join(", ").toUpperCase()}`;
  return SIDES.every((side) => sides[side].status.kind === "finished")
    ? "computed"
    : "stopped early";
}
