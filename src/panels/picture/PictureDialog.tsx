// What is in view as a file: a picture, or a film of the playhead crossing it. Nothing leaves the page by itself.

import { useEffect, useRef, useState, type ReactNode } from "react";
import { counted } from "../../lib/count.ts";
import { download } from "../../lib/download.ts";
import { blobOf, drawn, RECTS_MAX, svgText, vectorOf } from "../../timeline/picture/index.ts";
import { Dialog } from "../bits.tsx";
import { usePage, useSelect } from "../page.ts";
import { useTimelineSides } from "../timeline-sides.ts";
import { chosenOf, LOOKS, SIZES, type Choice, type Chosen, type Look, type Size } from "./what.ts";
import "./picture.css";

const SIZE_WORDS: Readonly<Record<Size, string>> = { screen: "as on screen", "1920x1080": "1920 × 1080", "2560x1440": "2560 × 1440" };
const LOOK_WORDS: Readonly<Record<Look, string>> = { screen: "as on screen", paper: "light, for paper" };

export default function PictureDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const sides = useTimelineSides();
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
    // The state stands for all that `chosen` reads.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [state, choice]);
  return <div ref={box} className="picture-box" role="img" aria-label="The picture as it will be saved" data-testid="picture-preview" />;
}

function Choices({ choice, onChoice }: { readonly choice: Choice; readonly onChoice: (choice: Choice) => void }): ReactNode {
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

type Format = "svg" | "pdf" | "png";
const FORMATS: readonly (readonly [format: Format, words: string])[] = [
  ["svg", "Save SVG"],
  ["pdf", "Save PDF"],
  ["png", "Save PNG"],
];

function Files({ choice }: { readonly choice: Choice }): ReactNode {
  const chosen = useChosen(choice);
  const [saved, setSaved] = useState<Saved | { readonly error: string }>();
  const save = async (format: Format): Promise<void> => {
    try {
      setSaved(await saveStill(format, chosen()));
    } catch (error) {
      setSaved({ error: error instanceof Error ? error.message : String(error) });
    }
  };
  return (
    <>
      <div className="picture-files">
        {FORMATS.map(([format, words]) => (
          <button key={format} type="button" className="button" data-testid={`picture-${format}`} onClick={() => void save(format)}>
            {words}
          </button>
        ))}
      </div>
      <p className="muted">SVG and PDF keep words as words and lanes as rectangles, sharp at any size. PNG is made of dots.</p>
      <SavedLine saved={saved} />
    </>
  );
}

function SavedLine({ saved }: { readonly saved: Saved | { readonly error: string } | undefined }): ReactNode {
  if (saved !== undefined && "error" in saved)
    return (
      <p className="strip strip-fault" role="alert" data-testid="picture-error">
        The file could not be made: {saved.error}
      </p>
    );
  return (
    <p role="status" data-testid="picture-said">
      {saved === undefined ? "" : `Saved as ${saved.file}. ${saved.note ?? ""}`}
    </p>
  );
}

async function saveStill(format: Format, { picture, ratio, about, name }: Chosen): Promise<Saved> {
  const file = `${name}.${format}`;
  if (format === "png") {
    download(file, await blobOf(drawn(picture, ratio), "image/png"), "image/png");
    return { file };
  }
  const vector = vectorOf(picture, ratio, about);
  const note =
    vector.images === 0
      ? {}
      : { note: `The lanes of ${counted(vector.images, "side")} are an image in it: they hold more than ${RECTS_MAX} rectangles.` };
  if (format === "svg") {
    download(file, svgText(vector), "image/svg+xml");
    return { file, ...note };
  }
  const { pdfOf } = await import("../../timeline/picture/pdf.ts");
  const { bytes, missing } = await pdfOf(vector.shapes, vector.page);
  download(file, bytes, "application/pdf");
  return missing === "" ? { file, ...note } : { file, note: `${note.note ?? ""} PDF’s own fonts lack ${missing}: “?” stands there.` };
}
