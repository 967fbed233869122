// The line under the buttons: how far a file is, its name once it is saved, or why there is none.

import type { ReactNode } from "react";
import { counted } from "../../lib/count.ts";
import type { Saved } from "./save-files.ts";

/** What became of the file that a person asked for last. */
export type Outcome =
  | { readonly kind: "saved"; readonly saved: Saved }
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "making"; readonly done: number; readonly frames: number }
  | { readonly kind: "stopped" };

export function OutcomeLine({
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
