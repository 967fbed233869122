// The buttons that save what is in view: one for each format of the registry that the page writes.

import { useEffect, useRef, useState, type ReactNode } from "react";
import { FORMAT_DOCS } from "../../engine/gen/format-docs.ts";
import {
  FILM_FORMATS,
  FORMATS,
  PICTURE_FORMATS,
  TRACE_FORMATS,
  type FilmFormat,
  type FormatName,
} from "../../engine/gen/formats.ts";
import { Stopped } from "../../timeline/picture/picture.ts";
import { usePage } from "../page/page.ts";
import { lengthsOf, playedSeconds } from "./film-plan.ts";
import { OutcomeLine, type Outcome } from "./OutcomeLine.tsx";
import { saveFilm, savePicture, saveTrace, type Saved } from "./save-files.ts";
import { spanChoices, spanOf, type SpanChoice } from "./trace-span.ts";
import { useChosen } from "./use-chosen.ts";
import type { Choice } from "./picture-contents.ts";
import { GIF_MAX_S } from "./writers/gif-writer.ts";
import { FILM_WRITERS } from "./writers/page-writers.ts";

/** Makes a file and says what becomes of it. */
type Save = (make: (signal: AbortSignal) => Promise<Saved>) => Promise<void>;

interface GroupProps {
  readonly choice: Choice;
  readonly busy: boolean;
  readonly save: Save;
}

export function PictureFiles({ choice }: { readonly choice: Choice }): ReactNode {
  const [outcome, setOutcome] = useState<Outcome>();
  const making = useRef<AbortController>(undefined);
  useEffect(() => () => making.current?.abort(), []);
  const save: Save = async (make) => {
    const controller = new AbortController();
    making.current = controller;
    try {
      setOutcome({ kind: "saved", saved: await make(controller.signal) });
    } catch (error) {
      if (error instanceof Stopped) setOutcome({ kind: "stopped" });
      else
        setOutcome({
          kind: "failed",
          message: error instanceof Error ? error.message : String(error),
        });
    }
  };
  const group = { choice, busy: outcome?.kind === "making", save };
  const onFrame = (done: number, frames: number): void =>
    setOutcome({ kind: "making", done, frames });
  return (
    <>
      <Pictures {...group} />
      <Films {...group} onFrame={onFrame} />
      <Traces {...group} />
      <OutcomeLine outcome={outcome} onCancel={() => making.current?.abort()} />
    </>
  );
}

function Pictures({ choice, busy, save }: GroupProps): ReactNode {
  const chosen = useChosen(choice);
  return (
    <div className="picture-files">
      {PICTURE_FORMATS.map((format) => (
        <SaveButton
          key={format}
          format={format}
          disabled={busy}
          onSave={() => void save(() => savePicture(format, chosen()))}
        />
      ))}
      <span className="muted">
        {FORMATS.svg.title} and {FORMATS.pdf.title} keep words as words and lanes as rectangles,
        sharp at any size. {FORMATS.png.title} is made of dots.
      </span>
    </div>
  );
}

interface FilmsProps extends GroupProps {
  readonly onFrame: (done: number, frames: number) => void;
}

function Films({ choice, busy, save, onFrame }: FilmsProps): ReactNode {
  const chosen = useChosen(choice);
  const { store } = usePage();
  const [seconds, setSeconds] = useState(() => playedSeconds(store.getState()));
  const film = (format: FilmFormat): Promise<void> =>
    save((signal) =>
      saveFilm(format, chosen(), { state: store.getState(), seconds, signal, onFrame }),
    );
  return (
    <div className="picture-files">
      {FILM_FORMATS.map((format) => (
        <SaveButton
          key={format}
          format={format}
          disabled={busy || !FILM_WRITERS[format].isPossible()}
          onSave={() => void film(format)}
        />
      ))}
      <Length seconds={seconds} onSeconds={setSeconds} />
      <span className="muted">
        The playhead crosses the view at the page’s pace. A {FORMATS.gif.title} lasts at most{" "}
        {GIF_MAX_S} s and is at most 1280 wide.
        {!FILM_WRITERS.webm.isPossible() &&
          ` This browser has no WebCodecs and cannot write ${FORMATS.webm.title}: save a ${FORMATS.gif.title}.`}
      </span>
    </div>
  );
}

function Traces({ busy, save }: GroupProps): ReactNode {
  const { store } = usePage();
  const [choices] = useState(() => spanChoices(store.getState()));
  const [at, setAt] = useState(0);
  const chosen = choices[at];
  if (chosen === undefined) return null;
  return (
    <div className="picture-files">
      {TRACE_FORMATS.map((format) => (
        <SaveButton
          key={format}
          format={format}
          disabled={busy}
          onSave={() =>
            void save(() => {
              const state = store.getState();
              const span = spanOf(state, chosen);
              if (span === undefined) throw new Error("this side has no run yet.");
              const name = state.route === "own" ? "scenario" : state.entry.slug;
              return saveTrace(format, span, name);
            })
          }
        />
      ))}
      <label>
        Trace of{" "}
        <select
          className="select"
          value={at}
          data-testid="picture-span"
          onChange={(event) => setAt(Number(event.target.value))}
        >
          {choices.map((each, index) => (
            <option key={spanWords(each)} value={index}>
              {spanWords(each)}
            </option>
          ))}
        </select>
      </label>
      <span className="muted">Who runs where and who wakes whom, for tools that read traces.</span>
    </div>
  );
}

function spanWords({ side, whole }: SpanChoice): string {
  return `${side.toUpperCase()}, ${whole ? "the whole run" : "what is in view"}`;
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
