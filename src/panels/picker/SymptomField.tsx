// The field that takes what a viewer has: a sentence, a pasted text, a file. It finds nothing itself.

import type { KeyboardEvent, ReactNode, RefObject } from "react";
import { TEXT_MAX } from "../../engine/paste-protocol.ts";

/** Lines that are shown at most; more are scrolled. */
const ROWS_MAX = 6;

interface SymptomFieldProps {
  readonly text: string;
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly onText: (text: string) => void;
  /** Why a file was not read; "" where nothing is wrong. */
  readonly problem: string;
  readonly onFile: (file: Blob) => void;
  /** Enter; `box`: with Ctrl, as in the paste box. */
  readonly onEnter: (box: boolean) => void;
}

export function SymptomField({
  text,
  field,
  problem,
  onText,
  onFile,
  onEnter,
}: SymptomFieldProps): ReactNode {
  const said = text.length >= TEXT_MAX ? `Only the first ${TEXT_MAX / 1024} kB are read.` : problem;
  const press = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    onEnter(event.ctrlKey || event.metaKey);
  };
  return (
    <div className="symptom">
      <label className="symptom-label" htmlFor="symptom-text">
        What do you see?
      </label>
      <div className="symptom-row">
        <textarea
          ref={field}
          id="symptom-text"
          className="input symptom-text"
          rows={Math.min(ROWS_MAX, text.split("\n", ROWS_MAX).length)}
          maxLength={TEXT_MAX}
          spellCheck={false}
          autoComplete="off"
          placeholder="throttled at 30 %, worst case 400 µs, a knob, a pasted cpu.stat or boot line"
          value={text}
          data-testid="picker-search"
          onChange={(event) => onText(event.target.value)}
          onKeyDown={press}
        />
        <FileButton onFile={onFile} />
      </div>
      {said !== "" && (
        <p className="symptom-problem" role="alert" data-testid="symptom-problem">
          {said}
        </p>
      )}
    </div>
  );
}

/** For those who cannot drop a file: by keyboard, on a phone. */
function FileButton({ onFile }: Pick<SymptomFieldProps, "onFile">): ReactNode {
  return (
    <label className="button symptom-file">
      Open a file
      <input
        type="file"
        className="visually-hidden"
        data-testid="symptom-file"
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          if (file !== undefined) onFile(file);
          event.target.value = "";
        }}
      />
    </label>
  );
}
