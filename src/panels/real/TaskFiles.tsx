// Files for rt-app, folded: to be read, copied or saved under the name that the command has.

import type { ReactNode } from "react";
import { plainText } from "../../engine/plain.ts";
import { download } from "../../lib/download.ts";
import type { TaskFile } from "../../engine/real-object.ts";
import { CopyButton } from "../widgets/CopyButton.tsx";
import "./real.css";

/** Line by line: an end of a line is no hidden character here. */
function plainLines(text: string): string {
  return text.split("\n").map(plainText).join("\n");
}

export function TaskFiles({
  files,
  testId,
}: {
  readonly files: readonly TaskFile[];
  readonly testId: string;
}): ReactNode {
  return files.map(({ name, text, notes }, index) => (
    <details key={name} className="real-file" data-testid={`${testId}-${String(index)}`}>
      <summary>
        <code>{name}</code>, the tasks in rt-app’s grammar
      </summary>
      {notes.map((note) => (
        <p key={note} className="muted">
          {plainText(note)}
        </p>
      ))}
      <div className="real-file-buttons">
        <CopyButton
          text={plainLines(text)}
          label="Copy"
          testId={`${testId}-${String(index)}-copy`}
        />
        <button
          type="button"
          className="button"
          title={`Save ${name}`}
          onClick={() => download(name, plainLines(text), "application/json")}
        >
          Save
        </button>
      </div>
      <pre className="mono">{plainLines(text)}</pre>
    </details>
  ));
}
