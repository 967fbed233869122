// What is in view as a file: a picture, a film of the playhead crossing it, or the runs for other
// tools. Nothing leaves the page by itself.

import { useEffect, useRef, useState, type ReactNode } from "react";
import { drawn } from "../../timeline/picture/picture.ts";
import { useDispatch, useSelect } from "../page/page.ts";
import { useTimelineSides } from "../page/timeline-sides.ts";
import { Dialog } from "../widgets/Dialog.tsx";
import { LOOKS, SIZES, type Choice, type Look, type Size } from "./picture-contents.ts";
import { OutcomeLine } from "./OutcomeLine.tsx";
import { PictureFiles } from "./PictureFiles.tsx";
import { RunFiles } from "./run/RunFiles.tsx";
import { useSaving } from "../widgets/use-saving.ts";
import { useChosen } from "./use-chosen.ts";
import "./picture.css";

const SIZE_WORDS: Readonly<Record<Size, string>> = {
  "2560x1440": "slide, 2560 × 1440",
  "1920x1080": "slide, 1920 × 1080",
  "3840x2160": "slide, 3840 × 2160",
  screen: "as on screen",
};
const LOOK_WORDS: Readonly<Record<Look, string>> = {
  screen: "as on screen",
  paper: "light, for paper",
};

const PARTS = { picture: "Picture or film", run: "Run for other tools" } as const;
type Part = keyof typeof PARTS;

export default function PictureDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const sides = useTimelineSides();
  const dispatch = useDispatch();
  useEffect(() => dispatch({ type: "paused" }), [dispatch]); // A picture is of one instant.
  const [part, setPart] = useState<Part>("picture");
  const [choice, setChoice] = useState<Choice>({ size: SIZES[0], look: "screen" });
  const saving = useSaving();
  return (
    <Dialog title="Save as a file" onClose={onClose} testId="picture" wide>
      {sides.length === 0 ? (
        <p className="empty">There is no run to save yet.</p>
      ) : (
        <>
          <Parts part={part} onPart={setPart} />
          {part === "run" ? (
            <RunFiles saving={saving} />
          ) : (
            <>
              <Preview choice={choice} />
              <Choices choice={choice} onChoice={setChoice} />
              <PictureFiles choice={choice} saving={saving} />
            </>
          )}
          <OutcomeLine saving={saving} />
        </>
      )}
    </Dialog>
  );
}

interface PartsProps {
  readonly part: Part;
  readonly onPart: (part: Part) => void;
}

function Parts({ part, onPart }: PartsProps): ReactNode {
  return (
    <div className="segmented" role="radiogroup" aria-label="What is saved">
      {(Object.keys(PARTS) as Part[]).map((each) => (
        <label key={each} className="segment">
          <input
            type="radio"
            name="picture-part"
            checked={part === each}
            data-testid={`picture-part-${each}`}
            onChange={() => onPart(each)}
          />
          <span>{PARTS[each]}</span>
        </label>
      ))}
    </div>
  );
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
    // eslint-disable-next-line react-hooks/exhaustive-deps -- `chosen` reads only from the state
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
