// The steps of the guided page: back and on, a dot for each, playing, how far the step has played,
// the next step's question, and the scenario's switch.

import type { ReactNode } from "react";
import { GuidedSwitch } from "./GuidedSwitch.tsx";
import { Icon } from "../../panels/widgets/Icon.tsx";
import { StepButton } from "../../panels/story/Caption.tsx";
import { StepDots } from "../../panels/story/StepDots.tsx";
import { useDispatch, useSelect } from "../../panels/page/page.ts";
import { endNs, shownViewport } from "../../state/select/selectors.ts";
import { isAtRest, openBet } from "../../state/steps/bet.ts";
import { neighbourStep } from "../../state/steps/resolve.ts";
import { stepsOf } from "../../scenario/step.ts";

export function StepBar({ onSizes }: { readonly onSizes: () => void }): ReactNode {
  const path = useSelect((state) => state.entry.knobs[0]);
  const sized = useSelect((state) => state.entry.knobs.includes("machine.cpus"));
  return (
    <footer className="guided-bar" aria-label="Steps" data-testid="step-bar">
      <StepButton direction={-1} />
      <StepDots />
      <StepButton direction={1} />
      <PlayStep />
      <Seek />
      <Next />
      {path !== undefined && <GuidedSwitch path={path} />}
      {sized && (
        <button
          type="button"
          className="button quiet"
          title="The same question on machines of 4 to 160 CPUs"
          data-testid="sizes-open"
          onClick={onSizes}
        >
          Sizes
        </button>
      )}
    </footer>
  );
}

/** Plays the step from its beginning; on the last one, all steps one after another. */
function PlayStep(): ReactNode {
  const dispatch = useDispatch();
  const playing = useSelect(({ playback }) => playback.playing || playback.touring);
  const ready = useSelect((state) => endNs(state) > 0);
  const index = useSelect((state) => state.step.index ?? 0);
  const last = useSelect((state) => neighbourStep(state, 1) === undefined);
  const play = last
    ? ({ type: "tour_started" } as const)
    : ({ type: "step_opened", index } as const);
  const words = playing ? "Pause" : last ? "Play all steps" : "Play the step";
  return (
    <button
      type="button"
      className="button round play"
      disabled={!ready}
      title={`${words} (Space)`}
      aria-label={words}
      data-testid="play"
      onClick={() => dispatch(playing ? { type: "paused" } : play)}
    >
      <Icon name={playing ? "pause" : "play"} />
    </button>
  );
}

/** Where in the view the playhead is. */
function Seek(): ReactNode {
  const dispatch = useDispatch();
  const fromNs = useSelect((state) => shownViewport(state).fromNs);
  const toNs = useSelect((state) => shownViewport(state).toNs);
  const playheadNs = useSelect((state) => state.playheadNs);
  const betting = useSelect((state) => openBet(state) !== undefined);
  return (
    <input
      type="range"
      className="guided-seek"
      min={fromNs}
      max={toNs}
      step="any"
      value={Math.min(toNs, Math.max(fromNs, playheadNs))}
      disabled={betting}
      aria-label="Time within the step"
      data-testid="step-seek"
      onChange={({ target: { value } }) => {
        dispatch({ type: "paused" });
        dispatch({ type: "playhead_set", ns: Number(value) });
      }}
    />
  );
}

/** Offers the step that follows once this one has shown its answer. */
function Next(): ReactNode {
  const dispatch = useDispatch();
  const to = useSelect((state) => neighbourStep(state, 1));
  const shown = useSelect(isAtRest) && to !== undefined;
  const question = useSelect(({ entry }) =>
    to === undefined ? undefined : stepsOf(entry)[to]?.question,
  );
  return (
    <button
      type="button"
      className="button primary-button guided-next"
      data-shown={shown}
      disabled={!shown}
      data-testid="step-offer"
      onClick={() => to !== undefined && dispatch({ type: "step_opened", index: to })}
    >
      Next{question === undefined ? "" : `: ${question}`}
    </button>
  );
}
