// What is in view as a file: a picture, or a film of the playhead crossing it. Nothing leaves the
// page by itself.

import { useEffect, useRef, useState, type ReactNode } from "react";
import { counted } from "../../lib/count.ts";
import { download } from "../../lib/download.ts";
import {
  blobOf,
  drawn,
  Film,
  GIF_FPS,
  RECTS_MAX,
  Stopped,
  svgText,
  vectorOf,
  WEBM_FPS,
} from "../../timeline/picture/picture.ts";
import type { State } from "../../state/shape/state.ts";
import { Dialog } from "../widgets/Dialog.tsx";
import { useDispatch, usePage, useSelect } from "../page/page.ts";
import { useTimelineSides } from "../page/timeline-sides.ts";
import { GIF_MAX_S, instantsOf, lengthsOf, playedSeconds } from "./film-plan.ts";
import {
  chosenOf,
  forGif,
  LOOKS,
  SIZES,
  type Choice,
  type Chosen,
  type Look,
  type Size,
} from "./picture-contents.ts";
import "./picture.css";

const SIZE_WORDS: Readonly<Record<Size, string>> = {
  screen: "as on screen",
  "1920x1080": "1920 × 1080",
  "2560x1440": "2560 × 1440",
};
const LOOK_WORDS: Readonly<Record<Look, string>> = {
  screen: "as on screen",
  paper: "light, for paper",
};

export default function PictureDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const sides = useTimelineSides();
  const dispatch = useDispatch();
  useEffect(() => dispatch({ type: "paused" }), [dispatch]); // A picture is of one instant.
  const [choice, setChoice] = useState<Choice>({ size: "screen", look: "screen" });
  return (
    <Dialog title="Picture of what is in view" onClose={onClose} testId="picture" wide>
      {sides.length === 0 ? (
        <p className="empty">There is no run to draw yet.</p>
      ) : (
        <>
          <Preview choice={choice} />
          <Choices choice={choice} onChoice={setChoice} />
          <Files choice={choice} />
        </>
      )}
    </Dialog>
  );
}

/** Makes what is chosen from the state as it is now. */
function useChosen(choice: Choice): () => Chosen {
  const { store, root } = usePage();
  const sides = useTimelineSides();
  return () => chosenOf(store.getState(), sides, choice, `${window.location.origin}${root}`);
}

function Preview({ choice }: { readonly choice: Choice }): ReactNode {
  const state = useSelect((each) => each);
  const chosen = useChosen(choice);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { picture, ratio } = chosen();
    const canvas = drawn(picture, ratio);
    canvas.className = "picture-preview";
    box.current?.replaceChildren(canvas);
    // `chosen` reads only from the state.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [state, choice]);
  return (
    <div
      ref={box}
      className="picture-box"
      role="img"
      aria-label="The picture as it will be saved"
      data-testid="picture-preview"
    />
  );
}

