// The line under the buttons: how far a file is, its name once it is saved, or why there is none.

import type { ReactNode } from "react";
import type { Saving } from "../widgets/use-saving.ts";

export function OutcomeLine({
  saving: { outcome, cancel },
}: {
  readonly saving: Saving;
}): ReactNode {
  if (outcome?.kind === "failed")
    return (
      <p className="strip strip-fault picture-outcome" role="alert" data-testid="picture-error">
        {outcome.what}: {outcome.why}
      </p>
    );
  if (outcome?.kind === "making") {
    const { words, done, of } = outcome.progress;
    return (
      <div className="picture-progress picture-outcome">
        <progress value={done} max={of} aria-label="How far it is" data-testid="picture-progress" />
        <span className="muted">{words}</span>
        <button type="button" className="button" data-testid="picture-cancel" onClick={cancel}>
          Cancel
        </button>
      </div>
    );
  }
  return (
    <p className="picture-outcome" role="status" data-testid="picture-said">
      {outcome?.kind === "stopped" && "Cancelled. No file was saved."}
      {outcome?.kind === "done" && outcome.words}
    </p>
  );
}
