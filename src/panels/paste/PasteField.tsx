// The field of the paste box. What is longer than it holds is cut before it enters it: a field with
// 10 MB stops a page.

import type { ClipboardEvent, ReactNode, RefObject } from "react";
import { LINES_MAX, TEXT_MAX } from "../../engine/paste-protocol.ts";
import { formatCount } from "../../lib/format.ts";

interface FieldProps {
  readonly text: string;
  /** Characters that were left out at the end. */
  readonly cut: number;
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly onText: (text: string) => void;
}

export function PasteField({ text, cut, field, onText }: FieldProps): ReactNode {
  const paste = (event: ClipboardEvent<HTMLTextAreaElement>): void => {
    const pasted = event.clipboardData.getData("text/plain");
    const { selectionStart: from, selectionEnd: to, value } = event.currentTarget;
    if (value.length - (to - from) + pasted.length <= TEXT_MAX) return;
    event.preventDefault();
    onText(`${value.slice(0, from)}${pasted}${value.slice(to)}`);
  };
  return (
    <>
      <label className="paste-label">
        Texts of your own tools, several at once. They never leave this page.
        <textarea
          ref={field}
          className="input mono paste-text"
          value={text}
          rows={7}
          spellCheck={false}
          autoComplete="off"
          wrap="off"
          placeholder={'resources:\n  limits:\n    cpu: "500m"'}
          data-testid="paste-text"
          onChange={(event) => onText(event.target.value)}
          onPaste={paste}
        />
      </label>
      {cut > 0 && (
        <p className="strip" role="status" data-testid="paste-cut">
          The box holds {TEXT_MAX / 1024} kB and {formatCount(LINES_MAX)} lines: the last{" "}
          {Math.ceil(cut / 1024)} kB of the text were left out.
        </p>
      )}
    </>
  );
}