function Choices({
  choice,
  onChoice,
}: {
  readonly choice: Choice;
  readonly onChoice: (choice: Choice) => void;
}): ReactNode {
  return (
    <div className="picture-choices">
      <label>
        Size{" "}
        <select
          className="select"
          value={choice.size}
          data-testid="picture-size"
          onChange={(event) => onChoice({ ...choice, size: event.target.value as Size })}
        >
          {SIZES.map((size) => (
            <option key={size} value={size}>
              {SIZE_WORDS[size]}
            </option>
          ))}
        </select>
      </label>
      <label>
        Theme{" "}
        <select
          className="select"
          value={choice.look}
          data-testid="picture-theme"
          onChange={(event) => onChoice({ ...choice, look: event.target.value as Look })}
        >
          {LOOKS.map((look) => (
            <option key={look} value={look}>
              {LOOK_WORDS[look]}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

/** A saved file in words; `note` says what is not as one might expect. */
interface Saved {
  readonly file: string;
  readonly note?: string;
}

/** The state of the file: saved, failed, in the making, or stopped by the viewer. */
type Outcome =
  | { readonly kind: "saved"; readonly saved: Saved }
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "making"; readonly done: number; readonly frames: number }
  | { readonly kind: "stopped" };

const STILLS = ["svg", "pdf", "png"] as const;
const FILMS = ["webm", "gif"] as const;
const FORMAT_WORDS = { svg: "SVG", pdf: "PDF", png: "PNG", webm: "WebM", gif: "GIF" } as const;
type Still = (typeof STILLS)[number];
type FilmFormat = (typeof FILMS)[number];

function Files({ choice }: { readonly choice: Choice }): ReactNode {
  const chosen = useChosen(choice);
  const { store } = usePage();
  const [outcome, setOutcome] = useState<Outcome>();
  const [seconds, setSeconds] = useState(() => playedSeconds(store.getState()));
  const making = useRef<AbortController>(undefined);
  useEffect(() => () => making.current?.abort(), []);
  const save = async (make: (signal: AbortSignal) => Promise<Saved>): Promise<void> => {
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
  const film = (format: FilmFormat): Promise<void> =>
    save((signal) => {
      const onFrame = (done: number, frames: number): void =>
        setOutcome({ kind: "making", done, frames });
      return saveFilm(format, chosen(), { state: store.getState(), seconds, signal, onFrame });
    });
  const busy = outcome?.kind === "making";
  return (
    <>
      <div className="picture-files">
        {STILLS.map((format) => (
          <SaveButton
            key={format}
            format={format}
            disabled={busy}
            onSave={() => void save(() => saveStill(format, chosen()))}
          />
        ))}
        <span className="muted">
          SVG and PDF keep words as words and lanes as rectangles, sharp at any size. PNG is made of
          dots.
        </span>
      </div>
      <div className="picture-files">
        {FILMS.map((format) => (
          <SaveButton
            key={format}
            format={format}
            disabled={busy || (format === "webm" && !HAS_ENCODER)}
            onSave={() => void film(format)}
          />
        ))}
        <Length seconds={seconds} onSeconds={setSeconds} />
        <span className="muted">
          The playhead crosses the view at the page’s pace. A GIF lasts at most {GIF_MAX_S} s and is
          at most 1280 wide.
          {!HAS_ENCODER && " This browser has no WebCodecs and cannot write WebM: save a GIF."}
        </span>
      </div>
      <OutcomeLine outcome={outcome} onCancel={() => making.current?.abort()} />
    </>
  );
}

const HAS_ENCODER = typeof VideoEncoder !== "undefined";

interface SaveProps {
  readonly format: Still | FilmFormat;
  readonly disabled: boolean;
  readonly onSave: () => void;
}

function SaveButton({ format, disabled, onSave }: SaveProps): ReactNode {
  return (
    <button
      type="button"
      className="button"
      disabled={disabled}
      data-testid={`picture-${format}`}
      onClick={onSave}
    >
      Save {FORMAT_WORDS[format]}
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

function OutcomeLine({
  outcome,
  onCancel,
}: {
  readonly outcome: Outcome | undefined;
  readonly onCancel: () => void;
}): ReactNode {
  if (outcome?.kind === "failed")
    return (
      <p className="strip strip-fault" role="alert" data-testid="picture-error">
        The file could not be made: {outcome.message}
      </p>
    );
  if (outcome?.kind === "making")
    return (
      <div className="picture-progress">
        <progress
          value={outcome.done}
          max={outcome.frames}
          aria-label="Frames made"
          data-testid="picture-progress"
        />
        <span className="muted">
          {outcome.done} of {counted(outcome.frames, "frame")}
        </span>
        <button type="button" className="button" data-testid="picture-cancel" onClick={onCancel}>
          Cancel
        </button>
      </div>
    );
  return (
    <p role="status" data-testid="picture-said">
      {outcome === undefined
        ? ""
        : outcome.kind === "stopped"
          ? "Cancelled. No file was saved."
          : savedWords(outcome.saved)}
    </p>
  );
}

function savedWords({ file, note = "" }: Saved): string {
  return `Saved as ${file}. ${note}`;
}

interface FilmPlan {
  readonly state: State;
  readonly seconds: number;
  readonly signal: AbortSignal;
  readonly onFrame: (done: number, frames: number) => void;
}

async function saveFilm(
  format: FilmFormat,
  chosen: Chosen,
  { state, seconds, signal, onFrame }: FilmPlan,
): Promise<Saved> {
  const { picture, ratio, name } = format === "gif" ? forGif(chosen) : chosen;
  const length = format === "gif" ? Math.min(seconds, GIF_MAX_S) : seconds;
  const frames = Math.floor(length * (format === "gif" ? GIF_FPS : WEBM_FPS));
  onFrame(0, frames);
  const film = new Film(picture, ratio, instantsOf(state, frames));
  const watched = { signal, onFrame: (done: number) => onFrame(done, frames) };
  const file = `${name}.${format}`;
  if (format === "gif") {
    const { gifOf } = await import("../../timeline/picture/gif.ts");
    download(file, await gifOf(film, watched), "image/gif");
  } else {
    const { webmOf } = await import("../../timeline/picture/webm.ts");
    download(file, await webmOf(film, watched), "video/webm");
  }
  return { file, note: `${counted(frames, "frame")}, ${length} s.` };
}

async function saveStill(format: Still, { picture, ratio, about, name }: Chosen): Promise<Saved> {
  const file = `${name}.${format}`;
  if (format === "png") {
    download(file, await blobOf(drawn(picture, ratio), "image/png"), "image/png");
    return { file };
  }
  const vector = vectorOf(picture, ratio, about);
  const note =
    vector.images === 0
      ? {}
      : {
          note: `The lanes of ${counted(vector.images, "side")} are an image in it: they hold more than ${RECTS_MAX} rectangles.`,
        };
  if (format === "svg") {
    download(file, svgText(vector), "image/svg+xml");
    return { file, ...note };
  }
  const { pdfOf } = await import("../../timeline/picture/pdf.ts");
  const { bytes, missing } = await pdfOf(vector.shapes, vector.page);
  download(file, bytes, "application/pdf");
  return missing === ""
    ? { file, ...note }
    : { file, note: `${note.note ?? ""} PDF’s own fonts lack ${missing}: “?” stands there.` };
}
