// In place of the picture where there is no scenario, as after its text was taken away: the ways to
// one.

import type { ReactNode } from "react";
import { askPaste } from "../paste/ask-paste.ts";

interface EmptyStageProps {
  readonly onEditor: () => void;
  readonly onGallery: () => void;
}

export default function EmptyStage({ onEditor, onGallery }: EmptyStageProps): ReactNode {
  return (
    <div className="stage-empty">
      <p>Nothing to run yet. Write a scenario, or start from a shipped one.</p>
      <button
        type="button"
        className="button primary-button"
        data-testid="empty-write"
        onClick={onEditor}
      >
        Write a scenario
      </button>
      <button type="button" className="button" data-testid="empty-choose" onClick={onGallery}>
        Choose a question
      </button>
      <button type="button" className="button" data-testid="empty-paste" onClick={askPaste}>
        Paste what you have
      </button>
    </div>
  );
}
