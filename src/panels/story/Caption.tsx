// The caption of the current step, or the event that the viewer stepped to, and the buttons to the
// steps beside it.

import { counted } from "../../lib/count.ts";
import type { ReactNode } from "react";
import {
  asWritten,
  captionOf,
  currentStep,
  isAsWritten,
  isAway,
  isMissing,
  neighbourStep,
} from "../../state/steps/resolve.ts";
import { stepsOf } from "../../scenario/step.ts";
import { optionally } from "../../lib/lazily.tsx";
import { isWithoutSimulator } from "../../state/select/shipped.ts";
import { LaterTerms } from "../glossary/LaterTerms.tsx";
import { Icon } from "../widgets/Icon.tsx";
import { useDispatch, useSelect } from "../page/page.ts";
import "./steps.css";

const EventSentences = optionally(() => import("./EventSentences.tsx"));
const WholeText = optionally(() => import("./WholeText.tsx"));

/** A caption of more characters takes two small lines of a laptop's picture. */
const LONG = 88;

/**
 * The sentences of the event that was stepped to, the reply to a key, or `children` where there is
 * neither.
 */
export function EventLine({ children }: { readonly children: ReactNode }): ReactNode {
  const atEvent = useSelect((state) => state.eventNs === state.playheadNs);
  const hinted = useSelect(({ area, areasMade }) => area !== undefined && areasMade === 1);
  const reply = useSelect((state) => state.reply);
  const without = useSelect(isWithoutSimulator);
  if (reply !== undefined) {
    // SpokenWords.tsx speaks the reply. Where no simulator can run the caption is the only text to
    // read, so it stays.
    return (
      <>
        {without && children}
        <div className="event-line">
          <span className="event-words" title={reply} data-testid="reply-line">
            {reply}
          </span>
          <WholeText words={reply}>{reply}</WholeText>
        </div>
      </>
    );
  }
  return atEvent || hinted ? <EventSentences hinted={hinted} otherwise={children} /> : children;
}

export function Caption({ index }: { readonly index: number | undefined }): ReactNode {
  const caption = useSelect((state) => {
    const step = currentStep(state);
    return step === undefined ? undefined : captionOf(state, step);
  });
  const missing = useSelect((state) => {
    const step = currentStep(state);
    return step !== undefined && isMissing(state, step);
  });
  // The words of a step are true only of the step's own runs. With other knobs the line says that
  // the words describe the runs as shipped or as written.
  const written = useSelect((state) => {
    const step = currentStep(state);
    return step === undefined || isAsWritten(state, step);
  });
  const whose = useSelect(asWritten);
  const ofQuota = useSelect((state) => state.entry.text.includes("cpu_max"));
  const away = useSelect((state) => {
    const step = currentStep(state);
    return step !== undefined && isAway(state, step);
  });
  return (
    <>
      {away && index !== undefined && <BackButton index={index} />}
      <p
        className={`story-caption${away ? " away" : ""}${(caption?.length ?? 0) > LONG ? " long" : ""}`}
        role="status"
        title={caption}
        data-testid="story-caption"
        data-step={index === undefined ? undefined : index + 1}
        data-missing={missing}
        data-written={written}
      >
        {missing && <strong className="story-missing">Not in these runs: </strong>}
        {!missing && !written && <strong className="story-missing">{whose}</strong>}
        <LaterTerms text={caption ?? "No step shows this part of the run."} quota={ofQuota} />
      </p>
    </>
  );
}

/** The caption stays while one looks elsewhere; it must not be read as what is in view. */
function BackButton({ index }: { readonly index: number }): ReactNode {
  const dispatch = useDispatch();
  return (
    <button
      type="button"
      className="button quiet story-back"
      title="The view has moved away from this step: go back"
      data-testid="story-back"
      onClick={() => dispatch({ type: "step_opened", index })}
    >
      Back to this step
    </button>
  );
}

/** Which step is open, of how many. */
export function StepCount(): ReactNode {
  const count = useSelect((state) => stepsOf(state.entry).length);
  const index = useSelect((state) => state.step.index);
  return (
    <span className="story-count" data-testid="story-count">
      {index === undefined ? counted(count, "step") : `${index + 1} of ${count}`}
    </span>
  );
}

export function StepButton({ direction }: { readonly direction: 1 | -1 }): ReactNode {
  const dispatch = useDispatch();
  const to = useSelect((state) => neighbourStep(state, direction));
  const label = direction === 1 ? "Next step" : "Step before";
  return (
    <button
      type="button"
      className="button quiet story-button"
      disabled={to === undefined}
      aria-label={label}
      title={`${label} (${direction === 1 ? "→" : "←"})`}
      data-testid={direction === 1 ? "story-next" : "story-prev"}
      onClick={() => {
        if (to !== undefined) dispatch({ type: "step_opened", index: to });
      }}
    >
      <Icon name={direction === 1 ? "next" : "previous"} />
    </button>
  );
}
