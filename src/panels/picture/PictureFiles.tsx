// The buttons that save what is in view: one for each format of a picture or a film.

import { useState, type ReactNode } from "react";
import { FORMAT_DOCS } from "../../engine/gen/format-docs.ts";
import {
  FILM_FORMATS,
  FORMATS,
  PICTURE_FORMATS,
  type FilmFormat,
  type FormatName,
} from "../../engine/gen/formats.ts";
import { usePage } from "../page/page.ts";
import { counted } from "../../lib/count.ts";
import { lengthsOf, playedSeconds, stepStates } from "./film-plan.ts";
import { saveFilm, savePicture } from "./save-files.ts";
import type { Saving } from "../widgets/use-saving.ts";
import { useChosen, useChosenOf } from "./use-chosen.ts";
import type { Choice } from "./picture-contents.ts";
import { GIF_MAX_S } from "./writers/gif-writer.ts";
import { FILM_WRITERS } from "./writers/page-writers.ts";

interface GroupProps {
  readonly choice: Choice;
  readonly saving: Saving;
}

export function PictureFiles(props: GroupProps): ReactNode {
  return (
    <>
      <Pictures {...props} />
      <Films {...props} />
    </>
  );
}

function Pictures({ choice, saving }: GroupProps): ReactNode {
  const chosen = useChosen(choice);
  return (
    <div className="picture-files">
      {PICTURE_FORMATS.map((format) => (
        <SaveButton
          key={format}
          format={format}
          disabled={saving.busy}
          onSave={() => saving.start(() => savePicture(format, chosen()))}
        />
      ))}
      <span className="muted">
        {FORMATS.svg.title} and {FORMATS.pdf.title} keep words as words and lanes as rectangles,
        sharp at any size. {FORMATS.png.title} is made of dots.
      </span>
    </div>
  );
}

function Films({ choice, saving }: GroupProps): ReactNode {
  const chosen = useChosen(choice);
  const chosenOf = useChosenOf(choice);
  const { store } = usePage();
  const [seconds, setSeconds] = useState(() => playedSeconds(store.getState()));
  const [steps] = useState(() => stepStates(store.getState()));
  const [all, setAll] = useState(false);
  const film = (format: FilmFormat): void =>
    saving.start((work) => {
      const { name } = chosen();
      const one = { chosen: chosen(), state: store.getState(), seconds };
      const plans = steps.states.map((state) => ({
        chosen: chosenOf(state),
        state,
        seconds: playedSeconds(state),
      }));
      return saveFilm(format, all ? `${name}-steps` : name, all ? plans : [one], work);
    });
  return (
    <div className="picture-files">
      {steps.states.length > 1 && <AllSteps steps={steps} all={all} onAll={setAll} />}
      {FILM_FORMATS.map((format) => (
        <SaveButton
          key={format}
          format={format}
          disabled={saving.busy || !FILM_WRITERS[format].isPossible()}
          onSave={() => film(format)}
        />
      ))}
      {!all && <Length seconds={seconds} onSeconds={setSeconds} />}
      <span className="muted">
        The playhead plays the step, or crosses the view, at the page’s pace. A {FORMATS.gif.title}{" "}
        lasts at most {GIF_MAX_S} s and is at most 1280 wide.
        {!FILM_WRITERS.webm.isPossible() &&
          ` This browser has no WebCodecs and cannot write ${FORMATS.webm.title}: save a ${FORMATS.gif.title}.`}
      </span>
    </div>
  );
}

interface AllStepsProps {
  readonly steps: ReturnType<typeof stepStates>;
  readonly all: boolean;
  readonly onAll: (all: boolean) => void;
}

function AllSteps({ steps: { states, left }, all, onAll }: AllStepsProps): ReactNode {
  return (
    <label>
      <input
        type="checkbox"
        checked={all}
        data-testid="picture-all-steps"
        onChange={(event) => onAll(event.target.checked)}
      />{" "}
      Film of all {states.length} steps
      {left > 0 && (
        <span className="muted"> ({counted(left, "step")} with runs of its own is left out)</span>
      )}
    </label>
  );
}

interface SaveProps {
  readonly format: FormatName;
  readonly disabled: boolean;
  readonly onSave: () => void;
}

function SaveButton({ format, disabled, onSave }: SaveProps): ReactNode {
  const { title } = FORMATS[format];
  const { carries, loses } = FORMAT_DOCS[format];
  return (
    <button
      type="button"
      className="button"
      disabled={disabled}
      title={`${carries}\n${loses}`}
      data-testid={`picture-${format}`}
      onClick={onSave}
    >
      Save {title}
    </button>
  );
}

function Length({
  seconds,
  onSeconds,
}: {
  readonly seconds: number;
  readonly onSeconds: (seconds: number) => void;
}): ReactNode {
  const { store } = usePage();
  const [lengths] = useState(() => lengthsOf(store.getState()));
  return (
    <label>
      Film of{" "}
      <select
        className="select"
        value={seconds}
        data-testid="picture-length"
        onChange={(event) => onSeconds(Number(event.target.value))}
      >
        {lengths.map((each, index) => (
          <option key={each} value={each}>
            {each} s{index === 0 ? ", as it plays" : ""}
          </option>
        ))}
      </select>
    </label>
  );
}
